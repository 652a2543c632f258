import Synchronization

/// The shell around ``TransferSlots``: its lock, and whom to tell. One for a client, shared by its queues.
///
/// Answers are told outside of the lock, in order, by one thread at a time.
final class SlotGate: Sendable {
    /// Whether hosts, or the client as a whole, have limits; a queue may have one of its own.
    let isOn: Bool
    /// Whether no limit is zero, or less.
    let hasPlaces: Bool
    /// Whether anybody asks for the host: finding it in a URL costs.
    let isByHost: Bool
    private let core: Mutex<Core>

    private struct Core: Posting {
        var slots: TransferSlots
        var outbox = Outbox<OperationID, TransferSlots.Answer>()
    }

    init(_ limits: TransferSlots.Limits) {
        isByHost = limits.isByHost
        hasPlaces = [limits.perHost, limits.streamsPerHost, limits.total].allSatisfy { $0 ?? 1 > 0 }
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

    func leave(_ operation: OperationID) {
        update { core in
            core.outbox[operation] = nil
            return core.slots.leave(operation)
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
        core.update { core in
            for effect in change(&core) {
                core.outbox.post(effect.answer, to: effect.operation, isLast: effect.answer == .pass)
            }
        }
    }
}

/// The listeners of a gate and what they are still to be told: in order, by one thread at a time, outside of the gate's lock.
struct Outbox<Key: Hashable & Sendable, Answer: Sendable> {
    typealias Listener = @Sendable (Answer) -> Void

    private var listeners: [Key: Listener] = [:]
    private var messages: [(Listener, Answer)] = []
    private var isDraining = false

    subscript(key: Key) -> Listener? {
        get { listeners[key] }
        set { listeners[key] = newValue }
    }

    /// - Parameter isLast: the listener is told nothing after it.
    mutating func post(_ answer: Answer, to key: Key, isLast: Bool) {
        guard let listener = listeners[key] else { return }
        messages.append((listener, answer))
        if isLast { listeners[key] = nil }
    }

    /// Whether the caller is to tell what has been posted: nobody else is at it.
    fileprivate mutating func beginDraining() -> Bool {
        guard !isDraining, !messages.isEmpty else { return false }
        isDraining = true
        return true
    }

    fileprivate mutating func nextBatch() -> [(Listener, Answer)] {
        defer { messages = [] }
        isDraining = !messages.isEmpty
        return messages
    }
}

/// What the lock of a gate protects. A requirement and no key path, which would be made and walked for each operation.
protocol Posting: Sendable {
    associatedtype Key: Hashable & Sendable
    associatedtype Answer: Sendable
    var outbox: Outbox<Key, Answer> { get set }
}

extension Mutex where Value: Posting {
    /// Changes what the lock protects, and then tells the listeners what was posted meanwhile.
    func update(_ change: (inout Value) -> Void) {
        let drains = withLock { value in
            change(&value)
            return value.outbox.beginDraining()
        }
        guard drains else { return }
        while true {
            let batch = withLock { $0.outbox.nextBatch() }
            guard !batch.isEmpty else { return }
            for (listener, answer) in batch { listener(answer) }
        }
    }
}
