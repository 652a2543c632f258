import Base
import NetworkLayer
import Synchronization

/// Hands out what comes from standard input, as it comes: `-T -`.
///
/// The caller must not be held up, and input may come at any time: so a thread of its own waits for each piece.
final class InputReader: RequestBodyReader {
    private let input: any ByteInput
    private let state = Mutex(State.idle)

    private enum State {
        case idle, reading
        case read(Data)
        case ended
        case failed(InputFailure)
    }

    init(_ input: any ByteInput) {
        self.input = input
    }

    /// The whole of it as a body, which can be read only once.
    static func body(_ input: any ByteInput) -> RequestBody {
        .stream(RequestBodyStream(isReplayable: false) { InputReader(input) })
    }

    private static let pieceSize = 1 << 16

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        let (answer, starts) = try state.withLock { state throws(InputFailure) -> (RequestBodyRead, Bool) in
            switch state {
            case .reading: return (.later, false)
            case .ended: return (.end, false)
            case .failed(let failure): throw failure
            case .idle:
                state = .reading
                return (.later, true)
            case .read(let piece):
                let rest = piece.dropFirst(limit)
                state = rest.isEmpty ? .idle : .read(rest)
                return (.bytes(piece.prefix(limit)), false)
            }
        }
        if starts { try wait(wake) }
        return answer
    }

    func close() {}

    private func wait(_ wake: @escaping @Sendable () -> Void) throws {
        let status = SystemThread.start { [self] in
            let next: State
            do throws(InputFailure) {
                let piece = try input.read(atMost: Self.pieceSize)
                next = piece.isEmpty ? .ended : .read(piece)
            } catch {
                next = .failed(error)
            }
            state.withLock { $0 = next }
            wake()
        }
        guard status == 0 else { throw InputFailure(name: "standard input", errno: status) }
    }
}
