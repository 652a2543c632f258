public import Base
import Synchronization

/// The pieces of a body as they arrive: see ``RequestOperation/body``.
///
/// Throws the error of the operation after the pieces that came before it. Cancelling the task that reads cancels the
/// operation, and so does letting go of its iterator before the end, as `break` does: nobody else could read on. A second reader is
/// thrown an error, and so is one of a body that isn't streamed.
public struct BodySequence: AsyncSequence, Sendable {
    public typealias Element = Data
    public typealias Failure = NetworkError

    let operation: RequestOperation

    public func makeAsyncIterator() -> Iterator { Iterator(reader: Reader(operation)) }

    /// The reader. Without one, a transfer that was told to wait would wait for ever, and keep its connection and its slot.
    fileprivate final class Reader {
        let operation: RequestOperation
        /// `nil`: it is another's to read, or isn't there.
        let stream: BodyStream?

        init(_ operation: RequestOperation) {
            self.operation = operation
            self.stream = operation.stream?.claim() == true ? operation.stream : nil
        }

        deinit {
            if stream?.isAtEnd == false { operation.cancel("the reader of its body went away before the end") }
        }
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader
        private var operation: RequestOperation { reader.operation }

        fileprivate init(reader: Reader) {
            self.reader = reader
        }

        public mutating func next() async throws(NetworkError) -> Data? {
            try await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Data? {
            guard let stream = reader.stream else { throw .unreadable(operation) }
            while true {
                switch stream.next() {
                case .piece(let data, let attempt):
                    if let attempt { operation.handle(.readerIsBehind(false, attempt: attempt)) }
                    return data
                case .end(let error):
                    if let error { throw error }
                    return nil
                case .later:
                    let isCancelled = Task.isCancelled
                    if isCancelled { operation.cancel("the reader of its body was cancelled") }
                    // The end is near: it is waited for, and not asked for again.
                    await stream.wait(isCancellable: !isCancelled)
                }
            }
        }
    }
}

/// The buffer between a transfer and the reader of a streamed body. Above one mark the transfer is told to stop, below the
/// other to go on.
final class BodyStream: Sendable {
    /// Bytes.
    static let highWaterMark = 1 << 20
    static let lowWaterMark = 1 << 18

    private let state = Mutex(State())

    private struct State {
        var pieces: [Data] = []
        /// The next piece to hand out; those before it are gone.
        var next = 0
        var bytes = 0
        /// The attempt that was told to stop.
        var pausedAttempt: Int?
        var end: End?
        var reader: CheckedContinuation<Void, Never>?
        var isClaimed = false

        mutating func pop() -> Data? {
            guard next < pieces.count else { return nil }
            let piece = pieces[next]
            pieces[next] = Data()
            next += 1
            if next == pieces.count {
                pieces.removeAll(keepingCapacity: true)
                next = 0
            }
            bytes -= piece.count
            return piece
        }
    }

    private enum End {
        case complete
        case failed(NetworkError)
    }

    enum Next {
        /// And the attempt that may go on, if this made room.
        case piece(Data, resuming: Int?)
        case end(NetworkError?)
        case later
    }

    /// - Returns: whether the transfer should stop for now.
    func append(_ data: Data, attempt: Int) -> Bool {
        guard !data.isEmpty else { return false }
        let (reader, isBehind) = state.withLock { state -> (CheckedContinuation<Void, Never>?, Bool) in
            guard state.end == nil else { return (nil, false) }
            state.pieces.append(data)
            state.bytes += data.count
            // An attempt before may have been told, and be gone.
            let isBehind = state.bytes > Self.highWaterMark && state.pausedAttempt != attempt
            if isBehind { state.pausedAttempt = attempt }
            return (state.reader.take(), isBehind)
        }
        reader?.resume()
        return isBehind
    }

    /// - Returns: whether nobody reads it, or has read it.
    func claim() -> Bool {
        state.withLock { state in
            defer { state.isClaimed = true }
            return !state.isClaimed
        }
    }

    /// Whether nothing more will come.
    var isAtEnd: Bool { state.withLock { $0.end != nil } }

    var isBehind: Bool { state.withLock { $0.pausedAttempt != nil } }

    /// The first end counts.
    func finish(with error: NetworkError?) {
        state.withLock { state in
            if state.end == nil { state.end = error.map(End.failed) ?? .complete }
            return state.reader.take()
        }?.resume()
    }

    func next() -> Next {
        state.withLock { state in
            guard let piece = state.pop() else {
                return switch state.end {
                case .complete: .end(nil)
                case .failed(let error): .end(error)
                case nil: .later
                }
            }
            guard state.bytes < Self.lowWaterMark, let attempt = state.pausedAttempt else { return .piece(piece, resuming: nil) }
            state.pausedAttempt = nil
            return .piece(piece, resuming: attempt)
        }
    }

    /// Returns when there may be something new, or, if that is wanted, the task is cancelled.
    func wait(isCancellable: Bool = true) async {
        guard isCancellable else { return await waitForNews(orCancel: false) }
        await withTaskCancellationHandler {
            await waitForNews(orCancel: true)
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
    }

    private func waitForNews(orCancel: Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                precondition(state.reader == nil, "A streamed body has one reader")
                if orCancel && Task.isCancelled || state.next < state.pieces.count || state.end != nil { return true }
                state.reader = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

extension NetworkError {
    fileprivate static func unreadable(_ operation: RequestOperation) -> NetworkError {
        let reason =
            operation.stream == nil
            ? "isn't streamed: its response has it. Send the request with `stream` to read as it comes."
            : "has a reader, and what that takes is gone."
        return NetworkError(
            .unsupported, phase: .body, type: "body.unreadable",
            message: "The body of \(operation.originalRequest.target) \(reason)")
    }
}
