import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Section 2.2 of the reference: the whole order of what observers (`O`) and the event handler (`D`) hear, and of when the roles
/// are asked (indented). One test for each scenario.
@Suite(.watchesEvents) struct WholeStoryTests {
    /// From enqueue to the end of the preparation, with every role.
    static let preparation = [
        "OD enqueued",
        "OD idle>preparing",
        "   hydrate http://a.test/",
        "OD prepared hydration",
        "   defaultHeaders",
        "   overrideHeaders",
        "OD prepared headers",
        "   sanitize a.test",
        "OD prepared hostSanitizer",
        "   authorize http://a.test/",
        "OD prepared authorization",
        "   readyToEnqueue",
        "OD prepared readyToEnqueue",
        "OD attemptStarted initial http://a.test/",
        "OD preparing>starting",
        "   transfer starts",
    ]

    @Test func `OBS-1 EVT-1 success: the observer hears each event before the handler, and every role is asked in its turn`()
        async throws
    {
        var answers = Storyteller.Answers()
        answers.host = { _ in .changeWithoutHostHeader(to: "b.test") }
        let stage = try Stage(answers) { _ in .respond(body: Data("hello".utf8)) }
        let operation = stage.enqueue()
        _ = await operation.response
        stage.expect([
            "OD enqueued",
            "OD idle>preparing",
            "   hydrate http://a.test/",
            "OD prepared hydration",
            "   defaultHeaders",
            "   overrideHeaders",
            "OD prepared headers",
            "   sanitize a.test",
            "OD prepared hostSanitizer",
            "OD hostSanitized a.test b.test",
            "   authorize http://b.test/",
            "OD prepared authorization",
            "   readyToEnqueue",
            "OD prepared readyToEnqueue",
            "OD attemptStarted initial http://b.test/",
            "OD preparing>starting",
            "   transfer starts",
            "OD connectionAcquired",
            "OD requestHeadSent",
            "OD requestSent",
            "OD starting>running",
            "OD head",
            "OD downloadProgress",
            "OD attemptEnded completing",
            "OD running>succeeded",
            "OD completed succeeded",
        ])
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    /// Unlike TNL the log has the head of a redirect, which says where to, and tells what was decided about it (also a refusal)
    /// as a part of the attempt that it ends, not of the next.
    @Test func `EVT-1 redirect, then success: only the decider and the sanitizer are asked again`() async throws {
        let stage = try Stage { request in request.request.url.path == "/end" ? .respond() : .redirect(to: "/end") }
        let operation = stage.enqueue { $0.redirects.policy = .delegate }
        _ = await operation.response
        stage.expect(
            Self.preparation + [
                "OD connectionAcquired",
                "OD requestHeadSent",
                "OD requestSent",
                "OD starting>running",
                "OD head",
                "   redirect to http://a.test/end",
                "OD redirect",
                "   sanitize a.test, a redirect",
                "OD attemptEnded redirecting",
                "OD attemptStarted redirect http://a.test/end",
                "   transfer starts",
                "OD connectionAcquired",
                "OD requestHeadSent",
                "OD requestSent",
                "OD head",
                "OD attemptEnded completing",
                "OD running>succeeded",
                "OD completed succeeded",
            ])
    }

    /// TNL tells of an attempt that completes, though there was none.
    @Test func `PRE-3 preparation failure: no attempt, but its step`() async throws {
        struct NoToken: Error {}
        var answers = Storyteller.Answers()
        answers.authorization = { _ in throw NoToken() }
        let stage = try Stage(answers)
        let response = await stage.enqueue().response
        stage.expect(
            Self.preparation.prefix { $0 != "OD prepared authorization" } + [
                "OD preparationFailed authorization 216",
                "OD preparing>failed",
                "OD completed failed 216",
            ])
        #expect(response.error?.message == "The request can't be authorized (authorizer Storyteller): NoToken().")
        #expect(stage.transport.transfers.isEmpty)
    }

    @Test func `BKO-1 EVT-1 the signal for a pause is heard before the end of its attempt, however quick that comes`() async throws
    {
        let stage = try Stage { _ in .respond(status: .serviceUnavailable) }
        stage.client.backoff = BackoffRules(mode: .host)
        _ = await stage.enqueue().response
        stage.expect(
            Self.preparation + [
                "OD connectionAcquired",
                "OD requestHeadSent",
                "OD requestSent",
                "OD starting>running",
                "OD head",
                "OD backoffSignalled",
                "OD attemptEnded completing",
                "OD running>succeeded",
                "OD completed succeeded",
            ])
    }

    @Test func `CNT-1 an operation counts as executing when its first attempt is told, and no more when it is over`() async throws {
        final class Counter: NetworkObserver {
            let client: NetworkClient
            let counts = Recorder<String>()

            init(_ client: NetworkClient) { self.client = client }

            func observe(_ event: NetworkEvent, of operation: RequestOperation) {
                counts.append("\(event.kind.name) \(client.executingConnectionCount)")
            }
        }
        let stage = try Stage { _ in .fail(.reset) }
        let counter = Counter(stage.client)
        stage.client.addObserver(counter)
        _ = await stage.enqueue(delegate: RequestDelegate()).response
        await stage.queue.drain()
        #expect(
            counter.counts.all.suffix(5) == [
                "attemptStarted 1", "transition 1", "attemptEnded 1", "transition 1", "completed 1",
            ])
        #expect(stage.client.executingConnectionCount == 0)
    }

