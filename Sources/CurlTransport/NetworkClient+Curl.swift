public import NetworkLayer

extension NetworkClient {
    /// A client over a ``CurlTransport`` of its own.
    ///
    ///     let birds = try await NetworkClient().value(for: .get("https://birds.example/birds"), as: [Bird].self)
    ///
    /// - Parameters:
    ///   - userAgent: what requests call themselves that have no `User-Agent` of their own; `nil`: nothing.
    ///   - pool: how connections are kept.
    public convenience init(
        settings: Settings = .init(), userAgent: String? = nil, pool: ConnectionPool = .init(), cookies: CookieJars = .init(),
        cache: ResponseCache? = nil, conditions: (any NetworkConditionsSource)? = nil
    ) {
        self.init(
            transport: CurlTransport(userAgent: userAgent, pool: pool), settings: settings, cookies: cookies, cache: cache,
            conditions: conditions)
    }
}
