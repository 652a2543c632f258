public import Base
import Synchronization

/// The body of a request (REQ-1).
public enum RequestBody: Sendable, Hashable {
    /// No body, and no `Content-Length` but where the method needs one.
    case none
    /// Bytes in memory.
    case data(Data)
    /// A file, read while it is sent; its length at that moment becomes `Content-Length`.
    case file(BodyFile)
    /// Bytes that are made while they are sent.
    case stream(RequestBodyStream)

    /// A file by its path.
    public static func file(path: String) -> RequestBody { .file(BodyFile(path: path)) }

    /// Bytes, where they are known before sending. A file's length is read when the attempt starts.
    package var length: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }

    /// Whether a second attempt can send the same bytes again (RDR-4, RTY-11).
    public var isReplayable: Bool {
        switch self {
        case .none, .data, .file: true
        case .stream(let stream): stream.isReplayable
        }
    }
}

/// A body whose bytes are made while it is sent.
public struct RequestBodyStream: Sendable, Hashable {
    /// The number of bytes, or `nil` when it is not known: then HTTP/1.1 sends chunks.
    public let length: Int64?
    /// Whether `open` may be called again for another attempt.
    public let isReplayable: Bool
    /// Whether a reader may say ``RequestBodyRead/later``. Such a body needs HTTP/1.1 where the transport can't let HTTP/2 wait.
    package let mayPause: Bool
    /// Makes a reader at the first byte. Called once an attempt.
    package let open: @Sendable () throws -> any RequestBodyReader
    private let identity: UUID

    /// - Parameters:
    ///   - length: bytes in all; with more or fewer the attempt fails.
    ///   - open: what it throws fails the attempt.
    package init(
        length: Int64? = nil, isReplayable: Bool, mayPause: Bool = true,
        open: @escaping @Sendable () throws -> any RequestBodyReader
    ) {
        self.length = length
        self.mayPause = mayPause
        self.isReplayable = isReplayable
        self.open = open
        self.identity = UUID()
    }

    /// Two streams are equal when they are copies of one (REQ-8).
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Hands out the bytes of a body, piece by piece, to the transport's thread.
package protocol RequestBodyReader: AnyObject, Sendable {
    /// The number of bytes it will hand out; `nil`, the default, when it doesn't know: then ``RequestBody/length`` may, and
    /// otherwise HTTP/1.1 sends chunks.
    var length: Int64? { get }

    /// The next bytes, at most `limit` and at least one; must not block for long.
    ///
    /// After ``RequestBodyRead/later`` the reader calls `wake` once, from any thread, when there is more (or the end).
    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead

    /// The transfer needs no more, at its end or because it was cut off. Called once.
    func close()
}

extension RequestBodyReader {
    package var length: Int64? { nil }
}

/// What a ``RequestBodyReader`` has at the moment.
package enum RequestBodyRead: Sendable, Hashable {
    /// The next bytes; not empty.
    case bytes(Data)
    /// None yet.
    case later
    /// There are no more.
    case end
}

/// A file whose bytes are a body, or a part of one. It is opened when it is sent, once an attempt.
///
/// Two are equal when they have the same path.
public struct BodyFile: Sendable, Hashable, CustomStringConvertible {
    /// As it was given.
    public let path: String
    private let opening: (@Sendable () -> Int32)?

    /// The file is opened when it is sent, so its absence is an error of the attempt: code `fileFailed`.
    package init(path: String) {
        self.path = path
        opening = nil
    }

    /// A file that not everything at its path may take the place of.
    ///
    /// - Parameter opening: gives a descriptor for whoever calls it, or -1 with `errno` set.
    package init(path: String, opening: @escaping @Sendable () -> Int32) {
        self.path = path
        self.opening = opening
    }

    /// - Returns: a descriptor, or -1 with `errno` set. A pipe without a writer doesn't hold it up.
    func descriptor() -> Int32 {
        opening?() ?? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }

