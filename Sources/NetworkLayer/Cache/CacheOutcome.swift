/// What the cache did for an attempt, one event each. In this order there are four stories: `hit`; `miss`; `validating`,
/// `validated`; `validating`, `changed`.
public enum CacheOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// A stored answer is taken; nothing is sent.
    case hit
    /// Nothing is stored that could be taken; the request goes out.
    case miss
    /// The request goes out with the validators of a stored answer.
    case validating
    /// The server said 304: the stored answer is taken, its head brought up to date.
    case validated
    /// The server sent another answer, which is taken.
    case changed
}
