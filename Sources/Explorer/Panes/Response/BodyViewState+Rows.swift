import Presentation
import TerminalUI

extension BodyViewState {
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
