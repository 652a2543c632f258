import Presentation
import TerminalUI

/// How the body is looked at: its form, which part of it is in sight, and what is looked for.
///
/// It knows nothing of the body itself; every question and every step brings the document along.
struct BodyViewState: Hashable, Sendable {
    var mode = BodyMode.pretty
    /// Long lines go on in the next row.
    var wraps = false
    var showsNumbers = false
    /// Signs stand before the lines that checks look at.
    var hasMargin = false
    /// What of a tree isn't shown.
    var folds = BodyFolds()
    /// In a tree, the line that folding and copying apply to; it is always in sight.
    var cursor = 0
    /// The first row in sight.
    var top = BodyPosition()
    /// The first column in sight, when lines aren't wrapped.
    var left = 0
    var search = Search()
    /// Where to go as soon as the index has reached it.
    var destination: Destination?
    /// The room it was last fitted to.
    var viewport = Size(columns: 0, rows: 0)

    struct Search: Hashable, Sendable {
        var pattern: BodyPattern?
        var current: BodyMatch?
        /// The matches counted so far.
        var tally: BodyTally?
        /// Asked, and not answered yet.
        var pending: BodySearch?
    }

    /// A place in a part of the body that isn't indexed yet.
    enum Destination: Hashable, Sendable {
        case end
        /// The line that shows it.
        case byte(Int)
    }

    /// The columns that signs and line numbers take, a blank behind each included.
    func gutter(of document: BodyDocument) -> Int {
        let numbers = showsNumbers && document.mode != .hex ? String(max(100, document.lineCount.lines)).count + 1 : 0
        return numbers + (hasMargin && hasCursor(document) ? 2 : 0)
    }

    /// Whether a cursor walks its lines, and parts of it can be folded. Wrapped lines scroll row by row instead.
    func hasCursor(_ document: BodyDocument) -> Bool { document.isTree && !wraps(document) }

    /// Whether lines of this document are wrapped.
    func wraps(_ document: BodyDocument) -> Bool { wraps && document.mode != .hex }

    /// The columns of text in a viewport.
    func columns(of document: BodyDocument, in size: Size) -> Int {
        max(1, size.columns - gutter(of: document))
    }

    mutating func toggle(_ option: WritableKeyPath<Self, Bool>, in document: BodyDocument?, size: Size) {
        self[keyPath: option].toggle()
        left = 0
        if wraps { folds.unfoldAll() }
        if let document { fit(in: document, size: size) }
    }

    /// Moves what is in sight, and not the cursor in it.
    mutating func wheel(by rows: Int, in document: BodyDocument, size: Size) {
        destination = nil
        scroll(by: rows, in: document, size: size)
    }

    /// Back to the start: another body is shown.
    mutating func reset() {
        top = BodyPosition()
        cursor = 0
        folds.unfoldAll()
        left = 0
        destination = nil
        search.current = nil
        search.tally = nil
        search.pending = nil
    }
}

extension BodyViewState {
    /// Moves the cursor of a tree, else the viewport; never beyond what there is. To an end that isn't known yet it goes when it is.
    mutating func move(_ step: ScrollPosition.Step, in document: BodyDocument, size: Size) {
        destination = nil
        switch step {
        case .lines(let count) where hasCursor(document): moveCursor(by: count, in: document, size: size)
        case .lines(let count): scroll(by: count, in: document, size: size)
        case .pages(let pages):
            let rows = pages * max(1, size.rows - 1)
            scroll(by: rows, in: document, size: size)
            if hasCursor(document) { moveCursor(by: rows, in: document, size: size) }
        case .start:
            top = BodyPosition()
            cursor = 0
        case .end: go(to: .end, in: document, size: size)
        }
    }

    /// Moves the viewport; the cursor comes along when it would leave.
    mutating func scroll(by rows: Int, in document: BodyDocument, size: Size) {
        if wraps(document) {
            top = document.position(top, movedBy: rows, width: columns(of: document, in: size))
        } else {
            top = BodyPosition(line: folds.line(ofRow: max(0, folds.row(ofLine: top.line) + rows)))
        }
        fit(in: document, size: size)
    }

    /// The index is complete: there is nothing to wait for any more.
    mutating func indexed(in document: BodyDocument, size: Size) {
        guard let destination, document.lineCount.isExact else { return }
        go(to: destination, in: document, size: size)
    }

    mutating func go(to destination: Destination, in document: BodyDocument, size: Size) {
        guard document.isQuick || document.lineCount.isExact else {
            self.destination = destination
            return
        }
        // The end of a part isn't the end: it is gone to again with what comes.
        self.destination = destination == .end && document.isPartial ? .end : nil
        switch destination {
        case .end:
            top = lastTop(of: document, size: size)
            cursor = max(0, document.lineCount.lines - 1)
            fit(in: document, size: size)
        case .byte(let offset):
            top = BodyPosition(line: document.line(containing: offset))
            cursor = top.line
            fit(in: document, size: size)
        }
    }

    /// To a line, from 0, or to the last one.
    mutating func go(toLine line: Int, in document: BodyDocument, size: Size) {
        destination = nil
        document.extendIndex(toLine: line)
        cursor = min(max(0, line), max(0, document.lineCount.lines - 1))
        // A few lines before it say where it stands.
        top = BodyPosition(line: folds.line(ofRow: max(0, folds.row(ofLine: cursor) - size.rows / 3)))
        fit(in: document, size: size)
    }

