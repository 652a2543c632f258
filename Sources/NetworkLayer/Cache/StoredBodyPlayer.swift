import Base
import Synchronization

/// Plays a stored answer as a transport would: head, body in pieces, end; one event at a time, and none while it is paused. It runs on
/// the thread that starts or resumes it, since there is nothing to wait for.
final class StoredBodyPlayer: Transfer {
    private let body: Data
    private let result: TransferResult
    private let time: any TimeSource
    private let receive: @Sendable (TransportEvent) -> Void
    private let state: Mutex<State>

    private struct State {
        /// `nil` when it was told already.
        var head: ResponseHead?
        var offset = 0
        var isPaused = false
        var isCancelled = false
        var isFinished = false
        /// A thread is telling: it will see what changes meanwhile.
        var isRunning = false
    }

    private static let pieceBytes = 1 << 18

    /// - Parameter result: of the transfer that validated the answer, or a plain one.
    init(
        _ body: Data, head: ResponseHead?, result: TransferResult, time: any TimeSource,
        receive: @escaping @Sendable (TransportEvent) -> Void
    ) {
        self.body = body
        self.result = result
        self.time = time
        self.receive = receive
        state = Mutex(State(head: head))
    }

    func run() {
        while let kind = state.withLock({ step(&$0) }) {
            receive(TransportEvent(time: time.now, kind: kind))
            state.withLock { $0.isRunning = false }
        }
    }

    func cancel() {
        state.withLock { $0.isCancelled = true }
        run()
    }

    func pauseReceiving() { state.withLock { $0.isPaused = true } }

    func resumeReceiving() {
        state.withLock { $0.isPaused = false }
        run()
    }

    /// - Returns: `nil` when there is nothing to report at the moment, or another thread is reporting.
    private func step(_ state: inout State) -> TransportEvent.Kind? {
        guard !state.isRunning, !state.isFinished else { return nil }
        state.isRunning = true
        if state.isCancelled {
            state.isFinished = true
            return .finished(TransferResult(error: .transferCancelled, source: result.source))
        }
        if let head = state.head.take() { return .head(head) }
        if state.isPaused {
            state.isRunning = false
            return nil
        }
        if state.offset < body.count {
            let start = body.startIndex + state.offset
            let piece = body[start..<min(start + Self.pieceBytes, body.endIndex)]
            state.offset += piece.count
            return .body(piece, received: Int64(state.offset), expected: Int64(body.count))
        }
        state.isFinished = true
        var result = result
        // Nothing of the body came over the wire.
        result.bytes.decodedResponseBody = Int64(body.count)
        return .finished(result)
    }
}

extension NetworkError {
    static let transferCancelled = NetworkError(
        .cancelled, phase: .request, type: "abandoned", message: "The transfer was cancelled.")
}
