import Base
import Synchronization

/// Hands out pieces one after another. A file is open only while its bytes are read.
final class MultipartBodyReader: RequestBodyReader {
    let length: Int64?
    private let state: Mutex<State>

    private struct State {
        var pieces: ArraySlice<MultipartPiece>
        /// Bytes of the first piece that were handed out.
        var offset: Int64 = 0
        var file: FileBodyReader?
    }

    /// The most bytes of a file to hold in memory.
    static let bufferBytes = 1 << 20

    init(_ pieces: [MultipartPiece]) {
        length = pieces.reduce(0) { $0 + $1.content.count }
        state = Mutex(State(pieces: pieces[...]))
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws(NetworkError) -> RequestBodyRead {
        try state.withLock { state throws(NetworkError) in
            while let piece = state.pieces.first {
                let left = piece.content.count - state.offset
                if left > 0 {
                    let bytes = try Self.bytes(of: piece, atMost: Int(min(left, Int64(min(limit, Self.bufferBytes)))), &state)
                    state.offset += Int64(bytes.count)
                    return .bytes(bytes)
                }
                state.pieces.removeFirst()
                state.offset = 0
                state.file?.close()
                state.file = nil
            }
            return .end
        }
    }

    private static func bytes(
        of piece: MultipartPiece, atMost limit: Int, _ state: inout State
    ) throws(NetworkError) -> Data {
        switch piece.content {
        case .data(let data):
            let start = data.startIndex + Int(state.offset)
            return data[start..<start + limit]
        case .file(let source, let count):
            do throws(NetworkError) {
                let file: FileBodyReader
                if let open = state.file { file = open } else { file = try FileBodyReader(source) }
                state.file = file
                if case .bytes(let bytes) = try file.read(atMost: limit, wake: {}) { return bytes }
            } catch {
                throw .multipart(piece.part, error.message, errno: error.systemErrno)
            }
            // The length was announced: the server would wait for the rest.
            throw .multipart(piece.part, "\(source.path) became shorter before it was sent; it had \(count) bytes.")
        }
    }

    func close() {
        state.withLock { state in
            state.pieces = []
            state.file?.close()
            state.file = nil
        }
    }
}
