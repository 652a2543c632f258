/// The parts of an attempt; `nil` when it did not happen (a reused connection has no dns, connect and tls; plain HTTP no tls;
/// HTTP/3 has quic in place of connect and tls).
///
/// They follow one another without gaps but for what the transport itself needs: queue, dns, quic or connect and tls, send, wait, receive.
public struct Phases: Sendable, Hashable, Codable {
    /// From the start of the attempt to the first sign of life: waiting for a connection.
    public var queue: Interval?
    /// From the question for a name to its addresses.
    public var dns: Interval?
    /// The handshake of QUIC (RFC 9001), which opens and secures the connection at once: from the first packet, all addresses that were
    /// tried included.
    public var quic: Interval?
    /// From the first packet to an open TCP connection, all addresses that were tried included.
    public var connect: Interval?
    public var tls: Interval?
    /// From the connection's readiness to the last byte of the request.
    public var send: Interval?
    /// From there to the first byte of the response: the server's time.
    public var wait: Interval?
    /// From there to its last byte.
    public var receive: Interval?

    public init(
        queue: Interval? = nil, dns: Interval? = nil, quic: Interval? = nil, connect: Interval? = nil, tls: Interval? = nil,
        send: Interval? = nil, wait: Interval? = nil, receive: Interval? = nil
    ) {
        self.queue = queue
        self.dns = dns
        self.quic = quic
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
    }

    /// Between two instants of the monotonic clock.
    public struct Interval: Sendable, Hashable, Codable {
        public var start: MonotonicTime
        /// Never before `start`.
        public var end: MonotonicTime

        /// - Parameter end: not before `start`.
        package init(start: MonotonicTime, end: MonotonicTime) {
            self.start = start
            self.end = end
        }

        /// Never negative.
        public var duration: Duration { end - start }
    }

    /// A phase by its name, for tables and JSON (`dns_us`, `connect_us` …), in order.
    public enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        /// The properties of ``Phases`` with the same names.
        case queue, dns, quic, connect, tls, send, wait, receive
    }

    /// `nil` when the phase didn't happen.
    public subscript(name: Name) -> Interval? {
        get {
            switch name {
            case .queue: queue
            case .dns: dns
            case .quic: quic
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
            case .quic: quic = newValue
            case .connect: connect = newValue
            case .tls: tls = newValue
            case .send: send = newValue
            case .wait: wait = newValue
            case .receive: receive = newValue
            }
        }
    }
}

extension Phases {
    /// Its part of ``OperationMetrics/exchangeNumbers(_:)``.
    mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        for name in Name.allCases {
            guard var interval = self[name] else { continue }
            exchange(&interval.start.nanoseconds)
            exchange(&interval.end.nanoseconds)
            self[name] = interval
        }
    }
}

extension Int64 {
    /// For numbers that may be missing: `number?.pass(to: exchange)`.
    mutating func pass(to exchange: (inout Int64) -> Void) { exchange(&self) }
}

/// Bytes of one attempt.
public struct ByteCounts: Sendable, Hashable, Codable {
    /// Request line, fields and their line ends.
    public var requestHead: Int64
    /// On the wire, codings included.
    public var requestBody: Int64
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

/// How far a body has come, in bytes on the wire.
public struct TransferProgress: Sendable, Hashable, Codable {
    public var bytes: Int64
    /// The whole, where it is known.
    public var expected: Int64?

    /// - Parameter expected: `nil` where the whole length isn't known.
    public init(bytes: Int64 = 0, expected: Int64? = nil) {
        self.bytes = bytes
        self.expected = expected
    }

    /// 0 … 1, where ``expected`` is known.
    public var fraction: Double? {
        guard let expected else { return nil }
        return expected > 0 ? min(1, Double(bytes) / Double(expected)) : 1
    }
}

/// The seven times of an attempt as HAR 1.2 has them: milliseconds. What did not happen is −1,
/// except for `send`, `wait` and `receive`, which HAR wants to be there always: these are 0 then.
///
/// HAR's `connect` includes `ssl`, and our phase `connect` doesn't include ``Phases/tls``; so what is added up is
/// `blocked + dns + connect + send + wait + receive`, and ``total`` is that.
package struct HARTimings: Sendable, Hashable, Codable {
    /// The wait for a connection, from ``Phases/queue``.
    package var blocked: Double
    package var dns: Double
    /// ``Phases/connect`` and ``Phases/tls`` together.
    package var connect: Double
    /// From ``Phases/tls``; it is part of ``connect`` already.
    package var ssl: Double
    package var send: Double
    package var wait: Double
    package var receive: Double

    package init(_ phases: Phases) {
        func milliseconds(_ duration: Duration?) -> Double {
            duration.map { Double($0.wholeNanoseconds) / 1e6 } ?? -1
        }
        blocked = milliseconds(phases.queue?.duration)
        dns = milliseconds(phases.dns?.duration)
        ssl = milliseconds((phases.tls ?? phases.quic)?.duration)
        let connecting = [phases.connect?.duration, phases.tls?.duration, phases.quic?.duration].compactMap { $0 }
        connect = milliseconds(connecting.isEmpty ? nil : connecting.reduce(.zero, +))
        // HAR wants these three to be there always.
        send = max(0, milliseconds(phases.send?.duration))
        wait = max(0, milliseconds(phases.wait?.duration))
        receive = max(0, milliseconds(phases.receive?.duration))
    }

    /// HAR's `time` of an entry.
    package var total: Double {
        [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
    }
}

extension AttemptMetrics {
    /// The attempt's phases in HAR's form; of a running attempt, those that are over.
    package var harTimings: HARTimings { HARTimings(phases) }
}
