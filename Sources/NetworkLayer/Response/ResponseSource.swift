/// Where an answer came from. TNL's `TNLResponseSource`, which knows network, local cache and unknown.
public enum ResponseSource: String, Sendable, Hashable, Codable, CaseIterable {
    /// A server, over a connection.
    case network
    /// A stored answer that was fresh, or good enough for the ``CachePolicy``: nothing was sent.
    case cache
    /// A stored answer that the server called good with a 304; its head is brought up to date.
    case validatedCache
    /// A ``Transport`` that only plays one.
    case mock
}
