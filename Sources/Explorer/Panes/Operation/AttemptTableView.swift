import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

/// One row per attempt: its phases, what came of it, and over which connection; as many columns as there is room for.
///
/// Without a header, for a few rows, only what explains itself: the request, the time, the result, and what was dropped.
struct AttemptTableView {
    let layout: TableLayout
    private let cells: [Int: [StyledLine]]

    /// - Parameters:
    ///   - shown: the indices of the attempts that are drawn; only they are laid out.
    ///   - verdict: of the operation: the status of a last attempt that isn't what was expected must not look good.
    init(
        _ metrics: OperationMetrics, shown: [Int], now: MonotonicTime, width: Int, hasHeader: Bool, verdict: Verdict? = nil
    ) {
        var cells: [Int: [StyledLine]] = [:]
        let times = AttemptTable.cells(shown.map { metrics.attempts[$0] }, now: now)
        for (index, row) in zip(shown, times) {
            cells[index] = Self.cells(of: index, in: metrics, times: row, now: now, hasHeader: hasHeader)
            if verdict == .checkFailed, index == metrics.attempts.count - 1, let result = Column.allCases.firstIndex(of: .result) {
                let text = cells[index]?[result].text ?? ""
                cells[index]?[result] = StyledLine(text, VerdictText.role(.checkFailed))
            }
        }
        let kept = Column.allCases.indices.filter { hasHeader || Column.allCases[$0].explainsItself }
        let columns = kept.map { index in
            let column = Column.allCases[index]
            let sign = column == .request ? Self.sign(shown: shown, of: metrics.attempts.count) : nil
            let title = hasHeader ? sign ?? column.title(in: width) : ""
            // Below a header, columns depend on the width alone: they stay while numbers come and grow.
            let least = max(DisplayWidth.of(title), hasHeader ? column.usualColumns : 0)
            let natural = cells.values.reduce(least) { max($0, DisplayWidth.of($1[index].text)) }
            return TableLayout.Column(
                title, natural: natural, minimum: min(natural, column.minimum ?? natural),
                alignment: column.isPhase || column == .total ? .right : .left, rank: hasHeader ? column.rank : column.bareRank,
                grows: column == .request)
        }
        let layout = TableLayout(columns, width: width, spacing: 1)
        let request = kept.first { Column.allCases[$0] == .request }
        if let request, let place = kept.firstIndex(of: request).flatMap({ layout.places[$0] }) {
            for index in shown {
                cells[index]?[request] = Self.request(
                    metrics.attempts[index], after: index > 0 ? metrics.attempts[index - 1] : nil, columns: place.count)
            }
        }
        self.layout = layout
        self.cells = cells.mapValues { row in kept.map { row[$0] } }
    }

    func draw(_ index: Int, row: Int, on canvas: inout Canvas) {
        guard let cells = cells[index] else { return }
        canvas.tableRow(cells, layout: layout, row: row)
    }

    /// `↑ 2 more`: the attempts that there is no row for; `nil` when all have one.
    private static func sign(shown: [Int], of count: Int) -> String? {
        guard let first = shown.first, let last = shown.last, shown.count < count else { return nil }
        let (above, below) = (first, count - 1 - last)
        if above > 0, below > 0 { return "↑ \(above)  ↓ \(below)" }
        return above > 0 ? "↑ \(above) more" : "↓ \(below) more"
    }

    /// One for each ``Column``.
    private static func cells(
        of index: Int, in metrics: OperationMetrics, times: [StyledLine.Span], now: MonotonicTime, hasHeader: Bool
    ) -> [StyledLine] {
        let attempt = metrics.attempts[index]
        var cells = times.map { StyledLine([$0]) }
        if !hasHeader, let total = AttemptTable.header.firstIndex(of: Column.total.rawValue) {
            // Without a title a number needs its unit.
            let role: ThemeRole = attempt.end == nil ? .stateRunning : .text
            cells[total] = StyledLine(Figures.duration(max(.zero, (attempt.end ?? now) - attempt.start)), role)
        }
        cells.insert(request(attempt, after: index > 0 ? metrics.attempts[index - 1] : nil), at: 2)
        return cells + [notes(attempt)]
    }

