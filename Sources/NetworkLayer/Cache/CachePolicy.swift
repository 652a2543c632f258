/// What a request makes of the stored answers of ``NetworkClient/cache``. TNL's `cachePolicy` with its numbers.
///
/// | policy               | a fresh answer is stored | a stale one is stored | none is stored |
/// |----------------------|--------------------------|-----------------------|----------------|
/// | useProtocol          | is taken                 | the server is asked   | is loaded      |
/// | reloadIgnoringLocal  | is loaded                | is loaded             | is loaded      |
/// | returnCacheElseLoad  | is taken                 | is taken              | is loaded      |
/// | dontLoad             | is taken                 | is taken              | the attempt fails with `cannotLoadFromNetwork` |
///
/// What is loaded is stored, where RFC 9111 lets a private cache do so. Without a cache nothing is ever stored.
public enum CachePolicy: Int, Sendable, Hashable, Codable, CaseIterable {
    /// RFC 9111.
    case useProtocol = 0
    case reloadIgnoringLocal = 1
    case returnCacheElseLoad = 2
    case dontLoad = 3
}
