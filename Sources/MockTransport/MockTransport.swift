public import Base
public import HTTPTypes
public import NetworkLayer
import Synchronization

/// A transport that opens no connection: it answers with what was registered for a URL, as fast, as slow or as badly as its
/// ``MockBehavior`` says. TNL's pseudo protocol and TermiNetwork's mock data.
///
///     let transport = MockTransport(time: time)
///     transport.register(.file("Mocks/orders.json"), at: url, behavior: .init(bitsPerSecond: 64_000, latency: .milliseconds(80)))
///     let client = NetworkClient(transport: transport, time: time)
///
/// All of its delays pass on the given ``TimeSource``. What is due at once is reported inside of ``start(_:receive:)``.
public final class MockTransport: Transport {
    private let time: any TimeSource
    private let fallback: (any Transport)?
    private let answer: (@Sendable (Request) throws -> MockResponse?)?
    private let state: Mutex<State>

    private struct State {
        /// By URL, then by method; `nil`: for all that have none of their own.
        var endpoints: [String: [HTTPRequest.Method?: Endpoint]] = [:]
        /// By URL without its query, the last that was registered first.
        var rules: [String: [Rule]] = [:]
        var operations: [OperationID: Endpoint] = [:]
        var transfers = 0
        var requests: [Request] = []
        /// The priorities of the last transfer to each URL.
        var priorities: [String: (transfer: Int, told: [Priority])] = [:]
        var generator: any RandomNumberGenerator & Sendable

        mutating func note(_ request: Request) {
            if requests.count == 2000 { requests.removeFirst(1000) }
            requests.append(request)
        }

        func endpoint(for transfer: TransferRequest) -> Endpoint? {
            let request = transfer.request
            if let operation = transfer.operation, let endpoint = operations[operation],
                transfer.firstURL.map({ MockTransport.key($0) == MockTransport.key(request.url) }) ?? true
            {
                return endpoint
            }
            let endpoints = endpoints[MockTransport.key(request.url)]
            return endpoints?[request.method] ?? endpoints?[nil] ?? endpoint(byRuleFor: request)
        }

        func endpoint(byRuleFor request: Request) -> Endpoint? {
            guard let rules = rules[MockTransport.keyWithoutQuery(request.url)] else { return nil }
            let parameters = request.url.queryParameters
            var best: Rule?
            for rule in rules where rule.matches(request.method, parameters) {
                let isBetter = best.map { best in
                    rule.query.weight > best.query.weight
                        || (rule.query.weight == best.query.weight && best.method == nil && rule.method != nil)
                }
                if isBetter ?? true { best = rule }
            }
            return best?.endpoint
        }
    }

    struct Endpoint: Sendable {
        var response: MockResponse
        var behavior: MockBehavior
    }

    private struct Rule: Sendable {
        let query: MockQuery
        let method: HTTPRequest.Method?
        let endpoint: Endpoint

        func matches(_ method: HTTPRequest.Method?, _ parameters: [String: [String]]) -> Bool {
            (method == nil || self.method == nil || self.method == method) && query.matches(parameters)
        }
    }

    /// - Parameters:
    ///   - fallback: gets the requests for which nothing is registered; without one they fail with an error that says so.
    ///   - generator: draws the delays of a range.
    public init(
        time: any TimeSource = SystemTimeSource(), fallback: (any Transport)? = nil,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.time = time
        self.fallback = fallback
        self.answer = nil
        self.state = Mutex(State(generator: generator))
    }

    /// A server in one closure, for what isn't registered.
    ///
    ///     let transport = MockTransport { request in
    ///         request.method == .post ? .status(.created) : .json(birds)
    ///     }
    ///
    /// - Parameter answer: is asked for every attempt, on whatever thread starts it, and must return soon. With `nil` the request fails
    ///   with an error that says that there is no mock; with an error that is thrown, with that one.
    public init(
        time: any TimeSource = SystemTimeSource(), answer: @escaping @Sendable (Request) throws -> MockResponse?
    ) {
        self.time = time
        self.fallback = nil
        self.answer = answer
        self.state = Mutex(State(generator: SystemRandomNumberGenerator()))
    }

