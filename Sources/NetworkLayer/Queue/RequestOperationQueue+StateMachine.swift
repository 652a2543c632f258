extension RequestOperationQueue {
    /// Which operation starts when, as a value. Every input takes O(log n), but for those that concern all: `suspend`,
    /// `resume`, `cancelAll`.
    ///
    ///     enqueue ─> gated (dependencies) ─> backing off ─> in line (for a slot) ─> running ─> finished
    ///                                    └─> staged (suspended) ─┘      ▲              │
    ///                                                                   └──── aside <──┘ (between transfers)
    ///
    /// What needs to wait for nothing goes from `enqueue` to `running` at once. Who is let in from the line is for
    /// ``TransferSlots`` to say, which other queues have a part in.
    struct StateMachine: Sendable {
        /// The most that may wait, for whatever reason.
        let maxWaiting: Int?
        let failureMode: FailureMode
        /// Whether anyone wants to hear of batches and ends.
        let reportsBatches: Bool
        private var suspensions = 0
        var entries: [OperationID: Entry] = [:]
        private(set) var started = 0
        private var hasFailure = false

        init(maxWaiting: Int? = nil, failureMode: FailureMode = .continue, reportsBatches: Bool = false) {
            self.maxWaiting = maxWaiting
            self.failureMode = failureMode
            self.reportsBatches = reportsBatches
        }

        typealias Ticket = TransferSlots.Ticket

        var isSuspended: Bool { suspensions > 0 }

        func hasStarted(_ id: OperationID) -> Bool { entries[id]?.hasStarted == true }

        enum Input: Sendable, Hashable {
            case enqueue(Arrival)
            /// The unfinished operations that it must wait for, sent whenever they change.
            case dependencies(OperationID, [OperationID])
            /// The answer to ``Effect/askBackoff(_:)``, perhaps several: at last `pass`.
            case backoff(OperationID, Backoff.Answer)
            /// The answer to ``Effect/askSlot(_:host:turn:)``, perhaps several: at last `pass`.
            case slot(OperationID, TransferSlots.Answer, turn: Int)
            /// It needs no slot until it asks for one again: its transfer is over, or a hook or somebody else is awaited.
            case standsAside(OperationID)
            /// It wants to begin its next transfer. `isUnderWay`: it has sent something before, so a pause of the queue doesn't hold it.
            case wantsSlot(OperationID, host: String, isUnderWay: Bool)
            case priority(OperationID, Priority)
            case finished(OperationID, Outcome = .init())
            /// The answer to ``Effect/releaseDependents(_:)``.
            case dependentsReleased(OperationID)
            case suspend, resume
            case cancelAll(CancelSource)
        }

        struct Arrival: Sendable, Hashable {
            var operation: OperationID
            var host: String
            var priority: Priority
            /// The order of arrival over all queues of a client.
            var number: Int
            var dependencies: [OperationID] = []
            var asksBackoff = false
            /// Whether anything limits how many transfers there may be.
            var asksSlot = true
            /// Whether neither a pause of the queue nor how many wait there keeps it from starting.
            var skipsLine = false
        }

        struct Outcome: Sendable, Hashable {
            var isFailure = false
            /// Whether others may wait for it.
            var hasDependents = false
        }

        enum Effect: Sendable, Hashable {
            case start(OperationID)
            /// It has a slot for its next transfer.
            case proceed(OperationID)
            case wait(OperationID, RequestOperation.WaitReason, for: WaitDetail?)
            case cancel(OperationID, CancelSource)
            /// The queue is full: as many wait already.
            case refuse(OperationID, waiting: Int)
            case askBackoff(OperationID)
            /// It is over, or waits for something else now.
            case leaveBackoff(OperationID)
            case askSlot(Ticket, host: String, turn: Int)
            /// The operation leaves its slot, or stops waiting for one.
            case leaveSlot(OperationID)
            case setSlotPriority(OperationID, Priority)
            /// Let those go on that wait for it.
            case releaseDependents(OperationID)
            /// The first operation of an empty queue came; nothing of it has started.
            case batchStarted
            /// An operation that had started is over.
            case ended(OperationID)
            /// The queue is empty again.
            case batchEnded(hasFailure: Bool)
        }

        struct Entry: Sendable {
            /// Where its next transfer goes.
            var host: String
            var ticket: Ticket
            var phase = Phase.gated
            var dependencies: [OperationID]
            let asksBackoff: Bool
            let asksSlot: Bool
            var hasPassedBackoff = false
            var hasStarted = false
            /// Whether a pause of the queue doesn't hold it.
            var isUnderWay = false
            var isCancelled = false
            /// Whether it may wait, however many others do.
            var isAccepted = false
            /// Counts its questions for a slot: an answer to an earlier one is of no interest.
            var turn = 0

            enum Phase: Sendable {
                case gated, staged, backingOff, inLine, running
                /// It has started, and has no slot.
                case aside
            }

            var id: OperationID { ticket.operation }
            var isInLineOrHasSlot: Bool { asksSlot && (phase == .inLine || phase == .running) }
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
            case .slot(let id, let answer, let turn):
                slotAnswered(answer, to: id, turn: turn, into: &effects)
            case .standsAside(let id):
                standAside(id, into: &effects)
            case .wantsSlot(let id, let host, let isUnderWay):
                wantSlot(id, host: host, isUnderWay: isUnderWay, into: &effects)
            case .priority(let id, let priority):
                setPriority(priority, of: id, into: &effects)
            case .finished(let id, let outcome):
                finished(id, outcome, into: &effects)
            case .dependentsReleased(let id):
                effects.append(.leaveSlot(id))
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
            // Whether there is a slot for it is only known when it has asked.
            if let most = maxWaiting, !arrival.skipsLine, entries.count - started >= most,
                isSuspended || !arrival.dependencies.isEmpty || arrival.asksBackoff
            {
                effects.append(.refuse(id, waiting: most))
                return
            }
            if reportsBatches, entries.isEmpty {
                hasFailure = false
                effects.append(.batchStarted)
            }
            var entry = Entry(
                host: arrival.host, ticket: Ticket(priority: arrival.priority, number: arrival.number, operation: id),
                dependencies: arrival.dependencies, asksBackoff: arrival.asksBackoff, asksSlot: arrival.asksSlot,
                isUnderWay: arrival.skipsLine)
            advance(&entry, into: &effects)
            entry.isAccepted = entry.phase != .inLine
            entries[id] = entry
        }

        private mutating func finished(_ id: OperationID, _ outcome: Outcome, into effects: inout [Effect]) {
            guard let entry = entries.removeValue(forKey: id) else {
                // It was refused.
                if outcome.hasDependents { effects.append(.releaseDependents(id)) }
                return
            }
            if entry.hasStarted { started -= 1 }
            if entry.hasPassedBackoff || entry.phase == .backingOff { effects.append(.leaveBackoff(id)) }
            if reportsBatches, entry.hasStarted { effects.append(.ended(id)) }
            if outcome.isFailure {
                hasFailure = true
                if failureMode == .cancelRest {
                    cancelAll(CancelSource("operation \(id.rawValue) of the same queue failed"), into: &effects)
                }
            }
            if outcome.hasDependents {
                // They come into line before its slot is given to the next, and after a failure has cancelled them.
                effects.append(.releaseDependents(id))
            } else if entry.isInLineOrHasSlot {
                effects.append(.leaveSlot(id))
            }
            endBatch(into: &effects)
        }

        mutating func endBatch(into effects: inout [Effect]) {
            if reportsBatches, entries.isEmpty { effects.append(.batchEnded(hasFailure: hasFailure)) }
        }

        /// Nothing that waits may take the place of something that is about to be cancelled.
        private mutating func cancelAll(_ source: CancelSource, into effects: inout [Effect]) {
            let rest = entries.values.filter { !$0.isCancelled }.sorted { $0.ticket.number < $1.ticket.number }
            for entry in rest {
                entries[entry.id]?.isCancelled = true
                guard entry.phase == .inLine else { continue }
                entries[entry.id]?.phase = entry.hasStarted ? .aside : .gated
                effects.append(.leaveSlot(entry.id))
            }
            for entry in rest { effects.append(.cancel(entry.id, source)) }
        }

        private mutating func setPriority(_ priority: Priority, of id: OperationID, into effects: inout [Effect]) {
            guard let entry = entries[id], entry.ticket.priority != priority else { return }
            entries[id]?.ticket.priority = priority
            if entry.phase == .inLine { effects.append(.setSlotPriority(id, priority)) }
        }

        // MARK: Gates

        /// Brings an operation that isn't in line as far as it can get, and says what it waits for.
        mutating func advance(_ entry: inout Entry, into effects: inout [Effect]) {
            guard entry.hasStarted || entry.dependencies.isEmpty else {
                entry.phase = .gated
                effects.append(wait(entry))
                return
            }
            guard !isSuspended || entry.isUnderWay else {
                entry.phase = .staged
                if !entry.hasStarted { effects.append(wait(entry)) }
                return
            }
            if entry.asksBackoff, !entry.hasPassedBackoff, !entry.hasStarted {
                entry.phase = .backingOff
                effects.append(.askBackoff(entry.id))
                return
            }
            guard entry.asksSlot else { return begin(&entry, into: &effects) }
            entry.phase = .inLine
            entry.turn += 1
            effects.append(.askSlot(entry.ticket, host: entry.host, turn: entry.turn))
        }

        mutating func begin(_ entry: inout Entry, into effects: inout [Effect]) {
            entry.phase = .running
            effects.append(entry.hasStarted ? .proceed(entry.id) : .start(entry.id))
            if !entry.hasStarted { started += 1 }
            entry.hasStarted = true
        }

        private mutating func setDependencies(_ dependencies: [OperationID], of id: OperationID, into effects: inout [Effect]) {
            guard var entry = entries[id], !entry.hasStarted, entry.dependencies != dependencies else { return }
            entry.dependencies = dependencies
            if !dependencies.isEmpty || entry.phase == .gated {
                leaveGate(&entry, into: &effects)
                if !entry.isCancelled { advance(&entry, into: &effects) }
            }
            entries[id] = entry
        }

        /// Back to before the gates, or to before the line when it has passed them for good.
        func leaveGate(_ entry: inout Entry, into effects: inout [Effect]) {
            if entry.isInLineOrHasSlot { effects.append(.leaveSlot(entry.id)) }
            guard !entry.hasStarted else { return entry.phase = .aside }
            if entry.hasPassedBackoff || entry.phase == .backingOff { effects.append(.leaveBackoff(entry.id)) }
            entry.hasPassedBackoff = false
            entry.phase = .gated
        }

        private mutating func backoffAnswered(_ answer: Backoff.Answer, to id: OperationID, into effects: inout [Effect]) {
            guard var entry = entries[id], entry.phase == .backingOff else { return }
            switch answer {
            case .wait(let key, let until):
                if !entry.isCancelled { effects.append(.wait(id, .backoff, for: .backoff(key: key, until: until))) }
            case .pass:
                entry.hasPassedBackoff = true
                if !entry.isCancelled { advance(&entry, into: &effects) }
                entries[id] = entry
            }
        }

        func wait(_ entry: Entry) -> Effect {
            if isSuspended, !entry.isUnderWay { return .wait(entry.id, .queueSuspended, for: nil) }
            if !entry.dependencies.isEmpty { return .wait(entry.id, .dependency, for: .operations(entry.dependencies)) }
            return .wait(entry.id, .concurrencyLimit, for: nil)
        }
    }
}

