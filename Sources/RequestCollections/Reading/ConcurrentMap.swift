import Base
import NetworkLayer
import Synchronization

/// The results for `0..<count`, in order, made on all cores.
///
/// - Parameter pieceSize: how many are made in one go; so many or fewer are made here.
func concurrentMap<Result: Sendable>(_ count: Int, pieceSize: Int, _ make: @escaping @Sendable (Int) -> Result) -> [Result] {
    guard count > pieceSize else { return (0..<count).map(make) }
    let pieceCount = (count + pieceSize - 1) / pieceSize
    let pieces = Mutex([[Result]](repeating: [], count: pieceCount))
    let next = Atomic(0)
    // Who helps is not waited for, only what was begun: a helper may come when all is done, or never.
    let finished = Atomic(0)
    let allFinished = MonotonicCondition()
    @Sendable func work() {
        while case let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue, piece < pieceCount {
            let results = (piece * pieceSize..<min(count, (piece + 1) * pieceSize)).map(make)
            pieces.withLock { $0[piece] = results }
            guard finished.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == pieceCount else { continue }
            allFinished.lock()
            allFinished.broadcast()
            allFinished.unlock()
        }
    }
    let most = ProcessInfo.processInfo.activeProcessorCount - 1 - helperCount.load(ordering: .relaxed)
    for _ in 0..<max(0, min(pieceCount - 1, most)) {
        helperCount.wrappingAdd(1, ordering: .relaxed)
        let status = SystemThread.start {
            work()
            helperCount.wrappingSubtract(1, ordering: .relaxed)
        }
        guard status != 0 else { continue }
        // There are no more threads to be had: this one does it all.
        helperCount.wrappingSubtract(1, ordering: .relaxed)
        break
    }
    work()
    allFinished.lock()
    while finished.load(ordering: .acquiring) < pieceCount { allFinished.wait() }
    allFinished.unlock()
    return pieces.withLock { $0.flatMap { $0 } }
}

/// The helpers of all maps: what is mapped inside of another map finds the cores in use.
private let helperCount = Atomic(0)
