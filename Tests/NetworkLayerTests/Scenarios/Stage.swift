import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// An operation with a ``Storyteller`` in every role, on a transport and a clock that the test moves.
struct Stage {
    let time = ManualTimeSource()
    let transport: ScriptedTransport
    let client: NetworkClient
    let queue: RequestOperationQueue
    let teller: Storyteller

    init(
        _ answers: Storyteller.Answers = .init(), settings: NetworkClient.Settings = .init(), usesClientRoles: Bool = true,
        script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing },
        crash: @escaping @Sendable (NetworkError) -> Void = { _ in }
    ) throws {
        let teller = Storyteller(answers)
        self.teller = teller
        transport = ScriptedTransport(time: time, script: script) { teller.note($0) }
        client = NetworkClient(transport: transport, time: time, settings: settings, crash: crash).watched()
        queue = try RequestOperationQueue(identifier: "test", client: client)
        client.addObserver(teller)
        if usesClientRoles {
            client.addHeaderProvider(teller)
            client.setHostSanitizer(teller)
        }
    }

    func make(
        _ request: Request = .get("http://a.test/"), delegate: RequestDelegate? = nil,
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) -> RequestOperation {
        var configuration = RequestConfiguration()
        configure(&configuration)
        return RequestOperation(request, configuration: configuration, delegate: delegate ?? teller.delegate)
    }

    func enqueue(
        _ request: Request = .get("http://a.test/"), delegate: RequestDelegate? = nil,
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) -> RequestOperation {
        let operation = make(request, delegate: delegate, configure: configure)
        queue.enqueue(operation)
        return operation
    }

    /// Returns when the handler has heard everything and no call of a role is under way: then the clock may be moved.
    func settle(_ operation: RequestOperation) async {
        while teller.heardCount < operation.events(from: 0).count { await Task.yield() }
        await calls(of: [], by: operation)
    }

    /// Returns when these calls of roles are under way, and no others: then the clock may be moved.
    ///
    /// The machine may have asked for its alarm while the thread that performs its effects is still about to set it. One that is set
    /// behind the clock rings late, and of the time in between one beat counts for a call.
    func calls(of methods: [String], by operation: RequestOperation) async {
        while true {
            let (calls, alarm) = operation.core.withLock { ($0.machine.callbacks.tags.map(\.method), $0.machine.alarm) }
            if calls == methods, alarm == time.nextDeadline { return }
            await Task.yield()
        }
    }

    func expect(_ story: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(teller.story == story, sourceLocation: sourceLocation)
        #expect(teller.violations == [], sourceLocation: sourceLocation)
    }
}

/// Lets those who wait go on, once.
actor Gate {
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
    }

    func open() {
        isOpen = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }
}
