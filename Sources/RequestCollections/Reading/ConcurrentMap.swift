import Dispatch
import Synchronization

/// The results for `0..<count`, in order, made on all cores.
///
/// - Parameter pieceSize: how many are made in one go; so many or fewer are made here.
func concurrentMap<Result: Sendable>(_ count: Int, pieceSize: Int, _ make: @Sendable (Int) -> Result) -> [Result] {
    guard count > pieceSize else { return (0..<count).map(make) }
    let pieceCount = (count + pieceSize - 1) / pieceSize
    let pieces = Mutex([[Result]](repeating: [], count: pieceCount))
    DispatchQueue.concurrentPerform(iterations: pieceCount) { piece in
        let results = (piece * pieceSize..<min(count, (piece + 1) * pieceSize)).map(make)
        pieces.withLock { $0[piece] = results }
    }
    return pieces.withLock { $0.flatMap { $0 } }
}
