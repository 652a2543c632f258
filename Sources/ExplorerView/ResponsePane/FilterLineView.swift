import ExplorerModel
import Presentation
import TerminalUI

/// Draws the line that a filter is typed into, over the last row of the pane; above it, what is wrong with it.
enum FilterLineView {
    static func draw(_ filter: FilterLine, of state: ExplorerState, in inner: Rect, on canvas: inout Canvas) {
        guard inner.rows > 1 else { return }
        canvas.draw(in: Rect(column: inner.column, row: inner.endRow - 1, columns: inner.columns, rows: 1)) { canvas in
            canvas.fill(canvas.bounds, .input)
            let column = canvas.text(" filter: ", .input, column: 0, row: 0)
            canvas.draw(in: Rect(column: column, row: 0, columns: canvas.bounds.columns - column, rows: 1)) { canvas in
                filter.line.draw(
                    on: &canvas, in: canvas.bounds, isFocused: true,
                    placeholder: filter.isOfEvents
                        ? "words of the events"
                        : state.shownStream != nil
                            ? ".level == \"error\", words, or !command" : placeholder(for: state.wholeBodyKind))
            }
        }
        let entry = state.responseSubject(for: .body)?.entry
        guard !filter.isOfEvents, let failure = entry?.filtered?.failure ?? entry?.stream?.filter?.failure else { return }
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
