import NetworkLayer

/// How often each length of time was seen, to three digits, from 1 µs to 1 h; longer ones count as 1 h.
///
/// Up to 2,048 µs each microsecond has a counter of its own; above, each power of two is divided into 1,024 steps, as HdrHistogram does it
/// with three digits (hdrhistogram.org). All of it takes 94 KB, and only as much as the longest time needs; the first values are kept as they
/// are, since a run of many requests has many histograms of a few values each.
package struct LatencyHistogram: Sendable, Hashable {
    /// Microseconds, while there are few.
    private var few: [UInt32] = []
    private var counts: [UInt32] = []
    package private(set) var count = 0
    /// In microseconds, as they were measured; 0 when there is none.
    private var least: UInt32 = 0
    private var most: UInt32 = 0

    private static let mostFew = 128
    private static let longest = Int64(3_600_000_000)

    package init() {}

    package var isEmpty: Bool { count == 0 }
    package var minimum: Duration? { isEmpty ? nil : .microseconds(Int64(least)) }
    package var maximum: Duration? { isEmpty ? nil : .microseconds(Int64(most)) }

    package mutating func record(_ duration: Duration) {
        // Half up, as figures are rounded.
        let nanoseconds = max(0, duration.wholeNanoseconds)
        let value = UInt32(min(Self.longest, nanoseconds / 1000 + (nanoseconds % 1000 >= 500 ? 1 : 0)))
        least = isEmpty ? value : min(least, value)
        most = max(most, value)
        count += 1
        if counts.isEmpty, few.count < Self.mostFew { return few.append(value) }
        spread()
        add(value, times: 1)
    }

    /// Takes in all that the other one has.
    package mutating func merge(_ other: LatencyHistogram) {
        guard !other.isEmpty else { return }
        least = isEmpty ? other.least : min(least, other.least)
        most = max(most, other.most)
        count += other.count
        spread()
        for value in other.few { add(value, times: 1) }
        for (index, times) in other.counts.enumerated() where times > 0 { add(Self.range(index).lowerBound, times: times) }
    }

    /// The smallest value that so many percent of all are not above; at most three digits of it are exact.
    ///
    /// - Returns: `nil` when there is none.
    package func percentile(_ percent: Double) -> Duration? {
        value(at: Int((percent / 100 * Double(count)).rounded(.up)))
    }

    /// The value with this rank, from 1; ranks outside are the first and the last.
    package func value(at rank: Int) -> Duration? {
        guard count > 0 else { return nil }
        let rank = min(max(rank, 1), count)
        if counts.isEmpty { return .microseconds(Int64(few.sorted()[rank - 1])) }
        var seen = 0
        for (index, times) in counts.enumerated() where times > 0 {
            seen += Int(times)
            // The end of the step, so that no figure is better than what was measured.
            if seen >= rank { return .microseconds(Int64(min(most, Self.range(index).upperBound))) }
        }
        return maximum
    }

    /// How many values each of the spans between these bounds has; a value on a bound belongs to the span above it.
    ///
    /// - Parameter bounds: in microseconds, ascending.
    package func counts(between bounds: [Double]) -> [Int] {
        guard bounds.count > 1 else { return [] }
        var result = [Int](repeating: 0, count: bounds.count - 1)
        var span = 0
        func add(_ value: UInt32, _ times: Int) {
            while span < result.count - 1, Double(value) >= bounds[span + 1] { span += 1 }
            result[span] += times
        }
        for value in few.sorted() { add(value, 1) }
        for (index, times) in counts.enumerated() where times > 0 { add(Self.range(index).lowerBound, Int(times)) }
        return result
    }

    /// What was seen, ascending: the end of each step in microseconds, and how often.
    package var steps: [(value: UInt32, times: Int)] {
        if counts.isEmpty { return few.sorted().map { ($0, 1) } }
        return counts.enumerated().compactMap { index, times in
            times > 0 ? (min(most, Self.range(index).upperBound), Int(times)) : nil
        }
    }

    // MARK: Steps

    private mutating func spread() {
        let values = few
        few = []
        for value in values { add(value, times: 1) }
    }

    private mutating func add(_ value: UInt32, times: UInt32) {
        let index = Self.index(value)
        if index >= counts.count { counts += [UInt32](repeating: 0, count: index + 1 - counts.count) }
        counts[index] += times
    }

    private static func index(_ value: UInt32) -> Int {
        guard value >= 2048 else { return Int(value) }
        let shift = 21 - value.leadingZeroBitCount
        return shift * 1024 + Int(value >> UInt32(shift))
    }

    /// The values that share a counter.
    private static func range(_ index: Int) -> ClosedRange<UInt32> {
        guard index >= 2048 else { return UInt32(index)...UInt32(index) }
        let shift = index / 1024 - 1
        let first = UInt32(index - shift * 1024) << UInt32(shift)
        return first...(first + (UInt32(1) << UInt32(shift)) - 1)
    }
}
