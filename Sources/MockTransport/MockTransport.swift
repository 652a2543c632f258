public import FoundationEssentials
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
    private let state: Mutex<State>

    private struct State {
        /// By URL, then by method; `nil`: for all that have none of their own.
        var endpoints: [String: [HTTPRequest.Method?: Endpoint]] = [:]
        var transfers = 0
        /// Of the last transfer to each URL.
        var priorities: [String: (transfer: Int, told: [Priority])] = [:]
        var generator: any RandomNumberGenerator & Sendable
    }

    struct Endpoint: Sendable {
        var response: MockResponse
        var behavior: MockBehavior
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
        self.state = Mutex(State(generator: generator))
    }

    // MARK: Endpoints

    /// From now on `url` is answered so, whatever the method, in place of what was registered for it before.
    ///
    /// - Parameter url: compared as an absolute URL in lower case, without its fragment, which is never sent.
    public func register(_ response: MockResponse, at url: URL, behavior: MockBehavior = .init()) {
        state.withLock { $0.endpoints[Self.key(url), default: [:]][nil] = Endpoint(response: response, behavior: behavior) }
    }

    /// As ``register(_:at:behavior:)``, for one method alone; it goes before what is registered for all of them.
    public func register(
        _ response: MockResponse, at url: URL, method: HTTPRequest.Method, behavior: MockBehavior = .init()
    ) {
        state.withLock { $0.endpoints[Self.key(url), default: [:]][method] = Endpoint(response: response, behavior: behavior) }
    }

    /// Takes back what was registered for the URL, for whatever methods.
    public func unregister(_ url: URL) {
        state.withLock { state in
            state.endpoints[Self.key(url)] = nil
            state.priorities[Self.key(url)] = nil
        }
    }

    public func unregisterAll() {
        state.withLock { state in
            state.endpoints.removeAll()
            state.priorities.removeAll()
        }
    }

    /// Whether anything is registered for the URL, for whatever method.
    public func isRegistered(_ url: URL) -> Bool {
        state.withLock { $0.endpoints[Self.key(url)] != nil }
    }

    /// What the last transfer to `url` was told of its priority: at its start, and then with each change (PRI-1). A mock is none
    /// the faster for it.
    public func priorities(at url: URL) -> [Priority] {
        state.withLock { $0.priorities[Self.key(url)]?.told ?? [] }
    }

    private static func key(_ url: URL) -> String {
        String(url.absoluteString.lowercased().prefix { $0 != "#" })
    }

    // MARK: Transport

    public func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let found = endpoint(for: request.request)
        if found == nil, let fallback { return fallback.start(request, receive: receive) }
        let plan: MockPlan =
            if let found {
                self.plan(for: request.request, at: found.endpoint, delay: found.delay)
            } else {
                .failing(.mockMissing(for: request.request))
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

    private func endpoint(for request: Request) -> (endpoint: Endpoint, delay: Duration)? {
        state.withLock { state in
            guard
                let endpoints = state.endpoints[Self.key(request.url)],
                let endpoint = endpoints[request.method] ?? endpoints[nil]
            else { return nil }
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
