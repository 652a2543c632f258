import Synchronization

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

extension Mutex where Value: Sendable {
    /// Changes what the lock protects, and then tells the listeners what was posted meanwhile.
    func update<Key, Answer>(
        _ outbox: WritableKeyPath<Value, Outbox<Key, Answer>>, _ change: (inout Value) -> Void
    ) {
        let drains = withLock { value in
            change(&value)
            return value[keyPath: outbox].beginDraining()
        }
        guard drains else { return }
        while true {
            let batch = withLock { $0[keyPath: outbox].nextBatch() }
            guard !batch.isEmpty else { return }
            for (listener, answer) in batch { listener(answer) }
        }
    }
}
