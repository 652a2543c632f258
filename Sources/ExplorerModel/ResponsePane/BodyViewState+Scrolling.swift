package import Presentation
package import TerminalUI

extension BodyViewState {
    /// Moves the viewport; never beyond what there is.
    mutating func move(_ step: ScrollPosition.Step, in document: BodyDocument, size: Size) {
        let rows = max(1, size.rows)
        switch step {
        case .lines(let count): scroll(by: count, in: document, size: size)
        case .pages(let pages): scroll(by: pages * max(1, rows - 1), in: document, size: size)
        case .start: top = Place()
        case .end:
            document.extendIndexToEnd()
            top = Place(line: max(0, document.lineCount.lines - 1), part: .max)
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
        let count = document.lineCount.lines
        let seen = top.line..<min(top.line + size.rows, max(top.line, count))
        let widest = seen.reduce(0) { max($0, document.columnCount(ofLine: $1)) }
        left = min(left + columns, max(left, widest - room))
    }

    private mutating func scroll(by rows: Int, in document: BodyDocument, size: Size) {
        if rows >= 0 {
            top = place(rows, below: top, in: document, columns: columns(of: document, in: size))
            settle(in: document, size: size)
        } else {
            top = place(-rows, above: top, in: document, columns: columns(of: document, in: size))
        }
    }

    /// Brings the top back to where the last page is full; also after a change of size, mode or wrapping.
    mutating func settle(in document: BodyDocument, size: Size) {
        viewport = size
        let rows = max(1, size.rows)
        let columns = columns(of: document, in: size)
        document.extendIndex(toLine: top.line + rows)
        let count = document.lineCount.lines
        guard wraps(document) else {
            top = Place(line: min(top.line, max(0, count - rows)))
            return
        }
        guard count > 0 else {
            top = Place()
            return
        }
        if top.line >= count { top = Place(line: count - 1, part: .max) }
        top.part = min(
            max(0, top.part), parts(of: top.line..<top.line + 1, in: document, columns: columns).first.map { $0 - 1 } ?? 0)
        let below = parts(of: top.line..<min(count, top.line + rows), in: document, columns: columns).reduce(0, +) - top.part
        if below < rows { top = place(rows - below, above: top, in: document, columns: columns) }
    }

    private func place(_ rows: Int, below start: Place, in document: BodyDocument, columns: Int) -> Place {
        document.extendIndex(toLine: start.line + rows)
        let count = document.lineCount.lines
        guard count > 0 else { return Place() }
        guard wraps(document) else { return Place(line: min(count - 1, start.line + rows)) }
        var place = start
        var left = rows
        for parts in parts(of: start.line..<min(count, start.line + rows + 1), in: document, columns: columns) {
            let here = parts - 1 - place.part
            if left <= here { return Place(line: place.line, part: place.part + left) }
            guard place.line + 1 < count else { return Place(line: place.line, part: parts - 1) }
            left -= here + 1
            place = Place(line: place.line + 1)
        }
        return place
    }

    private func place(_ rows: Int, above start: Place, in document: BodyDocument, columns: Int) -> Place {
        guard wraps(document) else { return Place(line: max(0, start.line - rows)) }
        if rows <= start.part { return Place(line: start.line, part: start.part - rows) }
        var left = rows - start.part
        let first = max(0, start.line - left)
        for (line, parts) in zip(first..<start.line, parts(of: first..<start.line, in: document, columns: columns)).reversed() {
            if left <= parts { return Place(line: line, part: parts - left) }
            left -= parts
        }
        return Place()
    }
}
