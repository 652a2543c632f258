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
