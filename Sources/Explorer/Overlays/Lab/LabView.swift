import NetworkLayer
import Presentation
import TerminalUI

/// Draws the lab: what is to be sent, the question before it, or a row for each phase.
extension LabBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner.inset(columns: 1)) { canvas in
            switch phase {
            case .setup: drawSetup(on: &canvas)
            case .asking(let questions): drawQuestions(questions, on: &canvas)
            case .running, .over: drawFigures(hasQuestion: !state.arrivals.isEmpty, on: &canvas)
            }
        }
    }

    private func drawSetup(on canvas: inout Canvas) {
        let columns = canvas.bounds.columns
        canvas.text(target, .strong, column: 0, row: 0, limit: columns, ellipsis: true)
        let top = Self.firstRow(of: canvas.bounds.rows)
        for (index, field) in fields.enumerated() {
            let row = top + index
            if index == selected { canvas.select(row, sign: 0) }
            canvas.text(field.label, .text, column: 2, row: row)
            let rect = place(ofField: index, in: canvas.bounds)
            field.line.draw(on: &canvas, in: rect, isFocused: index == selected, placeholder: "-")
            canvas.text(field.note, .dim, column: 26, row: row, limit: columns - 27, ellipsis: true)
        }
        let row = top + fields.count
        if isOnContrast { canvas.select(row, sign: 0) }
        canvas.text("compare", .text, column: 2, row: row)
        canvas.text(
            "‹ \(contrasts[contrast].title) ›", .accent, column: 12, row: row, limit: columns - 13, ellipsis: true)
        let note = row + (canvas.bounds.rows > 9 ? 2 : 1)
        guard note < canvas.bounds.rows - 1 else { return }
        if let complaint {
            canvas.text(complaint, .error, column: 0, row: note, limit: columns, ellipsis: true)
        } else {
            let text = "What it needs is sent once, before. The runs of the lab aren't kept in the history."
            for (index, line) in LineWrapping.lines(of: text, columns: columns).enumerated()
            where note + index < canvas.bounds.rows - 1 {
                canvas.text(line, .dim, column: 0, row: note + index)
            }
        }
    }

    private func drawQuestions(_ questions: [String], on canvas: inout Canvas) {
        canvas.text(target, .strong, column: 0, row: 0, limit: canvas.bounds.columns, ellipsis: true)
        let lines = questions.flatMap { LineWrapping.lines(of: $0, columns: canvas.bounds.columns) }
        for (row, line) in lines.enumerated() where row + 2 < canvas.bounds.rows - 1 {
            canvas.text(line, .warning, column: 0, row: row + 2)
        }
    }

    private func drawFigures(hasQuestion: Bool, on canvas: inout Canvas) {
        guard let order, let figures = shownFigures else { return }
        let size = canvas.bounds.size
        let table = LoadTable(figures, axis: axis, isFixed: true, isOpen: order.plan.isOpen)
        canvas.line(head(order), column: 0, row: 0, limit: size.columns, ellipsis: true)
        var below = [table.results, table.throughput(wanted: order.plan.rate.map { $0 / Double(order.variants.count) })]
        if !order.plan.isOpen, size.rows >= 17 { below.append(StyledLine("closed: \(LoadPlan.closedNote)", .dim)) }
        if case .over(let failure?) = phase {
            below = LineWrapping.lines(of: failure, columns: size.columns).map { StyledLine($0, .error) }
        }
        if hasQuestion { below.append(StyledLine("A question waits: Esc goes to it.", .warning)) }
        below += comparisonLines
        below = Array(below.prefix(max(2, size.rows - 4)))
        // Head, the table's own head, hints.
        // Rows without figures say nothing once none will come.
        let isHopeless = if case .over = phase { figures.passed == 0 } else { false }
        let lines =
            isHopeless
            ? [StyledLine()] + (figures.failed > 0 ? [StyledLine(LoadTable.nonePassed, .warning)] : [])
            : table.lines(width: size.columns, rows: max(1, size.rows - 3 - below.count))
        for (row, line) in (lines + below).enumerated() where row + 1 < size.rows - 1 {
            canvas.line(line, column: 0, row: row + 1, limit: size.columns, ellipsis: true)
        }
    }

    /// `closed, 4 at once   42 of 100   paused`
    private func head(_ order: LabOrder) -> StyledLine {
        let done = figures.reduce(0) { $0 + $1.count }
        var line = StyledLine(sign.text, sign.role)
        line.append(Figures.count(done) + (order.plan.expected.map { " of \(Figures.count($0))" } ?? ""), .strong)
        line.append("  \(order.plan.title)  ", .text)
        if showsRecent { line.append("last 10 s  ", .warning) }
        if order.variants.count > 1 {
            line.append("\(shownVariant == 0 ? "A" : "B") \(order.variants[shownVariant].title)  ", .accent)
        }
        line.append(target, .dim)
        return line
    }

    private var comparisonLines: [StyledLine] {
        guard let (titles, pair) = comparison else { return [] }
        var line = StyledLine()
        for (letter, (title, figures)) in zip(["A", "B"], zip(titles, pair)) {
            line.append("\(line.spans.isEmpty ? "" : "     ")\(letter) \(title)  ", .accent)
            line.append(LoadTable.short(figures))
        }
        guard let found = LoadComparison(pair[0][.total], pair[1][.total]) else { return [line] }
        return [line, StyledLine(found.sentence, found.isClear ? .strong : .dim)]
    }
}