    /// Lines were added at the end. Whoever asked for the end sees that of the longer document.
    mutating func extended(in document: BodyDocument, size: Size, follows: Bool) {
        if let pattern = search.pattern {
            var tally = BodyTally(pattern)
            while tally.advance(in: document) {}
            search.tally = tally
        }
        if follows || destination == .end { go(to: .end, in: document, size: size) } else { fit(in: document, size: size) }
    }

    /// Sideways, by columns.
    mutating func moveSideways(by columns: Int, in document: BodyDocument, size: Size) {
        guard !wraps(document) else { return }
        guard columns > 0 else {
            left = max(0, left + columns)
            return
        }
        let room = self.columns(of: document, in: size)
        let widest = rows(of: document, in: size).reduce(0) { max($0, document.columnCount(ofLine: $1.position.line)) }
        left = min(left + columns, max(left, widest - room))
    }

    /// Brings the top back to where the last page is full; also after a change of size, form, wrapping or folds.
    mutating func fit(in document: BodyDocument, size: Size) {
        viewport = size
        if wraps(document) {
            let columns = columns(of: document, in: size)
            top.column -= top.column % columns
            document.extendIndex(toLine: top.line)
            let isBeyond = top.line >= document.lineCount.lines
            if isBeyond || document.rows(from: top, count: size.rows, width: columns).count < size.rows {
                top = lastTop(of: document, size: size)
            }
        } else {
            let first = folds.row(ofLine: top.line)
            document.extendIndex(toLine: folds.line(ofRow: first + size.rows))
            let last = max(0, folds.rowCount(document.lineCount).lines - max(1, size.rows))
            top = BodyPosition(line: folds.line(ofRow: min(first, last)))
            keepCursorInSight(of: document, size: size)
        }
    }

    private mutating func keepCursorInSight(of document: BodyDocument, size: Size) {
        let first = folds.row(ofLine: top.line)
        let last = min(first + max(1, size.rows), folds.rowCount(document.lineCount).lines) - 1
        cursor = folds.line(ofRow: max(first, min(folds.row(ofLine: cursor), last)))
    }

    private mutating func moveCursor(by rows: Int, in document: BodyDocument, size: Size) {
        let wanted = max(0, folds.row(ofLine: cursor) + rows)
        document.extendIndex(toLine: folds.line(ofRow: wanted))
        let row = max(0, min(wanted, folds.rowCount(document.lineCount).lines - 1))
        cursor = folds.line(ofRow: row)
        let first = folds.row(ofLine: top.line)
        let nearest = max(row - max(1, size.rows) + 1, min(first, row))
        top = BodyPosition(line: folds.line(ofRow: nearest))
        fit(in: document, size: size)
    }

    /// Where the last page begins.
    func lastTop(of document: BodyDocument, size: Size) -> BodyPosition {
        guard wraps(document) else {
            document.extendIndexToEnd()
            return BodyPosition(line: folds.line(ofRow: max(0, folds.rowCount(document.lineCount).lines - max(1, size.rows))))
        }
        let columns = columns(of: document, in: size)
        return document.position(document.lastPosition(width: columns), movedBy: 1 - max(1, size.rows), width: columns)
    }

    /// Folds or unfolds what begins on the cursor's line, else what that line stands in.
    ///
    /// - Returns: whether there was something to fold.
    mutating func toggleFold(in document: BodyDocument, size: Size) -> Bool {
        guard hasCursor(document) else { return false }
        if folds.lines(behind: cursor) == nil, document.foldableLines(at: cursor) == nil {
            guard let outer = document.line(enclosing: cursor) else { return false }
            cursor = outer
        }
        destination = nil
        folds.toggle(cursor, in: document)
        bringCursorIntoSight(in: document, size: size)
        return true
    }

    /// Folds every member of the whole; unfolds all when anything is folded.
    ///
    /// - Returns: whether there was something to fold.
    mutating func toggleAllFolds(in document: BodyDocument, size: Size) -> Bool {
        guard hasCursor(document) else { return false }
        destination = nil
        if folds.isEmpty {
            folds.foldMembers(of: document)
            if folds.isEmpty { return false }
        } else {
            folds.unfoldAll()
        }
        cursor = folds.line(ofRow: folds.row(ofLine: cursor))
        bringCursorIntoSight(in: document, size: size)
        return true
    }

    mutating func setCursor(toRow row: Int, in document: BodyDocument, size: Size) {
        guard hasCursor(document), row < folds.rowCount(document.lineCount).lines - folds.row(ofLine: top.line) else { return }
        destination = nil
        cursor = folds.line(ofRow: folds.row(ofLine: top.line) + row)
    }

    /// Scrolls as little as is needed to bring the cursor into sight.
    private mutating func bringCursorIntoSight(in document: BodyDocument, size: Size) {
        let row = folds.row(ofLine: cursor)
        let first = folds.row(ofLine: top.line)
        top = BodyPosition(line: folds.line(ofRow: max(row - max(1, size.rows) + 1, min(first, row))))
        fit(in: document, size: size)
    }

    /// The rows of a viewport, from ``top`` on.
    func rows(of document: BodyDocument, in size: Size) -> [BodyDocument.Row] {
        let columns = columns(of: document, in: size)
        guard !wraps(document) else {
            return document.rows(
                from: top, count: size.rows, width: columns, highlighting: search.pattern, current: search.current)
        }
        let first = folds.row(ofLine: top.line)
        return document.lines(
            first..<first + size.rows, folds: folds, columns: left..<left + columns, highlighting: search.pattern,
            current: search.current
        )
        .enumerated()
        .map { BodyDocument.Row(position: BodyPosition(line: folds.line(ofRow: first + $0.offset)), text: $0.element) }
    }
}