/// The slots of transfers, and the pauses of the queue that keep operations from asking for one.
extension RequestOperationQueue.StateMachine {
    // MARK: Slots

    mutating func slotAnswered(
        _ answer: TransferSlots.Answer, to id: OperationID, turn: Int, into effects: inout [Effect]
    ) {
        guard var entry = entries[id], entry.phase == .inLine, entry.turn == turn else { return }
        switch answer {
        case .pass:
            begin(&entry, into: &effects)
            entries[id] = entry
        case .wait:
            if !entry.isAccepted, let most = maxWaiting, entries.count - started > most {
                entries[id] = nil
                effects.append(.leaveSlot(id))
                effects.append(.refuse(id, waiting: most))
                return endBatch(into: &effects)
            }
            entries[id]?.isAccepted = true
            // The state of one that has started says something else.
            effects.append(.wait(id, .concurrencyLimit, for: entry.hasStarted ? .concurrencyLimit(host: entry.host) : nil))
        }
    }

    mutating func standAside(_ id: OperationID, into effects: inout [Effect]) {
        guard let entry = entries[id], entry.hasStarted else { return }
        entries[id]?.phase = .aside
        if entry.isInLineOrHasSlot { effects.append(.leaveSlot(id)) }
    }

    mutating func wantSlot(_ id: OperationID, host: String, isUnderWay: Bool, into effects: inout [Effect]) {
        guard var entry = entries[id], entry.phase == .aside, !entry.isCancelled else { return }
        entry.host = host
        entry.isUnderWay = isUnderWay
        advance(&entry, into: &effects)
        entries[id] = entry
    }

    // MARK: Suspending

    /// An operation that waits for a pause to end gives up its slot: what isn't sent must not hold up other queues.
    mutating func stage(into effects: inout [Effect]) {
        for var entry in waiting() {
            if entry.phase != .gated {
                leaveGate(&entry, into: &effects)
                entry.phase = .staged
                entries[entry.id] = entry
            }
            if !entry.hasStarted { effects.append(wait(entry)) }
        }
    }

    /// The highest priority first, and among equals who came first (QUE-2).
    mutating func release(into effects: inout [Effect]) {
        for entry in waiting().sorted(by: { $0.ticket > $1.ticket }) {
            var entry = entry
            if entry.phase == .gated, !entry.hasStarted { effects.append(wait(entry)) }
            guard entry.phase == .staged else { continue }
            advance(&entry, into: &effects)
            entries[entry.id] = entry
        }
    }

    /// Those that a pause holds.
    private func waiting() -> [Entry] {
        entries.values.filter {
            $0.phase != .running && $0.phase != .aside && !$0.isUnderWay && !$0.isCancelled
        }
        .sorted { $0.ticket.number < $1.ticket.number }
    }
}
