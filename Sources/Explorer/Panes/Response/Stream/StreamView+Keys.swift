import Presentation
import TerminalUI

extension StreamView {
    private static let widestRecord = 2000

    /// - Returns: whether the command is one of the table's.
    mutating func perform(_ command: Command.ID, _ table: StreamTable, height: Int) -> Bool {
        let rows = StreamRows(table, opened: opened)
        if let step = ScrollPosition.Step(command) {
            move(step, rows, height: height, total: table.count)
            return true
        }
        switch command {
        case .left: left = max(0, left - 8)
        case .right: left = min(left + 8, Self.widestRecord)
        case .toggle: if follows { pause(rows, height: height, total: table.count) } else { follow() }
        case .activate: open(table, height: height)
        case .foldAll: opened = [:]
        default: return false
        }
        return true
    }

    /// Shows the members of the record under the cursor below it, or no more.
    private mutating func open(_ table: StreamTable, height: Int) {
        let rows = StreamRows(table, opened: opened)
        guard let place = place(rows), let record = table[place.number] else { return }
        go(to: rows.row(of: .init(place.number)), rows, height, table.count)
        guard opened.removeValue(forKey: place.number) == nil else { return }
        let lines = record.document.lineCount.lines
        opened[place.number] = lines
        // What was opened last is what one wants to see.
        let longer = StreamRows(table, opened: opened)
        let row = longer.row(of: .init(place.number))
        go(to: min(row + lines, row + height - 1), longer, height, table.count)
        go(to: row, longer, height, table.count)
    }

    /// - Parameter area: the pane's inner part, at whose lower end the table has so many rows.
    /// - Returns: whether it was for the table.
    mutating func handle(_ event: MouseEvent, _ table: StreamTable, in area: Rect, height: Int) -> Bool {
        let rows = StreamRows(table, opened: opened)
        switch event.action {
        case .wheelUp, .wheelDown:
            scroll(by: event.action == .wheelUp ? -3 : 3, rows, height: height, total: table.count)
        case .press, .doubleClick:
            let row = event.point.row - (area.endRow - height)
            guard row >= 0, event.point.row < area.endRow else { return false }
            let first = topRow(rows, height: height)
            guard first + row < rows.count else { return true }
            go(to: first + row, rows, height, table.count)
            if event.action == .doubleClick { open(table, height: height) }
        case .drag, .release: break
        }
        return true
    }

    /// To the next record that matches, coming round at the ends.
    ///
    /// - Parameter step: 0: from the one under the cursor on, backwards: what came last is what one looks for.
    /// - Returns: whether there is one, or nothing to look through.
    mutating func find(_ pattern: BodyPattern, step: Int, in table: StreamTable, height: Int) -> Bool {
        let rows = StreamRows(table, opened: opened)
        let numbers = table.filter?.matches ?? Array(table.numbers)
        guard !numbers.isEmpty else { return true }
        let current = place(rows).flatMap { place in numbers.lastIndex { $0 <= place.number } } ?? 0
        let found = numbers.indices.round(from: current, forward: step > 0, includesStart: step == 0).lazy.map { numbers[$0] }
            .first { table[$0]?.matches(pattern) == true }
        guard let found else { return false }
        go(to: rows.row(of: .init(found)), rows, height, table.count)
        return true
    }
}
