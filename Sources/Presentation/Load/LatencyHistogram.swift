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

/// A histogram in the text form of HdrHistogram's percentile distributions (`.hgrm`), which its plotter and others read: values in
/// milliseconds, five lines for each halving of what is left above them.
package enum HistogramText {
    private static let ticks = 5.0

    package static func text(of histogram: LatencyHistogram) -> String {
        let steps = histogram.steps
        let count = histogram.count
        var text = line("Value", "Percentile", "TotalCount", "1/(1-Percentile)") + "\n"
        var level = 0.0
        var seen = 0
        for (value, times) in steps {
            seen += times
            let reached = 100 * Double(seen) / Double(count)
            while level <= reached, level < 100 {
                text += line(fixed(Double(value) / 1000, 3), fixed(level / 100, 12), "\(seen)", fixed(1 / (1 - level / 100), 2))
                if reached >= 100 {
                    level = 100
                    break
                }
                // Half as far with each halving of what is left.
                var halvings = 1.0
                var rest = 100 - level
                while rest <= 50 {
                    rest *= 2
                    halvings += 1
                }
                level += 100 / (ticks * power(of: 2, halvings))
            }
        }
        if let last = steps.last { text += line(fixed(Double(last.value) / 1000, 3), fixed(1, 12), "\(count)", "") }
        let mean = count > 0 ? steps.reduce(0) { $0 + Double($1.value) * Double($1.times) } / Double(count) : 0
        let squares = steps.reduce(0) { $0 + (Double($1.value) - mean) * (Double($1.value) - mean) * Double($1.times) }
        let deviation = count > 0 ? (squares / Double(count)).squareRoot() : 0
        let most = Double(steps.last?.value ?? 0)
        return text + """
            #[Mean    = \(right(fixed(mean / 1000, 3))), StdDeviation   = \(right(fixed(deviation / 1000, 3)))]
            #[Max     = \(right(fixed(most / 1000, 3))), Total count    = \(right("\(count)"))]
            #[Buckets = \(right("22")), SubBuckets     = \(right("2048"))]

            """
    }

    private static func line(_ value: String, _ percentile: String, _ count: String, _ inverse: String) -> String {
        let first = right(value) + " " + Figures.right(percentile, 14) + " " + Figures.right(count, 10)
        return first + (inverse.isEmpty ? "" : " " + Figures.right(inverse, 14)) + "\n"
    }

    private static func right(_ text: String) -> String { Figures.right(text, 12) }

    private static func power(of base: Double, _ exponent: Double) -> Double {
        var result = 1.0
        for _ in 0..<Int(exponent) { result *= base }
        return result
    }

    /// The value with this many decimals, rounded half up.
    private static func fixed(_ value: Double, _ decimals: Int) -> String {
        let scale = power(of: 10, Double(decimals))
        let scaled = (value * scale).rounded()
        guard scaled.isFinite, scaled < 9e18 else { return "Infinity" }
        let digits = String(Int64(scaled))
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
