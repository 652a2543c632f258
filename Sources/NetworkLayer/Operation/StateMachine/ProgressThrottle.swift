/// Thins out the progress events of one direction: only changes, at most one in 10 ms, and always the last one (PRG-1).
struct ProgressThrottle: Sendable {
    static let interval: Int64 = 10_000_000

    private var lastReport: MonotonicTime?
    private var pending: TransferProgress?
    private var latest: TransferProgress?

    /// - Returns: what to report now.
    mutating func take(_ progress: TransferProgress, at time: MonotonicTime) -> TransferProgress? {
        guard progress != latest else { return nil }
        latest = progress
        if let lastReport, time.nanoseconds &- lastReport.nanoseconds < Self.interval {
            pending = progress
            return nil
        }
        lastReport = time
        pending = nil
        return progress
    }

    /// - Returns: the last one, if it hasn't been reported yet.
    mutating func flush() -> TransferProgress? {
        defer { pending = nil }
        return pending
    }
}
