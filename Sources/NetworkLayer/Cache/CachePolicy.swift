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
