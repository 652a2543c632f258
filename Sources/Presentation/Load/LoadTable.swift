import Base
package import NetworkLayer
package import TerminalUI

/// The figures of many runs as lines: a row for each phase, with a histogram in blocks where there is room for one.
package struct LoadTable: Sendable {
    package var figures: LoadFigures
    package var axis: LoadAxis?
    /// Also rows that have no samples, so that nothing moves as they come.
    package var isFixed = false
    package var isOpen = false

    private static let label = 10
    private static let figure = 9
    private static let note = 24
    /// Without a histogram.
    private static let least = label + 4 * figure
    private static let percents: [(name: String, percent: Double)] = [("p50", 50), ("p90", 90), ("p99", 99), ("max", 100)]
    /// What goes first where there is no room for all rows.
    private static let leastWanted: [LoadFigures.Row] = [
        .queue, .dns, .send, .warm, .cold, .receive, .tls, .connect, .late, .uncorrected, .wait,
    ]

    package init(_ figures: LoadFigures, axis: LoadAxis? = nil, isFixed: Bool = false, isOpen: Bool = false) {
        self.figures = figures
        self.axis = axis
        self.isFixed = isFixed
        self.isOpen = isOpen
    }

    /// The rows of phases and of totals, below a line that says what the columns are.
    ///
    /// - Parameter most: how many lines there may be; what is wanted least is left out.
    package func lines(width: Int, rows most: Int = .max) -> [StyledLine] {
        var rows = shownRows
        for row in Self.leastWanted where rows.count > max(1, most - 1) { rows.removeAll { $0 == row } }
        let percents = Self.percents(width: width)
        let hasNotes = width >= Self.least + Self.note + 24
        let bars = axis == nil ? 0 : width - Self.least - 2 - (hasNotes ? Self.note + 1 : 0)
        var head = Figures.left("phase", Self.label)
        head += percents.map { Figures.right($0.name, Self.figure) }.joined()
        let hasCounts = width > Self.least + Self.figure
        if bars >= 12, let axis {
            head += "  " + axis.labels(bars)
        } else if hasCounts {
            head += Figures.right("samples", Self.figure + 1)
        }
        return [StyledLine(head, .dim)]
            + rows.map { line($0, percents, bars: bars >= 12 ? bars : 0, hasNotes: hasNotes, hasCounts: hasCounts) }
    }

    /// All, or those that say most.
    private static func percents(width: Int) -> [(name: String, percent: Double)] {
        switch (width - label) / figure {
        case ..<2: [percents[0]]
        case 2: [percents[0], percents[2]]
        case 3: [percents[0], percents[2], percents[3]]
        default: percents
        }
    }

    private var shownRows: [LoadFigures.Row] {
        LoadFigures.Row.allCases.filter { row in
            if !figures[row].isEmpty { return true }
            switch row {
            case .late, .uncorrected: return isFixed && isOpen
            case .queue, .quic: return false
            default: return isFixed
            }
        }
    }

    private func line(
        _ row: LoadFigures.Row, _ percents: [(name: String, percent: Double)], bars: Int, hasNotes: Bool, hasCounts: Bool
    ) -> StyledLine {
        let histogram = figures[row]
        let isEmpty = histogram.isEmpty
        var line = StyledLine(
            Figures.left(row == .uncorrected ? "uncorr." : row.rawValue, Self.label), isEmpty ? .dim : Self.role(row))
        for (_, percent) in percents {
            let text = figures.figure(percent, of: row).map(Figures.duration) ?? "-"
            line.append(Figures.right(text, Self.figure), text == "-" ? .dim : row == .total ? .strong : .text)
        }
        if bars > 0, let axis {
            line.append("  ")
            let counts = histogram.counts(between: axis.bounds(bars))
            let most = counts.max() ?? 0
            line.append(counts.map { Self.block($0, of: most) }.joined(), Self.role(row, bar: true))
            if hasNotes { line.append(" " + Figures.left(note(row), Self.note), .dim) }
        } else if hasCounts {
            line.append(Figures.right(isEmpty ? "-" : Figures.count(histogram.count), Self.figure + 1), .dim)
        }
        return line
    }

    private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One of eight heights; however few, they show.
    package static func block(_ count: Int, of most: Int) -> String {
        guard count > 0, most > 0 else { return " " }
        return blocks[min(7, max(0, (count * 8 + most - 1) / most - 1))]
    }

    /// What a row counts, in words.
    private func note(_ row: LoadFigures.Row) -> String {
        let count = Figures.count(figures[row].count)
        switch row {
        case .late: return "due, and not begun"
        case .queue: return "for a free connection"
        case .dns, .quic, .connect, .tls: return figures[row].isEmpty ? "" : "\(count) of \(Figures.count(figures.passed))"
        case .send: return "until all is sent"
        case .wait: return "until the first byte"
        case .receive: return "until the last byte"
        case .total: return isOpen || figures.hasDueTimes ? "from its due time" : "from its start"
        case .uncorrected: return "from its real start"
        case .warm: return "\(count) on a kept connection"
        case .cold: return "\(count) on a new connection"
        }
    }

    private static func role(_ row: LoadFigures.Row, bar: Bool = false) -> ThemeRole {
        switch row {
        case .late: return .warning
        case .total: return bar ? .accent : .strong
        case .uncorrected, .warm, .cold: return bar ? .accent : .text
        default: return Phases.Name(rawValue: row.rawValue).map(PhaseText.role) ?? .text
        }
    }

    // MARK: Below the rows

    /// `✓ 411 × 200   ! 7 × 503   ✗ 2 × timeout`
    package var results: StyledLine {
        var line = StyledLine()
        func add(_ text: String, _ role: ThemeRole) { line.append((line.spans.isEmpty ? "" : "   ") + text, role) }
        for (status, count) in figures.statuses.sorted(by: { $0.key < $1.key }) {
            add("✓ \(Figures.count(count)) × \(status == 0 ? "no answer, as expected" : "\(status)")", .success)
        }
        for (kind, count) in figures.failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            let isStatus = kind.first?.isNumber == true
            add("\(isStatus ? "!" : "✗") \(Figures.count(count)) × \(SafeText.line(kind))", isStatus ? .warning : .error)
        }
        return line
    }

    /// `48.7/s ▅▅▅▃▁▅▅  wanted 50/s   3 had to wait for a free place`
    package func throughput(wanted rate: Double?, columns: Int = 20) -> StyledLine {
        var line = StyledLine()
        if let throughput = figures.throughput {
            // The last one's interval belongs to it, too: no rate is exceeded by being met.
            line.append("\(LoadPlan.text(min(throughput, rate ?? throughput)))/s", .strong)
        }
        let recent = figures.recent(columns)
        if recent.count > 1 {
            let most = recent.max() ?? 0
            line.append(" " + recent.map { Self.block($0, of: most) }.joined(), .accent)
        }
        if let rate {
            let isReached = !figures.isBehind
            line.append(isReached ? "  wanted " : "  rate not reached: ", isReached ? .dim : .warning)
            line.append("\(LoadPlan.text(rate))/s", isReached ? .dim : .warning)
        }
        if figures.waited > 0 { line.append("   \(Figures.count(figures.waited)) not started in time", .warning) }
        if figures.unsent > 0 { line.append(", \(Figures.count(figures.unsent)) of them never", .warning) }
        return line
    }

    /// `50 ms  60 ms  p99`: of all figures only the totals.
    package static func short(_ figures: LoadFigures) -> String {
        [percents[0], percents[2]].map { name, percent in
            "\(name) \(figures.figure(percent, of: .total).map(Figures.duration) ?? "-")"
        }.joined(separator: "  ")
    }
}

