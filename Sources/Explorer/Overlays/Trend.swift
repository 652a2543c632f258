import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// One run in the history of a request.
struct TrendRun: Sendable, Hashable {
    var id: OperationID
    var date: Date?
    var total: Duration?
    /// `nil` also where the history doesn't say.
    var wait: Duration?
    var isGood: Bool
    /// `200`, `timeout`.
    var result: String
    /// What may change from run to run, as far as it is known: environment, URL, protocol.
    var facts: [String: String]
}

/// How long a request took over its history, and what changed in it.
struct Trend: Sendable, Hashable {
    let reference: RequestReference
    /// The oldest first.
    var runs: [TrendRun]
    var selected: Int
    /// By the run that was the first with it.
    let changes: [Int: [String]]

    /// Fewer on a side prove nothing.
    private static let leastOnASide = 5

    init(_ reference: RequestReference, _ runs: [TrendRun]) {
        self.reference = reference
        self.runs = runs
        selected = max(0, runs.count - 1)
        var changes: [Int: [String]] = [:]
        var known: [String: String] = [:]
        for (index, run) in runs.enumerated() {
            for (name, value) in run.facts.sorted(by: { $0.key < $1.key }) {
                if let before = known[name], before != value {
                    changes[index, default: []].append("\(name) \(before) → \(value)")
                }
                known[name] = value
            }
        }
        self.changes = changes
    }

    /// The median before the last change and after it; without a change that has five good runs on each side, of all.
    func medians(of time: KeyPath<TrendRun, Duration?>) -> (before: Duration?, after: Duration)? {
        func median(_ runs: some Sequence<TrendRun>) -> (Duration, Int)? {
            let times = runs.filter(\.isGood).compactMap { $0[keyPath: time] }.sorted()
            return times.isEmpty ? nil : (times[(times.count - 1) / 2], times.count)
        }
        guard let (all, _) = median(runs) else { return nil }
        guard let change = changes.keys.max(), let (before, count) = median(runs[..<change]), count >= Self.leastOnASide,
            let (after, later) = median(runs[change...]), later >= Self.leastOnASide
        else { return (nil, all) }
        return (before, after)
    }

    private static let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// One cell a run, the newest at the right; from 0 to the 95th percentile. What is taller is full, and says so by its role.
    func sparkline(of time: KeyPath<TrendRun, Duration?>, columns: Int) -> StyledLine {
        let times = runs.compactMap { $0[keyPath: time] }.sorted()
        let top = times.isEmpty ? .zero : times[min(times.count - 1, Int((Double(times.count) * 0.95).rounded(.up)) - 1)]
        var line = StyledLine()
        for index in first(columns)..<runs.count {
            guard let value = runs[index][keyPath: time] else {
                line.append(" ", .dim)
                continue
            }
            let eighth = top > .zero ? Int((value / top * 8).rounded(.up)) - 1 : 0
            line.append(Self.blocks[min(7, max(0, eighth))], value > top ? .warning : .accent)
        }
        return line
    }

    private func first(_ columns: Int) -> Int { max(0, min(runs.count - columns, selected)) }

    /// Everything, in a width of at least 20 columns.
    func lines(width: Int) -> [StyledLine] {
        let label = 7
        let columns = max(8, width - label)
        func row(_ name: String, _ time: KeyPath<TrendRun, Duration?>) -> StyledLine {
            var line = StyledLine(Figures.left(name, label), .dim)
            line.spans += sparkline(of: time, columns: columns).spans
            return line
        }
        let shown = first(columns)..<runs.count
        var marks = StyledLine(Figures.left("", label))
        for index in shown {
            let sign = index == selected ? "▲" : changes[index] != nil ? "╷" : runs[index].isGood ? " " : "✗"
            marks.append(sign, sign == "✗" ? .error : sign == "╷" ? .warning : .accent)
        }
        var lines = [row("total", \.total), row("wait", \.wait), marks, StyledLine()]
        for (name, time) in [("total", \TrendRun.total), ("wait", \TrendRun.wait)] {
            guard let (before, after) = medians(of: time) else { continue }
            var line = StyledLine(Figures.left(name, label), .dim)
            if let before {
                line.append("p50 \(Figures.duration(before)) → \(Figures.duration(after))", after > before ? .warning : .success)
                line.append(" since the last change", .dim)
            } else {
                line.append("p50 \(Figures.duration(after))", .strong)
                line.append(" of all", .dim)
            }
            lines.append(line)
        }
        guard runs.indices.contains(selected) else { return lines }
        let run = runs[selected]
        lines.append(StyledLine())
        var line = StyledLine("\(run.date.map { Figures.date($0) } ?? "")  ", .dim)
        line.append(run.result, run.isGood ? .success : .error)
        line.append("  total \(run.total.map(Figures.duration) ?? "-")  wait \(run.wait.map(Figures.duration) ?? "-")")
        lines.append(line)
        lines += (changes[selected] ?? []).map { StyledLine("╷ " + SafeText.line($0), .warning) }
        let last = changes.keys.filter { $0 <= selected }.max()
        if changes[selected] == nil, let last {
            lines.append(StyledLine("unchanged since \(runs[last].date.map { Figures.date($0) } ?? "then")", .dim))
        }
        return lines
    }
}

