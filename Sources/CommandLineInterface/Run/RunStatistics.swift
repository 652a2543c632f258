import NetworkLayer
import Presentation
import TerminalUI

/// How long each phase took over many runs: `--repeat`.
struct RunStatistics: Sendable {
    /// Runs that had a response.
    private(set) var count = 0
    /// In nanoseconds: half as long as durations are, and there may be a hundred thousand of each.
    private var samples: [String: [Int64]] = [:]

    static let columns = ["p50", "p95", "p99", "longest"]

    mutating func add(_ metrics: OperationMetrics) {
        guard let total = metrics.total, let last = metrics.attempts.last, last.head != nil else { return }
        count += 1
        for name in Phases.Name.allCases {
            guard let interval = last.phases[name] else { continue }
            samples[name.rawValue, default: []].append(Self.nanoseconds(interval.duration))
        }
        samples["total", default: []].append(Self.nanoseconds(total))
    }

    /// `orders/read  31 ms  40 ms  52 ms  60 ms  200  12.4/s`: of one request among several.
    static func table(_ statistics: [(name: String, statistics: RunStatistics)], over duration: Duration) -> [StyledLine] {
        let width = max(9, statistics.map { $0.name.count }.max() ?? 0) + 1
        let head =
            "request".padded(width) + columns.map { Figures.right($0, 10) }.joined()
            + Figures.right("samples", 10) + Figures.right("rate", 11)
        return [StyledLine(head, .dim)]
            + statistics.map { name, statistics in
                var line = StyledLine(name.padded(width))
                line.append(statistics.percentiles(of: "total").map { Figures.right($0, 10) }.joined())
                let seconds = duration / .seconds(1)
                let rate = seconds > 0 ? "\((Double(statistics.count) / seconds * 10).rounded() / 10)/s" : ""
                line.append(Figures.right(Figures.count(statistics.count), 10) + Figures.right(rate, 11), .dim)
                return line
            }
    }

    private func percentiles(of name: String) -> [String] {
        [50.0, 95, 99, 100].map { percentile($0, of: name).map(Figures.duration) ?? "" }
    }

    /// The phases that happened, in order, and `total`.
    var names: [String] { (Phases.Name.allCases.map(\.rawValue) + ["total"]).filter { samples[$0] != nil } }

    /// The smallest sample that so many of them are not above; of the nearest rank, so that it is one that was measured.
    func percentile(_ percent: Double, of name: String) -> Duration? {
        guard let sorted = samples[name]?.sorted(), !sorted.isEmpty else { return nil }
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
        return .nanoseconds(sorted[min(max(rank, 1), sorted.count) - 1])
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    func sampleCount(of name: String) -> Int { samples[name]?.count ?? 0 }

    /// A table, with how many samples each line stands for.
    var lines: [StyledLine] {
        guard count > 0 else { return [] }
        let head = "phase".padded(9) + Self.columns.map { Figures.right($0, 10) }.joined() + Figures.right("samples", 10)
        return [StyledLine(head, .dim)]
            + names.map { name in
                let values = percentiles(of: name)
                var line = StyledLine(name.padded(9), name == "total" ? .strong : .text)
                line.append(values.map { Figures.right($0, 10) }.joined())
                line.append(Figures.right(Figures.count(sampleCount(of: name)), 10), .dim)
                return line
            }
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
