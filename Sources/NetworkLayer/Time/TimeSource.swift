public import Base

/// Where an operation reads the time and sets its alarms. Tests advance one by hand.
public protocol TimeSource: Sendable {
    /// Now, on the monotonic clock.
    var now: MonotonicTime { get }

    /// The wall clock, for display only; durations come from ``now``.
    var date: Date { get }

    /// Calls `action` once, on a thread of the source's own, soon after `deadline`; at once if that has passed.
    ///
    /// - Returns: what takes the alarm back. Cancelling one that has rung, or is ringing, does nothing.
    func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm
}

/// An action that a ``TimeSource`` will perform at a deadline.
public protocol Alarm: Sendable {
    func cancel()
}
