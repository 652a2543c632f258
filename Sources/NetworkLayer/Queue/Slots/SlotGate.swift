import Synchronization

/// The shell around ``TransferSlots``: its lock, and whom to tell. One for a client, shared by its queues.
///
/// Answers are told outside of the lock, in order, by one thread at a time.
final class SlotGate: Sendable {
    /// Whether hosts, or the client as a whole, have limits; a queue may have one of its own.
    let isOn: Bool
    /// Whether anybody asks for the host: finding it in a URL costs.
    let isByHost: Bool
    private let core: Mutex<Core>

    private struct Core {
        var slots: TransferSlots
        var outbox = Outbox<OperationID, TransferSlots.Answer>()
    }

    init(_ limits: TransferSlots.Limits) {
        isByHost = limits.isByHost
        isOn = limits.isByHost || limits.total != nil
        core = Mutex(Core(slots: TransferSlots(limits: limits)))
    }

    /// How many transfers have a slot or wait for one.
    var usage: Int { core.withLock { $0.slots.places.count } }

    /// Tells `listener` to wait, if need be, and at last that the transfer may begin; perhaps before it returns.
    func ask(_ wish: TransferSlots.Wish, listener: @escaping Outbox<OperationID, TransferSlots.Answer>.Listener) {
        update { core in
            core.outbox[wish.ticket.operation] = listener
            return core.slots.ask(wish)
        }
    }

    func leave(_ operation: OperationID, roundTrip: Duration?) {
        update { core in
            core.outbox[operation] = nil
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
        core.update(\.outbox) { core in
            for effect in change(&core) {
                core.outbox.post(effect.answer, to: effect.operation, isLast: effect.answer == .pass)
            }
        }
    }
}
