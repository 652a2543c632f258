import Presentation
import TerminalUI

extension BodyViewState {
    /// Moves the viewport; never beyond what there is. To an end that isn't known yet it goes when it is.
    mutating func move(_ step: ScrollPosition.Step, in document: BodyDocument, size: Size) {
        destination = nil
        switch step {
        case .lines(let count): scroll(by: count, in: document, size: size)
        case .pages(let pages): scroll(by: pages * max(1, size.rows - 1), in: document, size: size)
        case .start: top = BodyPosition()
        case .end: go(to: .end, in: document, size: size)
        }
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
        self.destination = nil
        switch destination {
        case .end: top = lastTop(of: document, size: size)
        case .byte(let offset):
            top = BodyPosition(line: document.line(containing: offset))
            settle(in: document, size: size)
        }
    }

    /// Sideways, by columns.
    mutating func moveSideways(by columns: Int, in document: BodyDocument, size: Size) {
        guard !wraps(document) else { return }
        guard columns > 0 else {
            left = max(0, left + columns)
            return
        }
        let room = self.columns(of: document, in: size)
        let seen = top.line..<min(top.line + size.rows, max(top.line, document.lineCount.lines))
        let widest = seen.reduce(0) { max($0, document.columnCount(ofLine: $1)) }
        left = min(left + columns, max(left, widest - room))
    }

    private mutating func scroll(by rows: Int, in document: BodyDocument, size: Size) {
        if wraps(document) {
            top = document.position(top, movedBy: rows, width: columns(of: document, in: size))
        } else {
            top = BodyPosition(line: max(0, top.line + rows))
        }
        settle(in: document, size: size)
    }

    /// Brings the top back to where the last page is full; also after a change of size, form or wrapping.
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
            document.extendIndex(toLine: top.line + size.rows)
            top = BodyPosition(line: min(top.line, max(0, document.lineCount.lines - max(1, size.rows))))
        }
    }

    /// Where the last page begins.
    private func lastTop(of document: BodyDocument, size: Size) -> BodyPosition {
        guard wraps(document) else {
            document.extendIndexToEnd()
            return BodyPosition(line: max(0, document.lineCount.lines - max(1, size.rows)))
        }
        let columns = columns(of: document, in: size)
        return document.position(document.lastPosition(width: columns), movedBy: 1 - max(1, size.rows), width: columns)
    }
}
