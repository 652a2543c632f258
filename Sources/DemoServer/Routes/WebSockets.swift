import Base
import CLibcrypto

extension RouteTable {
    static let webSockets: [Route] = [
        Route(
            "/websocket/echo", "Echoes",
            "A WebSocket (RFC 6455) that sends every message back. It chooses the first subprotocol that is offered."
        ) { request in
            try socket(request) { socket in
                while let frame = try await socket.next() { try await socket.write(frame.first, frame.payload) }
            }
        },
        Route(
            "/websocket/ticker", "Ticks",
            "A WebSocket that sends count (10) messages in JSON, one every 1s, and then closes with 1000.",
            try: "/websocket/ticker?count=5&every=200ms"
        ) { request in
            let count = try request.count("count", default: 10, in: 0...1_000_000)
            let interval = try request.duration("every", default: .seconds(1))
            return try socket(request) { socket in
                for number in 1..<(count + 1) {
                    try await socket.write(0x81, Array(#"{"type":"tick","number":\#(number)}"#.utf8))
                    guard try await socket.pause(interval) else { return }
                }
                try await socket.close(1000, "that was all")
            }
        },
        Route(
            "/websocket/close", "Closes", "A WebSocket that says hello, and closes with code (4001) and reason (enough).",
            try: "/websocket/close?code=1011&reason=out+of+order"
        ) { request in
            let code = try request.count("code", default: 4001, in: 1000...4999)
            let reason = request.query["reason"] ?? "enough"
            return try socket(request) { socket in
                try await socket.write(0x81, Array("hello".utf8))
                try await socket.close(code, reason)
            }
        },
    ]

    static func socket(_ request: DemoRequest, _ act: @escaping (DemoSocket) async throws -> Void) throws -> Reply {
        guard request.head["upgrade"]?.lowercased() == "websocket", let key = request.head["sec-websocket-key"] else {
            return .problem(
                426, "This path speaks WebSocket: turnstone send \(request.url.replacing("http", with: "ws", maxReplacements: 1))",
                fields: [Field("Upgrade", "websocket")])
        }
        var fields = [
            Field("Upgrade", "websocket"), Field("Connection", "Upgrade"), Field("Sec-WebSocket-Accept", DemoSocket.accept(key)),
        ]
        if let offered = request.head["sec-websocket-protocol"]?.split(separator: ",").first {
            fields.append(Field("Sec-WebSocket-Protocol", String(offered).trimmed))
        }
        return .takeover { connection in
            try await connection.write(Connection.head(101, fields))
            let socket = DemoSocket(connection)
            try await act(socket)
            // The client's answer to a close.
            while try await socket.next() != nil {}
            await connection.closeGently()
        }
    }
}

/// The server's end of a WebSocket, frame by frame.
final class DemoSocket {
    private let connection: Connection
    private var isClosed = false
    /// Whether the client has closed: nothing more comes.
    private var isOver = false

    init(_ connection: Connection) { self.connection = connection }

    static func accept(_ key: String) -> String {
        let text = Array("\(key.trimmed)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        EVP_Q_digest(nil, "SHA1", nil, text, text.count, &digest, nil)
        return Data(digest).base64EncodedString()
    }

    /// The next frame of a message; pings are answered. `nil` when the client has closed.
    func next() async throws -> (first: UInt8, payload: [UInt8])? {
        while !isOver, let head = try await bytes(2) {
            var length = Int(head[1] & 0x7F)
            if length >= 126, let long = try await bytes(length == 126 ? 2 : 8) { length = long.reduce(0) { $0 << 8 | Int($1) } }
            guard (0...16 << 20).contains(length), head[1] & 0x80 != 0, let key = try await bytes(4),
                let masked = try await bytes(length)
            else {
                break
            }
            let payload = masked.indices.map { masked[$0] ^ key[$0 & 3] }
            switch head[0] & 0x0F {
            case 8:
                if !isClosed { try await write(0x88, payload) }
                isClosed = true
                isOver = true
            case 9: try await write(0x8A, payload)
            case 10: break
            default: return (head[0] & 0x8F, payload)
            }
        }
        return nil
    }

    /// - Parameter first: the opcode, and the bit of a last frame.
    func write(_ first: UInt8, _ payload: [UInt8]) async throws {
        let count = payload.count
        let length: [UInt8] =
            switch count {
            case ...125: [UInt8(count)]
            case ...0xFFFF: [126, UInt8(count >> 8), UInt8(count & 0xFF)]
            default: [127] + (0..<8).reversed().map { UInt8(count >> (8 * $0) & 0xFF) }
            }
        try await connection.write([first] + length + payload)
    }

    func close(_ code: Int, _ reason: String) async throws {
        guard !isClosed else { return }
        isClosed = true
        try await write(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8.prefix(123))
    }

    /// Waits, and answers what comes meanwhile.
    ///
    /// - Returns: whether the client hasn't closed.
    func pause(_ duration: Duration) async throws -> Bool {
        let end = ContinuousClock.now + duration
        while true {
            while connection.hasInput { if try await next() == nil { return false } }
            let rest = end - .now
            guard rest > .zero else { return true }
            try await connection.pause(min(rest, .milliseconds(50)))
        }
    }

    private func bytes(_ count: Int) async throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = try await connection.read(atMost: count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
    }
}
