/// The parts of an attempt; `nil` when it did not happen (a reused connection has no dns, connect and tls; plain HTTP no tls).
///
/// They follow one another without gaps but for what the transport itself needs: queue, dns, connect, tls, send, wait, receive.
public struct Phases: Sendable, Hashable, Codable {
    /// From the start of the attempt to the first sign of life: waiting for a connection.
    public var queue: Interval?
    /// From the question for a name to its addresses.
    public var dns: Interval?
    /// From the first packet to an open TCP connection, all addresses that were tried included.
    public var connect: Interval?
    /// The handshake.
    public var tls: Interval?
    /// From the connection's readiness to the last byte of the request.
    public var send: Interval?
    /// From there to the first byte of the response: the server's time.
    public var wait: Interval?
    /// From there to its last byte.
    public var receive: Interval?

    /// Phases as far as they happened.
    public init(
        queue: Interval? = nil, dns: Interval? = nil, connect: Interval? = nil, tls: Interval? = nil, send: Interval? = nil,
        wait: Interval? = nil, receive: Interval? = nil
    ) {
        self.queue = queue
        self.dns = dns
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
    }

    /// Between two instants of the monotonic clock.
    public struct Interval: Sendable, Hashable, Codable {
        /// When the phase began.
        public var start: MonotonicTime
        /// Never before `start`.
        public var end: MonotonicTime

        /// - Parameter end: not before `start`.
        public init(start: MonotonicTime, end: MonotonicTime) {
            self.start = start
            self.end = end
        }

        /// Never negative.
        public var duration: Duration { end - start }
    }

    /// A phase by its name, for tables and JSON (`dns_us`, `connect_us` …), in order.
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        /// The properties of ``Phases`` with the same names.
        case queue, dns, connect, tls, send, wait, receive
    }

    /// `nil` when the phase didn't happen.
    public subscript(name: Name) -> Interval? {
        get {
            switch name {
            case .queue: queue
            case .dns: dns
            case .connect: connect
            case .tls: tls
            case .send: send
            case .wait: wait
            case .receive: receive
            }
        }
        set {
            switch name {
            case .queue: queue = newValue
            case .dns: dns = newValue
            case .connect: connect = newValue
            case .tls: tls = newValue
            case .send: send = newValue
            case .wait: wait = newValue
            case .receive: receive = newValue
            }
        }
    }
}

/// Bytes of one attempt.
public struct ByteCounts: Sendable, Hashable, Codable {
    /// Request line, fields and their line ends.
    public var requestHead: Int64
    /// On the wire, codings included.
    public var requestBody: Int64
    /// As ``requestHead``.
    public var responseHead: Int64
    /// On the wire, before decoding.
    public var responseBody: Int64
    /// After decoding.
    public var decodedResponseBody: Int64

    /// All zero by default: nothing went either way.
    public init(
        requestHead: Int64 = 0, requestBody: Int64 = 0, responseHead: Int64 = 0, responseBody: Int64 = 0,
        decodedResponseBody: Int64 = 0
    ) {
        self.requestHead = requestHead
        self.requestBody = requestBody
        self.responseHead = responseHead
        self.responseBody = responseBody
        self.decodedResponseBody = decodedResponseBody
    }
}
