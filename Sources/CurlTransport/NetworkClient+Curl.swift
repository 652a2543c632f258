public import NetworkLayer

extension NetworkClient {
    /// One for a whole program, made when it is first asked for: for scripts and first steps. What is to be tested gets its client from
    /// outside.
    public static let shared = NetworkClient()

    /// A client over a ``CurlTransport`` of its own.
    ///
    ///     let birds = try await NetworkClient().value(for: .get("https://birds.example/birds"), as: [Bird].self)
    ///
    /// - Parameters:
    ///   - configuration: for requests that are given none of their own.
    ///   - headers: for requests that don't have those fields: see ``NetworkLayer/FixedHeaders``.
    ///   - userAgent: what requests call themselves that have no `User-Agent` of their own; `nil`: nothing.
    ///   - pool: how connections are kept.
    public convenience init(
        settings: Settings = .init(), configuration: RequestConfiguration = .init(), headers: [String: String] = [:],
        userAgent: String? = nil,
        pool: ConnectionPool = .init(), cookies: CookieJars = .init(), cache: ResponseCache? = nil,
        conditions: (any NetworkConditionsSource)? = nil
    ) {
        self.init(
            transport: CurlTransport(userAgent: userAgent, pool: pool), settings: settings, configuration: configuration,
            cookies: cookies, cache: cache, conditions: conditions)
        if !headers.isEmpty { addHeaderProvider(FixedHeaders(defaults: headers)) }
    }
}
