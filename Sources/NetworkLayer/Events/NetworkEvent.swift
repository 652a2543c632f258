public import FoundationEssentials

/// Something that happened to an operation. Its log tells the whole story: see ``OperationMetrics``.
public struct NetworkEvent: Sendable, Hashable {
    public var operation: OperationID
    /// The number of the attempt it belongs to, from 1; `nil` before the first and between attempts.
    public var attempt: Int?
    /// Counts from 0 without a gap.
    public var sequence: Int
    /// When it happened; never earlier than the event before it.
    public var time: MonotonicTime
    public var kind: Kind

    public init(operation: OperationID, attempt: Int? = nil, sequence: Int, time: MonotonicTime, kind: Kind) {
        self.operation = operation
        self.attempt = attempt
        self.sequence = sequence
        self.time = time
        self.kind = kind
    }

    public enum Kind: Sendable, Hashable {
        case enqueued(queue: String, date: Date, timeouts: Timeouts)
        case transition(from: RequestOperation.State, to: RequestOperation.State)

        case attemptStarted(AttemptKind, Request)
        case resolveStarted(host: String)
        case resolveEnded
        case connectStarted(address: String)
        case connectFailed(address: String, errno: Int32)
        case connectEnded
        case tlsStarted
        case tlsEnded(TLSInfo)
        case connectionAcquired(ConnectionInfo)
        case resent
        case requestHeadSent(String)
        /// At most one in 10 ms, and the last one.
        case uploadProgress(TransferProgress)
        case requestSent
        case informational(ResponseHead)
        case head(ResponseHead)
        /// At most one in 10 ms, and the last one.
        case downloadProgress(TransferProgress)
        /// Before `attemptEnded`, for every 3xx with a `Location`.
        case redirect(RedirectHop)
        /// The whole attempt, with the transport's exact figures.
        case attemptEnded(AttemptMetrics)

        /// The last event of every operation.
        case completed(RequestOperation.State, NetworkError?)
    }
}
