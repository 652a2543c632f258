public import Base
public import HTTPTypes

/// Sends the calls of an API. TermiNetwork's `Client` (TN-2).
///
///     let orders = EndpointClient<Orders>(environment: staging, queue: queue)
///     let page = try await orders.value(of: .list(page: 1), as: [Order].self)
///
/// A value: a copy with another environment or configuration is another client, and neither changes under a request.
public struct EndpointClient<Call: Endpoint>: Sendable {
    /// Where its calls go; `nil`: those with a path fail with `environmentNotSet`.
    public var environment: Environment?
    /// Takes precedence over the environment's configuration; a call's configuration takes precedence over it.
    public var configuration: EndpointConfiguration
    /// The level below all others.
    public var base: RequestConfiguration
    /// All of its calls go through it.
    public let queue: RequestOperationQueue
    /// Takes part in every call.
    public var delegate: RequestDelegate
    /// Changes every request on its way out, after the delegate's hydrator, and every response on its way in (TN-8).
    public var middleware: [any RequestMiddleware]

    /// A client of an API, whose calls go through `queue`; without an environment only those to whole URLs can.
    ///
    /// - Parameter base: `nil`: that of the queue's client, ``NetworkClient/configuration``.
    public init(
        environment: Environment? = nil, configuration: EndpointConfiguration = .init(), base: RequestConfiguration? = nil,
        queue: RequestOperationQueue, delegate: RequestDelegate = .init(), middleware: [any RequestMiddleware] = []
    ) {
        self.environment = environment
        self.configuration = configuration
        self.base = base ?? queue.client.configuration
        self.queue = queue
        self.delegate = delegate
        self.middleware = middleware
    }

    // MARK: What would be sent

    /// What all levels say together.
    package func configuration(for call: Call) -> EndpointConfiguration {
        call.call.configuration
            .inheriting(from: configuration)
            .inheriting(from: environment?.configuration ?? .init())
    }

    /// What would be sent for a call, before hydration.
    ///
    /// - Throws: `environmentNotSet`, `invalidURL`, `invalidParameters`.
    public func request(for call: Call) throws(NetworkError) -> Request {
        try call.call.request(in: environment, configuration: configuration(for: call))
    }

    /// What an operation of the call would be configured with.
    public func requestConfiguration(for call: Call) -> RequestConfiguration {
        configuration(for: call).applied(to: base)
    }

    // MARK: Sending

    /// The operation of a call, enqueued; ``RequestOperation/source`` is an ``EndpointRequest`` that says which call it was. Its
    /// response hasn't passed the ``middleware``: ``RequestOperation/response(through:)`` has it do so.
    @discardableResult
    public func send(_ call: Call, priority: Priority = .normal) throws(NetworkError) -> RequestOperation {
        var delegate = delegate
        if !middleware.isEmpty { delegate.hydrator = MiddlewareHydrator(middleware, after: delegate.hydrator) }
        return queue.enqueue(
            EndpointRequest(call: call, request: try request(for: call)), configuration: requestConfiguration(for: call),
            delegate: delegate, priority: priority)
    }

    /// The response, whatever its status, through the ``middleware``. Cancelling the task cancels the operation (TN-10).
    public func response(to call: Call, priority: Priority = .normal) async throws(NetworkError) -> Response {
        let response = try await send(call, priority: priority).response(through: middleware)
        if let error = response.error { throw error }
        return response
    }

    /// The body of a success as JSON of `type`; as it is where that is `String` or `Data`.
    public func value<Value: Decodable & Sendable>(
        of call: Call, as type: Value.Type = Value.self, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await response(to: call, priority: priority).result(as: type, decoder: jsonDecoder(for: call))
    }

    /// The body of a success as JSON, made into something else.
    public func value<Model: Decodable & Sendable, Value: Sendable>(
        of call: Call, using transformer: Transformer<Model, Value>, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await value(
            of: call, using: ResponseDecoder<Model>.json(decoder: jsonDecoder(for: call)).map(transformer), priority: priority)
    }

    /// The body of a success, read by any decoder.
    public func value<Value: Sendable>(
        of call: Call, using decoder: ResponseDecoder<Value>, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await response(to: call, priority: priority).requireSuccess().decode(using: decoder)
    }

    private func jsonDecoder(for call: Call) -> JSONDecoder {
        let keys = configuration(for: call).keyDecoding ?? .asTheyAre
        let decoder = JSONDecoder()
        switch keys {
        case .asTheyAre: decoder.keyDecodingStrategy = .useDefaultKeys
        case .fromSnakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        return decoder
    }
}

/// The request of a call, and the call: what ``RequestOperation/source`` is for operations of an ``EndpointClient``.
public struct EndpointRequest<Call: Endpoint>: RequestConvertible {
    /// As it was sent.
    public let call: Call
    /// What was made of it, before hydration.
    public let request: Request

    public var url: URL { request.url }
    public var method: HTTPRequest.Method { request.method }
    public var headers: HTTPFields { request.headers }
    public var body: RequestBody { request.body }
}

/// What one level says of how requests are sent; what is `nil` is inherited (TN-4).
///
///     library's default  <  environment  <  client  <  endpoint
///
/// Header fields are merged name by name; a field of the request itself beats all levels.
public struct EndpointConfiguration: Sendable, Hashable {
    /// Merged with those of the other levels, name by name.
    public var headers: HTTPFields
    /// The form of parameters that travel in the body; form fields by default.
    public var bodyFormat: BodyFormat?
    /// Keys of JSON as they are, by default.
    public var keyDecoding: KeyDecoding?
    /// What the levels say of single fields and of groups of them, the outermost level first.
    private var settings: [Setting] = []