    /// What was sent, the last at the end: one for each attempt, as it was after its preparation. Of more than two thousand the older half
    /// is forgotten.
    public var requests: [Request] { state.withLock { $0.requests } }

    // MARK: Endpoints

    /// From now on `url` is answered so, in place of what was registered for the same before. What is registered for the very URL goes
    /// before the rules for its queries, of these the one that asks for the most parameters, then what is for one method alone.
    ///
    ///     transport.register(.file("Mocks/page.json"), at: orders, query: .including(["page": "2"]))
    ///
    /// - Parameters:
    ///   - url: compared as an absolute URL in lower case, without its fragment, which is never sent; its own query counts with
    ///     ``MockQuery/exactly`` only.
    ///   - method: `nil`: all that have no mock of their own.
    public func register(
        _ response: MockResponse, at url: some URLConvertible, query: MockQuery = .exactly, method: HTTPRequest.Method? = nil,
        behavior: MockBehavior = .init()
    ) {
        let url = url.requestURL
        let endpoint = Endpoint(response: response, behavior: behavior)
        state.withLock { state in
            guard query != .exactly else { return state.endpoints[Self.key(url), default: [:]][method] = endpoint }
            state.rules[Self.keyWithoutQuery(url), default: []].removeAll { $0.query == query && $0.method == method }
            state.rules[Self.keyWithoutQuery(url), default: []].insert(
                Rule(query: query, method: method, endpoint: endpoint), at: 0)
        }
    }

    /// From now on a call of an API is answered so: that with this URL, query included, and this method. TermiNetwork's mock file of an
    /// endpoint (TN-11).
    ///
    ///     try transport.register(.file("Mocks/birds.json"), for: .list(page: 1), of: birds)
    ///
    /// - Throws: `environmentNotSet`, `invalidURL`, `invalidParameters`, as sending the call does.
    public func register<Call>(
        _ response: MockResponse, for call: Call, of client: EndpointClient<Call>, behavior: MockBehavior = .init()
    ) throws(NetworkError) {
        let request = try client.request(for: call)
        register(response, at: request.url, method: request.method, behavior: behavior)
    }

    /// From now on an operation is answered so, whatever its URL and method; where a redirect leads it isn't. It goes before what is
    /// registered for URLs, and answers nobody else.
    public func register(_ response: MockResponse, for operation: OperationID, behavior: MockBehavior = .init()) {
        state.withLock { $0.operations[operation] = Endpoint(response: response, behavior: behavior) }
    }

    /// Removes the answer that was registered for the operation.
    public func unregister(_ operation: OperationID) {
        state.withLock { $0.operations[operation] = nil }
    }

    /// Removes the answers that were registered for the URL, for all methods, and the rules for its queries.
    public func unregister(_ url: URL) {
        state.withLock { state in
            state.rules[Self.keyWithoutQuery(url)] = nil
            state.endpoints[Self.key(url)] = nil
            state.priorities[Self.key(url)] = nil
        }
    }

    /// Removes everything that was registered, also for operations and by priority.
    public func unregisterAll() {
        state.withLock { state in
            state.endpoints.removeAll()
            state.operations.removeAll()
            state.rules.removeAll()
            state.priorities.removeAll()
        }
    }

    /// Whether anything is registered for the URL, for whatever method.
    public func isRegistered(_ url: URL) -> Bool {
        state.withLock { state in
            if state.endpoints[Self.key(url)] != nil { return true }
            return state.rules[Self.keyWithoutQuery(url)]?.contains { $0.matches(nil, url.queryParameters) } ?? false
        }
    }

