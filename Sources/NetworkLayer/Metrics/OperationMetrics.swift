package import Base

/// Everything an operation's events tell, folded: its states with their times, its attempts, its progress.
///
/// A fold and nothing else: `events.reduce(into: OperationMetrics(), { $0.apply($1) })` gives the same value live, from the
/// log of a running operation, or from a file. The response's metrics, the explorer's panes and the history all use it.
public struct OperationMetrics: Sendable, Hashable, Codable {
    /// The states entered so far, `idle` left out.
    package internal(set) var states: [StateEntry] = []
    /// What it waits for, while it waits for something that has a name.
    package internal(set) var waitsFor: WaitDetail?
    /// When that wait began.
    var waitsSince: MonotonicTime?
    /// In order, redirect hops among them; the last may be under way.
    public internal(set) var attempts: [AttemptMetrics] = []
    /// `nil` before.
    package internal(set) var enqueued: MonotonicTime?
    /// The wall clock when it was enqueued, for display.
    package internal(set) var enqueuedDate: Date?
    /// `nil` until it is over.
    public internal(set) var completed: MonotonicTime?
    /// Those in force when it was enqueued.
    package internal(set) var timeouts = Timeouts()
    /// When the last byte went either way, or what else resets the idle timeout happened.
    package internal(set) var lastActivity: MonotonicTime?
    /// When the attempt timeout began to count.
    package internal(set) var attemptArmed: MonotonicTime?
    /// When the delay before a retry is over; `nil` but in `waitingToRetry`.
    package internal(set) var retryDue: MonotonicTime?
    /// What it ended with; `nil` for a success.
    public internal(set) var error: NetworkError?

    public init() {}

    /// The latest state; `idle` before the first.
    public var state: RequestOperation.State { states.last?.state ?? .idle }

    package var currentAttempt: AttemptMetrics? { attempts.last }

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
    package func held(at time: MonotonicTime) -> Duration {
        zip(states, states.dropFirst().map(\.time) + [time]).reduce(.zero) { held, entry in
            entry.0.state == .waiting(.queueSuspended) ? held + (entry.1 - entry.0.time) : held
        }
    }

    package struct StateEntry: Sendable, Hashable, Codable {
        public var state: RequestOperation.State
        package var time: MonotonicTime
    }
}

extension OperationMetrics {
    /// The numbers that differ each time, even when the same request gets the same answer: times, sizes, and which connection it took.
    ///
    /// - Parameter exchange: called for each of them in turn; may read it, and put another in its place.
    package mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        for index in states.indices { exchange(&states[index].time.nanoseconds) }
        waitsSince?.nanoseconds.pass(to: exchange)
        enqueued?.nanoseconds.pass(to: exchange)
        enqueuedDate = enqueuedDate.map { date in
            var bits = Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern)
            exchange(&bits)
            return Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(bitPattern: bits)))
        }
        completed?.nanoseconds.pass(to: exchange)
        lastActivity?.nanoseconds.pass(to: exchange)
        attemptArmed?.nanoseconds.pass(to: exchange)
        retryDue?.nanoseconds.pass(to: exchange)
        for index in attempts.indices { attempts[index].exchangeNumbers(exchange) }
    }
}

extension OperationMetrics {
    /// The wall clock at `time`, for display: reckoned from when the operation was enqueued, so that a clock that is set meanwhile
    /// changes no duration (MET-5).
    package func date(of time: MonotonicTime) -> Date {
        guard let enqueued, let enqueuedDate else { return Date() }
        return enqueuedDate.addingTimeInterval((time - enqueued).inSeconds)
    }
}

extension OperationMetrics {
    /// Takes in the next event of the operation. Every event once, in the order of their sequence.
    public mutating func apply(_ event: NetworkEvent) {
        let time = event.time
        switch event.kind {
        case .enqueued(_, let date, let timeouts):
            enqueued = time
            enqueuedDate = date
            self.timeouts = timeouts
        case .transition(_, let state):
            states.append(StateEntry(state: state, time: time))
            if state != .waitingToRetry { retryDue = nil }
            waitsFor = nil
            if state == .preparing { attemptArmed = time }
            if state.isFinal || state == .waitingToRetry { stopAttemptTimers() }
        case .waitsFor(let detail):
            waitsFor = detail
            waitsSince = time
        case .attemptStarted(let kind, let request):
            if case .concurrencyLimit? = waitsFor, let since = waitsSince {
                attemptArmed = attemptArmed.map { $0 + (time - since) }
            }
            waitsFor = nil
            attempts.append(AttemptMetrics(number: attempts.count + 1, kind: kind, request: request, start: time))
            attempts[attempts.count - 1].openPhase = .init(name: .queue, start: time)
            // A redirect stops the idle timer, and only this mode starts it anew (RDR-2).
            lastActivity = timeouts.idleMode == .includingInitialConnection ? time : nil
        case .retryDecision(.retry(_, let configuration?, _), _):
            self.timeouts = configuration.timeouts
        case .retryDecision, .retryStarted:
            break
        case .retryScheduled(let delay):
            retryDue = time + delay
        case .attemptEnded(let attempt):
            guard !attempts.isEmpty else { return }
            attempts[attempts.count - 1] = attempt
        case .completed(_, let error):
            completed = time
            self.error = error
        default:
            guard !attempts.isEmpty else { return }
            attempts[attempts.count - 1].apply(event.kind, at: time)
            if event.kind.isActivity, timeouts.idleMode != .disabled { lastActivity = time }
            // A session watches over silence itself.
            if attempts[attempts.count - 1].session != nil { lastActivity = nil }
        }
    }

    private mutating func stopAttemptTimers() {
        attemptArmed = nil
        lastActivity = nil
    }
}

extension NetworkEvent.Kind {
    /// Whether it restarts the idle timeout (TMO-1): bytes of the request's body, and anything of the response.
    var isActivity: Bool {
        switch self {
        case .uploadProgress, .authenticationStep, .informational, .head, .downloadProgress: true
        default: false
        }
    }
}
