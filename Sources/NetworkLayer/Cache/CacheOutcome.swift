/// What the cache did for an attempt, one event each. These sequences occur: `hit`; `miss`; `validating`, `validated`; and `validating`,
/// `changed`.
public enum CacheOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// A stored answer is used, and nothing is sent.
    case hit
    /// No stored answer can be used; the request goes out.
    case miss
    /// The request goes out with the validators of a stored answer.
    case validating
    /// The server answered 304: the stored answer is used, and its head is brought up to date.
    case validated
    /// The server sent another answer, which is used.
    case changed
}