    /// The method, the host where it is another than before, and the path. Where there is no room for all of it the host goes first,
    /// then the query, then the start of the path: attempts differ most in its end.
    private static func request(
        _ attempt: AttemptMetrics, after previous: AttemptMetrics?, columns: Int = .max
    ) -> StyledLine {
        let url = attempt.request.url
        let method = StyledLine([MethodText.span(attempt.request.method.rawValue), .init(" ")])
        let host = url.hostAndPort.flatMap { $0 == previous?.request.url.hostAndPort ? nil : SafeText.line($0) } ?? ""
        let written = url.path(percentEncoded: true)
        let path = SafeText.line(written.isEmpty ? "/" : written)
        let query = url.query(percentEncoded: true).map { "?" + SafeText.line($0) } ?? ""
        func line(_ host: String, _ rest: String) -> StyledLine {
            var line = method
            if !host.isEmpty { line.append(host, .urlHost) }
            line.append(rest, .url)
            return line
        }
        let mark = host.isEmpty ? "" : "…"
        let forms = [line(host, path + query), line(mark, path + query), line(mark, path + (query.isEmpty ? "" : "?…"))]
        if let form = forms.first(where: { DisplayWidth.fits($0.text, in: columns) }) { return form }
        var room = columns - DisplayWidth.of(method.text) - 1
        var end: [Character] = []
        for character in path.reversed() {
            room -= DisplayWidth.of(character)
            guard room >= 0 else { break }
            end.append(character)
        }
        return line("", "…" + String(end.reversed()))
    }

    /// What the next hop left out, and what happened beside the plan.
    private static func notes(_ attempt: AttemptMetrics) -> StyledLine {
        var notes: [String] = []
        if let hop = attempt.redirect {
            if let method = hop.newMethod { notes.append("→ \(SafeText.line(method))") }
            if !hop.otherDroppedHeaders.isEmpty {
                notes.append("dropped \(hop.otherDroppedHeaders.map { SafeText.line($0) }.joined(separator: ", "))")
            }
            if !hop.withheld.isEmpty {
                notes.append("withheld \(hop.withheld.map { SafeText.line("\($0)") }.joined(separator: ", "))")
            }
            if hop.isDowngrade { notes.append("to http") }
        }
        if attempt.resends > 0 { notes.append("sent again") }
        return StyledLine(notes.joined(separator: ", "), .warning)
    }

    /// The columns of `AttemptTable`, the request between its kind and its times, and notes at the end.
    private enum Column: String, CaseIterable {
        case number = "#"
        case kind, request, dns, tcp, tls, send, wait, recv
        case total = "total ms"
        case result, conn
        case notes = ""

        /// Where it is narrow the unit stands for what it counts: a column more fits.
        func title(in width: Int) -> String { self == .total && width < 50 ? "ms" : rawValue }

        /// A width in which nearly all of its cells fit.
        var usualColumns: Int {
            switch self {
            case .number, .total, .request, .notes: 0
            case .kind: 8
            case .dns, .tcp, .tls, .send, .wait, .recv: 5
            case .result: 6
            case .conn: 10
            }
        }

        var isPhase: Bool { [.dns, .tcp, .tls, .send, .wait, .recv].contains(self) }

        var explainsItself: Bool { [.number, .request, .total, .result, .conn, .notes].contains(self) }

        /// `nil` when it is shown whole or not at all.
        var minimum: Int? {
            switch self {
            case .request: 12
            case .notes: 10
            default: nil
            }
        }

        /// The part that is dropped first when there is no room has the highest number.
        var rank: Int {
            switch self {
            case .number, .total, .result: 0
            case .conn: 1
            case .wait: 2
            case .recv: 3
            case .tls: 4
            case .tcp: 5
            case .kind: 6
            case .notes: 7
            case .dns: 8
            case .send: 9
            case .request: 10
            }
        }

        var bareRank: Int { self == .conn ? 2 : self == .notes ? 1 : 0 }
    }
}

extension URL {
    fileprivate var hostAndPort: String? {
        host(percentEncoded: true).map { host in port.map { "\(host):\($0)" } ?? host }
    }
}
