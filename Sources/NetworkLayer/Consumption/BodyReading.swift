import Base

extension BodySequence {
    /// Lines of text in UTF-8, without their ends: `\n`, `\r\n` or `\r`. Other bytes are replaced. A line may be as long as the body.
    public var lines: some AsyncSequence<String, NetworkError> & Sendable {
        Parsed(source: self, parser: LineSplitter())
    }

    /// One byte after the other; whoever can take more at a time is faster with the sequence itself.
    public var bytes: some AsyncSequence<UInt8, NetworkError> & Sendable {
        Parsed(source: self, parser: ByteParser())
    }
}

/// Takes a sequence in, piece by piece, and hands out what can be made of it.
protocol PieceParser: Sendable {
    associatedtype Piece: Sendable
    associatedtype Element: Sendable

    mutating func add(_ piece: Piece)
    /// `nil`: another piece is needed.
    mutating func element() -> Element?
    /// What is left at the end.
    mutating func finish() -> Element?
}

extension PieceParser {
    mutating func finish() -> Element? { nil }
}

/// What a parser makes of another sequence; each reader has a parser of its own. What ends the sequence early ends this, and what the
/// parser was about to make is lost.
struct Parsed<Source: AsyncSequence & Sendable, Parser: PieceParser>: AsyncSequence, Sendable where Source.Element == Parser.Piece {
    typealias Element = Parser.Element
    typealias Failure = Source.Failure

    let source: Source
    let parser: Parser

    func makeAsyncIterator() -> Iterator { Iterator(pieces: source.makeAsyncIterator(), parser: parser) }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: Source.AsyncIterator
        var parser: Parser

        mutating func next() async throws(Source.Failure) -> Element? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Source.Failure) -> Element? {
            while true {
                if let element = parser.element() { return element }
                guard let piece = try await pieces.next(isolation: actor) else { return parser.finish() }
                parser.add(piece)
            }
        }
    }
}

/// One byte after the other.
private struct ByteParser: PieceParser {
    private var piece = Data()
    private var index = 0

    mutating func add(_ piece: Data) { (self.piece, index) = (piece, piece.startIndex) }

    mutating func element() -> UInt8? {
        guard index < piece.endIndex else { return nil }
        defer { index += 1 }
        return piece[index]
    }
}

extension LineSplitter: PieceParser {
    mutating func element() -> String? { nextLine().map { String(decoding: $0, as: UTF8.self) } }
    mutating func finish() -> String? { flush().map { String(decoding: $0, as: UTF8.self) } }
}

/// Takes text apart at its line ends, `\n`, `\r\n` and `\r`, however it is cut into pieces. A line is there with the first byte of its
/// end; the last one needs none.
struct LineSplitter: Sendable {
    private var line: [UInt8] = []
    private var piece = Data()
    private var next = 0
    /// A `\n` that comes next belongs to the line end before it.
    private var skipsNewline = false

    mutating func add(_ data: Data) {
        piece = data
        next = data.startIndex
    }

    /// The next line of what was added, without its end; `nil`: more is needed.
    mutating func nextLine() -> [UInt8]? {
        if skipsNewline, next < piece.endIndex {
            skipsNewline = false
            if piece[next] == UInt8(ascii: "\n") { next += 1 }
        }
        let rest = piece[next...]
        guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            line += rest
            next = piece.endIndex
            return nil
        }
        defer { line = [] }
        line += rest[..<end]
        skipsNewline = piece[end] == UInt8(ascii: "\r")
        next = end + 1
        return line
    }

    /// What stands behind the last line end; `nil` when nothing does.
    mutating func flush() -> [UInt8]? {
        defer { line = [] }
        return line.isEmpty ? nil : line
    }
}

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// `message` where the server gives none.
    public var event = "message"
    /// Lines joined by `\n`.
    public var data: String
    /// The last identifier that the stream has named, for `Last-Event-ID` of a request that goes on where this one ends.
    public var id: String?
    /// How long to wait before such a request, as the stream last said.
    public var retry: Duration?
}

package struct ServerSentEventParser: Sendable {
    private var event = ""
    private var data: [String] = []
    private var id: String?
    private var retry: Duration?
    private var isFirstLine = true

    package init() {}

    /// - Returns: the event that an empty line ends. One without data is none, and what has no empty line behind it is none either.
    package mutating func read(_ line: String) -> ServerSentEvent? {
        var line = line[...]
        if isFirstLine, line.unicodeScalars.first == "\u{FEFF}" { line = Substring(line.unicodeScalars.dropFirst()) }
        isFirstLine = false
        if line.isEmpty { return finish() }
        let halves = line.halves(at: ":")
        var value = halves?.behind ?? ""
        if value.utf8.first == UInt8(ascii: " ") { value.removeFirst() }
        switch halves?.before ?? line {
        case "event": event = String(value)
        case "data": data.append(String(value))
        case "id": if !value.unicodeScalars.contains("\0") { id = String(value) }
        case "retry":
            if !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let milliseconds = Int64(value) {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
        return nil
    }

    private mutating func finish() -> ServerSentEvent? {
        defer {
            event = ""
            data = []
        }
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"), id: id, retry: retry)
    }
}

extension BodySequence {
    /// The events of a `text/event-stream`, each as soon as it is whole. It ends with the body: whoever wants to go on sends another
    /// request, with the last ``ServerSentEvent/id`` as `Last-Event-ID`.
    public var serverSentEvents: some AsyncSequence<ServerSentEvent, NetworkError> & Sendable {
        Parsed(source: lines, parser: EventParser())
    }
}

private struct EventParser: PieceParser {
    private var parser = ServerSentEventParser()
    private var event: ServerSentEvent?

    mutating func add(_ line: String) { event = parser.read(line) }
    mutating func element() -> ServerSentEvent? { event.take() }
}
