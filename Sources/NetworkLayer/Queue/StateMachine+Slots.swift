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
                effects.append(.leaveSlot(id, roundTrip: nil))
                effects.append(.refuse(id, waiting: most))
                return endBatch(into: &effects)
            }
            entries[id]?.isAccepted = true
            // The state of one that has started says something else.
            effects.append(
                .wait(id, .concurrencyLimit, for: entry.hasStarted ? .concurrencyLimit(host: entry.host) : nil))
        }
    }

    mutating func standAside(_ id: OperationID, roundTrip: Duration?, into effects: inout [Effect]) {
        guard let entry = entries[id], entry.hasStarted else { return }
        entries[id]?.phase = .aside
        if entry.isInLineOrHasSlot { effects.append(.leaveSlot(id, roundTrip: roundTrip)) }
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
