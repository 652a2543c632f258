import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

/// TNL's tests of its pseudo protocol (T-PSE): whole operations over a mock.
@Suite final class MockOperationTests: MockBench {
    func run(
        _ response: MockResponse, _ behavior: MockBehavior = .init(), advance duration: Duration = .zero,
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) async -> Response {
        transport.register(response, at: .a, behavior: behavior)
        var configuration = RequestConfiguration()
        configure(&configuration)
        let operation = queue.enqueue(Request(url: .a), configuration: configuration)
        time.advance(by: duration)
        let response = await operation.response
        #expect(recorder.violations == [])
        return response
    }

    @Test func `PSE-1 a 200 succeeds with its body`() async throws {
        let response = await run(.hello)
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("hello".utf8))
        #expect(response.metrics.attempts.count == 1)
    }

    @Test func `PSE-1 an answer is stored, and taken from the cache, as one of the network is`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mock-cache-\(UUID())").path()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let mock = MockTransport(time: time) { _ in .text("x", headers: [.cacheControl: "max-age=60"]) }
        let client = NetworkClient(transport: mock, time: time, cache: ResponseCache(directory: directory))
        #expect(await client.response(for: "http://a.test/").info?.source == .mock)
        #expect(await client.response(for: "http://a.test/").info?.source == .cache)
        #expect(mock.requests.count == 1)
    }

    @Test func `PSE-1 a 200 waits in a queue that is suspended`() async {
        transport.register(.hello, at: .a)
        queue.suspend()
        let operation = queue.enqueue(Request(url: .a))
        time.advance(by: .milliseconds(1100))
        queue.resume()
        let response = await operation.response
        #expect(response.info?.head.status == .ok)
        #expect(response.metrics.total == .milliseconds(1100))
    }

    @Test(arguments: [(0, 0), (500, 0), (0, 500), (500, 250)])
    func `PSE-2 delay and latency add up in the duration`(delay: Int, latency: Int) async {
        let behavior = MockBehavior(latency: .milliseconds(latency), delay: .milliseconds(delay))
        let response = await run(.hello, behavior, advance: .seconds(2))
        #expect(response.error == nil)
        #expect(response.metrics.total == .milliseconds(delay + latency))
    }

    @Test func `PSE-2 a redirect is followed to its Location`() async {
        transport.register(.hello, at: .b)
        let response = await run(.redirect())
        #expect(response.info?.head.status == .ok)
        #expect(response.info?.finalRequest.url == .b)
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .redirect])
    }

    @Test func `PSE-2 a redirect is followed where a mock is registered`() async {
        transport.register(.hello, at: .b)
        let response = await run(.redirect(), MockBehavior(redirects: .followIfRegistered))
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .redirect])
    }

    @Test func `PSE-2 a relative redirect is resolved before it is looked for`() async {
        transport.register(.hello, at: URL(string: "http://a.test/next")!)
        let response = await run(.redirect(to: "next"), MockBehavior(redirects: .followIfRegistered))
        #expect(response.info?.head.status == .ok)
    }

    @Test(arguments: [MockBehavior.Redirects.followIfRegistered, .dontFollow])
    func `PSE-2 a redirect that isn't to be followed is the response`(redirects: MockBehavior.Redirects) async {
        if redirects == .dontFollow { transport.register(.hello, at: .b) }
        let response = await run(.redirect(), MockBehavior(redirects: redirects))
        #expect(response.error == nil)
        #expect(response.info?.head.status == .found)
        #expect(response.info?.head.headers[HTTPField.Name("Mock-Location")!] == "http://b.test/next")
        #expect(response.metrics.attempts.map(\.kind) == [.initial])
    }

    @Test func `PSE-2 a 303 after a POST is followed with GET`() async {
        transport.register(.redirect(.seeOther), at: .a)
        transport.register(.hello, at: .b)
        let response = await queue.enqueue(Request(url: .a, method: .post, body: .data(Data("x".utf8)))).response
        #expect(response.info?.finalRequest == Request(url: .b))
    }

    @Test func `PSE-2 a mock slower than the attempt timeout runs into it`() async {
        let response = await run(.hello, MockBehavior(delay: .seconds(10)), advance: .seconds(2)) { configuration in
            configuration.timeouts = Timeouts(idle: nil, attempt: .seconds(1), operation: nil)
        }
        #expect(response.error?.code == .attemptTimedOut)
        #expect(response.info == nil)
        #expect(time.alarmCount == 0)
    }

    @Test func `PSE-2 a mock slower than the operation timeout runs into it`() async {
        let response = await run(.hello, MockBehavior(latency: .seconds(10)), advance: .seconds(2)) { configuration in
            configuration.timeouts = Timeouts(idle: nil, attempt: nil, operation: .seconds(1))
        }
        #expect(response.error?.code == .operationTimedOut)
    }

    /// Head after 3 s, body after 6 s, and silence for no longer than 1 s.
    @Test(arguments: [
        (Timeouts.IdleTimeoutMode.includingInitialConnection, NetworkError.Code?.some(.idleTimedOut), Duration.seconds(1)),
        (.excludingInitialConnection, .idleTimedOut, .seconds(4)), (.disabled, nil, .seconds(6)),
    ])
    func `T-IDLE TMO-1 a server that is silent for three seconds, in each mode`(
        mode: Timeouts.IdleTimeoutMode, code: NetworkError.Code?, end: Duration
    ) async {
        let response = await run(.hello, MockBehavior(bitsPerSecond: 800, latency: .seconds(3)), advance: .seconds(7)) {
            $0.timeouts = Timeouts(idle: .seconds(1), attempt: nil, operation: nil, idleMode: mode)
        }
        #expect(response.error?.code == code)
        #expect(response.metrics.total == end)
    }

    @Test func `PSE-2 a failure comes through as it is, without a head`() async {
        let response = await run(.hello, MockBehavior(failure: .reset))
        #expect(response.error == .reset)
        #expect(response.info == nil)
    }

    @Test func `PSE-2 a 404 is a success`() async {
        let response = await run(MockResponse(status: .notFound))
        #expect(response.error == nil)
        #expect(response.metrics.state == .succeeded)
    }

    @Test func `PSE-3 an early cancel ends it at once`() async {
        transport.register(.hello, at: .a, behavior: MockBehavior(delay: .seconds(60)))
        let operation = queue.enqueue(Request(url: .a))
        operation.cancel("early")
        let response = await operation.response
        #expect(response.error?.code == .cancelled)
        #expect(time.alarmCount == 0)
    }

    @Test func `PSE-3 a cancel before the enqueue reaches no mock`() async {
        transport.register(.hello, at: .a)
        let operation = RequestOperation(Request(url: .a))
        operation.cancel("earlier")
        queue.enqueue(operation)
        let response = await operation.response
        #expect(response.error?.code == .cancelled)
        #expect(response.metrics.attempts == [])
    }
}
