import Synchronization

/// A call of a role that hadn't returned (TMO-5, TMO-6; TNL's `Class<Protocol>->selector`).
struct CallbackTag: Sendable, Hashable {
    /// The type that plays the role.
    var type: String
    /// The protocol: `RequestHydrator`.
    var role: String
    var method: String
    /// What the role says of itself; see ``DescribedRole``.
    var phrase: String?
    /// For how long it had been awaited, pauses of the whole program left out.
    var duration = Duration.zero
}

extension CallbackTag: CustomStringConvertible {
    /// `TokenHydrator<RequestHydrator>.hydrate`.
    var description: String { phrase ?? "\(type)<\(role)>.\(method)" }
}

/// A role that people know by something else than its type, such as a command that they wrote into a file. Messages name it so.
package protocol DescribedRole: Sendable {
    /// A noun with its article, for the middle of a sentence.
    var roleDescription: String { get }
}

/// Which calls of roles are under way, and since when: the pure rule behind code 205 (TMO-5).
///
/// Time is counted in beats: between two looks at most a second counts, however late the second look comes. So when the whole
/// program stood still (SIGTSTP to SIGCONT, a debugger), no call is blamed for it; while the machine sleeps the monotonic clock
/// stands still by itself.
struct CallbackWatch: Sendable {
    /// How long a call may last, in nanoseconds; `nil`: for ever.
    private(set) var limit: Int64?
    /// What has counted so far; stands still while no call is under way.
    private var counted: Int64 = 0
    private var lastLook = MonotonicTime(nanoseconds: 0)
    private var calls: [Call] = []

    private struct Call: Sendable {
        let number: Int
        let tag: CallbackTag
        let start: Int64
    }

    static let beat: Int64 = 1_000_000_000

    mutating func setLimit(_ limit: Duration?) {
        self.limit = Timeouts.limit(limit)?.wholeNanoseconds
    }

    /// Begins a call under a number of the caller's, which no other call under way has.
    mutating func begin(_ number: Int, _ tag: CallbackTag, at time: MonotonicTime) {
        look(at: time)
        calls.append(Call(number: number, tag: tag, start: counted))
    }

    mutating func end(_ number: Int, at time: MonotonicTime) {
        guard !calls.isEmpty else { return }
        look(at: time)
        calls.removeAll { $0.number == number }
    }

    /// Counts the time since the last look.
    mutating func look(at time: MonotonicTime) {
        if !calls.isEmpty { counted += min(max(0, time.nanoseconds &- lastLook.nanoseconds), Self.beat) }
        lastLook = time
    }

    /// Whether a call has lasted too long, as of the last look.
    var isDue: Bool {
        guard let limit, let oldest = calls.first else { return false }
        return counted - oldest.start >= limit
    }

    /// When to look again: at the next beat, or when the oldest call has lasted too long.
    var nextLook: MonotonicTime? {
        guard let limit, let oldest = calls.first else { return nil }
        return MonotonicTime(nanoseconds: lastLook.nanoseconds &+ min(Self.beat, max(0, limit - (counted - oldest.start))))
    }

    /// The calls under way, the longest first.
    var tags: [CallbackTag] {
        calls.map { call in
            var tag = call.tag
            tag.duration = .nanoseconds(counted - call.start)
            return tag
        }
    }
}

extension RequestOperation {
    /// Awaits a call of a role while the deadline for callbacks counts (TMO-5). What it answers is for the caller to hand on:
    /// the machine drops what comes too late.
    ///
    ///     await watched(decider, as: "RedirectDecider", "redirect") { await $0.redirect(...) }
    func watched<Role: Sendable, Answer: Sendable>(
        _ role: Role, as name: String, _ method: String, _ call: @Sendable (Role) async throws -> Answer
    ) async rethrows -> Answer {
        let number = core.withLock { core in
            core.callCount += 1
            return core.callCount
        }
        var tag = CallbackTag(type: "\(type(of: role as Any))", role: name, method: method)
        tag.phrase = (role as? any DescribedRole)?.roleDescription
        handle(.callbackBegan(tag, number: number))
        defer { handle(.callbackEnded(number: number)) }
        return try await call(role)
    }
}

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
            || !client.headerProviders.isEmpty || client.hostSanitizer != nil || !client.challengeHandlers.isEmpty
    }
}
