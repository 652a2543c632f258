import NetworkLayer
import Presentation
import TerminalUI

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
