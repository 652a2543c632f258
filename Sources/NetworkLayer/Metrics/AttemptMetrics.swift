/// One transfer of an operation: its first, a redirect hop or a retry.
public struct AttemptMetrics: Sendable, Hashable, Codable {
    /// Counts the attempts of the operation from 1.
    public package(set) var number: Int
    /// Why it was made: as the first, after a redirect, as a retry …
    public package(set) var kind: AttemptKind
    /// As it was sent, prepared.
    public package(set) var request: Request
    /// When its preparation was over.
    public package(set) var start: MonotonicTime
    /// `nil` while it runs.
    public package(set) var end: MonotonicTime?
    /// What came after it; `nil` while it runs.
    package var disposition: AttemptDisposition?
    /// `nil` until one arrives.
    public package(set) var head: ResponseHead?
    /// `nil` for an attempt that got its answer, whatever the status.
    public package(set) var error: NetworkError?
    /// The phases that are over; of a running attempt as its events told them, then with the transport's exact figures.
    public package(set) var phases = Phases()
    /// The phase under way; `nil` between phases and when the attempt is over.
    package var openPhase: OpenPhase?
    /// `nil` where none was made or taken: a failure before, or an answer from the cache.
    public package(set) var connection: ConnectionInfo?
    /// `nil` without TLS.
    public package(set) var tls: TLSInfo?
    /// On the wire, but for the decoded body.
    public package(set) var bytes = ByteCounts()
    package var sentHead: String?
    /// The session that the attempt became; `nil` for an answer as usual.
    public internal(set) var session: SessionMetrics?
    public package(set) var upload = TransferProgress()
    public package(set) var download = TransferProgress()
    package var trailers: [TransferResult.HeaderLine] = []
    /// How often libcurl sent the request again on its own (ENG-7).
    package var resends = 0
    /// Addresses that did not answer before one did (ENG-6).
    package var failedAddresses: [FailedAddress] = []
    /// What our own coders did to its bodies; `nil` when they did nothing.
    package var coding: CodingMetrics?
    public package(set) var source = ResponseSource.network
    /// The digest of the body, with ``RequestConfiguration/hash``; `nil` unless the body is complete (HSH-1).
    package var bodyHash: BodyHash?
    package var redirect: RedirectHop?
    /// What became of the credentials that its answer asked for.
    package var challenge: ChallengeReport?
    /// The machine's network when it ended, where the client knows it (GLB-5, COM-5): so a failure can be told from a network that
    /// went away.
    package var network: NetworkConditions?

    /// An attempt that has just begun: nothing else is known of it.
    package init(number: Int, kind: AttemptKind, request: Request, start: MonotonicTime) {
        self.number = number
        self.kind = kind
        self.request = request
        self.start = start
    }

    public var duration: Duration? { end.map { $0 - start } }

    /// Whether the body came from the cache, checked or not (TNL's `localCacheHit`).
    package var isLocalCacheHit: Bool { source == .cache || source == .validatedCache }

    /// A phase whose end is not known yet.
    package struct OpenPhase: Sendable, Hashable, Codable {
        package var name: Phases.Name
        public package(set) var start: MonotonicTime
    }

    /// One of the addresses of a host that took no connection, while another may have.
    package struct FailedAddress: Sendable, Hashable, Codable {
        /// With its port.
        package var address: String
        package var errno: Int32
    }
}

extension AttemptMetrics {
    /// Its part of ``OperationMetrics/exchangeNumbers(_:)``.
    mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        exchange(&start.nanoseconds)
        end?.nanoseconds.pass(to: exchange)
        openPhase?.start.nanoseconds.pass(to: exchange)
        phases.exchangeNumbers(exchange)
        connection?.exchangeNumbers(exchange)
        session?.exchangeNumbers(exchange)
        exchange(&bytes.requestHead)
        exchange(&bytes.requestBody)
        exchange(&bytes.responseHead)
        exchange(&bytes.responseBody)
        exchange(&bytes.decodedResponseBody)
        exchange(&upload.bytes)
        upload.expected?.pass(to: exchange)
        exchange(&download.bytes)
        download.expected?.pass(to: exchange)
        coding?.exchangeNumbers(exchange)
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

extension AttemptMetrics {
    /// Takes in an event of this attempt while it runs.
    mutating func apply(_ kind: NetworkEvent.Kind, at time: MonotonicTime) {
        switch kind {
        case .cache(.hit):
            source = .cache
        case .cache(.validated):
            source = .validatedCache
        case .resolveStarted:
            open(.dns, at: time)
        case .resolveEnded:
            close(.dns, at: time)
        case .connectStarted:
            // One phase for all addresses that are tried (ENG-6).
            if openPhase?.name != .connect { open(.connect, at: time) }
        case .connectFailed(let address, let errno):
            failedAddresses.append(FailedAddress(address: address, errno: errno))
        case .connectEnded:
            close(.connect, at: time)
        case .tlsStarted:
            open(.tls, at: time)
        case .quicStarted:
            if openPhase?.name != .quic { open(.quic, at: time) }
        case .tlsEnded(let info):
            tls = info
            close(.tls, at: time)
            close(.quic, at: time)
        case .connectionAcquired(let info):
            connection = info
            open(.send, at: time)
        case .resent:
            resends += 1
            restartPhases(at: time)
        case .authenticationStep:
            restartPhases(at: time)
        case .requestHeadSent(let head):
            sentHead = head
        case .uploadProgress(let progress):
            upload = progress
        case .requestSent:
            if openPhase?.name == .send { open(.wait, at: time) }
        case .head(let head):
            self.head = head
            open(.receive, at: time)
        case .downloadProgress(let progress):
            download = progress
        case .sessionOpened(let info):
            session = SessionMetrics(info: info, opened: time)
        case .sessionProgress(let counts):
            session?.counts = counts
        case .sessionClosed(let close, let counts):
            session?.counts = counts
            session?.close = close
        case .redirect(let hop):
            redirect = hop
        case .challenge(let report):
            challenge = report
        default:
            break
        }
    }

    /// Ends the phase under way, if there is one, and begins `name`.
    private mutating func open(_ name: Phases.Name, at time: MonotonicTime) {
        closeOpenPhase(at: time)
        openPhase = OpenPhase(name: name, start: time)
    }

    private mutating func close(_ name: Phases.Name, at time: MonotonicTime) {
        if openPhase?.name == name { closeOpenPhase(at: time) }
    }

    /// Ends the phase under way: where an attempt is cut off, that is how far it came.
    mutating func closeOpenPhase(at time: MonotonicTime) {
        guard let open = openPhase else { return }
        phases[open.name] = Phases.Interval(start: open.start, end: max(time, open.start))
        openPhase = nil
    }

    /// After a silent re-send everything since the start was in vain: it becomes waiting for a connection (ENG-7).
    private mutating func restartPhases(at time: MonotonicTime) {
        phases = Phases()
        connection = nil
        tls = nil
        openPhase = OpenPhase(name: .queue, start: start)
    }
}
