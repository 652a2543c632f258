import Synchronization

/// Where the roles of an operation are called: on tasks below one that was made by whoever enqueued it. So they see the task-local
/// values that were there (a trace, a logger's metadata), however long the operation stood in line and whichever thread takes it on;
/// and they are cancelled when it is over: what they then do is of no use to anybody.
struct RoleTasks: Sendable {
    typealias Call = @Sendable () async -> Void

    private let calls: AsyncStream<Call>.Continuation
    private let task: Task<Void, Never>

    init() {
        let (stream, calls) = AsyncStream.makeStream(of: Call.self)
        self.calls = calls
        task = Task {
            await withDiscardingTaskGroup { group in
                for await call in stream { group.addTask(operation: call) }
            }
        }
    }

    /// Whether there is a task to inherit from.
    static var canInherit: Bool { withUnsafeCurrentTask { $0 != nil } }

    func begin(_ call: @escaping Call) { calls.yield(call) }

    func cancel() {
        calls.finish()
        task.cancel()
    }
}

extension RequestOperation {
    /// Calls a role; see ``RoleTasks``.
    func callRole(_ call: @escaping RoleTasks.Call) {
        core.withLock { core in
            if core.roleTasks == nil, !core.machine.state.isFinal { core.roleTasks = RoleTasks() }
            return core.roleTasks
        }?.begin(call)
    }

    /// Whether there is, or may be, anybody to call.
    func mayCallRoles(of client: NetworkClient) -> Bool {
        delegate.hydrator != nil || delegate.authorizer != nil || delegate.redirects != nil || delegate.challenges != nil
            || delegate.events != nil || !configuration.retry.isEmpty || configuration.contentCoding.encoder != nil
            || !client.roles.participants.isEmpty || !client.challengeHandlers.isEmpty
    }
}
