import FoundationEssentials
import NetworkLayer
import Synchronization

/// `multipart/form-data` (RFC 7578), read from its files while it is sent, with its length known before.
struct MultipartBody {
    let boundary: String
    private var pieces: [Piece] = []

    struct Part {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: Piece
    }

    enum Piece: Sendable {
        case data(Data)
        case file(path: String, count: Int64)

        var count: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(_, let count): count
            }
        }
    }

    /// - Parameter boundary: must not occur in a part; a random one doesn't.
    init(boundary: String = "turnstone-\(UUID().uuidString.lowercased())") {
        self.boundary = boundary
    }

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    mutating func append(_ part: Part) {
        var head = "--\(boundary)\r\ncontent-disposition: form-data; name=\"\(Self.quoted(part.name))\""
        if let fileName = part.fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
        if let type = part.contentType { head += "\r\ncontent-type: \(type)" }
        pieces.append(.data(Data((head + "\r\n\r\n").utf8)))
        pieces.append(part.content)
        pieces.append(.data(Data("\r\n".utf8)))
    }

    /// As browsers write it (WHATWG HTML, section 4.10.22.8).
    private static func quoted(_ text: String) -> String {
        text.replacing("\r", with: "%0D").replacing("\n", with: "%0A").replacing("\"", with: "%22")
    }

    var body: RequestBody {
        let pieces = pieces + [.data(Data("--\(boundary)--\r\n".utf8))]
        var joined = Data()
        for case .data(let data) in pieces { joined += data }
        if !pieces.contains(where: { if case .file = $0 { true } else { false } }) { return .data(joined) }
        let length = pieces.reduce(0) { $0 + $1.count }
        return .stream(RequestBodyStream(length: length, isReplayable: true) { PieceReader(pieces) })
    }
}

/// Hands out pieces one after another. A file is open only while its bytes are read.
private final class PieceReader: RequestBodyReader {
    private struct State {
        var pieces: ArraySlice<MultipartBody.Piece>
        /// Bytes of the first piece that were handed out.
        var offset: Int64 = 0
        var file: FileReader?
    }

    private let state: Mutex<State>

    init(_ pieces: [MultipartBody.Piece]) {
        state = Mutex(State(pieces: pieces[...]))
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        try state.withLock { state in
            while let piece = state.pieces.first {
                let left = piece.count - state.offset
                if left > 0 {
                    let bytes = try Self.bytes(of: piece, atMost: Int(min(left, Int64(limit))), &state)
                    state.offset += Int64(bytes.count)
                    return .bytes(bytes)
                }
                state.pieces.removeFirst()
                state.offset = 0
                state.file = nil
            }
            return .end
        }
    }

    private static func bytes(of piece: MultipartBody.Piece, atMost limit: Int, _ state: inout State) throws -> Data {
        switch piece {
        case .data(let data):
            let start = data.startIndex + Int(state.offset)
            return data[start..<start + limit]
        case .file(let path, let count):
            let file = try state.file ?? FileReader(path)
            state.file = file
            let bytes = try file.read(atMost: limit)
            // The length was announced: the server would wait for the rest.
            guard !bytes.isEmpty else {
                throw CollectionFileError(path: path, message: "became shorter while it was sent; it had \(count) bytes")
            }
            return bytes
        }
    }

    func close() {
        state.withLock { state in
            state.pieces = []
            state.file = nil
        }
    }
}