    package func contents() throws(NetworkError) -> Data {
        let reader = try FileBodyReader(self)
        defer { reader.close() }
        var contents = Data()
        while case .bytes(let data) = try reader.read(atMost: 1 << 20, wake: {}) { contents += data }
        return contents
    }

    public var description: String { path }

    public static func == (left: Self, right: Self) -> Bool { left.path == right.path }

    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension RequestBody {
    /// Opens the body for one attempt; `nil` when there is none. For transports.
    ///
    /// Files are opened here, and their length is read (``RequestBodyReader/length``).
    package func makeReader() throws(NetworkError) -> (any RequestBodyReader)? {
        switch self {
        case .none: return nil
        case .data(let data): return DataBodyReader(data)
        case .file(let file): return try FileBodyReader(file)
        case .stream(let stream):
            do {
                return try stream.open()
            } catch let error as NetworkError {
                throw error
            } catch {
                throw .bodyUnreadable("The stream of the body can't be opened: \(error)")
            }
        }
    }
}

extension NetworkError {
    /// Code 415, for bodies that could not be read while they were sent.
    static func bodyUnreadable(_ message: String, errno: Int32? = nil) -> NetworkError {
        NetworkError(.bodyReadFailed, phase: .request, type: "http.request.body.unreadable", message: message, systemErrno: errno)
    }
}

/// Hands out a body that lies in memory; pieces share its storage.
final class DataBodyReader: RequestBodyReader {
    let length: Int64?
    private let rest: Mutex<Data>

    init(_ data: Data) {
        length = Int64(data.count)
        rest = Mutex(data)
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        rest.withLock { rest in
            guard !rest.isEmpty else { return .end }
            let piece = rest.prefix(limit)
            rest = rest.dropFirst(piece.count)
            return .bytes(piece)
        }
    }

    func close() {
        rest.withLock { $0 = Data() }
    }
}

/// Reads a file while it is sent. Its length is that at opening: bytes added later are left out, missing ones are an error.
final class FileBodyReader: RequestBodyReader {
    let length: Int64?
    private let path: String
    private let state: Mutex<State>

    private struct State {
        /// -1 when it is closed.
        var file: Int32
        var rest: Int64
    }

    convenience init(path: String) throws(NetworkError) { try self.init(BodyFile(path: path)) }

    init(_ body: BodyFile) throws(NetworkError) {
        let path = body.path
        let file = body.descriptor()
        guard file >= 0 else { throw Self.failure("can't be opened", path, errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            Self.close(file)
            throw .bodyUnreadable("\(path) isn't a file, so it has no bytes to send. Name a file.")
        }
        self.path = path
        length = Int64(status.st_size)
        state = Mutex(State(file: file, rest: Int64(status.st_size)))
    }

    deinit { close() }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws(NetworkError) -> RequestBodyRead {
        try state.withLock { state throws(NetworkError) in
            let count = min(Int64(limit), state.rest)
            guard count > 0, state.file >= 0 else { return .end }
            guard let buffer = malloc(Int(count)) else { throw Self.failure("can't be read", path, ENOMEM) }
            let got = Self.read(state.file, buffer, Int(count))
            guard got > 0 else {
                let error = errno
                free(buffer)
                if got < 0 { throw Self.failure("can't be read", path, error) }
                throw .bodyUnreadable("\(path) became shorter while it was sent: \(state.rest) bytes are missing.")
            }
            state.rest -= Int64(got)
            return .bytes(Data(bytesNoCopy: buffer, count: got, deallocator: .free))
        }
    }

    func close() {
        state.withLock { state in
            if state.file >= 0 { Self.close(state.file) }
            state.file = -1
        }
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        SystemCall.read(file, buffer, count)
    }

    private static func close(_ file: Int32) {
        SystemCall.close(file)
    }

    private static func failure(_ problem: String, _ path: String, _ errno: Int32) -> NetworkError {
        .bodyUnreadable("The body's file \(path) \(problem): \(String(cString: strerror(errno))).", errno: errno)
    }
}
