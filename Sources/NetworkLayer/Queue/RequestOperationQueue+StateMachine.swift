import HeapModule

extension RequestOperationQueue {
    /// Which operation starts when, as a value. Every input takes O(log n), but for those that concern all: `suspend`,
    /// `resume`, `cancelAll`.
    ///
    ///     enqueue ─> gated (dependencies) ─> backing off ─> in line (limits) ─> running ─> finished
    ///                                    └─> staged (suspended) ─┘
    ///
    /// What needs to wait for nothing goes from `enqueue` to `running` at once.
    struct StateMachine: Sendable {
        let limits: Limits
        let failureMode: FailureMode
        /// Whether anyone wants to hear of batches and ends.
        let reportsBatches: Bool
        private var suspensions = 0
        var entries: [OperationID: Entry] = [:]
        var hosts: [String: Host] = [:]
        /// What was learned about hosts to which nothing is under way.
        var learnedLimits: [String: Gradient2Limit] = [:]
        /// The best waiting operation of every host that has room, and some that were it once: checked when they come up.
        var candidates: Heap<Ticket> = []
        var running = 0
        private var nextNumber = 0
        private var hasFailure = false

        init(limits: Limits = .init(), failureMode: FailureMode = .continue, reportsBatches: Bool = false) {
            self.limits = limits
            self.failureMode = failureMode
            self.reportsBatches = reportsBatches
        }

        var isSuspended: Bool { suspensions > 0 }

        func isRunning(_ id: OperationID) -> Bool { entries[id]?.phase == .running }

        struct Limits: Sendable, Hashable {
            var perHost: Int?
            /// In place of `perHost`: what each host's own limit starts as.
            var adaptive: Gradient2Limit?
            var total: Int?
            /// The most that may wait, for whatever reason.
            var waiting: Int?
        }

        enum Input: Sendable, Hashable {
            case enqueue(Arrival)
            /// All operations that it must wait for and that aren't over; whenever that changes.
            case dependencies(OperationID, [OperationID])
            /// The answer to ``Effect/askBackoff(_:)``, perhaps several: at last `pass`.
            case backoff(OperationID, Backoff.Answer)
            case finished(OperationID, Outcome = .init())
            case suspend, resume
            case cancelAll(CancelSource)
        }

        struct Arrival: Sendable, Hashable {
            var operation: OperationID
            var host: String
            var priority: Priority
            var dependencies: [OperationID] = []
            var asksBackoff = false
        }

        struct Outcome: Sendable, Hashable {
            var isFailure = false
            /// From the last byte of the request to the first of the answer; `nil` without an answer.
            var roundTrip: Duration?
        }

        enum Effect: Sendable, Hashable {
            case start(OperationID)
            case wait(OperationID, RequestOperation.WaitReason, for: WaitDetail?)
            case cancel(OperationID, CancelSource)
            /// The queue is full: as many wait already.
            case refuse(OperationID, waiting: Int)
            case askBackoff(OperationID)
            /// It is over, or waits for something else now.
            case leaveBackoff(OperationID)
            /// The first operation of an empty queue came; nothing of it has started.
            case batchStarted
            /// An operation that had started is over.
            case ended(OperationID)
            /// The queue is empty again.
            case batchEnded(hasFailure: Bool)
        }

        struct Entry: Sendable {
            var host: String
            var ticket: Ticket
            var phase = Phase.gated
            var dependencies: [OperationID]
            let asksBackoff: Bool
            var hasPassedBackoff = false
            var isCancelled = false

            enum Phase: Sendable {
                case gated, staged, backingOff, inLine, running
            }
        }

        /// A place in line: the higher priority first, then who came first.
        struct Ticket: Comparable, Sendable {
            var priority: Priority
            var number: Int
            var operation: OperationID

            static func < (left: Self, right: Self) -> Bool {
                left.priority == right.priority ? left.number > right.number : left.priority < right.priority
            }
        }

        struct Host: Sendable {
            var running = 0
            /// May hold tickets of operations that are over.
            var line: Heap<Ticket> = []
            var waiting = 0
            var limit: Gradient2Limit?
        }

        mutating func handle(_ input: Input) -> [Effect] {
            var effects: [Effect] = []
            handle(input, into: &effects)
            return effects
        }

        mutating func handle(_ input: Input, into effects: inout [Effect]) {
            switch input {
            case .enqueue(let arrival):
                enqueue(arrival, into: &effects)
            case .dependencies(let id, let dependencies):
                setDependencies(dependencies, of: id, into: &effects)
            case .backoff(let id, let answer):
                backoffAnswered(answer, to: id, into: &effects)
            case .finished(let id, let outcome):
                finished(id, outcome, into: &effects)
            case .suspend:
                suspensions += 1
                if suspensions == 1 { stage(into: &effects) }
            case .resume:
                guard suspensions > 0 else { return }
                suspensions -= 1
                if suspensions == 0 { release(into: &effects) }
            case .cancelAll(let source):
                cancelAll(source, into: &effects)
            }
        }

        // MARK: Coming and going

        private mutating func enqueue(_ arrival: Arrival, into effects: inout [Effect]) {
            let id = arrival.operation
            guard entries[id] == nil else { return }
            if let most = limits.waiting, entries.count - running >= most, !canStartNow(arrival) {
                effects.append(.refuse(id, waiting: most))
                return
            }
            if reportsBatches, entries.isEmpty {
                hasFailure = false
                effects.append(.batchStarted)
            }
            nextNumber += 1
            var entry = Entry(
                host: arrival.host, ticket: Ticket(priority: arrival.priority, number: nextNumber, operation: id),
                dependencies: arrival.dependencies, asksBackoff: arrival.asksBackoff)
            advance(&entry, into: &effects)
            entries[id] = entry
        }

