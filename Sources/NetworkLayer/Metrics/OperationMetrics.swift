public import FoundationEssentials

/// Everything an operation's events tell, folded: its states with their times, its attempts, its progress.
///
/// A fold and nothing else: `events.reduce(into: OperationMetrics(), { $0.apply($1) })` gives the same value live, from the
/// log of a running operation, or from a file. The response's metrics, the explorer's panes and the history all use it.
public struct OperationMetrics: Sendable, Hashable {
    /// The states entered so far, `idle` left out.
    public internal(set) var states: [StateEntry] = []
    public internal(set) var attempts: [AttemptMetrics] = []
    public internal(set) var enqueued: MonotonicTime?
    /// The wall clock when it was enqueued, for display.
    public internal(set) var enqueuedDate: Date?
    public internal(set) var completed: MonotonicTime?
    public internal(set) var timeouts = Timeouts()
    /// When the last byte went either way, or what else resets the idle timeout happened.
    public internal(set) var lastActivity: MonotonicTime?
    /// When the attempt timeout began to count.
    public internal(set) var attemptArmed: MonotonicTime?
    public internal(set) var error: NetworkError?

    public init() {}

    public struct StateEntry: Sendable, Hashable {
        public var state: RequestOperation.State
        public var time: MonotonicTime

        public init(state: RequestOperation.State, time: MonotonicTime) {
            self.state = state
            self.time = time
        }
    }
}
