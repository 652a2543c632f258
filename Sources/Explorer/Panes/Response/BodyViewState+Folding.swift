import Presentation
import TerminalUI

extension BodyViewState {
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
        settle(in: document, size: size)
    }
}
