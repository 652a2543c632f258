/// A text field: one line being edited.
package struct LineEditor: Hashable, Sendable {
    package private(set) var editor: TextEditor

    /// The cursor is behind the text.
    package init(_ text: String = "", limit: Int = 1 << 20) {
        editor = TextEditor(text, isMultiline: false, limit: limit)
    }

    package var text: String { editor.text }
    package var isEmpty: Bool { editor.isEmpty }
    /// The bytes of the text before the cursor.
    package var cursor: Int { editor.cursor.offset }
    package var revision: Int { editor.revision }

    /// See `TextEditor.handle` for the keys; Enter, Tab, Escape, up and down are ignored.
    package mutating func handle(_ press: KeyPress, clipboard: inout String) -> EditResult {
        editor.handle(press, clipboard: &clipboard)
    }

    package mutating func paste(_ text: String) -> EditResult { editor.paste(text) }

    /// Undo brings the old text back.
    package mutating func setText(_ text: String) { editor.setText(text) }

    package mutating func selectAll() { editor.selectAll() }

    /// How many columns the field has in which it is drawn: the text scrolls when it is wider.
    package var columns: Int {
        get { editor.viewport.columns }
        set { editor.viewport = Size(columns: newValue, rows: 1) }
    }

    /// Puts the cursor before the character in that column of the field.
    package mutating func moveToCell(column: Int, extending: Bool = false) {
        editor.moveToCell(column: column, row: 0, extending: extending)
    }

    /// Puts the cursor behind so many characters.
    package mutating func moveCursor(behind characters: Int) {
        editor.move(.to(TextPosition(line: 0, offset: text.prefix(characters).utf8.count)))
    }

    /// Draws the field over one row of the canvas.
    ///
    /// - Parameters:
    ///   - role: of the text; the row is filled with it first unless `fills` is off.
    ///   - placeholder: what is shown while there is no text.
    package func draw(
        on canvas: inout Canvas, in rect: Rect, isFocused: Bool, role: ThemeRole = .input, placeholder: String = "",
        fills: Bool = true, highlight: ((String) -> StyledLine)? = nil
    ) {
        guard !rect.isEmpty else { return }
        if fills { canvas.fill(rect, role) }
        canvas.draw(in: rect) { canvas in
            if isEmpty, !placeholder.isEmpty { canvas.text(placeholder, .placeholder, column: 0, row: 0, ellipsis: true) }
            editor.draw(on: &canvas, isFocused: isFocused, role: role, highlight: highlight)
        }
    }
}