    @Test func `OBS-1 observers have heard everything before the response is handed out`() async throws {
        final class Asking: NetworkObserver {
            let answers = Recorder<Bool>()

            func observe(_ event: NetworkEvent, of operation: RequestOperation) {
                if case .completed = event.kind { answers.append(operation.core.withLock { $0.isOver }) }
            }
        }
        let stage = try Stage { _ in .respond() }
        let observer = Asking()
        stage.client.addObserver(observer)
        let operation = stage.enqueue(delegate: RequestDelegate())
        _ = await operation.response
        #expect(observer.answers.all == [false])
        #expect(operation.core.withLock { $0.isOver })
    }

    // MARK: Cancels

    @Test func `CAN-1 cancel while preparing: what the role answers afterwards is dropped`() async throws {
        let gate = Gate()
        var answers = Storyteller.Answers()
        answers.hydrated = { _ in
            await gate.wait()
            return .get("http://late.test/")
        }
        let stage = try Stage(answers)
        let operation = stage.enqueue()
        await stage.calls(of: ["hydrate"], by: operation)
        operation.cancel("the user")
        _ = await operation.response
        await gate.open()
        stage.expect([
            "OD enqueued",
            "OD idle>preparing",
            "   hydrate http://a.test/",
            "OD preparing>cancelled",
            "OD completed cancelled 201",
        ])
        #expect(stage.transport.transfers.isEmpty)
    }

    // MARK: Clogs

    @Test func `TMO-5 an event handler that doesn't return: 205, and the response is there without it`() async throws {
        let gate = Gate()
        var answers = Storyteller.Answers()
        let arrived = Recorder<NetworkEvent>()
        answers.hears = { event in
            guard case .head = event.kind else { return }
            arrived.append(event)
            await gate.wait()
        }
        let stage = try Stage(answers)
        let operation = stage.enqueue()
        let transfer = await stage.transport.transfer(0)
        await stage.settle(operation)
        transfer.sendHead()
        while arrived.all.isEmpty { await Task.yield() }
        await stage.calls(of: ["handle"], by: operation)
        stage.time.advance(by: .seconds(10))
        let response = await operation.response
        #expect(response.error?.details[.timeoutTags] == "Storyteller<RequestEventHandler>.handle (10 s)")
        stage.expect(
            Self.preparation + [
                "OD starting>running",
                "O  head",
                "   transfer is cancelled",
                "O  attemptEnded completing",
                "O  running>failed",
                "O  completed failed 205",
            ])
        await gate.open()
    }

    @Test func `TMO-5 a handler that doesn't return from completed holds the response back for one callback timeout`() async throws
    {
        let gate = Gate()
        var answers = Storyteller.Answers()
        answers.hears = { if case .completed = $0.kind { await gate.wait() } }
        let stage = try Stage(answers) { _ in .respond() }
        let operation = stage.enqueue()
        while stage.time.alarmCount == 0 || operation.finalResponse == nil { await Task.yield() }
        while stage.time.nextDeadline != .zero + .seconds(10) { await Task.yield() }
        stage.time.advance(by: .seconds(10))
        let response = await operation.response
        #expect(response.error == nil)
        #expect(stage.queue.operations.isEmpty)
        await gate.open()
    }

    @Test func `GLB-11 a clogged callback calls the crash hook where the settings say so`() async throws {
        for crashes in [true, false] {
            let gate = Gate()
            var answers = Storyteller.Answers()
            answers.authorization = { _ in
                await gate.wait()
                return .unchanged
            }
            var settings = NetworkClient.Settings()
            settings.callbackTimeout = .seconds(2)
            settings.crashesOnCloggedCallback = crashes
            let crashed = Recorder<NetworkError>()
            let stage = try Stage(answers, settings: settings, crash: { crashed.append($0) })
            let operation = stage.enqueue(delegate: RequestDelegate(authorizer: stage.teller))
            await stage.calls(of: ["authorize"], by: operation)
            stage.time.advance(by: .seconds(2))
            let error = try #require(await operation.response.error)
            #expect(error.code == .callbackTimedOut)
            #expect(crashed.all == (crashes ? [error] : []))
            await gate.open()
        }
    }
}
