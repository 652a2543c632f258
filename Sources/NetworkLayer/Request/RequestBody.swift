public import Base

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
    public var length: Int64? {
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
    public let mayPause: Bool
    /// Makes a reader at the first byte. Called once an attempt.
    public let open: @Sendable () throws -> any RequestBodyReader
    private let identity: UUID

    /// - Parameters:
    ///   - length: bytes in all; with more or fewer the attempt fails.
    ///   - open: what it throws fails the attempt.
    public init(
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
public protocol RequestBodyReader: AnyObject, Sendable {
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
    public var length: Int64? { nil }
}

/// What a ``RequestBodyReader`` has at the moment.
public enum RequestBodyRead: Sendable, Hashable {
    /// The next bytes; not empty.
    case bytes(Data)
    /// None yet.
    case later
    /// There are no more.
    case end
}
