import Synchronization

/// The observers of a client or a queue.
final class ObserverList: Sendable {
    private let isEmpty = Atomic<Bool>(true)
    private let entries = Mutex<Entries>(Entries())

    private struct Entries {
        var next = 0
        var list: [(id: Int, observer: any NetworkObserver)] = []
    }

    func add(_ observer: any NetworkObserver) -> Registration {
        let id = entries.withLock { entries in
            entries.next += 1
            entries.list.append((entries.next, observer))
            isEmpty.store(false, ordering: .releasing)
            return entries.next
        }
        return Registration { [weak self] in self?.remove(id) }
    }

    private func remove(_ id: Int) {
        entries.withLock { entries in
            entries.list.removeAll { $0.id == id }
            isEmpty.store(entries.list.isEmpty, ordering: .releasing)
        }
    }

    /// Whether there is nobody to notify; costs one load, because it is asked for every event.
    var isDeaf: Bool { isEmpty.load(ordering: .acquiring) }

    func notify(_ event: NetworkEvent, of operation: RequestOperation) {
        guard !isDeaf else { return }
        let list = entries.withLock { $0.list }
        // By index: taking each out of the list would copy it.
        for index in list.indices { list[index].observer.observe(event, of: operation) }
    }
}
