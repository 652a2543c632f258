import NetworkLayer

/// Whether one of two ways to send a request is faster at the median, with a 95 % interval for the difference.
///
/// The standard error of each median comes from its own distribution-free interval, whose ends are order statistics: those of rank
/// n/2 ± 0.98 √n (McKean and Schrader, 1984). So no shape of the distribution is assumed, and no chance is involved.
package struct LoadComparison: Sendable, Hashable {
    package var difference: Duration
    /// The interval of ``difference``, B minus A.
    package var interval: ClosedRange<Duration>

    private static let leastSamples = 20
    private static let z = 1.96

    /// - Returns: `nil` while there are fewer than 20 samples of one of them.
    package init?(_ a: LatencyHistogram, _ b: LatencyHistogram) {
        guard let (medianA, errorA) = Self.median(a), let (medianB, errorB) = Self.median(b) else { return nil }
        let difference = medianB - medianA
        let reach = Self.z * (errorA * errorA + errorB * errorB).squareRoot()
        self.difference = .nanoseconds(Int64(difference))
        interval = .nanoseconds(Int64(difference - reach)) ... .nanoseconds(Int64(difference + reach))
    }

    private static func median(_ histogram: LatencyHistogram) -> (value: Double, error: Double)? {
        guard histogram.count >= leastSamples, let median = histogram.percentile(50) else { return nil }
        let (half, reach) = (Double(histogram.count) / 2, z / 2 * Double(histogram.count).squareRoot())
        let ends = [(half - reach).rounded(.down), (half + reach).rounded(.up) + 1]
            .compactMap { histogram.value(at: Int($0))?.wholeNanoseconds }
        // Equal values, too, were only measured to a step of the histogram.
        let width = max(Double(ends[1] - ends[0]), 1000)
        return (Double(median.wholeNanoseconds), width / (2 * z))
    }

    /// Whether the interval leaves 0 out.
    package var isClear: Bool { interval.lowerBound > .zero || interval.upperBound < .zero }

    /// `B is 13.9 ms faster at p50 (95 %: 11.8 ms to 15.9 ms)`
    package var sentence: String {
        let isFaster = difference < .zero
        func text(_ duration: Duration) -> String { Figures.duration(duration) }
        guard isClear else {
            return "no difference can be told at p50 (95 %: B − A is \(text(interval.lowerBound)) to \(text(interval.upperBound)))"
        }
        let ends =
            isFaster ? (.zero - interval.upperBound, .zero - interval.lowerBound) : (interval.lowerBound, interval.upperBound)
        let amount = isFaster ? .zero - difference : difference
        return "B is \(text(amount)) \(isFaster ? "faster" : "slower") at p50 (95 %: \(text(ends.0)) to \(text(ends.1)))"
    }
}
