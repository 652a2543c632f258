public import Base
package import HTTPTypes
import Synchronization

/// `multipart/form-data` (RFC 7578), read from its files while it is sent, with its length known beforehand (TN-13).
///
///     var form = MultipartBody()
///     form.append("title", "A walk")
///     try form.append("photo", file: "/home/ada/walk.jpg")
///     request.headers[.contentType] = form.contentType
///     request.body = form.body
///
/// It can be sent again; progress comes from the transport like that of any body.
public struct MultipartBody: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// Stands between the parts, and must not occur in one; a random one doesn't.
    public let boundary: String
    /// The parts, in the order in which they were appended and are sent.
    package private(set) var parts: [Part] = []

    /// - Parameter boundary: is used as it is; nothing checks that no part contains it.
    public init(boundary: String = "turnstone-\(UUID().uuidString.lowercased())") {
        self.boundary = boundary
    }

    /// A form of texts: `["title": "A walk", "year": "2026"]`, in that order.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }

    package struct Part: Sendable, Hashable {
        /// The field's name; quotation marks and line ends in it are sent as `%22`, `%0D` and `%0A`.
        package var name: String
        /// The `filename` that the server is told; `nil`: none.
        package var fileName: String?
        /// In full: `text/csv; charset=utf-8`. Without one, a server takes it for text (RFC 7578, section 4.4).
        package var contentType: String?
        /// The bytes of the part, or the file that they are read from.
        package var content: Content
        package var headers: HTTPFields

        package init(
            name: String, fileName: String? = nil, contentType: String? = nil, content: Content, headers: HTTPFields = [:]
        ) {
            self.headers = headers
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            self.content = content
        }
    }

    package enum Content: Sendable, Hashable {
        /// Bytes in memory.
        case data(Data)
        /// `count` bytes, as they are announced: the file's size when the part was made.
        case file(BodyFile, count: Int64)

        package static func file(path: String, count: Int64) -> Content { .file(BodyFile(path: path), count: count) }

        /// Bytes.
        package var count: Int64 {
            switch self {
            case .data(let data): Int64(data.count)
            case .file(_, let count): count
            }
        }
    }

    // MARK: Building

    /// Adds a part behind the others, even if its name is there already.
    package mutating func append(_ part: Part) { parts.append(part) }

    /// A field with a text.
    public mutating func append(_ name: String, _ value: String) {
        append(Part(name: name, content: .data(Data(value.utf8))))
    }

    /// Bytes as a file would be sent.
    public mutating func append(_ name: String, data: Data, fileName: String, contentType: ContentType = "application/octet-stream")
    {
        append(Part(name: name, fileName: fileName, contentType: contentType.rawValue, content: .data(data)))
    }

    /// A file: read in pieces of at most 1 MiB when it is sent.
    ///
    /// - Parameters:
    ///   - fileName: the file's own name when `nil`.
    ///   - contentType: as its name's ending says when `nil`.
    /// - Throws: code 415, naming the part, when the file can't be read or is none.
    public mutating func append(
        _ name: String, file path: String, fileName: String? = nil, contentType: ContentType? = nil
    ) throws(NetworkError) {
        let count: Int64
        do throws(NetworkError) {
            let reader = try FileBodyReader(path: path)
            count = reader.length ?? 0
            reader.close()
        } catch {
            throw .multipart(name, error.message, errno: error.systemErrno)
        }
        append(
            Part(
                name: name, fileName: fileName ?? path.split(separator: "/").last.map(String.init),
                contentType: (contentType ?? .forFile(path)).rawValue, content: .file(path: path, count: count)))
    }

    /// A file by its URL.
    ///
    /// - Throws: code 415 for a URL that names no file, TermiNetwork's `invalidFileURL`; and as ``append(_:file:fileName:contentType:)``.
    public mutating func append(
        _ name: String, file url: URL, fileName: String? = nil, contentType: ContentType? = nil
    ) throws(NetworkError) {
        guard url.isFileURL else {
            throw .multipart(name, "\(url.absoluteString) isn't the URL of a file. Begin it with file:///.")
        }
        try append(name, file: url.path(percentEncoded: false), fileName: fileName, contentType: contentType)
    }

    // MARK: Sending

    /// For the request's `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Bytes, boundaries and heads of the parts included.
    public var length: Int64 {
        pieces.reduce(0) { $0 + $1.content.count }
    }

    /// In memory where no part is a file.
    public var body: RequestBody {
        let pieces = pieces
        var joined = Data()
        for case .data(let data) in pieces.map(\.content) { joined += data }
        if Int64(joined.count) == length { return .data(joined) }
        return .stream(RequestBodyStream(length: length, isReplayable: true, mayPause: false) { MultipartBodyReader(pieces) })
    }

    /// What goes out, in order.
    private var pieces: [MultipartPiece] {
        var pieces: [MultipartPiece] = []
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
            if let fileName = part.fileName { head += "; filename=\"\(Self.quoted(fileName))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(Self.withoutLineEnds(type))" }
            for field in part.headers { head += "\r\n\(field.name): \(Self.withoutLineEnds(field.value))" }
            pieces.append(MultipartPiece(part: part.name, content: .data(Data((head + "\r\n\r\n").utf8))))
            pieces.append(MultipartPiece(part: part.name, content: part.content))
            pieces.append(MultipartPiece(part: part.name, content: .data(Data("\r\n".utf8))))
        }
        return pieces + [MultipartPiece(part: "", content: .data(Data("--\(boundary)--\r\n".utf8)))]
    }

    /// As browsers write it (WHATWG HTML, section 4.10.22.8), which servers understand: RFC 7578 forbids the `filename*` of others.
    package static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\r": quoted += "%0D"
            case "\n": quoted += "%0A"
            case "\"": quoted += "%22"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted
    }

    /// A line end would begin another field of the part.
    private static func withoutLineEnds(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0 != "\0" }))
    }
}

/// Bytes of one part, or between two.
struct MultipartPiece: Sendable, Hashable {
    var part: String
    var content: MultipartBody.Content
}

extension NetworkError {
    /// Code 415.
    static func multipart(_ part: String, _ problem: String, errno: Int32? = nil) -> NetworkError {
        .bodyUnreadable("The part \"\(part)\" can't be sent: \(problem)", errno: errno)
    }
}

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
