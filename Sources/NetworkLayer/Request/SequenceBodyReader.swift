public import Base
import Synchronization

extension RequestBodyStream {
    /// A body from an asynchronous sequence. The next element is asked for when the last one has been sent, so a slow network
    /// slows the sequence down.
    ///
    /// - Parameter isReplayable: whether the sequence may be iterated again, from its start, for another attempt.
    public init<Source>(_ source: Source, length: Int64? = nil, isReplayable: Bool = false)
    where Source: AsyncSequence & Sendable, Source.Element == Data {
        self.init(length: length, isReplayable: isReplayable) {
            SequenceBodyReader(source, length: length)
        }
    }
}

/// Pulls an asynchronous sequence in a task of its own, one element ahead of the transport.
final class SequenceBodyReader: RequestBodyReader {
    let length: Int64?
    private let start: @Sendable (SequenceBodyReader) -> Task<Void, Never>
    private let state = Mutex(State())

    private struct State {
        var task: Task<Void, Never>?
        var piece = Data()
        var end: End?
        /// Wakes the transport, which found nothing.
        var wake: (@Sendable () -> Void)?
        /// Lets the task go on, which waits until its piece is gone.
        var room: CheckedContinuation<Void, Never>?
        var isClosed = false
    }

    private enum End {
        case complete
        case failed(any Error)
    }

    init<Source>(_ source: Source, length: Int64?) where Source: AsyncSequence & Sendable, Source.Element == Data {
        self.length = length
        start = { reader in
            Task { [weak reader] in
                do {
                    for try await piece in source {
                        guard !piece.isEmpty else { continue }
                        guard await reader?.put(piece) == true else { return }
                    }
                    reader?.finish(.complete)
                } catch {
                    reader?.finish(.failed(error))
                }
            }
        }
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        let (result, room) = try state.withLock { state -> (RequestBodyRead, CheckedContinuation<Void, Never>?) in
            if state.task == nil, !state.isClosed { state.task = start(self) }
            if !state.piece.isEmpty {
                let part = state.piece.prefix(limit)
                state.piece = state.piece.dropFirst(part.count)
                return (.bytes(part), state.piece.isEmpty ? state.room.take() : nil)
            }
            switch state.end {
            case .complete: return (.end, nil)
            case .failed(let error): throw NetworkError.bodyUnreadable("The stream of the body failed: \(error)")
            case nil:
                state.wake = wake
                return (.later, nil)
            }
        }
        room?.resume()
        return result
    }

    func close() {
        let (task, room) = state.withLock { state in
            state.isClosed = true
            state.wake = nil
            state.piece = Data()
            return (state.task, state.room.take())
        }
        task?.cancel()
        room?.resume()
    }

    /// Waits until the transport has taken the piece.
    ///
    /// - Returns: whether more is wanted.
    private func put(_ piece: Data) async -> Bool {
        await withCheckedContinuation { continuation in
            let (wake, isClosed) = state.withLock { state -> ((@Sendable () -> Void)?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                state.piece = piece
                state.room = continuation
                return (state.wake.take(), false)
            }
            if isClosed { continuation.resume() }
            wake?()
        }
        return state.withLock { !$0.isClosed }
    }

    private func finish(_ end: End) {
        state.withLock { state in
            state.end = end
            return state.wake.take()
        }?()
    }
}
