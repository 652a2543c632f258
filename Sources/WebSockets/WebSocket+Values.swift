public import Base
public import NetworkLayer

extension WebSocket {
    /// A message, whole.
    public enum Message: Sendable, Hashable {
        /// UTF-8 on the wire.
        case text(String)
        /// Bytes that mean what both sides agree on.
        case binary(Data)
    }

    /// How a session is kept.
    public struct Options: Sendable, Hashable, Codable {
        /// Offered to the server, by preference; it may choose one.
        public var subprotocols: [String] = []
        /// Offers permessage-deflate (RFC 7692): what comes is decompressed. What is sent goes as it is.
        public var compression = true
        /// How often the peer is pinged; two pings in a row without any sign of life end the session with code `idleTimedOut`. `nil`: never.
        public var ping: Duration? = .seconds(20)
        /// How long the peer may take to answer our close, and to end the connection afterwards.
        public var close: Duration = .seconds(5)
        /// How long the session may last once it is open; then it fails with code `operationTimedOut`. `nil`: as long as it likes.
        public var session: Duration?
        /// Bytes that one message may have, decompressed; a longer one ends the session with 1009.
        public var messageLimit = 16 << 20

        /// The defaults that are named at each property.
        public init() {}
    }

    /// One line of what went through a session, in either direction.
    public struct Entry: Sendable, Hashable {
        /// Counts from 1, over both directions and all kinds.
        public var number: Int
        /// Which way it went.
        public var direction: Direction
        /// What it was.
        public var content: Content
        /// When it had come whole, or was handed to the transport.
        public var time: MonotonicTime
        /// Frames that it came in.
        public var frames: Int
        /// Bytes of its frames, heads included.
        public var wireBytes: Int

        /// Which way something goes.
        public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
            case sent, received
        }

        /// Messages and what stands between them (RFC 6455, section 5.5).
        public enum Content: Sendable, Hashable {
            case message(Message)
            case ping(Data)
            case pong(Data)
            /// 1005: without a code.
            case close(code: Int, reason: String)
        }

        /// An entry, for tests and for what was kept.
        public init(
            number: Int, direction: Direction, content: Content, time: MonotonicTime, frames: Int = 1, wireBytes: Int = 0
        ) {
            self.number = number
            self.direction = direction
            self.content = content
            self.time = time
            self.frames = frames
            self.wireBytes = wireBytes
        }

        /// Of a text or a binary message; `nil` for what stands between them.
        public var message: Message? {
            if case .message(let message) = content { message } else { nil }
        }

        /// Bytes of its payload, decompressed.
        public var bytes: Int {
            switch content {
            case .message(let message): message.bytes
            case .ping(let data), .pong(let data): data.count
            case .close(let code, let reason): code == 1005 ? 0 : 2 + reason.utf8.count
            }
        }
    }

    /// The answer of a server that opened no session.
    public struct Refusal: Sendable, Hashable {
        /// Status and fields; no 101.
        public var head: ResponseHead
        /// The first MiB of its body.
        public var body = Data()
    }
}

extension WebSocket.Message {
    /// Bytes on the wire, uncompressed and without the heads of frames.
    public var bytes: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}