extension LoadTable {
    /// Stands in place of percentiles where there is nothing to take them from.
    package static let nonePassed = "None passed, so there is no time to tell of."
}

extension LoadPlan {
    /// Stands with closed runs, which flatter slow servers.
    package static let closedNote = "slow answers delay the next request"
}

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

/// The logarithmic axis of a table's histograms, in octaves of microseconds: from 2^`low` to 2^`high`.
package struct LoadAxis: Sendable, Hashable {
    package private(set) var low: Int
    package private(set) var high: Int
    private var grown: MonotonicTime?

    /// Samples before it is fixed.
    private static let settling = 20

    package init?(_ figures: LoadFigures) {
        guard let range = Self.range(of: figures) else { return nil }
        (low, high) = (range.lowerBound, range.upperBound)
    }

    private static func range(of figures: LoadFigures) -> ClosedRange<Int>? {
        let histograms = LoadFigures.Row.allCases.map { figures[$0] }.filter { !$0.isEmpty }
        guard let least = histograms.compactMap(\.minimum).min(), let most = histograms.compactMap(\.maximum).max() else {
            return nil
        }
        let low = octave(least)
        return low...max(low + 4, octave(most) + 1)
    }

    private static func octave(_ duration: Duration) -> Int {
        let microseconds = max(1, duration.wholeMicroseconds)
        return 63 - microseconds.leadingZeroBitCount
    }

    /// Outwards only, once there are some samples, and an octave a second at each end: one that took long doesn't flatten the rest.
    package mutating func fit(_ figures: LoadFigures, at now: MonotonicTime) {
        guard let range = Self.range(of: figures) else { return }
        guard figures.count > Self.settling else {
            (low, high) = (range.lowerBound, range.upperBound)
            return
        }
        guard range.lowerBound < low || range.upperBound > high, grown.map({ now - $0 >= .seconds(1) }) ?? true else { return }
        if range.lowerBound < low { low -= 1 }
        if range.upperBound > high { high += 1 }
        grown = now
    }

    /// The bounds of so many columns, in microseconds.
    func bounds(_ columns: Int) -> [Double] {
        (0...columns).map { exp2(Double(low) + Double(high - low) * Double($0) / Double(columns)) }
    }

    /// The labels of the axis, at least ten columns apart.
    func labels(_ columns: Int) -> String {
        let width = Double(columns) / Double(high - low)
        let step = max(1, Int((10 / width).rounded(.up)))
        var text = ""
        for octave in stride(from: low, to: high, by: step) {
            let column = Int((Double(octave - low) * width).rounded())
            let label = Figures.duration(.microseconds(Int64(1) << Int64(octave)))
            guard column >= text.count, column + label.count <= columns else { continue }
            text += String(repeating: " ", count: column - text.count) + label
        }
        return Figures.left(text, columns)
    }
}
