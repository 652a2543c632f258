import NetworkLayer
import Presentation
import TerminalUI

/// What `run` says of a load.
enum LoadLines {
    /// If there are more requests than this, each has one row instead of a table.
    private static let mostTables = 10

    /// A table by phase for each request.
    static func tables(of outcome: RunOutcome, columns: Int) -> [StyledLine] {
        guard let plan = outcome.load, !outcome.figures.isEmpty else { return [] }
        guard outcome.figures.count <= mostTables else { return [StyledLine()] + rows(of: outcome.figures) }
        return outcome.figures.flatMap { name, figures in
            var title = StyledLine(SafeText.line(name), .title)
            title.append("  " + (plan.isOpen ? plan.title : "\(plan.title): \(LoadPlan.closedNote)"), .dim)
            let table = LoadTable(figures, axis: columns >= 100 ? LoadAxis(figures) : nil)
            var lines = [StyledLine(), title]
            if figures.passed > 0 {
                lines += table.lines(width: columns)
            } else {
                lines.append(StyledLine(LoadTable.nonePassed, .warning))
            }
            lines.append(table.results)
            let throughput = table.throughput(wanted: figures.hasDueTimes ? plan.rate : nil)
            return lines + (throughput.spans.isEmpty ? [] : [throughput])
        }
    }

    /// `orders/read  31 ms  40 ms  52 ms  60 ms  200  12.4/s`: of one request among many.
    private static func rows(of figures: [(name: String, figures: LoadFigures)]) -> [StyledLine] {
        let width = max(9, figures.map { $0.name.count }.max() ?? 0) + 1
        let head =
            Figures.left("request", width) + ["p50", "p90", "p99", "max"].map { Figures.right($0, 10) }.joined()
            + Figures.right("passed", 10) + Figures.right("failed", 10)
        return [StyledLine(head, .dim)]
            + figures.map { name, figures in
                var line = StyledLine(Figures.left(SafeText.line(name), width))
                for percent in [50.0, 90, 99, 100] {
                    line.append(Figures.right(figures.figure(percent, of: .total).map(Figures.duration) ?? "-", 10))
                }
                line.append(Figures.right(Figures.count(figures.passed), 10), .dim)
                line.append(Figures.right(Figures.count(figures.failed), 10), figures.failed > 0 ? .error : .dim)
                return line
            }
    }

    /// `420 of 1,500   p50 62 ms  p99 158 ms   48.7/s ▅▅▅▃`: while it runs, a line for each request.
    static func progress(of outcome: RunOutcome) -> [StyledLine] {
        outcome.figures.prefix(mostTables).map { name, figures in
            var line = StyledLine(SafeText.line(name) + "  ", .strong)
            line.append(Figures.count(figures.count) + (outcome.load?.expected.map { " of \(Figures.count($0))" } ?? ""))
            line.append("  " + LoadTable.short(figures) + "  ", .dim)
            if figures.failed > 0 { line.append("✗ \(Figures.count(figures.failed))  ", .error) }
            line.spans += LoadTable(figures).throughput(wanted: nil, columns: 10).spans
            return line
        }
    }
}

/// The figures of a request for other programs. Times are integer microseconds, absent where there are too few samples for them.
struct LoadReport: Encodable {
    struct Phase: Encodable {
        var samples: Int
        var p50_us: Int64?
        var p90_us: Int64?
        var p99_us: Int64?
        var max_us: Int64?
    }

    var request: String
    /// `open`: by a rate, with times from when each one was due; `closed`: each place sends the next when the one before is over.
    var model: String
    var at_once: Int
    var rate: Double?
    var sent: Int
    var passed: Int
    var statuses: [String: Int]
    var failures: [String: Int]
    var not_started_in_time: Int
    var never_started: Int
    var elapsed_us: Int64
    var phases: [String: Phase]

    init(_ name: String, _ figures: LoadFigures, _ plan: LoadPlan) {
        request = name
        model = figures.hasDueTimes ? "open" : "closed"
        at_once = plan.atOnce
        rate = plan.rate
        sent = figures.count
        passed = figures.passed
        statuses = figures.statuses.reduce(into: [:]) { $0["\($1.key)"] = $1.value }
        failures = figures.failures
        not_started_in_time = figures.waited
        never_started = figures.unsent
        elapsed_us = figures.elapsed.wholeMicroseconds
        phases = LoadFigures.Row.allCases.reduce(into: [:]) { phases, row in
            guard !figures[row].isEmpty else { return }
            func figure(_ percent: Double) -> Int64? { figures.figure(percent, of: row)?.wholeMicroseconds }
            phases[row.rawValue] = Phase(
                samples: figures[row].count, p50_us: figure(50), p90_us: figure(90), p99_us: figure(99), max_us: figure(100))
        }
    }
}
