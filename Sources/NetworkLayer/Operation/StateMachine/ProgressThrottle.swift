/// Thins out the progress events of one direction: at most one in 10 ms, and always the last one.
struct ProgressThrottle: Sendable {
    static let interval: Int64 = 10_000_000

    private var lastReport: MonotonicTime?
    private var pending: TransferProgress?

    /// - Returns: what to report now.
    mutating func take(_ progress: TransferProgress, at time: MonotonicTime) -> TransferProgress? {
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
