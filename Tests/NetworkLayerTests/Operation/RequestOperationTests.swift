import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct RequestOperationTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()

    func make(
        script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing }
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time).watched()
        client.addObserver(recorder)
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    @Test func `a request that is answered succeeds with its head and body`() async throws {
        let (queue, _) = try make { _ in .respond(body: Data("hello".utf8)) }
        let operation = queue.enqueue(.get("http://a.test/"))
        let response = await operation.response
        #expect(response.error == nil)
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("hello".utf8))
        #expect(response.metrics.states.map(\.state) == [.preparing, .starting, .running, .succeeded])
        #expect(
            operation.events(from: 0).map(\.kind.name) == [
                "enqueued", "transition", "attemptStarted", "transition", "connectionAcquired", "requestHeadSent", "requestSent",
                "transition", "head", "downloadProgress", "attemptEnded", "transition", "completed",
            ])
        #expect(recorder.violations == [])
        #expect(time.alarmCount == 0)
    }

    @Test func `what is awaited before it is enqueued ends as any other`() async throws {
        let (queue, _) = try make { _ in .respond(body: Data("hello".utf8)) }
        let operation = RequestOperation(.get("http://a.test/"))
        async let response = operation.response
        queue.enqueue(operation)
        #expect(await response.text == "hello")
    }

    @Test func `what has come of a body can be read while it comes`() async throws {
        let (queue, transport) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        let transfer = await transport.transfer(0)
        for kind in [TransportEvent.Kind.requestSent, .head(ResponseHead(status: .ok))] { transfer.send(kind) }
        #expect(try operation.partialBody.contents() == Data())
        transfer.send(.body(Data("one".utf8), received: 3, expected: 6))
        #expect(try operation.partialBody.contents() == Data("one".utf8))
        transfer.send(.body(Data("two".utf8), received: 6, expected: 6))
        #expect(try operation.partialBody.contents() == Data("onetwo".utf8))
        transfer.send(.finished(TransferResult()))
        #expect(try await operation.response.info?.body.contents() == Data("onetwo".utf8))
        #expect(try operation.partialBody.contents() == Data())
        #expect(operation.bodyArrivals == [])
    }

    @Test func `of a body without a length it is known when which part came, also afterwards`() async throws {
        let (queue, transport) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        let transfer = await transport.transfer(0)
        for kind in [TransportEvent.Kind.requestSent, .head(ResponseHead(status: .ok))] { transfer.send(kind) }
        let start = time.now
        transfer.send(.body(Data("one".utf8), received: 3, expected: nil))
        time.advance(by: .milliseconds(7))
        transfer.send(.body(Data("three".utf8), received: 8, expected: nil))
        transfer.send(.finished(TransferResult()))
        _ = await operation.response
        #expect(operation.bodyArrivals == [BodyArrival(end: 3, time: start), BodyArrival(end: 8, time: start + .milliseconds(7))])
    }

    @Test func `the transport gets the request with all that it needs`() throws {
        let (queue, transport) = try make()
        var configuration = RequestConfiguration()
        configuration.transport.unixSocket = "/run/x"
        configuration.limits.headerBytes = 7
        configuration.resend = .never
        configuration.timeouts.connect = .seconds(5)
        queue.enqueue(.get("http://a.test/"), configuration: configuration, priority: .high)
        let request = transport.transfers[0].request
        #expect(request.request == .get("http://a.test/"))
        #expect(request.options == configuration.transport)
        #expect(request.limits == configuration.limits)
        #expect(request.resend == .never)
        #expect(request.connectTimeout == .seconds(5))
        configuration.timeouts.connect = .zero
        queue.enqueue(.get("http://a.test/"), configuration: configuration)
        #expect(transport.transfers[1].request.connectTimeout == nil, "CFG-1: never")
        #expect(request.priority == .high)
    }

    /// Its alarms never ring.
    private struct LateTimeSource: TimeSource {
        let clock: ManualTimeSource
        var now: MonotonicTime { clock.now }
        var date: Date { clock.date }

        func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm { NoAlarm() }

        struct NoAlarm: Alarm {
            func cancel() {}
        }
    }

    /// Takes ten seconds for it.
    private struct SlowSanitizer: HostSanitizer {
        let clock: ManualTimeSource

        func sanitize(host: String, of request: Request, isRedirect: Bool) async -> HostDecision {
            clock.advance(by: .seconds(10))
            return .keep
        }
    }

    private struct Abstainer: RetryPolicy {
        func decide(_ context: RetryContext) async -> RetryDecision { .abstain }
    }

    @Test(arguments: [NetworkError.Code.attemptTimedOut, .operationTimedOut], [false, true])
    func `what has run out of time isn't sent, though its alarm is late`(code: NetworkError.Code, isRetried: Bool) async throws {
        let late = LateTimeSource(clock: time)
        let transport = ScriptedTransport(time: late) { _ in .respond(body: Data("too late".utf8)) }
        let client = NetworkClient(transport: transport, time: late).watched()
        client.addObserver(recorder)
        client.setHostSanitizer(SlowSanitizer(clock: time))
        var configuration = RequestConfiguration()
        configuration.timeouts = Timeouts(
            idle: nil, attempt: code == .attemptTimedOut ? .seconds(10) : nil,
            operation: code == .operationTimedOut ? .seconds(10) : nil)
        if isRetried { configuration.retry = [Abstainer()] }
        let response = await client.response(for: .post("http://a.test/", body: .text("once")), configuration: configuration)
        #expect(response.error?.code == code)
        #expect(transport.transfers.isEmpty)
        #expect(recorder.violations == [])
    }

    @Test func `a redirect is a second transfer, and the final request shows where it led`() async throws {
        let (queue, transport) = try make { request in
            request.request.url.path == "/end" ? .respond(body: Data("end".utf8)) : .redirect(to: "/end")
        }
        let response = await queue.enqueue(.get("http://a.test/start")).response
        #expect(response.info?.finalRequest.url.absoluteString == "http://a.test/end")
        #expect(response.originalRequest.url.absoluteString == "http://a.test/start")
        #expect(transport.requests.map(\.url.path) == ["/start", "/end"])
        #expect(recorder.violations == [])
    }

    @Test func `a delegate decides about redirects`() async throws {
        struct Decider: RedirectDecider {
            let answer: Request?
            func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request? { answer }
        }
        let (queue, _) = try make { request in
            request.request.url.path == "/start" ? .redirect(to: "/end") : .respond()
        }
        var configuration = RequestConfiguration()
        configuration.redirects.policy = .delegate
        let elsewhere = Request.get("http://a.test/elsewhere")
        let followed = queue.enqueue(
            .get("http://a.test/start"), configuration: configuration, delegate: .init(redirects: Decider(answer: elsewhere)))
        #expect(await followed.response.info?.finalRequest == elsewhere)
        let refused = queue.enqueue(
            .get("http://a.test/start"), configuration: configuration, delegate: .init(redirects: Decider(answer: nil)))
        #expect(await refused.response.info?.head.status == .found)
        #expect(recorder.violations == [])
    }

    // MARK: Timeouts and cancels

    @Test func `a cancel cuts the transfer off and keeps what came before it`() async throws {
        let (queue, transport) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        transport.transfers[0].sendHead()
        transport.transfers[0].sendBody(Data("par".utf8), expected: 10)
        operation.cancel("the user")
        #expect(transport.transfers[0].calls == [.cancel])
        let response = await operation.response
        #expect(response.error?.cancelSource == "the user")
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("par".utf8))
        #expect(recorder.violations == [])
    }

    @Test func `CAN-2 T-CAN cancelled and then enqueued, or enqueued and then cancelled: over at once, with its source`()
        async throws
    {
        let (queue, transport) = try make()
        queue.suspend()
        for isEnqueuedFirst in [false, true] {
            let operation = RequestOperation(.get("http://a.test/"))
            if isEnqueuedFirst { queue.enqueue(operation) }
            operation.cancel("the user")
            #expect(operation.state == .cancelled)
            #expect(operation.finalResponse?.error?.cancelSource == "the user")
            if !isEnqueuedFirst { queue.enqueue(operation) }
            #expect(operation.metrics.attempts.isEmpty)
            #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        }
        #expect(queue.operations.isEmpty)
        queue.resume()
        #expect(transport.transfers.isEmpty)
    }

    @Test func `a cancel from inside an observer is no deadlock`() throws {
        struct Canceller: NetworkObserver {
            func observe(_ event: NetworkEvent, of operation: RequestOperation) {
                if case .head = event.kind { operation.cancel("an observer") }
            }
        }
        let (queue, transport) = try make()
        queue.addObserver(Canceller())
        let operation = queue.enqueue(.get("http://a.test/"))
        transport.transfers[0].sendHead()
        #expect(operation.state == .cancelled)
        #expect(recorder.violations == [])
    }

    @Test func `cancels from many threads at once: one wins, and the log is whole`() async throws {
        for _ in 0..<200 {
            let (queue, transport) = try make()
            let operation = queue.enqueue(.get("http://a.test/"))
            let transfer = transport.transfers[0]
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    transfer.sendUnlessFinished(.connectionAcquired(.loopback))
                    transfer.sendUnlessFinished(.requestSent)
                }
                for number in 0..<4 { group.addTask { operation.cancel(CancelSource("\(number)")) } }
                group.addTask { _ = await operation.response }
            }
            #expect(operation.state == .cancelled)
            #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        }
    }
}
