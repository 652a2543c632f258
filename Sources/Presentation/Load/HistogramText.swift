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
                text += line(
                    fixed(Double(value) / 1000, 3), fixed(level / 100, 12), "\(seen)", fixed(1 / (1 - level / 100), 2))
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
