public import HTTPTypes

/// What one level says of how requests are sent; what is `nil` is inherited (TN-4).
///
///     library's default  <  environment  <  client  <  endpoint
///
/// Header fields are merged name by name; a field of the request itself beats all levels.
public struct EndpointConfiguration: Sendable, Hashable {
    /// The attempt timeout; where nothing is said, that of ``RequestConfiguration``: 60 s.
    public var timeout: Duration?
    /// Merged with those of the other levels, name by name.
    public var headers: HTTPFields
    /// The form of parameters that travel in the body; form fields by default.
    public var bodyFormat: BodyFormat?
    /// Keys of JSON as they are, by default.
    public var keyDecoding: KeyDecoding?
    /// Replaces that of the levels outside, but for what they refuse.
    public var redirects: RedirectConfiguration?
    /// `nil`: as the level outside says.
    public var consumption: ResponseConsumption?
    /// Replaces those of the levels outside.
    public var limits: ResponseLimits?
    /// Other than the rest it is inherited field by field, and what it says of trust only ever tightens.
    public var transport: EndpointTransport?
    /// Replaces the policies of the levels outside; an empty list turns them off.
    public var retry: RetryPolicies?
    /// Replaces those of the levels outside.
    public var connectivity: ConnectivityOptions?
    /// `nil`: as the level outside says.
    public var cachePolicy: CachePolicy?
    /// Replaces those of the levels outside.
    public var cookies: CookieConfiguration?

    /// `nil` inherits what the level above says.
    public init(
        timeout: Duration? = nil, headers: HTTPFields = [:], bodyFormat: BodyFormat? = nil, keyDecoding: KeyDecoding? = nil,
        redirects: RedirectConfiguration? = nil, consumption: ResponseConsumption? = nil, limits: ResponseLimits? = nil,
        transport: EndpointTransport? = nil, retry: RetryPolicies? = nil, connectivity: ConnectivityOptions? = nil,
        cachePolicy: CachePolicy? = nil, cookies: CookieConfiguration? = nil
    ) {
        self.timeout = timeout
        self.headers = headers
        self.bodyFormat = bodyFormat
        self.keyDecoding = keyDecoding
        self.redirects = redirects
        self.consumption = consumption
        self.limits = limits
        self.transport = transport
        self.retry = retry
        self.connectivity = connectivity
        self.cachePolicy = cachePolicy
        self.cookies = cookies
    }

    /// Header fields by names that are written out; every one must be a name (RFC 9110, section 5.1), as for `HTTPFields(_:)`.
    public init(headers: [String: String], bodyFormat: BodyFormat? = nil, timeout: Duration? = nil) {
        self.init(timeout: timeout, headers: HTTPFields(headers), bodyFormat: bodyFormat)
    }

    /// How parameters are written into a body.
    public enum BodyFormat: String, Sendable, Hashable, Codable, CaseIterable {
        /// `application/x-www-form-urlencoded`, TermiNetwork's default; or `application/json`.
        case form, json
    }

    /// How keys of JSON become names of properties.
    public enum KeyDecoding: String, Sendable, Hashable, Codable, CaseIterable {
        /// Names as they stand in the JSON; or `userName` for `user_name`.
        case asTheyAre, fromSnakeCase
    }

    /// This level over `outer`.
    public func inheriting(from outer: EndpointConfiguration) -> EndpointConfiguration {
        EndpointConfiguration(
            timeout: timeout ?? outer.timeout, headers: headers.merged(over: outer.headers),
            bodyFormat: bodyFormat ?? outer.bodyFormat, keyDecoding: keyDecoding ?? outer.keyDecoding,
            redirects: redirects?.inheriting(from: outer.redirects) ?? outer.redirects,
            consumption: consumption ?? outer.consumption, limits: limits ?? outer.limits,
            transport: transport?.inheriting(from: outer.transport) ?? outer.transport, retry: retry ?? outer.retry,
            connectivity: connectivity ?? outer.connectivity,
            cachePolicy: cachePolicy ?? outer.cachePolicy, cookies: cookies ?? outer.cookies)
    }

    /// What an operation gets.
    func applied(to base: RequestConfiguration) -> RequestConfiguration {
        var configuration = base
        if let timeout { configuration.timeouts.attempt = timeout }
        if let redirects { configuration.redirects = redirects.inheriting(from: base.redirects) }
        if let consumption { configuration.consumption = consumption }
        if let limits { configuration.limits = limits }
        if let transport { configuration.transport = transport.applied(to: base.transport) }
        if let retry { configuration.retry = retry }
        if let connectivity { configuration.connectivity = connectivity }
        if let cachePolicy { configuration.cachePolicy = cachePolicy }
        if let cookies { configuration.cookies = cookies }
        return configuration
    }
}

extension RedirectConfiguration {
    /// When one level refuses a downgrade or a scheme, no other level can allow it.
    fileprivate func inheriting(from outer: Self?) -> Self {
        var configuration = self
        if outer?.refusesDowngrade == true { configuration.refusesDowngrade = true }
        if let outer { configuration.schemes.formIntersection(outer.schemes) }
        return configuration
    }
}

extension HTTPFields {
    /// These fields, and those of `outer` whose names aren't among them.
    func merged(over outer: HTTPFields) -> HTTPFields {
        var merged = self
        for field in outer where !contains(field.name) { merged.append(field) }
        return merged
    }
}
