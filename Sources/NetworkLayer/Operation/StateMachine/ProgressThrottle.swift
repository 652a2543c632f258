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
