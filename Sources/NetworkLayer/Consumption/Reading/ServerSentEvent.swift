/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// `message` where the server gives none.
    public var event: String
    /// Lines joined by `\n`.
    public var data: String
    /// The last identifier that the stream has named, for `Last-Event-ID` of a request that goes on where this one ends.
    public var id: String?
    /// How long to wait before such a request, as the stream last said.
    public var retry: Duration?

    /// An event of type `message`, unless `event` says otherwise.
    public init(event: String = "message", data: String, id: String? = nil, retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}

/// Makes events of lines.
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
        return ServerSentEvent(
            event: event.isEmpty ? "message" : event, data: data.joined(separator: "\n"), id: id, retry: retry)
    }
}

extension BodySequence {
    /// The events of a `text/event-stream`, each as soon as it is whole. It ends with the body: whoever wants to go on sends another
    /// request, with the last ``ServerSentEvent/id`` as `Last-Event-ID`.
    public var serverSentEvents: ServerSentEvents { ServerSentEvents(lines: lines) }

    /// See ``BodySequence/serverSentEvents``.
    public struct ServerSentEvents: AsyncSequence, Sendable {
        public typealias Element = ServerSentEvent
        public typealias Failure = NetworkError

        let lines: Lines

        public func makeAsyncIterator() -> Iterator { Iterator(lines: lines.makeAsyncIterator()) }

        /// Reads the lines of the body until an event is whole.
        public struct Iterator: AsyncIteratorProtocol {
            private var lines: Lines.Iterator
            private var parser = ServerSentEventParser()

            init(lines: Lines.Iterator) {
                self.lines = lines
            }

            public mutating func next() async throws(NetworkError) -> ServerSentEvent? { try await next(isolation: nil) }

            public mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> ServerSentEvent? {
                while let line = try await lines.next(isolation: actor) {
                    if let event = parser.read(line) { return event }
                }
                return nil
            }
        }
    }
}
