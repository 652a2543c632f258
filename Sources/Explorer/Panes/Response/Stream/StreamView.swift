import Presentation
import TerminalUI

/// How a table of records is looked at. What comes moves nothing of it but its end, when that is followed.
struct StreamView: Hashable, Sendable {
    /// Stays at the end. Only a key begins and ends it.
    private(set) var follows = true
    /// How many there were when it ended.
    private(set) var pausedAt = 0
    /// Records that are opened, with the lines below them.
    var opened: [Int: Int] = [:]
    /// The first column of the data in sight.
    var left = 0
    private var top = StreamRows.Place(0)
    private var cursor = StreamRows.Place(0)

    /// The first row in sight.
    func topRow(_ rows: StreamRows, height: Int) -> Int {
        let last = max(0, rows.count - max(1, height))
        return follows ? last : min(last, rows.row(of: top))
    }

    func cursorRow(_ rows: StreamRows) -> Int {
        follows ? max(0, rows.count - 1) : min(max(0, rows.count - 1), rows.row(of: cursor))
    }

    /// - Parameter total: how many records came so far.
    mutating func move(_ step: ScrollPosition.Step, _ rows: StreamRows, height: Int, total: Int) {
        let row = cursorRow(rows)
        switch step {
        case .end: follow()
        case .start: go(to: 0, rows, height, total)
        case .lines(let lines):
            // Below the end there is nothing: who is there stays there.
            if follows, lines > 0 { return }
            go(to: row + lines, rows, height, total)
        case .pages(let pages):
            if follows, pages > 0 { return }
            go(to: row + pages * max(1, height - 1), rows, height, total)
        }
    }

    mutating func follow() {
        follows = true
        pausedAt = 0
    }

    /// Holds the view still: from now on everything stays where it is.
    mutating func pause(_ rows: StreamRows, height: Int, total: Int) {
        guard follows else { return }
        let (row, first) = (cursorRow(rows), topRow(rows, height: height))
        follows = false
        pausedAt = total
        if let place = rows.place(ofRow: row) { cursor = place }
        if let place = rows.place(ofRow: first) { top = place }
    }

    mutating func go(to row: Int, _ rows: StreamRows, _ height: Int, _ total: Int) {
        pause(rows, height: height, total: total)
        let row = min(max(0, row), max(0, rows.count - 1))
        guard let place = rows.place(ofRow: row) else { return }
        cursor = place
        let first = topRow(rows, height: height)
        let nearest = max(row - max(1, height) + 1, min(first, row))
        if let place = rows.place(ofRow: nearest) { top = place }
    }

    /// Moves what is in sight; the cursor comes along when it would leave.
    mutating func scroll(by lines: Int, _ rows: StreamRows, height: Int, total: Int) {
        if follows, lines > 0 { return }
        pause(rows, height: height, total: total)
        let last = max(0, rows.count - max(1, height))
        let first = min(max(0, topRow(rows, height: height) + lines), last)
        if let place = rows.place(ofRow: first) { top = place }
        let row = min(max(cursorRow(rows), first), first + max(1, height) - 1)
        if let place = rows.place(ofRow: row) { cursor = place }
    }

    /// The place of what the cursor is on.
    func place(_ rows: StreamRows) -> StreamRows.Place? { rows.place(ofRow: cursorRow(rows)) }
}

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

/// The rows of a table whose records may be opened: which record, and which line of it, stands in which row.
///
/// Places are told by the records' numbers, so that what comes and what is forgotten moves nothing.
struct StreamRows: Hashable, Sendable {
    /// Where a row is: a record, and the line of it. Line 0 is the record's own.
    struct Place: Hashable, Sendable {
        var number: Int
        var line: Int

        init(_ number: Int, line: Int = 0) {
            self.number = number
            self.line = line
        }
    }

    private enum Numbers: Hashable, Sendable {
        case all(Range<Int>)
        case these([Int])
    }

    private let numbers: Numbers
    /// The opened records, with the lines below them, in ascending order.
    private let opened: [(number: Int, index: Int, lines: Int)]

    init(_ table: StreamTable, opened: [Int: Int]) {
        let numbers: Numbers = if let filter = table.filter { .these(filter.matches) } else { .all(table.numbers) }
        self.numbers = numbers
        var places: [(number: Int, index: Int, lines: Int)] = []
        for (number, lines) in opened.sorted(by: { $0.key < $1.key }) {
            let index = Self.index(of: number, in: numbers)
            if Self.number(at: index, in: numbers) == number { places.append((number, index, lines)) }
        }
        self.opened = places
    }

    static func == (left: Self, right: Self) -> Bool {
        left.numbers == right.numbers && left.opened.elementsEqual(right.opened, by: ==)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    /// The number of all rows.
    var count: Int { recordCount + opened.reduce(0) { $0 + $1.lines } }

    private var recordCount: Int {
        switch numbers {
        case .all(let range): range.count
        case .these(let numbers): numbers.count
        }
    }

    /// The row of a place; of what isn't there any more, that of what follows it.
    func row(of place: Place) -> Int {
        let index = Self.index(of: place.number, in: numbers)
        var row = index
        for open in opened where open.index < index { row += open.lines }
        let lines = opened.first { $0.index == index && $0.number == place.number }?.lines ?? 0
        return row + min(place.line, lines)
    }

    /// `nil`: there is no such row.
    func place(ofRow row: Int) -> Place? {
        guard row >= 0, row < count else { return nil }
        var before = 0
        for open in opened {
            let start = open.index + before
            if row < start { break }
            if row <= start + open.lines { return Place(open.number, line: row - start) }
            before += open.lines
        }
        return Self.number(at: row - before, in: numbers).map { Place($0) }
    }

    /// The index of the first record from a number on.
    private static func index(of number: Int, in numbers: Numbers) -> Int {
        switch numbers {
        case .all(let range): return min(max(0, number - range.lowerBound), range.count)
        case .these(let numbers):
            var (low, high) = (0, numbers.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[middle] < number { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    private static func number(at index: Int, in numbers: Numbers) -> Int? {
        switch numbers {
        case .all(let range): index < range.count ? range.lowerBound + index : nil
        case .these(let numbers): index < numbers.count ? numbers[index] : nil
        }
    }
}
