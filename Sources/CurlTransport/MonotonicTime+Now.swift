import Base
import NetworkLayer

extension MonotonicTime {
    /// The clock that libcurl counts by as well.
    static var now: MonotonicTime { SystemTimeSource.now }

    /// How long this thread has run on a processor: a clock that stands still while others run.
    static var ownThread: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// The time `count` microseconds later, the unit of libcurl's figures.
    func advanced(microseconds count: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ count &* 1000)
    }
}
