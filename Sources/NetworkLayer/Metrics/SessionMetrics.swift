/// A session that an attempt became (WebSocket), as far as it has come.
public struct SessionMetrics: Sendable, Hashable, Codable {
    /// What was agreed on.
    public package(set) var info: SessionInfo
    /// When it was open.
    public package(set) var opened: MonotonicTime
    /// What has gone both ways.
    public package(set) var counts = SessionCounts()
    /// `nil` while it is open.
    public package(set) var close: SessionClose?

    mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        exchange(&opened.nanoseconds)
        counts.latency = counts.latency.map { latency in
            var nanoseconds = latency.wholeNanoseconds
            exchange(&nanoseconds)
            return .nanoseconds(nanoseconds)
        }
    }
}

/// What client and server agreed on when a session opened.
public struct SessionInfo: Sendable, Hashable, Codable {
    /// Of those that were offered, the one that the server chose.
    public package(set) var subprotocol: String?
    /// As the server wrote them: `permessage-deflate; client_no_context_takeover`.
    public package(set) var extensions: [String]

    /// Without a subprotocol and extensions by default.
    package init(subprotocol: String? = nil, extensions: [String] = []) {
        self.subprotocol = subprotocol
        self.extensions = extensions
    }
}

/// How much has gone through a session.
public struct SessionCounts: Sendable, Hashable, Codable {
    /// What we sent.
    public package(set) var sent = Direction()
    /// What the peer sent.
    public package(set) var received = Direction()
    /// Pings of ours, and how many of them were answered.
    public package(set) var pings = 0
    public package(set) var pongs = 0
    /// From our last ping that was answered to its pong.
    public package(set) var latency: Duration?

    /// Nothing yet.
    package init() {}

    /// One way through a session.
    public struct Direction: Sendable, Hashable, Codable {
        /// Texts and binary messages.
        public package(set) var messages = 0
        /// Bytes of the messages, decompressed.
        public package(set) var bytes: Int64 = 0
        /// All bytes, with the heads of frames, pings and pongs.
        public package(set) var wireBytes: Int64 = 0

        /// Nothing yet.
        package init() {}
    }
}

/// How a session ended.
public struct SessionClose: Sendable, Hashable, Codable {
    /// The peer's code (RFC 6455, section 7.4); 1005: it gave none; 1006: the connection ended without a close frame.
    public package(set) var code: Int
    /// The peer's words, at most 123 bytes.
    public package(set) var reason: String
    /// Who began to close.
    public package(set) var initiator: Initiator
    /// Whether both sides have sent a close frame.
    public package(set) var isClean: Bool

    /// A close as the caller saw it.
    package init(code: Int, reason: String = "", initiator: Initiator, isClean: Bool) {
        self.code = code
        self.reason = reason
        self.initiator = initiator
        self.isClean = isClean
    }

    /// Who began to close: nobody where the connection was lost.
    public enum Initiator: String, Sendable, Hashable, Codable, CaseIterable {
        case us, peer, nobody
    }

    /// Whether the session ended as it should: with 1000 (normal closure), 1001 (going away) or no code.
    public var isNormal: Bool { isClean && [1000, 1001, 1005].contains(code) }
}
