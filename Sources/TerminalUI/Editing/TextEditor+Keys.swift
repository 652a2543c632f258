/// What an editor made of a key.
package enum EditResult: Hashable, Sendable {
    /// Not a key of the editor's: somebody else's to handle.
    case ignored
    /// The cursor, the selection or nothing at all has changed.
    case moved
    case changed
    /// The text went to the clipboard; the terminal's can have it too.
    case copied(String)
    /// Copied, and deleted.
    case cut(String)
}

/// The keys of an editor, as readline and most editors have them.
///
///   arrows, Home, End, PgUp, PgDn   move; with Shift they select; with Ctrl they go by words, to the text's start and end
///   C-a C-e M-b M-f                 line start, line end, word back, word on
///   Backspace Delete C-d            delete a character
///   C-w M-Backspace M-d             delete a word back, on
///   C-u C-k                         cut to the line's start, end
///   C-c C-x C-v M-a                 copy, cut, paste, select all
///   M-u C-_   C-r C-y               undo, redo
extension TextEditor {
    /// - Parameter clipboard: the program's own; read by paste, set by copy and cut.
    package mutating func handle(_ press: KeyPress, clipboard: inout String) -> EditResult {
        let extending = press.modifiers.contains(.shift)
        let byWord = press.modifiers.contains(.control) || press.modifiers.contains(.alt)
        switch press.key {
        case .character(let character):
            if press.modifiers.contains(.control) { return handleControl(character, clipboard: &clipboard) }
            if press.modifiers.contains(.alt) { return handleAlt(character) }
            return insert(String(character), kind: .typing) ? .changed : .moved
        case .enter:
            guard isMultiline else { return .ignored }
            insertNewline()
            return .changed
        case .tab:
            guard isMultiline, press.modifiers.isEmpty else { return .ignored }
            return insert("  ") ? .changed : .moved
        case .backspace: return erased(byWord ? .wordLeft : .left)
        case .delete: return erased(byWord ? .wordRight : .right)
        case .left: return moved(byWord ? .wordLeft : .left, extending)
        case .right: return moved(byWord ? .wordRight : .right, extending)
        case .home: return moved(byWord ? .textStart : .lineStart, extending)
        case .end: return moved(byWord ? .textEnd : .lineEnd, extending)
        case .up where isMultiline: return moved(.up, extending)
        case .down where isMultiline: return moved(.down, extending)
        case .pageUp where isMultiline: return moved(.pageUp, extending)
        case .pageDown where isMultiline: return moved(.pageDown, extending)
        case .up, .down, .pageUp, .pageDown, .escape, .insert, .function: return .ignored
        }
    }

    /// A bracketed paste.
    package mutating func paste(_ text: String) -> EditResult {
        insert(text) ? .changed : .moved
    }

    private mutating func handleControl(_ character: Character, clipboard: inout String) -> EditResult {
        switch character {
        case "a": return moved(.lineStart, false)
        case "e": return moved(.lineEnd, false)
        case "d": return erased(.right)
        case "w": return erased(.wordLeft)
        case "u": return killed(.lineStart, to: &clipboard)
        case "k": return killed(.lineEnd, to: &clipboard)
        case "c":
            guard let selectedText else { return .ignored }
            clipboard = selectedText
            return .copied(selectedText)
        case "x":
            guard selection != nil else { return .moved }
            return cut(.left, to: &clipboard)
        case "v":
            guard !clipboard.isEmpty else { return .moved }
            return paste(clipboard)
        case "_": return undo() ? .changed : .moved
        case "r", "y": return redo() ? .changed : .moved
        default: return .ignored
        }
    }

    /// Whether Alt with it does something in a text.
    package static func takesAlt(_ character: Character) -> Bool { "bfdau".contains(character) }

    private mutating func handleAlt(_ character: Character) -> EditResult {
        switch character {
        case "b": return moved(.wordLeft, false)
        case "f": return moved(.wordRight, false)
        case "d": return erased(.wordRight)
        case "a":
            selectAll()
            return .moved
        case "u": return undo() ? .changed : .moved
        default: return .ignored
        }
    }

    private mutating func moved(_ movement: Movement, _ extending: Bool) -> EditResult {
        move(movement, extending: extending)
        return .moved
    }

    private mutating func erased(_ movement: Movement) -> EditResult {
        erase(movement).isEmpty ? .moved : .changed
    }

    /// For our own C-v alone: whoever clears a field to type a new password into it wants the old one in no other program.
    private mutating func killed(_ movement: Movement, to clipboard: inout String) -> EditResult {
        if case .cut = cut(movement, to: &clipboard) { return .changed }
        return .moved
    }

    private mutating func cut(_ movement: Movement, to clipboard: inout String) -> EditResult {
        let text = erase(movement, kind: .other)
        guard !text.isEmpty else { return .moved }
        clipboard = text
        return .cut(text)
    }
}

extension TextEditor {
    /// The columns that line numbers take, with the blank behind them.
    package var gutterColumns: Int { String(buffer.lines.count).count + 1 }

    /// Draws the seen part over the canvas's whole window.
    ///
    /// - Parameters:
    ///   - isFocused: shows the terminal's cursor.
    ///   - highlight: a line's looks; it must keep the line's text.
    package func draw(
        on canvas: inout Canvas, isFocused: Bool, role: ThemeRole = .text, lineNumbers: Bool = false,
        highlight: ((String) -> StyledLine)? = nil
    ) {
        let gutter = lineNumbers ? gutterColumns : 0
        var shown = self
        shown.viewport = Size(columns: canvas.bounds.columns - gutter, rows: canvas.bounds.rows)
        let (numbers, page) = canvas.bounds.splitLeft(gutter)
        let rows = 0..<min(canvas.bounds.rows, buffer.lines.count - shown.top)
        if lineNumbers {
            canvas.draw(in: numbers) { canvas in
                for row in rows { canvas.text(String(shown.top + row + 1), .lineNumber, endColumn: gutter - 1, row: row) }
            }
        }
        canvas.draw(in: page) { canvas in
            for row in rows {
                let text = buffer.lines[shown.top + row]
                canvas.line(highlight?(text) ?? StyledLine(text, role), row: row, offset: shown.left)
                shown.drawSelection(line: shown.top + row, row: row, on: &canvas)
            }
            if isFocused {
                canvas.showCursor(column: buffer.column(of: cursor) - shown.left, row: cursor.line - shown.top)
            }
        }
    }

    private func drawSelection(line: Int, row: Int, on canvas: inout Canvas) {
        guard let selection, selection.lowerBound.line <= line, line <= selection.upperBound.line else { return }
        let start = selection.lowerBound.line == line ? buffer.column(of: selection.lowerBound) : 0
        // A selected line end shows as one selected blank.
        let end =
            selection.upperBound.line == line
            ? buffer.column(of: selection.upperBound) : buffer.column(of: buffer.lineEnd(line)) + 1
        let first = max(start - left, 0)
        canvas.restyle(Rect(column: first, row: row, columns: end - left - first, rows: 1), .selection)
    }
}
