import Synchronization

/// What a client asks in turn, in the order of its addition.
final class HandlerList<Handler: Sendable>: Sendable {
    private let entries = Mutex<Entries>(Entries())

    private struct Entries {
        var next = 0
        var list: [(id: Int, handler: Handler)] = []
    }

    var all: [Handler] { entries.withLock { $0.list.map(\.handler) } }

    var isEmpty: Bool { entries.withLock { $0.list.isEmpty } }

    func add(_ handler: Handler) -> Registration {
        let id = entries.withLock { entries in
            entries.next += 1
            entries.list.append((entries.next, handler))
            return entries.next
        }
        return Registration { [weak self] in self?.entries.withLock { $0.list.removeAll { $0.id == id } } }
    }
}
