/// What a request makes of the stored answers of ``NetworkClient/cache``. TNL's `cachePolicy` with its numbers.
///
/// | policy               | a fresh answer is stored | a stale one is stored | none is stored |
/// |----------------------|--------------------------|-----------------------|----------------|
/// | useProtocol          | is taken                 | the server is asked   | is loaded      |
/// | reloadIgnoringLocal  | is loaded                | is loaded             | is loaded      |
/// | returnCacheElseLoad  | is taken                 | is taken              | is loaded      |
/// | dontLoad             | is taken                 | is taken              | the attempt fails with `cannotLoadFromNetwork` |
/// | bypass               | is loaded                | is loaded             | is loaded      |
///
/// What is loaded is stored, where RFC 9111 lets a private cache do so, but for `bypass`. Without a cache nothing is ever stored.
public enum CachePolicy: Int, Sendable, Hashable, Codable, CaseIterable {
    /// RFC 9111.
    case useProtocol = 0
    /// Asks the server, whatever is stored, and stores the answer.
    case reloadIgnoringLocal = 1
    /// Takes what is stored, however old, and asks only without it.
    case returnCacheElseLoad = 2
    /// Takes what is stored, however old; without it the attempt fails with code `cannotLoadFromNetwork`.
    case dontLoad = 3
    /// As if there were no cache: nothing is taken, and nothing stored. No number of TNL's. A request that says `Cache-Control:
    /// no-store` is treated like this, too, and tells the caches on the way.
    case bypass = 4
}

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