extension Trend: OverlayContent {
    var overlay: Overlay { .trend(self) }
    var title: String { "Trend: \(reference.id), \(Figures.count(runs.count, "run"))" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 110, rows: 16)) }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "← →", word: "another run"), .init(key: "Enter", word: "open it"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape, .character("q"): return .closes()
        case _ where state.isKey(key, of: .trend): return .closes()
        case .enter:
            let id = runs[selected].id
            return .closes { $0.open(id) }
        case .left, .character("h"), .up: selected = max(0, selected - 1)
        case .right, .character("l"), .down: selected = min(runs.count - 1, selected + 1)
        case .home, .character("g"): selected = 0
        case .end, .character("G"): selected = runs.count - 1
        default: break
        }
        return .stays()
    }
}

extension ExplorerState {
    /// `T` in the history: of the request of the row there, else of the shown one.
    mutating func openTrend() -> [ExplorerEffect] {
        let rows = historyRows
        let row = screen.focus == .history ? panes.history.selection.selected(in: rows) : nil
        guard let reference = row.flatMap({ operations[$0]?.request ?? pastRuns[$0]?.request }) ?? selectedRequest else {
            return say("pick a request first")
        }
        let runs = rows.reversed().compactMap { trendRun($0, of: reference) }
        guard !runs.isEmpty else {
            return say("\(reference.id) has no run yet")
        }
        overlay = .trend(Trend(reference, runs))
        let lacksWaits = pastRuns.isKept && runs.contains { $0.id.pastRun != nil && $0.wait == nil }
        return lacksWaits ? [.loadWaits(reference)] : []
    }

    /// What the history says of former runs, when the trend is still looked at.
    mutating func receive(_ waits: [Int64: Duration], of reference: RequestReference) {
        guard case .trend(var trend) = overlay, trend.reference == reference else { return }
        for index in trend.runs.indices {
            if let number = trend.runs[index].id.pastRun, let wait = waits[number] { trend.runs[index].wait = wait }
        }
        keep(trend)
    }

    private func trendRun(_ id: OperationID, of reference: RequestReference) -> TrendRun? {
        if let run = pastRuns[id] {
            guard run.request == reference, run.state != .cancelled else { return nil }
            return TrendRun(
                id: id, date: run.date, total: run.duration, wait: nil, isGood: run.verdict.isGood,
                result: run.status.map(String.init) ?? run.errorType ?? run.state.description,
                facts: Self.facts(run.environment, run.url).merging(["what if": run.note ?? "nothing"]) { $1 })
        }
        guard let entry = operations[id], entry.request == reference, !entry.isStopped, entry.state != .cancelled else {
            return nil
        }
        let attempt = entry.metrics.attempts.last
        let waits = entry.metrics.attempts.compactMap { $0.phases.wait?.duration }
        var facts = Self.facts(entry.environment, entry.metrics.attempts.first?.request.url.absoluteString)
        facts["protocol"] = attempt?.connection?.httpVersion
        facts["what if"] = entry.sent.whatIf.map { "what if: \($0.words)" } ?? "nothing"
        return TrendRun(
            id: id, date: entry.pastDate ?? entry.metrics.enqueuedDate, total: entry.metrics.total,
            wait: waits.isEmpty ? nil : waits.reduce(.zero, +), isGood: entry.verdict?.isGood ?? true,
            result: attempt?.head.map { "\($0.status.code)" } ?? entry.metrics.error?.type ?? entry.state.description, facts: facts)
    }

    /// Without the query: a time or a number in it changes each time.
    private static func facts(_ environment: String?, _ url: String?) -> [String: String] {
        var facts = ["environment": environment ?? "none"]
        facts["URL"] = url.map { String($0.prefix { $0 != "?" }) }
        return facts
    }
}

/// Draws a request's history as two rows of blocks, and the words of the run under the mark.
extension Trend: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner.inset(columns: 1)) { canvas in
            let size = canvas.bounds.size
            var lines = lines(width: size.columns)
            // Air goes before words do.
            if lines.count >= size.rows { lines.removeAll(where: \.text.isEmpty) }
            for (row, line) in lines.prefix(max(0, size.rows - 1)).enumerated() {
                canvas.line(line, column: 0, row: row, limit: size.columns, ellipsis: true)
            }
        }
    }
}
