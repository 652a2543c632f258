/// One transfer of an operation: its first, a redirect hop or a retry.
public struct AttemptMetrics: Sendable, Hashable, Codable {
    /// Counts the attempts of the operation from 1.
    public var number: Int
    /// Why it was made: as the first, after a redirect, as a retry …
    public var kind: AttemptKind
    /// As it was sent, prepared.
    public var request: Request
    /// When its preparation was over.
    public var start: MonotonicTime
    /// `nil` while it runs.
    public var end: MonotonicTime?
    /// What came after it; `nil` while it runs.
    public var disposition: AttemptDisposition?
    /// `nil` until one arrives.
    public var head: ResponseHead?
    /// `nil` for an attempt that got its answer, whatever the status.
    public var error: NetworkError?
    /// The phases that are over; of a running attempt as its events told them, then with the transport's exact figures.
    public var phases = Phases()
    /// The phase under way; `nil` between phases and when the attempt is over.
    public var openPhase: OpenPhase?
    /// `nil` where none was made or taken: a failure before, or an answer from the cache.
    public var connection: ConnectionInfo?
    /// `nil` without TLS.
    public var tls: TLSInfo?
    /// On the wire, but for the decoded body.
    public var bytes = ByteCounts()
    /// The head of the request as it went over the wire.
    public var sentHead: String?
    /// The progress of the request's body.
    public var upload = TransferProgress()
    /// The progress of the answer's body.
    public var download = TransferProgress()
    /// The trailer fields of the response.
    public var trailers: [TransferResult.HeaderLine] = []
    /// How often libcurl sent the request again on its own (ENG-7).
    public var resends = 0
    /// Addresses that did not answer before one did (ENG-6).
    public var failedAddresses: [FailedAddress] = []
    /// What our own coders did to its bodies; `nil` when they did nothing.
    public var coding: CodingMetrics?
    /// Where its answer came from.
    public var source = ResponseSource.network
    /// The digest of the body, with ``RequestConfiguration/hash``; `nil` unless the body is complete (HSH-1).
    public var bodyHash: BodyHash?
    /// Where this attempt's answer sent us, when it was a redirect.
    public var redirect: RedirectHop?
    /// What became of the credentials that its answer asked for.
    public var challenge: ChallengeReport?
    /// What the server says of errors inside of an answer that arrived, as a ``ResponseDecoder`` read it (RSP-3).
    public internal(set) var apiErrors: [String] = []
    /// The reason why a ``ResponseDecoder`` could not read the body.
    public internal(set) var bodyParseError: NetworkError?

    /// The machine's network when it ended, where the client knows it (GLB-5, COM-5): so a failure can be told from a network that
    /// went away.
    public var network: NetworkConditions?

    /// An attempt that has just begun: nothing else is known of it.
    public init(number: Int, kind: AttemptKind, request: Request, start: MonotonicTime) {
        self.number = number
        self.kind = kind
        self.request = request
        self.start = start
    }

    /// From its start to its end; `nil` while it runs.
    public var duration: Duration? { end.map { $0 - start } }

    /// Whether the body came from the cache, checked or not (TNL's `localCacheHit`).
    public var isLocalCacheHit: Bool { source == .cache || source == .validatedCache }

    /// A phase whose end is not known yet.
    public struct OpenPhase: Sendable, Hashable, Codable {
        /// The phase.
        public var name: Phases.Name
        /// When it began.
        public var start: MonotonicTime

        /// A phase that began at `start`.
        public init(name: Phases.Name, start: MonotonicTime) {
            self.name = name
            self.start = start
        }
    }

    /// One of the addresses of a host that took no connection, while another may have.
    public struct FailedAddress: Sendable, Hashable, Codable {
        /// With its port.
        public var address: String
        /// The operating system's error number.
        public var errno: Int32

        /// An address with its port, and the error that connecting to it gave.
        public init(address: String, errno: Int32) {
            self.address = address
            self.errno = errno
        }
    }
}

/// Why an attempt was made.
public enum AttemptKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The first; a hop to where an answer sent us; and once more because a policy said so.
    case initial, redirect, retry
    /// The request once more, with the answer to a challenge.
    case challenge
    /// The request again, for the whole body, after an answer that didn't continue the part that was there.
    case restart
}

/// What came after an attempt.
public enum AttemptDisposition: String, Sendable, Hashable, Codable, CaseIterable {
    /// A hop follows; another try follows; or the operation ended with it.
    case redirecting, retrying, completing
    /// The request goes out again with credentials.
    case challenged
    /// The request goes out again, for the whole body instead of the rest.
    case restarting
}
