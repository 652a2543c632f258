import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// The tasks on which roles are called.
@Suite(.watchesEvents, .timeLimit(.minutes(1))) struct RoleTaskTests {
    @TaskLocal static var trace = "none"

    let time = ManualTimeSource()

    /// Plays every role that is awaited, and in one of them waits until its task is cancelled.
    private final class Player: RequestHydrator, RequestAuthorizer, RedirectDecider, ChallengeHandler, RetryPolicy, HeaderProvider,
        HostSanitizer
    {
        let waitsIn: String?
        let traces = Mutex<[String]>([])
        let entered = Gate()
        let cancelled = Gate()

        init(waitsIn: String? = nil) {
            self.waitsIn = waitsIn
        }

        private func play(_ role: String) async {
            traces.withLock { $0.append("\(role) \(RoleTaskTests.trace)") }
            guard role == waitsIn else { return }
            await entered.open()
            try? await Task.sleep(for: .seconds(3600))
            if Task.isCancelled { await cancelled.open() }
        }

        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
            await play("hydrate")
            return nil
        }

        func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
            await play("authorize")
            return .unchanged
        }

        func redirect(to proposed: Request, after head: ResponseHead, from request: Request) async -> Request? {
            await play("redirect")
            return proposed
        }

        func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
            await play("respond")
            return .default
        }

        func decide(_ context: RetryContext) async -> RetryDecision {
            await play("decide")
            return .abstain
        }

        func defaultHeaders(for original: Request, preparedAs prepared: Request) async -> HTTPFields {
            await play("headers")
            return [:]
        }

        func sanitize(host: String, of request: Request, isRedirect: Bool) async -> HostDecision {
            await play("sanitize")
            return .keep
        }

        static func == (left: Player, right: Player) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    private func queue(
        _ player: Player, script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing }
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time, settings: .init(maxConcurrentPerHost: 1)).watched()
        client.addHeaderProvider(player)
        client.setHostSanitizer(player)
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    private func operation(_ player: Player) -> RequestOperation {
        var configuration = RequestConfiguration()
        configuration.redirects.policy = .delegate
        configuration.retry = [player]
        let delegate = RequestDelegate(hydrator: player, authorizer: player, redirects: player, challenges: player)
        return RequestOperation(.get("http://a.test/"), configuration: configuration, delegate: delegate)
    }

    @Test func `EVT-1 every role sees the task-local values of whoever enqueued the operation, also after it stood in line`()
        async throws
    {
        let player = Player()
        let (queue, transport) = try queue(player)
        let busy = queue.enqueue(.get("http://a.test/busy"))
        await transport.transfer(0).sendHead()
        let operation = operation(player)
        player.traces.withLock { $0 = [] }
        Self.$trace.withValue("mine") { queue.enqueue(operation) }
        #expect(operation.state == .waiting(.concurrencyLimit))
        await Self.$trace.withValue("the transport's") {
            transport.transfers[0].finish()
            await transport.transfer(1).respond(.found, headers: [.location: "/next"])
            await transport.transfer(2).respond(.unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
        }
        _ = await operation.response
        #expect(
            player.traces.withLock { $0 } == [
                "hydrate mine", "headers mine", "sanitize mine", "authorize mine", "redirect mine", "sanitize mine",
                "respond mine", "decide mine",
            ])
        #expect(busy.state == .succeeded)
    }

    @Test(arguments: ["hydrate", "headers", "sanitize", "authorize", "redirect", "respond", "decide"])
    func `CAN-1 a cancel reaches the task of the role that is awaited`(role: String) async throws {
        let player = Player(waitsIn: role)
        let (queue, _) = try queue(player) { request in
            request.request.url.path == "/next"
                ? .respond(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""]) : .redirect(to: "/next")
        }
        let operation = operation(player)
        queue.enqueue(operation)
        await player.entered.wait()
        let waiting = Task { await operation.response }
        waiting.cancel()
        await player.cancelled.wait()
        #expect(await waiting.value.error?.code == .cancelled)
    }

    @Test func `CAN-1 cancelling the task that awaits the response cancels the request`() async throws {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time).watched()
        let task = Task { await client.defaultQueue.enqueue(.get("http://a.test/")).response }
        let transfer = await transport.transfer(0)
        task.cancel()
        let response = await task.value
        #expect(response.error?.cancelSource == "the task that waits for the response was cancelled")
        #expect(transfer.isCancelled)
    }

    @Test func `DEP-1 what a cancelled operation waited for goes on`() async throws {
        struct After: RequestEventHandler {
            let other: RequestOperation
            func handle(_ event: NetworkEvent, of operation: RequestOperation) async {}
            func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation] { [other] }
        }
        let transport = ScriptedTransport(time: time)
        let queue = NetworkClient(transport: transport, time: time).watched().defaultQueue
        let other = queue.enqueue(.get("http://a.test/1"))
        let operation = queue.enqueue(.get("http://a.test/2"), delegate: RequestDelegate(events: After(other: other)))
        while operation.core.withLock({ !$0.machine.callbacks.tags.isEmpty || $0.machine.askedStep != .readyToEnqueue }) {
            await Task.yield()
        }
        operation.cancel()
        #expect(await operation.response.error?.code == .cancelled)
        transport.transfers[0].respond()
        #expect(await other.response.error == nil)
    }
}
