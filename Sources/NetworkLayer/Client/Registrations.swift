import Synchronization

/// A token for something that was added, with which it can be removed.
public struct Registration: Sendable {
    private let remove: @Sendable () -> Void

    init(remove: @escaping @Sendable () -> Void) {
        self.remove = remove
    }

    /// Removes it; calling it again does nothing.
    public func cancel() { remove() }
}

/// What was added to a client or a queue, in the order of its addition.
final class Registrations<Element: Sendable>: Sendable {
    private let isFilled = Atomic(false)
    private let entries = Mutex(Entries())

    private struct Entries {
        var next = 0
        /// Of the elements, one each.
        var ids: [Int] = []
        var elements: [Element] = []

        mutating func remove(where isRemoved: (Int, Element) -> Bool) {
            let kept = zip(ids, elements).filter { !isRemoved($0, $1) }
            (ids, elements) = (kept.map(\.0), kept.map(\.1))
        }
    }

    /// Costs one load: it is asked for every event of every operation.
    var isEmpty: Bool { !isFilled.load(ordering: .acquiring) }

    var all: [Element] { isEmpty ? [] : entries.withLock { $0.elements } }

    /// - Parameter isSame: what the new element takes the place of.
    func add(_ element: Element, replacing isSame: (Element) -> Bool = { _ in false }) -> Registration {
        let id = change { entries in
            entries.remove { isSame($1) }
            entries.next += 1
            entries.ids.append(entries.next)
            entries.elements.append(element)
            return entries.next
        }
        return Registration { [weak self] in self?.change { entries in entries.remove { other, _ in other == id } } }
    }

    @discardableResult
    private func change<Result: Sendable>(_ body: (inout Entries) -> Result) -> Result {
        entries.withLock { entries in
            let result = body(&entries)
            isFilled.store(!entries.elements.isEmpty, ordering: .releasing)
            return result
        }
    }
}

extension Registrations<any NetworkObserver> {
    func notify(_ event: NetworkEvent, of operation: RequestOperation) {
        guard !isEmpty else { return }
        for observer in all { observer.observe(event, of: operation) }
    }
}
