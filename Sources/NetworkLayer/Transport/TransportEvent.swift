public import Base

/// Something that happened to a transfer, and when.
public struct TransportEvent: Sendable {
    /// When it happened, by the transport's clock.
    public var time: MonotonicTime
    /// What happened.
    public var kind: Kind

    /// An event at a time that the caller measured.
    public init(time: MonotonicTime, kind: Kind) {
        self.time = time
        self.kind = kind
    }

    /// In the order in which they come for a fresh HTTPS connection. On a reused one those of connecting are absent (ENG-5); a
    /// connect may start and fail once per address (ENG-6). What is large lies behind a reference, to be cheap to hand on.
    public enum Kind: Sendable {
        /// What a ``CachingTransport`` did.
        case cache(CacheOutcome)
        /// The look-up of the name begins; none for a name that was looked up lately.
        case resolveStarted(host: String)
        /// The addresses are there; without any, `finished` follows with the reason.
        case resolveEnded
        /// A TCP connection to one of the addresses begins; with its port, IPv6 in brackets.
        case connectStarted(address: String)
        /// This address took no connection, with the system's error number.
        indirect case connectFailed(address: String, errno: Int32)
        /// The TCP connection is open.
        case connectEnded
        /// The handshake begins.
        case tlsStarted
        /// A handshake of QUIC with one of the addresses begins; with its port. ``tlsEnded(_:)`` ends it, where it isn't given up for TCP.
        case quicStarted(address: String)
        /// Also when the verification failed: then the chain is there, and `finished` follows with the reason.
        indirect case tlsEnded(TLSInfo)
        /// There is a connection to send on, new or kept.
        indirect case connectionAcquired(ConnectionInfo)
        /// A kept connection had so many bytes to read that belong to no answer, and was given up for another one.
        case leftoverDropped(bytes: Int)
        /// The connection died without an answer, or its server said that it didn't take the request, which goes out again on
        /// another one (ENG-7; RFC 9113, section 8.7).
        case resent
        /// A 401 or 407 that is a step of the transport's own conversation (NTLM, Negotiate, a proxy's), or a 417 to a request that
        /// expected something, which it no longer does: the request goes out again within the same transfer, and everything from
        /// ``connectionAcquired(_:)`` on comes anew.
        indirect case authenticationStep(ResponseHead)
        /// The head as it went over the wire, for "sent"; header bytes only.
        case requestHeadSent(Data)
        /// As often as the transport likes: the layer thins them out.
        case uploadProgress(TransferProgress)
        /// The last byte of the request has gone out.
        case requestSent
        /// 1xx (ENG-9).
        indirect case informational(ResponseHead)
        /// The head of the final answer, once.
        indirect case head(ResponseHead)
        /// Decoded bytes of the body. `received`: bytes of the body on the wire so far, `expected`: `Content-Length`.
        case body(Data, received: Int64, expected: Int64?)
        /// The last event, exactly once, also after a cancel.
        indirect case finished(TransferResult)
    }
}

/// How a transfer ended, with the transport's exact figures, which replace what the events suggested.
public struct TransferResult: Sendable {
    /// `nil`: the whole response arrived.
    public var error: NetworkError?
    /// The exact times of the transfer's phases.
    package var phases: Phases
    package var bytes: ByteCounts
    /// The trailer fields of the response (RFC 9110, section 6.5).
    package var trailers: [HeaderLine]
    /// Where the response came from: the network or the cache.
    public var source: ResponseSource

    /// The result of a transfer that succeeded over the network, unless the parameters say otherwise.
    public init(error: NetworkError? = nil, source: ResponseSource = .network) {
        self.init(error: error, phases: .init(), source: source)
    }

    /// With exact figures.
    package init(
        error: NetworkError? = nil, phases: Phases, bytes: ByteCounts = .init(), trailers: [HeaderLine] = [],
        source: ResponseSource = .network
    ) {
        self.error = error
        self.phases = phases
        self.bytes = bytes
        self.trailers = trailers
        self.source = source
    }

    /// A field as it was received.
    package struct HeaderLine: Sendable, Hashable, Codable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
