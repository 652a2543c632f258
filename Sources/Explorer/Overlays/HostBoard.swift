import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// What goes on at one host.
struct HostRow: Hashable, Sendable {
    var host: String
    var running = 0
    var waiting = 0
    /// How many runs of this session ended, and how many of them well.
    var ended = 0
    var good = 0
    /// `503`, or why there was no answer.
    var last: String?
    var isLastGood = true
    /// When the next retry begins.
    var retry: MonotonicTime?
    /// Until when nothing goes to it: it asked for a pause.
    var pause: MonotonicTime?
}

/// The hosts of this session.
struct HostBoard: Hashable, Sendable {
    /// The one that keys are about, by its name: rows change places while one looks.
    var host: String?

    /// The index of the selected host among these rows; that of the first if the host is gone.
    func selected(of rows: [HostRow]) -> Int { rows.firstIndex { $0.host == host } ?? 0 }
}

extension ExplorerState {
    var hostBoard: Opening {
        hostRows.first.map { .overlay(.hosts(HostBoard(host: $0.host))) } ?? .notice("nothing was sent yet")
    }

    /// The hosts to which something is being sent, then the others, each sorted by name.
    var hostRows: [HostRow] {
        var rows: [String: HostRow] = [:]
        for entry in operations.entries.values where entry.id.pastRun == nil && !entry.isStopped {
            guard let attempt = entry.metrics.attempts.last, let host = attempt.request.url.host()?.lowercased() else { continue }
            var row = rows[host] ?? HostRow(host: host)
            if entry.state == .waitingToRetry {
                row.waiting += 1
                row.retry = [row.retry, entry.metrics.retryDue].compactMap(\.self).min()
            } else if entry.state.isFinal {
                row.ended += 1
                if entry.verdict?.isGood == true { row.good += 1 }
            } else if entry.state.isUnderWay {
                row.running += 1
            } else {
                row.waiting += 1
            }
            if let result = StatusText.result(attempt) {
                row.last = result.text
                row.isLastGood = (attempt.head?.status.code ?? 999) < 400
            }
            rows[host] = row
        }
        for (host, end) in operations.hostPauses where end > now { rows[host, default: HostRow(host: host)].pause = end }
        func isBusy(_ row: HostRow) -> Bool { row.running + row.waiting > 0 || row.pause != nil }
        return rows.values.sorted { left, right in
            isBusy(left) != isBusy(right) ? isBusy(left) : left.host < right.host
        }
    }
}

extension HostBoard: OverlayContent {
    var overlay: Overlay { .hosts(self) }
    var title: String { "Hosts of this session" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 110, rows: 16)) }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [
            .init(key: "Space", word: "\(state.operations.keepsPauses ? "don't keep" : "keep") pauses"),
            .init(key: "x", word: "cancel what goes to it"), .init(key: "Esc", word: "back"),
        ]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        let rows = state.hostRows
        let selected = selected(of: rows)
        func select(_ index: Int) { if rows.indices.contains(index) { host = rows[index].host } }
        switch key.key {
        case .escape, .character("q"): return .closes()
        case _ where state.isKey(key, of: .hosts): return .closes()
        case .up, .character("k"): select(selected - 1)
        case .down, .character("j"): select(selected + 1)
        case .character(" "):
            return .stays {
                $0.operations.keepsPauses.toggle()
                if !$0.operations.keepsPauses { $0.operations.hostPauses = [:] }
                return [.setBackoff($0.operations.keepsPauses)]
            }
        case .character("x"):
            // Another row may have come under the cursor just now.
            guard let host, rows.contains(where: { $0.host == host }) else {
                let gone = host ?? "it"
                self.host = rows.first?.host
                return .stays(saying: "nothing goes to \(gone) any more")
            }
            return .stays(
                state.operations.entries.values.filter { entry in
                    !entry.state.isFinal && entry.metrics.attempts.last?.request.url.host()?.lowercased() == host
                }.map { .cancel($0.id, "the user") })
        default: break
        }
        return .stays()
    }
}

/// Draws the hosts of this session: what goes to each, what came of it, and how long it is left alone.
extension HostBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let rows = state.hostRows
        canvas.draw(in: layout.area.inner.inset(columns: 1)) { canvas in
            let size = canvas.bounds.size
            let columns = Columns(width: size.columns)
            columns.draw(columns.heads.map { StyledLine($0, .dim) }, row: 0, on: &canvas)
            let room = max(0, size.rows - 3)
            let selected = selected(of: rows)
            let top = max(0, selected - room + 1)
            for (line, index) in (top..<min(rows.count, top + room)).enumerated() {
                if index == selected { OverlayView.select(line + 1, on: &canvas) }
                columns.draw(Self.cells(rows[index], at: state.now, isNarrow: columns.isNarrow), row: line + 1, on: &canvas)
            }
            // Whether they are kept is seen on a narrow screen, too.
            let pauses = state.operations.keepsPauses ? "are kept: nothing goes to a host before its pause is over" : "aren't kept"
            canvas.text(
                "Pauses that hosts ask for \(pauses) (503, Retry-After).", .dim, column: 0, row: size.rows - 2,
                limit: size.columns, ellipsis: true)
        }
    }

    private static func cells(_ row: HostRow, at now: MonotonicTime, isNarrow: Bool) -> [StyledLine] {
        var left = StyledLine()
        if let pause = row.pause {
            left.append(Figures.duration(max(.zero, pause - now)), .warning)
        } else if let retry = row.retry {
            left.append("retry in \(Figures.duration(max(.zero, retry - now)))", .stateWaitingToRetry)
        }
        func count(_ number: Int, _ role: ThemeRole) -> StyledLine {
            number > 0 ? StyledLine("\(number)", role) : StyledLine("-", .dim)
        }
        let good = isNarrow ? "\(row.good)/\(row.ended)" : "\(row.good) of \(row.ended) good"
        let ended = StyledLine(row.ended == row.good ? "\(row.ended)" : good, row.ended == row.good ? .text : .warning)
        let last = StyledLine(SafeText.line(row.last ?? "-"), row.isLastGood ? .text : .error)
        let host = StyledLine(SafeText.line(row.host), .strong)
        if isNarrow { return [host, count(row.running + row.waiting, .stateRunning), ended, last, left] }
        return [host, count(row.running, .stateRunning), count(row.waiting, .stateWaiting), ended, last, left]
    }

    /// Fixed, but for the host's name, which gives way first.
    private struct Columns {
        let starts: [Int]
        let widths: [Int]
        /// What runs and what waits are one figure then.
        let isNarrow: Bool

        let heads: [String]

        init(width: Int) {
            isNarrow = width < 90
            let isTiny = width < 60
            heads =
                ["host"] + (isNarrow ? ["now"] : ["running", "waiting"]) + ["ended", isTiny ? "last" : "last answer"]
                + [isTiny ? "pause" : "left alone"]
            let fixed = !isNarrow ? [9, 9, 15, 14, 16] : isTiny ? [5, 7, 9, 9] : [5, 7, 14, 16]
            let name = max(10, min(32, width - fixed.reduce(0, +) - 2))
            var starts = [2]
            for width in [name] + fixed.dropLast() { starts.append(starts.last! + width) }
            self.starts = starts
            widths = [name - 1] + fixed.map { $0 - 1 }
        }

        func draw(_ cells: [StyledLine], row: Int, on canvas: inout Canvas) {
            for (index, cell) in cells.enumerated() where starts[index] < canvas.bounds.columns {
                canvas.line(cell, column: starts[index], row: row, limit: widths[index], ellipsis: true)
            }
        }
    }
}
