public import Base

/// Something that happened to an operation. Its log tells the whole story: see ``OperationMetrics``.
public struct NetworkEvent: Sendable, Hashable {
    public package(set) var operation: OperationID
    /// The number of the attempt it belongs to, from 1; `nil` outside of attempts.
    public package(set) var attempt: Int?
    /// Counts from 0 without a gap.
    public package(set) var sequence: Int
    /// When it happened; never earlier than the event before it.
    public package(set) var time: MonotonicTime
    public package(set) var kind: Kind

    /// An event as a log has it; the library makes its own.
    package init(operation: OperationID, attempt: Int? = nil, sequence: Int, time: MonotonicTime, kind: Kind) {
        self.operation = operation
        self.attempt = attempt
        self.sequence = sequence
        self.time = time
        self.kind = kind
    }

    /// What is large lies behind a reference (`indirect`), so that a log of a hundred events is a few kilobytes.
    public enum Kind: Sendable, Hashable {
        /// A queue has it; `date` is the wall clock, for display.
        indirect case enqueued(queue: String, date: Date, timeouts: Timeouts)
        case transition(from: RequestOperation.State, to: RequestOperation.State)
        /// What the operation waits for in its present state; reported again whenever that changes.
        indirect case waitsFor(WaitDetail)

        // While it prepares: only of steps that somebody takes part in, or that have something to say.
        /// Something odd about the configuration; nothing fails for it.
        case configurationWarning(ConfigurationWarning)
        /// A role has done its part.
        case prepared(PreparationStep)
        /// Also inside of an attempt, just before the redirect hop that it concerns.
        indirect case hostSanitized(from: String, to: String)
        /// The end of an attempt that never was one (PRE-3).
        indirect case preparationFailed(PreparationStep, NetworkError)

        /// A transfer begins, with the request as it goes out.
        indirect case attemptStarted(AttemptKind, Request)
        /// What the cache did, where there is one.
        case cache(CacheOutcome)
        /// The look-up of the name begins; the two don't come for a name that the transport has looked up lately (ENG-5).
        case resolveStarted(host: String)
        /// The addresses are there; without any the attempt fails.
        case resolveEnded
        /// A TCP connection to one of the addresses begins; with its port, IPv6 in brackets.
        case connectStarted(address: String)
        /// This address took no connection; another may (ENG-6).
        indirect case connectFailed(address: String, errno: Int32)
        case connectEnded
        case tlsStarted
        /// A handshake of QUIC with one of the addresses begins; with its port. ``tlsEnded(_:)`` ends it, where it isn't given up for TCP.
        case quicStarted(address: String)
        /// The handshake is over; also one that was not accepted, whose attempt then fails.
        indirect case tlsEnded(TLSInfo)
        /// There is a connection to send on, new or kept.
        indirect case connectionAcquired(ConnectionInfo)
        /// A kept connection had bytes that belong to no answer, and was given up for another one.
        case leftoverDropped(bytes: Int)
        /// The transport sent the request again by itself, because the connection was dead (ENG-7).
        case resent
        /// A 401, 407 or 417 within a transfer, which the transport itself answers; see ``TransportEvent/Kind/authenticationStep(_:)``.
        indirect case authenticationStep(ResponseHead)
        /// The head as it went out, its line ends included.
        case requestHeadSent(String)
        /// At most one in 10 ms, of what takes long in a thousandth of its time, and the last one.
        case uploadProgress(TransferProgress)
        /// The last byte of the request has gone out.
        case requestSent
        /// A 1xx, before the final head.
        indirect case informational(ResponseHead)
        /// The head of the answer, trailers not among it.
        indirect case head(ResponseHead)
        /// The answer asked for a pause, and got one: requests with this key wait (BKO-1).
        indirect case backoffSignalled(key: String, BackoffBehavior)
        /// As with `uploadProgress`.
        case downloadProgress(TransferProgress)
        /// Before `attemptEnded`, for every 301, 302, 303, 307 and 308 with a `Location`.
        indirect case redirect(RedirectHop)
        /// After the 401 or 407, or the handshake, that asks for credentials, when there was a handler to ask (CHL-1).
        indirect case challenge(ChallengeReport)
        /// A session is open: messages may go both ways from here on.
        indirect case sessionOpened(SessionInfo)
        /// As seldom as `downloadProgress`.
        indirect case sessionProgress(SessionCounts)
        /// How a session ended, and all that went through it.
        indirect case sessionClosed(SessionClose, SessionCounts)
        /// The whole attempt, with the transport's exact figures.
        indirect case attemptEnded(AttemptMetrics)

        /// What was decided about another try, by which policy (its ``RetryPolicy/identifier``), or by the layer itself when
        /// `nil`. Before `attemptEnded`, or while the operation waits. Only with a policy.
        indirect case retryDecision(RetryDecision, by: String?)
        /// The operation waits so long, and as long as dependencies and the network make it.
        case retryScheduled(after: Duration)
        /// The wait is over; what was prepared for the attempt before is prepared again.
        case retryStarted

        /// The last event of every operation.
        indirect case completed(RequestOperation.State, NetworkError?)
    }
}

/// What exactly an operation waits for.
public enum WaitDetail: Sendable, Hashable, Codable {
    /// Operations that must be over first, in the order of their numbers.
    case operations([OperationID])
    /// The pause that a host asked for. `key`: the host, or host and path, in lower case. `until`: when the pause ends; `nil`
    /// when it has, and requests go out one after the other.
    case backoff(key: String, until: MonotonicTime?)
    /// The operation waits for a slot among the transfers to a host, before a transfer that isn't its first: `host:port`, or an empty
    /// text where only the queue or the client has a limit.
    case concurrencyLimit(host: String)
}

/// Sees every event of every operation of a client or a queue (OBS-1): in order for each operation, on the thread on which it happened.
/// The observers of the queue see an event before those of the client, each group in the order in which they were added.
public protocol NetworkObserver: Sendable {
    /// Must return soon: it may hold up the transport's thread, and with it every other transfer.
    func observe(_ event: NetworkEvent, of operation: RequestOperation)
}
