import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// TNL's tests of its retries (T-RTY), and what a policy and an authorizer make of them together (TN-7).
@Suite(.watchesEvents) struct RetryMatrixTests {
    static func answering(_ scripts: Script...) throws -> Stage {
        try Stage(usesClientRoles: false) { [scripts] request in
            // The transfers of one operation come one after the other: the attempt's number says which it is.
            scripts[min(Int(request.request[header: "Attempt"] ?? "1")!, scripts.count) - 1]
        }
    }

    /// Counts attempts in a field of the request, from 1.
    struct Counting: RequestHydrator {
        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
            var request = request
            request[header: "Attempt"] = String(operation.metrics.attempts.count + 1)
            return request
        }
    }

    struct OutOfPaper: Error {}

    struct Jammed: ContentEncoder {
        let contentEncoding = "jammed"
        func encode(_ body: Data) throws -> Data? { throw OutOfPaper() }
    }

    /// A retry that waits for its delay, and for an operation that it comes to depend on meanwhile, or too late.
    struct Wait: Sendable, CustomTestStringConvertible {
        /// What the policy wants.
        var delay: Duration
        /// How long into the wait the dependency is added and sent, and how long it takes then.
        var lateness: Duration
        var duration: Duration

        var end: Duration { lateness < effectiveDelay ? max(effectiveDelay, lateness + duration) : effectiveDelay }
        var effectiveDelay: Duration { max(delay, RetryDecision.minimumDelay) }
        var testDescription: String { "delay \(delay), dependency after \(lateness) for \(duration)" }

        static let all: [Wait] = [Duration.zero, .milliseconds(700), .seconds(3), .seconds(20)].flatMap { delay in
            [Duration.zero, .milliseconds(500), .seconds(2)].flatMap { lateness in
                [Duration.zero, .milliseconds(400), .seconds(5)].map { Wait(delay: delay, lateness: lateness, duration: $0) }
            }
        }
    }

    @Test(arguments: Wait.all)
    func `T-RTY RTY-4 after a 214 another encoder is tried, when the delay and the dependency are over`(wait: Wait) async throws {
        let stage = try Stage(usesClientRoles: false) { $0.request.url.host == "a.test" ? .respond() : .nothing }
        let policy = ScriptedPolicy { context in
            guard context.error?.code == .contentEncodingFailed else { return .abstain }
            var configuration = context.configuration
            configuration.contentCoding = ContentCoding(encoder: RotThirteen())
            return .retry(after: wait.delay, configuration: configuration, reason: "another encoder")
        }
        let operation = stage.enqueue(.post("http://a.test/"), delegate: RequestDelegate()) {
            $0.contentCoding = ContentCoding(encoder: Jammed())
            $0.retry = [policy]
        }
        // The look after one beat of the watch over callbacks serves a longer delay as well.
        let firstLook = min(wait.effectiveDelay, .seconds(1))
        while operation.state != .waitingToRetry || stage.time.nextDeadline.map({ $0 > .zero + firstLook }) ?? true {
            await Task.yield()
        }
        let dependency = RequestOperation(.get("http://dependency.test/"))
        let (queue, transport) = (stage.queue, stage.transport)
        _ = stage.time.schedule(at: .zero + wait.lateness) {
            #expect(throws: Never.self) { try operation.addDependency(dependency) }
            queue.enqueue(dependency)
        }
        _ = stage.time.schedule(at: .zero + wait.lateness + wait.duration) {
            transport.transfers.first { $0.request.request.url.host == "dependency.test" }?.respond()
        }
        await stage.time.advance(by: wait.end, toEndOf: operation)
        let response = await operation.response
        #expect(response.error == nil)
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry])
        #expect(response.metrics.attempts.map(\.error?.code) == [.contentEncodingFailed, nil])
        #expect(response.metrics.total == wait.end)
        let sent = stage.transport.requests.filter { $0.url.host == "a.test" }
        #expect(sent.map { $0[header: "Content-Encoding"] } == ["rot13"])
        #expect(sent.map(\.body) == [.data(Data("obql".utf8))])
        #expect(response.originalRequest.body == .data(Data("body".utf8)))
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        dependency.cancel()
    }

    @Test func `PRE-2 a retry asks hydrator and authorizer again, from the original request on`() async throws {
        struct Deeper: RequestHydrator {
            func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
                var request = try await Counting().hydrate(request, for: operation)
                request?.url.append(path: "deeper")
                return request
            }
        }
        struct Signing: RequestAuthorizer {
            func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
                .set("\(request[header: "Attempt"] ?? "") \(request[header: "Authorization"] ?? "unsigned")")
            }
        }
        let stage = try Self.answering(.fail(.reset), .respond())
        let operation = stage.enqueue(delegate: RequestDelegate(hydrator: Deeper(), authorizer: Signing())) {
            $0.retry = [ScriptedPolicy { _ in .retry(after: .seconds(1), reason: "test") }]
        }
        await stage.time.pass(.seconds(1), beforeRetryOf: operation)
        let response = await operation.response
        #expect(stage.transport.requests.map(\.url.absoluteString) == ["http://a.test/deeper", "http://a.test/deeper"])
        #expect(stage.transport.requests.map { $0[header: "Authorization"] } == ["1 unsigned", "2 unsigned"])
        #expect(response.originalRequest == .get("http://a.test/"))
    }

    // MARK: Interceptors

    @Test func `TN-7 a 401 is followed by a fresh token, and the next operation has it at once`() async throws {
        let session = Session()
        let stage = try Stage(usesClientRoles: false) { request in
            .respond(status: request.request[header: "Authorization"] == "Bearer 2" ? .ok : .unauthorized)
        }
        let delegate = RequestDelegate(authorizer: session)
        let first = stage.enqueue(delegate: delegate) { $0.retry = [session.policy] }
        await stage.time.pass(.milliseconds(100), beforeRetryOf: first)
        #expect(await first.response.metrics.attempts.map(\.head?.status.code) == [401, 200])
        let second = stage.enqueue(delegate: delegate) { $0.retry = [session.policy] }
        #expect(await second.response.metrics.attempts.map(\.head?.status.code) == [200])
    }

    @Test func `TN-7 several are asked in order after each attempt, the first that knows decides, and five retries are five`()
        async throws
    {
        let asked = Recorder<String>()
        let first = ScriptedPolicy { context in
            asked.append("first \(context.retryCount) \(context.error?.code.rawValue ?? context.status?.code ?? 0)")
            return .abstain
        }
        let second = ScriptedPolicy { context in
            asked.append("second \(context.retryCount)")
            return context.retryCount < 5 ? .retry(after: .seconds(1), reason: "again") : .abstain
        }
        let failure = Script.fail(.reset)
        let busy = Script.respond(status: .serviceUnavailable)
        let stage = try Self.answering(failure, busy, failure, busy, failure, busy)
        let operation = stage.enqueue(delegate: RequestDelegate(hydrator: Counting())) { $0.retry = [first, second] }
        for _ in 1...5 { await stage.time.pass(.seconds(1), beforeRetryOf: operation) }
        let response = await operation.response
        #expect(response.metrics.retryCount == 5)
        #expect(response.metrics.attempts.count == 6)
        #expect(response.info?.head.status == .serviceUnavailable)
        let ends = [NetworkError.reset.code.rawValue, 503]
        #expect(asked.all == (0..<6).flatMap { ["first \($0) \(ends[$0 % 2])", "second \($0)"] })
    }

    // MARK: What goes wrong

    @Test func `TMO-5 T-CLOG a policy that doesn't return is error 205, and isn't asked about it`() async throws {
        let gate = Gate()
        let asked = Recorder<Int>()
        let stage = try Self.answering(.fail(.reset))
        let operation = stage.enqueue(delegate: RequestDelegate()) {
            $0.retry = [
                ScriptedPolicy { context in
                    asked.append(context.retryCount)
                    await gate.wait()
                    return .retry(after: .seconds(1), reason: "too late")
                }
            ]
        }
        // The watch over callbacks looks every second: its first look must be set before the clock is moved.
        while asked.all.isEmpty || (stage.time.nextDeadline.map { $0 > .zero + .seconds(1) } ?? true) { await Task.yield() }
        await stage.time.advance(by: .seconds(10), toEndOf: operation)
        let response = await operation.response
        await gate.open()
        #expect(response.error?.code == .callbackTimedOut)
        #expect(response.error?.details[.timeoutTags] == "RetryPolicies<RetryPolicy>.decide (10 s)")
        #expect(response.error?.underlying?.error == .reset)
        #expect(response.metrics.attempts.map(\.disposition) == [.completing])
        #expect(asked.all == [0])
    }
}

/// A token that is fetched anew after a 401.
private actor Session: RequestAuthorizer {
    private var token = 1

    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization { .set("Bearer \(token)") }

    nonisolated var policy: ScriptedPolicy {
        ScriptedPolicy { context in
            guard context.status == .unauthorized, context.retryCount == 0 else { return .abstain }
            await self.refresh()
            return .retry(after: .milliseconds(100), reason: "the token had expired")
        }
    }

    private func refresh() { token += 1 }
}
