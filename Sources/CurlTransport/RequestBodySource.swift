import FoundationEssentials
import Glibc
import NetworkLayer

/// The body of one transfer as bytes, one piece after another, and once more after a re-send.
struct RequestBodySource {
    private let body: RequestBody
    private var reader: (any RequestBodyReader)?
    private var rest = Data()
    /// Bytes handed out since the first or, after a rewind, from the beginning again.
    private(set) var count: Int64 = 0
    private(set) var isAtEnd = false

    enum Piece: Equatable {
        case bytes(Int)
        case later
        case end
    }

    init(_ body: RequestBody) {
        self.body = body
    }

    /// Fills the buffer with what there is at the moment.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, wake: @escaping @Sendable () -> Void
    ) throws(NetworkError) -> Piece {
        if isAtEnd { return .end }
        if rest.isEmpty {
            do {
                switch try openReader().read(atMost: buffer.count, wake: wake) {
                case .bytes(let data): rest = data
                case .later: return .later
                case .end:
                    isAtEnd = true
                    return .end
                }
            } catch let error as NetworkError {
                throw error
            } catch {
                throw .bodyReadFailed("The body could not be read: \(error).")
            }
        }
        let piece = rest.prefix(buffer.count)
        piece.copyBytes(to: buffer)
        rest = rest.dropFirst(piece.count)
        count += Int64(piece.count)
        return .bytes(piece.count)
    }

    /// - Returns: whether the same bytes will come again.
    mutating func rewind() -> Bool {
        guard count > 0 || isAtEnd || reader != nil else { return true }
        guard body.isReplayable else { return false }
        close()
        count = 0
        isAtEnd = false
        return true
    }

    mutating func close() {
        reader?.close()
        reader = nil
        rest = Data()
    }

    private mutating func openReader() throws -> any RequestBodyReader {
        if let reader { return reader }
        let new: any RequestBodyReader =
            switch body {
            case .none: DataBodyReader(Data())
            case .data(let data): DataBodyReader(data)
            case .file(let path): try FileBodyReader(path: path)
            case .stream(let stream): try stream.open()
            }
        reader = new
        return new
    }
}

/// All of it at once: slices of a `Data` cost nothing.
private final class DataBodyReader: RequestBodyReader, @unchecked Sendable {
    // Read on the loop's thread only.
    private var data: Data

    init(_ data: Data) {
        self.data = data
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        guard !data.isEmpty else { return .end }
        defer { data = data.dropFirst(limit) }
        return .bytes(data.prefix(limit))
    }

    func close() {}
}

/// A regular file.
final class FileBodyReader: RequestBodyReader, @unchecked Sendable {
    // Used on the loop's thread only.
    private let path: String
    private let descriptor: Int32
    private var left: Int64

    init(path: String) throws(NetworkError) {
        self.path = path
        (descriptor, left) = try Self.open(path)
    }

    /// Bytes in the file now.
    static func length(of path: String) throws(NetworkError) -> Int64 {
        let (descriptor, length) = try open(path)
        Glibc.close(descriptor)
        return length
    }

    private static func open(_ path: String) throws(NetworkError) -> (descriptor: Int32, length: Int64) {
        // A pipe without a writer would hold us up.
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .bodyReadFailed("\(path) can't be read: \(SystemError.text(errno)).", errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Glibc.close(descriptor)
            throw .bodyReadFailed("\(path) isn't a file, so it has no bytes to send. Name a file.")
        }
        return (descriptor, Int64(status.st_size))
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        guard left > 0 else { return .end }
        var data = Data(count: min(limit, Int(left)))
        let count = data.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else {
            let code = errno
            throw NetworkError.bodyReadFailed(
                count == 0 ? "\(path) became shorter while it was sent." : "\(path) can't be read: \(SystemError.text(code)).",
                errno: count == 0 ? nil : code)
        }
        left -= Int64(count)
        return .bytes(data.prefix(count))
    }

    func close() {
        Glibc.close(descriptor)
    }
}

/// The system's words for its error numbers.
enum SystemError {
    /// `connection refused`
    static func text(_ number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
