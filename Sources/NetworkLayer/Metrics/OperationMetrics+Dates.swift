public import Base

extension OperationMetrics {
    /// The wall clock at `time`, for display: reckoned from when the operation was enqueued, so that a clock that is set meanwhile
    /// changes no duration (MET-5).
    public func date(of time: MonotonicTime) -> Date {
        guard let enqueued, let enqueuedDate else { return Date() }
        return enqueuedDate.addingTimeInterval((time - enqueued).inSeconds)
    }

    /// On the wall clock; `nil` until it is over.
    public var completedDate: Date? { completed.map(date(of:)) }

    /// `nil` for an operation that has sent nothing.
    public var firstAttemptStart: MonotonicTime? { attempts.first?.start }

    /// From the start of the first attempt to the end of the last; `nil` as long as one runs, or none was made.
    public var allAttempts: Duration? {
        guard let first = attempts.first, let end = attempts.last?.end else { return nil }
        return end - first.start
    }
}
