public import Base

/// Everything an operation's events tell, folded: its states with their times, its attempts, its progress.
///
/// A fold and nothing else: `events.reduce(into: OperationMetrics(), { $0.apply($1) })` gives the same value live, from the
/// log of a running operation, or from a file. The response's metrics, the explorer's panes and the history all use it.
public struct OperationMetrics: Sendable, Hashable, Codable {
    /// The states entered so far, `idle` left out.
    public internal(set) var states: [StateEntry] = []
    /// What it waits for, while it waits for something that has a name.
    public internal(set) var waitsFor: WaitDetail?
    /// When that wait began.
    var waitsSince: MonotonicTime?
    /// In order, redirect hops among them; the last may be under way.
    public internal(set) var attempts: [AttemptMetrics] = []
    /// `nil` before.
    public internal(set) var enqueued: MonotonicTime?
    /// The wall clock when it was enqueued, for display.
    public internal(set) var enqueuedDate: Date?
    /// `nil` until it is over.
    public internal(set) var completed: MonotonicTime?
    /// Those in force when it was enqueued.
    public internal(set) var timeouts = Timeouts()
    /// When the last byte went either way, or what else resets the idle timeout happened.
    public internal(set) var lastActivity: MonotonicTime?
    /// When the attempt timeout began to count.
    public internal(set) var attemptArmed: MonotonicTime?
    /// When the delay before a retry is over; `nil` but in `waitingToRetry`.
    public internal(set) var retryDue: MonotonicTime?
    /// What it ended with; `nil` for a success.
    public internal(set) var error: NetworkError?

    /// Before the first event.
    public init() {}

    /// The latest state; `idle` before the first.
    public var state: RequestOperation.State { states.last?.state ?? .idle }

    /// The last attempt, running or over.
    public var currentAttempt: AttemptMetrics? { attempts.last }

    /// The download of the last attempt, without a copy of all the rest.
    var currentDownload: TransferProgress { attempts.isEmpty ? .init() : attempts[attempts.count - 1].download }

    /// The redirects that were followed, over all tries.
    public var redirectCount: Int { attempts.count { $0.kind == .redirect } }

    /// Tries after the first.
    public var retryCount: Int { attempts.count { $0.kind == .retry } }

    /// From enqueue to the first attempt; `nil` as long as there is none.
    public var queued: Duration? {
        guard let enqueued, let first = attempts.first else { return nil }
        return first.start - enqueued
    }

    /// From enqueue to the end; `nil` as long as it runs.
    public var total: Duration? {
        guard let enqueued, let completed else { return nil }
        return completed - enqueued
    }

    /// The same as ``total``, as attempts and phases have it.
    public var duration: Duration? { total }

    /// How long it has waited for a queue that was suspended, until `time`: the operation timeout doesn't count that.
    public func held(at time: MonotonicTime) -> Duration {
        zip(states, states.dropFirst().map(\.time) + [time]).reduce(.zero) { held, entry in
            entry.0.state == .waiting(.queueSuspended) ? held + (entry.1 - entry.0.time) : held
        }
    }

    /// A state, and when it began.
    public struct StateEntry: Sendable, Hashable, Codable {
        /// The state that was entered.
        public var state: RequestOperation.State
        /// When it was entered.
        public var time: MonotonicTime

        /// An entry of a state at a time.
        public init(state: RequestOperation.State, time: MonotonicTime) {
            self.state = state
            self.time = time
        }
    }
}
