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