        private func canStartNow(_ arrival: Arrival) -> Bool {
            !isSuspended && arrival.dependencies.isEmpty && !arrival.asksBackoff && hasRoom
                && (hosts[arrival.host].map { hasRoom(in: $0) } ?? true)
        }

        private mutating func finished(_ id: OperationID, _ outcome: Outcome, into effects: inout [Effect]) {
            guard let entry = entries.removeValue(forKey: id) else { return }
            if entry.phase == .running {
                running -= 1
                leaveHost(entry, roundTrip: outcome.roundTrip)
            } else if entry.phase == .inLine {
                leaveLine(of: entry.host)
            }
            if entry.hasPassedBackoff || entry.phase == .backingOff { effects.append(.leaveBackoff(id)) }
            if reportsBatches, entry.phase == .running { effects.append(.ended(id)) }
            if outcome.isFailure {
                hasFailure = true
                if failureMode == .cancelRest {
                    cancelAll(CancelSource("operation \(id.rawValue) of the same queue failed"), into: &effects)
                }
            }
            if !isSuspended, !candidates.isEmpty { startAll(into: &effects) }
            if reportsBatches, entries.isEmpty { effects.append(.batchEnded(hasFailure: hasFailure)) }
        }

        /// Nothing that waits may take the place of something that is about to be cancelled.
        private mutating func cancelAll(_ source: CancelSource, into effects: inout [Effect]) {
            for entry in entries.values.sorted(by: { $0.ticket.number < $1.ticket.number }) where !entry.isCancelled {
                entries[entry.ticket.operation]?.isCancelled = true
                effects.append(.cancel(entry.ticket.operation, source))
            }
        }

        // MARK: Gates

        /// Brings an operation that isn't in line as far as it can get, and says what it waits for.
        private mutating func advance(_ entry: inout Entry, into effects: inout [Effect]) {
            let id = entry.ticket.operation
            guard entry.dependencies.isEmpty else {
                entry.phase = .gated
                effects.append(wait(entry))
                return
            }
            if entry.asksBackoff, !entry.hasPassedBackoff {
                entry.phase = isSuspended ? .staged : .backingOff
                effects.append(isSuspended ? wait(entry) : .askBackoff(id))
                return
            }
            entry.phase = admit(entry) ? .running : .inLine
            effects.append(entry.phase == .running ? .start(id) : wait(entry))
        }

        private mutating func setDependencies(_ dependencies: [OperationID], of id: OperationID, into effects: inout [Effect]) {
            guard var entry = entries[id], entry.phase != .running, entry.dependencies != dependencies else { return }
            entry.dependencies = dependencies
            if !dependencies.isEmpty || entry.phase == .gated {
                leaveGate(&entry, into: &effects)
                if !entry.isCancelled { advance(&entry, into: &effects) }
            }
            entries[id] = entry
            // Whose place it leaves may have been the first of its line.
            if !isSuspended, !candidates.isEmpty { startAll(into: &effects) }
        }

        /// Back to before the gates.
        private mutating func leaveGate(_ entry: inout Entry, into effects: inout [Effect]) {
            if entry.hasPassedBackoff || entry.phase == .backingOff { effects.append(.leaveBackoff(entry.ticket.operation)) }
            let wasInLine = entry.phase == .inLine
            entry.hasPassedBackoff = false
            entry.phase = .gated
            entries[entry.ticket.operation] = entry
            if wasInLine { leaveLine(of: entry.host) }
        }

        private mutating func backoffAnswered(_ answer: Backoff.Answer, to id: OperationID, into effects: inout [Effect]) {
            guard var entry = entries[id], entry.phase == .backingOff else { return }
            switch answer {
            case .wait(let key, let until):
                if !entry.isCancelled { effects.append(.wait(id, .backoff, for: .backoff(key: key, until: until))) }
            case .pass:
                entry.hasPassedBackoff = true
                guard !entry.isCancelled else {
                    entries[id] = entry
                    return
                }
                advance(&entry, into: &effects)
                entries[id] = entry
            }
        }

        private func wait(_ entry: Entry) -> Effect {
            let id = entry.ticket.operation
            if isSuspended { return .wait(id, .queueSuspended, for: nil) }
            if !entry.dependencies.isEmpty { return .wait(id, .dependency, for: .operations(entry.dependencies)) }
            return .wait(id, .concurrencyLimit, for: nil)
        }

        // MARK: Suspending

        /// Who waits for a pause to end gives up its place: what doesn't go out must not hold up other queues.
        private mutating func stage(into effects: inout [Effect]) {
            for var entry in waiting() {
                if entry.asksBackoff, entry.phase != .gated {
                    leaveGate(&entry, into: &effects)
                    entry.phase = .staged
                    entries[entry.ticket.operation] = entry
                }
                effects.append(wait(entry))
            }
        }

        /// The highest priority first, and among equals who came first (QUE-2).
        private mutating func release(into effects: inout [Effect]) {
            for var entry in waiting().sorted(by: { $0.ticket > $1.ticket }) where entry.phase == .staged {
                advance(&entry, into: &effects)
                entries[entry.ticket.operation] = entry
            }
            startAll(into: &effects)
            for entry in waiting() where entry.phase != .backingOff { effects.append(wait(entry)) }
        }

        private func waiting() -> [Entry] {
            entries.values.filter { $0.phase != .running && !$0.isCancelled }.sorted { $0.ticket.number < $1.ticket.number }
        }
    }
}
