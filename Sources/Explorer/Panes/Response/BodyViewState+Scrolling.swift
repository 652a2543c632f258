import Presentation
import TerminalUI

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
        settle(in: document, size: size)
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
            settle(in: document, size: size)
        case .byte(let offset):
            top = BodyPosition(line: document.line(containing: offset))
            cursor = top.line
            settle(in: document, size: size)
        }
    }

    /// To a line, from 0, or to the last one.
    mutating func go(toLine line: Int, in document: BodyDocument, size: Size) {
        destination = nil
        document.extendIndex(toLine: line)
        cursor = min(max(0, line), max(0, document.lineCount.lines - 1))
        // A few lines before it say where it stands.
        top = BodyPosition(line: folds.line(ofRow: max(0, folds.row(ofLine: cursor) - size.rows / 3)))
        settle(in: document, size: size)
    }

    /// Lines were added at the end. Whoever asked for the end sees that of the longer document.
    mutating func extended(in document: BodyDocument, size: Size, follows: Bool) {
        if let pattern = search.pattern {
            var tally = BodyTally(pattern)
            while tally.advance(in: document) {}
            search.tally = tally
        }
        if follows || destination == .end { go(to: .end, in: document, size: size) } else { settle(in: document, size: size) }
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
    mutating func settle(in document: BodyDocument, size: Size) {
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
        settle(in: document, size: size)
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
}
