import NetworkLayer

extension MonotonicTime {
    /// The clock that libcurl counts by as well.
    static var now: MonotonicTime { SystemTimeSource.now }

    /// The time `count` microseconds later, the unit of libcurl's figures.
    func advanced(microseconds count: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds &+ count &* 1000)
    }
}
