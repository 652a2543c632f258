import Synchronization

/// The shell around ``TransferSlots``: its lock, and whom to tell. One for a client, shared by its queues.
///
/// Answers are told outside of the lock, in order, by one thread at a time.
final class SlotGate: Sendable {
    typealias Ear = @Sendable (TransferSlots.Answer) -> Void

    /// Whether hosts, or the client as a whole, have limits; a queue may have one of its own.
    let isOn: Bool
    /// Whether anybody asks for the host: finding it in a URL costs.
    let isByHost: Bool
    private let core: Mutex<Core>

    private struct Core {
        var slots: TransferSlots
        var ears: [OperationID: Ear] = [:]
        var outbox: [(Ear, TransferSlots.Answer)] = []
        var isDraining = false

        mutating func post(_ effects: [TransferSlots.Effect]) {
            for effect in effects {
                guard let ear = ears[effect.operation] else { continue }
                outbox.append((ear, effect.answer))
                // Whoever has passed hears no more.
                if effect.answer == .pass { ears[effect.operation] = nil }
            }
        }
    }

    init(_ limits: TransferSlots.Limits) {
        isByHost = limits.isByHost
        isOn = limits.isByHost || limits.total != nil
        core = Mutex(Core(slots: TransferSlots(limits: limits)))
    }

    /// How many transfers have a slot or wait for one.
    var usage: Int { core.withLock { $0.slots.places.count } }

    /// Tells `ear` to wait, if need be, and at last that the transfer may begin; perhaps before it returns.
    func ask(_ wish: TransferSlots.Wish, ear: @escaping Ear) {
        update { core in
            core.ears[wish.ticket.operation] = ear
            return core.slots.ask(wish)
        }
    }

    func leave(_ operation: OperationID, roundTrip: Duration?) {
        update { core in
            core.ears[operation] = nil
            return core.slots.leave(operation, roundTrip: roundTrip)
        }
    }

    func setPriority(_ priority: Priority, of operation: OperationID) {
        update { core in
            core.slots.setPriority(priority, of: operation)
            return []
        }
    }

    /// A head came from `host`.
    ///
    /// - Parameter version: `HTTP/1.1`, `HTTP/2` …
    func heard(from host: String, version: String) {
        guard isByHost else { return }
        update { $0.slots.setMultiplexed(!version.hasPrefix("HTTP/1"), host) }
    }

    private func update(_ change: (inout Core) -> [TransferSlots.Effect]) {
        let drains = core.withLock { core in
            core.post(change(&core))
            guard !core.isDraining, !core.outbox.isEmpty else { return false }
            core.isDraining = true
            return true
        }
        guard drains else { return }
        while true {
            let batch = core.withLock { core in
                defer { core.outbox = [] }
                core.isDraining = !core.outbox.isEmpty
                return core.outbox
            }
            guard !batch.isEmpty else { return }
            for (ear, answer) in batch { ear(answer) }
        }
    }
}
