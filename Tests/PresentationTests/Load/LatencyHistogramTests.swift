import NetworkLayer
import Testing

@testable import Presentation

struct LatencyHistogramTests {
    @Test(arguments: [[Int64]]([[3], Array(1...100), Array(1...5000), (1...3000).map { $0 * 1_000_003 % 3_599_999_999 }]))
    func `a percentile is the sample of that rank, to three digits`(values: [Int64]) {
        var histogram = LatencyHistogram()
        for value in values { histogram.record(.microseconds(value)) }
        let sorted = values.sorted()
        #expect(histogram.count == values.count)
        #expect(histogram.maximum == .microseconds(sorted.last!))
        #expect(histogram.minimum == .microseconds(sorted[0]))
        for percent in [1.0, 50, 90, 99, 99.9, 100] {
            let rank = max(1, Int((percent / 100 * Double(sorted.count)).rounded(.up)))
            let exact = Double(sorted[rank - 1])
            let found = Double(histogram.percentile(percent)!.wholeMicroseconds)
            #expect(found >= exact && found <= exact * 1.001 + 1, "p\(percent)")
        }
    }

    @Test func `what is longer than an hour counts as an hour, and nothing is shorter than nothing`() {
        var histogram = LatencyHistogram()
        histogram.record(.seconds(100_000))
        histogram.record(.seconds(-1))
        #expect(histogram.maximum == .seconds(3600))
        #expect(histogram.minimum == .zero)
    }

    @Test(arguments: [(10, 10), (10, 1000), (1000, 10), (1000, 1000), (0, 5), (5, 0)])
    func `merging is as if all had been recorded in one`(left: Int, right: Int) {
        var (one, other, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for value in 0..<left { one.record(.microseconds(value * 7)); both.record(.microseconds(value * 7)) }
        for value in 0..<right { other.record(.microseconds(value * 1001)); both.record(.microseconds(value * 1001)) }
        one.merge(other)
        #expect(one.count == both.count && one.maximum == both.maximum && one.minimum == both.minimum)
        for percent in [10.0, 50, 99] where left + right > 0 {
            let (a, b) = (one.percentile(percent)!.inSeconds, both.percentile(percent)!.inSeconds)
            #expect(abs(a - b) <= b * 0.001)
        }
    }

    @Test func `each value is in one span of an axis`() {
        var histogram = LatencyHistogram()
        for value in 1...1000 { histogram.record(.microseconds(value * 10)) }
        let counts = histogram.counts(between: [0, 100, 1000, 20_000])
        #expect(counts.reduce(0, +) == 1000)
        #expect(counts[0] == 9 && counts[1] == 90)
    }
}
