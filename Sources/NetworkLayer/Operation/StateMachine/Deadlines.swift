/// When which timeout of an operation is due (section 1.11). Pure: times in, times out.
struct Deadlines: Sendable {
    /// In nanoseconds; `nil` is never.
    private(set) var idle: Int64?
    private(set) var attempt: Int64?
    private(set) var operation: Int64?
    private(set) var idleMode: Timeouts.IdleTimeoutMode = .disabled

    /// From when the timeouts count; `nil` while one doesn't.
    private(set) var operationArmed: MonotonicTime?
    var attemptArmed: MonotonicTime? {
        didSet { hasHead = false }
    }
    /// Whether the head of the answer was all that the attempt's time is for, and is there.
    var hasHead = false
    var idleSince: MonotonicTime?
    /// Since when somebody holds the queue: that isn't the operation's time.
    private var heldSince: MonotonicTime?

    enum Kind: Hashable {
        case idle, attempt, operation
        /// The end of a call of a role; see ``CallbackWatch``.
        case callback
    }

    init(_ timeouts: Timeouts) {
        adopt(timeouts)
    }

    /// From where they count stays as it is: a changed operation timeout is due when what is left of it has passed.
    mutating func adopt(_ timeouts: Timeouts) {
        func limit(_ timeout: Duration?) -> Int64? { Timeouts.limit(timeout)?.wholeNanoseconds }
        idle = timeouts.idleMode == .disabled ? nil : limit(timeouts.idle)
        attempt = limit(timeouts.attempt)
        operation = limit(timeouts.operation)
        idleMode = timeouts.idleMode
    }

    mutating func enqueue(at time: MonotonicTime) { operationArmed = time }

    mutating func hold(at time: MonotonicTime) { heldSince = heldSince ?? time }

    /// The operation timeout counts on from where it stood.
    mutating func release(at time: MonotonicTime) {
        if let heldSince { operationArmed = operationArmed.map { $0 + (time - heldSince) } }
        heldSince = nil
    }

    /// What is due at `time`: the longest-reaching one first, since it leaves nothing to try.
    func due(at time: MonotonicTime) -> Kind? {
        if let deadline = deadline(.operation), deadline <= time { return .operation }
        if let deadline = deadline(.attempt), deadline <= time { return .attempt }
        if let deadline = deadline(.idle), deadline <= time { return .idle }
        return nil
    }

    func deadline(_ kind: Kind) -> MonotonicTime? {
        switch kind {
        case .idle: add(idle, to: idleSince)
        case .attempt: hasHead ? nil : add(attempt, to: attemptArmed)
        case .operation: heldSince == nil ? add(operation, to: operationArmed) : nil
        case .callback: nil
        }
    }

    /// When to look again: no timeout can be due before. An idle timeout that doesn't count yet can't be due earlier than
    /// a full interval from now, so one alarm, set once, serves most operations.
    func nextLook(after time: MonotonicTime) -> MonotonicTime? {
        var next = earlier(deadline(.operation), deadline(.attempt))
        if attemptArmed != nil { next = earlier(next, add(idle, to: idleSince ?? time)) }
        return next
    }

    private func add(_ nanoseconds: Int64?, to start: MonotonicTime?) -> MonotonicTime? {
        guard let nanoseconds, let start else { return nil }
        let (sum, overflow) = start.nanoseconds.addingReportingOverflow(nanoseconds)
        return overflow ? nil : MonotonicTime(nanoseconds: sum)
    }
}

func earlier(_ left: MonotonicTime?, _ right: MonotonicTime?) -> MonotonicTime? {
    guard let left else { return right }
    guard let right else { return left }
    return min(left, right)
}

/// Thins out the progress events of one direction: only changes, and always the last one (PRG-1).
///
/// At most one in 10 ms, and in a thousandth of the time that has passed, but one a second in any case: what goes on for days must
/// not fill the log with it.
///
///     for 10 s: 100 a second     after 100 s: 10 a second     after 1000 s: 1 a second
///
/// When nothing follows, the last one is told soon after: a body that stalls has come as far as it says.
struct ProgressThrottle: Sendable {
    static let shortest: Int64 = 10_000_000
    static let longest: Int64 = 1_000_000_000
    /// How long after a report it is clear that nothing follows.
    static let quiet: Int64 = 100_000_000

    private var firstReport: MonotonicTime?
    private var lastReport: MonotonicTime?
    private var pending: TransferProgress?
    private var latest: TransferProgress?

    /// - Returns: what to report now.
    mutating func receive(_ progress: TransferProgress, at time: MonotonicTime) -> TransferProgress? {
        guard progress != latest else { return nil }
        latest = progress
        if let lastReport, time.nanoseconds &- lastReport.nanoseconds < interval {
            pending = progress
            return nil
        }
        if firstReport == nil { firstReport = time }
        lastReport = time
        pending = nil
        return progress
    }

    /// Between two reports: nanoseconds.
    private var interval: Int64 {
        guard let firstReport, let lastReport else { return 0 }
        return min(max(Self.shortest, (lastReport.nanoseconds &- firstReport.nanoseconds) / 1000), Self.longest)
    }

    /// When to report the last one if nothing follows; `nil`: it has been reported.
    var due: MonotonicTime? {
        guard pending != nil, let lastReport else { return nil }
        return MonotonicTime(nanoseconds: lastReport.nanoseconds &+ max(interval, Self.quiet))
    }

    /// - Returns: the last one, if nothing has followed it for long enough.
    mutating func flush(dueAt time: MonotonicTime) -> TransferProgress? {
        guard let due, due <= time else { return nil }
        lastReport = time
        return flush()
    }

    /// - Returns: the last one, if it hasn't been reported yet.
    mutating func flush() -> TransferProgress? {
        defer { pending = nil }
        return pending
    }
}
