import Base

/// What a route answers.
struct Reply {
    var status: Int
    /// Besides `Date`, `Server` and what frames the body, which are added.
    var fields: [Field]
    var body: Body
    /// Responses before the final one, such as 103 (RFC 8297).
    var informational: [(status: Int, fields: [Field])] = []
    var afterwards = Afterwards.asAsked

    enum Body {
        case none
        case bytes([UInt8])
        /// Written while it is made. Without a length it is chunked, or ends with the connection for an HTTP/1.0 client.
        case stream(length: Int?, write: (BodyWriter) async throws -> Void)
        /// The route writes to the socket what it likes, from the first byte of the head on; then the connection is closed.
        case takeover((Connection) async throws -> Void)
    }

    /// What becomes of the connection.
    enum Afterwards {
        /// Stays open, or not, as the client asked.
        case asAsked
        /// Is closed, and the head says so.
        case closed
        /// Is closed although nothing in the head says so.
        case closedSilently
        /// Stays open, but is closed without a word when the next request has arrived.
        case closedOnNextRequest
    }

    init(_ status: Int = 200, fields: [Field] = [], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    static func text(status: Int = 200, _ text: String, type: String = "text/plain; charset=utf-8", fields: [Field] = []) -> Reply {
        Reply(status, fields: [Field("Content-Type", type)] + fields, body: .bytes(Array(text.utf8)))
    }

    static func bytes(_ bytes: [UInt8], type: String, fields: [Field] = []) -> Reply {
        Reply(fields: [Field("Content-Type", type)] + fields, body: .bytes(bytes))
    }

    static func json(status: Int = 200, _ value: JSON, fields: [Field] = []) -> Reply {
        .text(status: status, value.text, type: "application/json", fields: fields)
    }

    static func problem(_ status: Int, _ message: String, fields: [Field] = []) -> Reply {
        .json(status: status, ["error": .string(reason(status)), "message": .string(message)], fields: fields)
    }

    static func stream(
        type: String, length: Int? = nil, fields: [Field] = [], write: @escaping (BodyWriter) async throws -> Void
    ) -> Reply {
        Reply(fields: [Field("Content-Type", type)] + fields, body: .stream(length: length, write: write))
    }

    static func takeover(_ act: @escaping (Connection) async throws -> Void) -> Reply {
        Reply(body: .takeover(act))
    }
}

/// A route's way to answer with an error from anywhere.
struct Refusal: Error {
    var status: Int
    var message: String

    init(status: Int = 400, _ message: String) {
        self.status = status
        self.message = message
    }
}

/// Writes a body piece by piece, framed as the head said. Each call goes out at once, and waits when the client is slow.
final class BodyWriter {
    let connection: Connection
    private let framing: Framing
    /// Sent after the last chunk; only a chunked body has them (RFC 9112, section 7.1.2).
    var trailers: [Field] = []

    /// How the end of a body is known (RFC 9112, section 6.3).
    enum Framing: Hashable {
        /// 204 and 304 never have a body.
        case absent
        case length(Int)
        case chunked
        case untilClose

        init(of reply: Reply, version: String) {
            guard reply.status != 204, reply.status != 304 else {
                self = .absent
                return
            }
            switch reply.body {
            case .none, .takeover: self = .length(0)
            case .bytes(let bytes): self = .length(bytes.count)
            case .stream(let length?, _): self = .length(length)
            case .stream(nil, _): self = version == "1.1" ? .chunked : .untilClose
            }
        }
    }

    init(connection: Connection, framing: Framing) {
        self.connection = connection
        self.framing = framing
    }

    /// One piece, and one chunk if the body is chunked.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        switch framing {
        case .absent: break
        case .length, .untilClose: try await connection.write(bytes)
        case .chunked: try await connection.write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
        }
    }

    func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    func finish() async throws {
        guard case .chunked = framing else { return }
        try await connection.write("0\r\n" + trailers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n")
    }
}

/// The reason phrase of a status code.
func reason(_ status: Int) -> String { StatusPhrases.phrase(status) ?? "Unknown" }
