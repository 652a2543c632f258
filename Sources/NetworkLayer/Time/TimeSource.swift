public import Base

/// A point on a monotonic clock, in nanoseconds since an origin that only the clock knows.
///
/// Every time in an event, a phase or a deadline is one of these: it never jumps when the wall clock is set (MET-5).
/// Eight bytes, so that a log of events stays small.
public struct MonotonicTime: Hashable, Comparable, Sendable, Codable {
    /// Since the clock's origin; times of two different clocks can't be compared.
    public var nanoseconds: Int64

    /// A time of a clock whose origin the caller knows.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The origin of the clock.
    public static let zero = MonotonicTime(nanoseconds: 0)

    public static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// What lies beyond 292 years is never, and not before the beginning.
    public static func + (time: Self, duration: Duration) -> Self {
        let nanoseconds = duration.wholeNanoseconds
        let (sum, overflow) = time.nanoseconds.addingReportingOverflow(nanoseconds)
        return Self(nanoseconds: overflow ? (nanoseconds < 0 ? .min : .max) : sum)
    }

    /// Like `+`, stops at the ends of the range instead of overflowing.
    public static func - (time: Self, duration: Duration) -> Self {
        let nanoseconds = duration.wholeNanoseconds
        let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(nanoseconds)
        return Self(nanoseconds: overflow ? (nanoseconds < 0 ? .max : .min) : difference)
    }

    /// The time from `start` to `end`; negative when `end` is the earlier one.
    public static func - (end: Self, start: Self) -> Duration {
        .nanoseconds(end.nanoseconds &- start.nanoseconds)
    }
}

extension Duration {
    /// The duration in nanoseconds, cut off at ±292 years.
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product &+ attoseconds / 1_000_000_000
    }

    /// The duration in microseconds, rounded down: the unit of every time in JSON.
    package var wholeMicroseconds: Int64 { wholeNanoseconds / 1000 }

    /// The duration in seconds, for ratios and for display.
    package var inSeconds: Double { Double(wholeNanoseconds) / 1e9 }
}

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
