import Glibc
import NetworkLayer

extension MonotonicTime {
    /// `CLOCK_MONOTONIC`, which libcurl counts by as well.
    static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// The time `count` microseconds later, the unit of libcurl's figures.
    func advanced(microseconds count: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ count &* 1000)
    }
}
