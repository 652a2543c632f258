import Presentation
import TerminalUI

/// Draws the line that a filter is typed into, over the last row of the pane; above it, what is wrong with it.
enum FilterLineView {
    static func draw(_ filter: FilterLine, of state: ExplorerState, in inner: Rect, on canvas: inout Canvas) {
        ResponsePaneView.draw(
            filter.line, of: state,
            placeholder: filter.isOfEvents
                ? "words of the events"
                : state.shownStream != nil ? ".level == \"error\", words, or !command" : placeholder(for: state.wholeBodyKind),
            on: &canvas)
        let entry = state.responseSubject(for: .body)?.entry
        guard inner.rows > 1, !filter.isOfEvents, let failure = entry?.filtered?.failure ?? entry?.stream?.filter?.failure else {
            return
        }
        canvas.draw(in: Rect(column: inner.column, row: inner.endRow - 2, columns: inner.columns, rows: 1)) { canvas in
            canvas.fill(canvas.bounds, .text)
            canvas.text(SafeText.line(failure), .warning, column: 1, row: 0, limit: canvas.bounds.columns - 2, ellipsis: true)
        }
    }

    /// What works on such a body.
    private static func placeholder(for kind: BodyKind?) -> String {
        switch kind {
        case .json, .jsonValues, .jsonLines: ".items[0], or !command"
        case .xml, .html: "xpath://title, /words/, or !command"
        case .eventStream, .text, .yaml, .css, .javaScript: "/words/, or !command"
        case .binary: "!command"
        case nil: ".items[0], xpath://title, /words/, or !command"
        }
    }
}