    /// `nil` inherits what the level above says.
    public init(
        timeout: Duration? = nil, headers: HTTPFields = [:], bodyFormat: BodyFormat? = nil, keyDecoding: KeyDecoding? = nil,
        redirects: RedirectConfiguration? = nil, consumption: ResponseConsumption? = nil, limits: ResponseLimits? = nil,
        transport: TransportOptions? = nil, tls: TLSOptions? = nil, retry: RetryPolicies? = nil,
        connectivity: ConnectivityOptions? = nil,
        cachePolicy: CachePolicy? = nil, cookies: CookieConfiguration? = nil
    ) {
        self.headers = headers
        self.bodyFormat = bodyFormat
        self.keyDecoding = keyDecoding
        self.timeout = timeout
        self.redirects = redirects
        self.consumption = consumption
        self.limits = limits
        self.transport = transport
        self.tls = tls
        self.retry = retry
        self.connectivity = connectivity
        self.cachePolicy = cachePolicy
        self.cookies = cookies
    }

    /// Header fields by names that are written out, as for `HTTPFields(_:)`.
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
    package func inheriting(from outer: EndpointConfiguration) -> EndpointConfiguration {
        var merged = self
        merged.headers = headers.merged(over: outer.headers)
        merged.bodyFormat = bodyFormat ?? outer.bodyFormat
        merged.keyDecoding = keyDecoding ?? outer.keyDecoding
        merged.settings = outer.settings + settings
        return merged
    }

    /// What an operation gets.
    func applied(to base: RequestConfiguration) -> RequestConfiguration {
        var configuration = base
        for setting in settings { setting.apply(&configuration) }
        return configuration
    }
}

// MARK: Fields of the request's configuration

extension EndpointConfiguration {
    /// Of the whole operation, waiting in line and all retries included, as in ``RequestConfiguration/init(timeout:retry:)``; where
    /// nothing is said, the timeouts of ``EndpointClient/base``.
    public var timeout: Duration? {
        get { self[\.operationTimeout] }
        set { self[\.operationTimeout] = newValue }
    }

    /// Replaces that of the levels outside, as the properties below do; ``set(_:to:)`` replaces a single field.
    public var redirects: RedirectConfiguration? {
        get { self[\.redirects] }
        set { self[\.redirects] = newValue }
    }

    public var consumption: ResponseConsumption? {
        get { self[\.consumption] }
        set { self[\.consumption] = newValue }
    }

    public var limits: ResponseLimits? {
        get { self[\.limits] }
        set { self[\.limits] = newValue }
    }

    /// All but TLS, which ``tls`` says.
    public var transport: TransportOptions? {
        get { self[\.transportWithoutTLS] }
        set { self[\.transportWithoutTLS] = newValue }
    }

    /// Authorities, certificates and pins.
    public var tls: TLSOptions? {
        get { self[\.transport.tls] }
        set { self[\.transport.tls] = newValue }
    }

    /// An empty list turns those of the levels outside off.
    public var retry: RetryPolicies? {
        get { self[\.retry] }
        set { self[\.retry] = newValue }
    }

    public var connectivity: ConnectivityOptions? {
        get { self[\.connectivity] }
        set { self[\.connectivity] = newValue }
    }

    public var cachePolicy: CachePolicy? {
        get { self[\.cachePolicy] }
        set { self[\.cachePolicy] = newValue }
    }

    public var cookies: CookieConfiguration? {
        get { self[\.cookies] }
        set { self[\.cookies] = newValue }
    }

    /// Sets one field, and leaves its neighbours as the levels outside say.
    ///
    ///     production.configuration.set(\.redirects.limit, to: 3)
    ///
    /// Of what one level says of a field, the last counts. The properties don't see it: they are what was given to them.
    public mutating func set<Value: Hashable & Sendable>(
        _ field: any WritableKeyPath<RequestConfiguration, Value> & Sendable, to value: Value
    ) {
        self[field] = value
    }

    private subscript<Value: Hashable & Sendable>(field: any WritableKeyPath<RequestConfiguration, Value> & Sendable) -> Value? {
        get { settings.last { $0.field == field }?.value as? Value }
        set {
            settings.removeAll { $0.field == field }
            guard let newValue else { return }
            settings.append(Setting(field: field, value: newValue) { $0[keyPath: field] = newValue })
        }
    }

    private struct Setting: Sendable, Hashable {
        let field: any PartialKeyPath<RequestConfiguration> & Sendable
        let value: any Hashable & Sendable
        let apply: @Sendable (inout RequestConfiguration) -> Void

        static func == (one: Setting, other: Setting) -> Bool {
            one.field == other.field && AnyHashable(one.value) == AnyHashable(other.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(field)
            hasher.combine(AnyHashable(value))
        }
    }
}

extension RequestConfiguration {
    /// The one time of an operation, and none of its attempts.
    fileprivate var operationTimeout: Duration {
        get { timeouts.operation ?? .zero }
        set { (timeouts.attempt, timeouts.operation) = (nil, newValue) }
    }

    fileprivate var transportWithoutTLS: TransportOptions {
        get { transport }
        set {
            let tls = transport.tls
            transport = newValue
            transport.tls = tls
        }
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