    /// What the last transfer to `url` was told of its priority: at its start, and then with each change (PRI-1). A mock is none
    /// the faster for it.
    public func priorities(at url: URL) -> [Priority] {
        state.withLock { $0.priorities[Self.key(url)]?.told ?? [] }
    }

    private static func key(_ url: URL) -> String {
        String(url.absoluteString.lowercased().prefix { $0 != "#" })
    }

    private static func keyWithoutQuery(_ url: URL) -> String {
        String(key(url).prefix { $0 != "?" })
    }

    // MARK: Transport

    public func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let found = endpoint(for: request)
        if found == nil, let fallback { return fallback.start(request, receive: receive) }
        let plan: MockPlan =
            if let found {
                self.plan(for: request.request, at: found.endpoint, delay: found.delay)
            } else {
                plan(byAnswerTo: request.request)
            }
        let key = Self.key(request.request.url)
        let number = state.withLock { state in
            state.transfers += 1
            if found != nil { state.priorities[key] = (state.transfers, [request.priority]) }
            return state.transfers
        }
        let transfer = MockTransfer(
            number: number, request: plan.request ?? request.request, plan: plan, time: time, receive: receive
        ) { [weak self] priority in
            self?.state.withLock { state in
                if state.priorities[key]?.transfer == number { state.priorities[key]?.told.append(priority) }
            }
        }
        transfer.run()
        return transfer
    }

    private func plan(byAnswerTo request: Request) -> MockPlan {
        do {
            guard let response = try answer?(request) else { return .failing(.mockMissing(for: request)) }
            return plan(for: request, at: Endpoint(response: response, behavior: MockBehavior()), delay: .zero)
        } catch {
            return .failing(NetworkError(wrapping: error, phase: .connection))
        }
    }

    private func endpoint(for transfer: TransferRequest) -> (endpoint: Endpoint, delay: Duration)? {
        state.withLock { state in
            state.note(transfer.request)
            guard let endpoint = state.endpoint(for: transfer) else { return nil }
            let delay = endpoint.behavior.delay
            guard delay.lowerBound < delay.upperBound else { return (endpoint, delay.lowerBound) }
            let nanoseconds = Int64.random(
                in: delay.lowerBound.wholeNanoseconds...delay.upperBound.wholeNanoseconds, using: &state.generator)
            return (endpoint, .nanoseconds(nanoseconds))
        }
    }

    private func plan(for request: Request, at endpoint: Endpoint, delay: Duration) -> MockPlan {
        do throws(NetworkError) {
            let content = try endpoint.response.body.contents(for: request.url)
            return MockPlan(
                request: request, endpoint: endpoint, content: content, delay: delay, isRegistered: { self.isRegistered($0) })
        } catch {
            return .failing(error)
        }
    }
}

extension NetworkError {
    static func mockMissing(for request: Request) -> NetworkError {
        NetworkError(
            .unsupported, phase: .preparation, type: "mock.not_registered",
            message:
                "No mock is registered for \(request.url.absoluteString); register one, or give the mock transport another to fall back on."
        )
    }
}

/// Which queries a mock answers.
public enum MockQuery: Sendable, Hashable {
    /// That of the URL it is registered for, as it is written there.
    case exactly
    /// One that has these parameters with these values, decoded, in any order, whatever else it has.
    case including([String: String])
    /// Any, or none.
    case any

    /// Where two match, the one that asks for more answers.
    var weight: Int {
        switch self {
        case .exactly: .max
        case .including(let parameters): parameters.count
        case .any: 0
        }
    }

    func matches(_ parameters: [String: [String]]) -> Bool {
        switch self {
        case .exactly: false
        case .including(let wanted): wanted.allSatisfy { parameters[$0.key]?.contains($0.value) == true }
        case .any: true
        }
    }
}

extension URL {
    /// The values of each parameter of the query.
    var queryParameters: [String: [String]] {
        Dictionary(grouping: URLCoding.pairs(in: query(percentEncoded: true) ?? ""), by: \.key).mapValues { $0.map(\.value) }
    }
}
