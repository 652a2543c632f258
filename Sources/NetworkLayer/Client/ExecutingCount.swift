import Synchronization

/// How many operations have sent something and aren't over (CNT-1).
final class ExecutingCount: Sendable {
    private let count = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<Int>.Continuation] = [:]
        var isBusy = false
    }

    var value: Int { count.load(ordering: .relaxed) }

    func add() {
        if count.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { edge() }
    }

    func remove() {
        if count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { edge() }
    }

    /// Looks again under the lock: of two threads that cross, the second finds that there is nothing to tell.
    private func edge() {
        listeners.withLock { listeners in
            let now = count.load(ordering: .acquiring)
            guard (now > 0) != listeners.isBusy else { return }
            listeners.isBusy = now > 0
            for continuation in listeners.continuations.values { continuation.yield(now) }
        }
    }

    /// From now on; ends with the task that reads it.
    func stream() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let id = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    deinit {
        listeners.withLock { for continuation in $0.continuations.values { continuation.finish() } }
    }
}
