public import Base

/// The machine's clocks: `CLOCK_MONOTONIC` for times, the wall clock for display, and one thread that rings the alarms.
///
/// All instances share the thread, which starts with the first alarm and sleeps while there is none.
public struct SystemTimeSource: TimeSource {
    /// All of them are the same clock.
    public init() {}

    /// Now on `CLOCK_MONOTONIC`, the clock of every ``MonotonicTime`` that doesn't come from a test.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    public var now: MonotonicTime { Self.now }

    public var date: Date { Date() }

    public func schedule(at deadline: MonotonicTime, _ action: @escaping @Sendable () -> Void) -> any Alarm {
        AlarmThread.shared.schedule(at: deadline, action)
    }
}
