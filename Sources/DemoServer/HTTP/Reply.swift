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
        .json(status: status, ["error": .string(StatusText.reason(status)), "message": .string(message)], fields: fields)
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
