/// A text being edited: cursor, selection, undo, and the part of it that is seen. A value: what a key does is a function.
///
/// Drawn by `draw(on:)`; its keys are in `handle(_:clipboard:)`.
package struct TextEditor: Hashable, Sendable {
    package private(set) var buffer: TextBuffer
    package private(set) var cursor = TextPosition.start
    /// Where the selection began; it reaches to the cursor.
    package private(set) var anchor: TextPosition?
    /// Counts changes: equal counts, equal text.
    package private(set) var revision = 0
    private var history = EditHistory()
    /// The display column that up and down try to keep.
    private var goal: Int?

    /// The first line and display column that are seen.
    package private(set) var top = 0
    package private(set) var left = 0
    /// How much is seen. Set it before keys are handled, so that pages and scrolling fit; drawing needs nothing.
    package var viewport = Size(columns: 80, rows: 20) {
        didSet { if viewport != oldValue { reveal() } }
    }

    package let isMultiline: Bool
    /// UTF-8 bytes; what would make the text longer is refused.
    package let limit: Int

    package init(_ text: String = "", isMultiline: Bool = true, limit: Int = 64 << 20) {
        self.isMultiline = isMultiline
        self.limit = limit
        self.buffer = TextBuffer(isMultiline ? text : TextEditor.joined(text))
        self.size = text.utf8.count
        if !isMultiline { cursor = buffer.end }
    }

    private var size: Int

    package var text: String { buffer.text }
    package var isEmpty: Bool { buffer.lines.count == 1 && buffer.lines[0].isEmpty }

    package var selection: Range<TextPosition>? {
        guard let anchor, anchor != cursor else { return nil }
        return min(anchor, cursor)..<max(anchor, cursor)
    }
    package var selectedText: String? { selection.map { buffer.text(in: $0) } }

    // MARK: Moving

    package enum Movement: Hashable, Sendable {
        case left, right, up, down, wordLeft, wordRight, lineStart, lineEnd, pageUp, pageDown, textStart, textEnd
        case to(TextPosition)
    }

    /// - Parameter extending: keep or begin the selection.
    package mutating func move(_ movement: Movement, extending: Bool = false) {
        let selected = selection
        if extending {
            anchor = anchor ?? cursor
        } else {
            anchor = nil
        }
        history.close()
        var keepsGoal = false
        switch movement {
        case .left: cursor = !extending ? selected?.lowerBound ?? buffer.position(before: cursor) : buffer.position(before: cursor)
        case .right: cursor = !extending ? selected?.upperBound ?? buffer.position(after: cursor) : buffer.position(after: cursor)
        case .wordLeft: cursor = buffer.wordStart(before: cursor)
        case .wordRight: cursor = buffer.wordEnd(after: cursor)
        case .lineStart: cursor = lineStart()
        case .lineEnd: cursor = buffer.lineEnd(cursor.line)
        case .textStart: cursor = .start
        case .textEnd: cursor = buffer.end
        case .to(let position): cursor = buffer.clamped(position)
        case .up, .down, .pageUp, .pageDown:
            keepsGoal = true
            moveLines(movement)
        }
        if !keepsGoal { goal = nil }
        reveal()
    }

    /// The first character that isn't blank, or, from there, column 0.
    private func lineStart() -> TextPosition {
        let indentation = buffer.indentation(of: cursor.line).utf8.count
        let isThere = cursor.offset == indentation || !isMultiline
        return TextPosition(line: cursor.line, offset: isThere ? 0 : indentation)
    }

    private mutating func moveLines(_ movement: Movement) {
        let page = max(1, viewport.rows - 1)
        let distance =
            switch movement {
            case .up: -1
            case .down: 1
            case .pageUp: -page
            default: page
            }
        let column = goal ?? buffer.column(of: cursor)
        goal = column
        let line = cursor.line + distance
        if line < 0 {
            cursor = .start
        } else if line >= buffer.lines.count {
            cursor = buffer.end
        } else {
            cursor = buffer.position(line: line, column: column)
        }
    }

    package mutating func selectAll() {
        history.close()
        anchor = .start
        cursor = buffer.end
        reveal()
    }

    /// Puts the cursor where the mouse points, in the viewport.
    package mutating func moveToCell(column: Int, row: Int, extending: Bool = false) {
        let line = min(max(0, top + row), buffer.lines.count - 1)
        move(.to(buffer.position(line: line, column: max(0, left + column))), extending: extending)
    }

    // MARK: Editing

    /// Puts text in place of the selection. In an editor of one line, line ends become spaces.
    ///
    /// - Returns: `false` when the text would get too long.
    @discardableResult
    package mutating func insert(_ text: String, kind: EditHistory.Kind = .other) -> Bool {
        let text = isMultiline ? text : TextEditor.joined(text)
        return replace(selection ?? cursor..<cursor, with: text, kind: selection == nil ? kind : .other)
    }

    /// A new line, indented like this one.
    package mutating func insertNewline() {
        guard isMultiline else { return }
        let start = selection?.lowerBound ?? cursor
        let indentation = String(buffer.indentation(of: start.line))
        insert("\n" + (indentation.utf8.count <= start.offset ? indentation : ""))
    }

    /// Deletes the selection, or what the movement passes over.
    ///
    /// - Returns: what is gone.
    @discardableResult
    package mutating func erase(_ movement: Movement, kind: EditHistory.Kind = .erasing) -> String {
        if let selection {
            let text = buffer.text(in: selection)
            replace(selection, with: "", kind: .other)
            return text
        }
        var target = self
        target.move(movement, extending: true)
        guard let range = target.selection else { return "" }
        let text = buffer.text(in: range)
        replace(range, with: "", kind: kind)
        return text
    }

    /// Replaces any part; one step of undo.
    @discardableResult
    package mutating func replace(_ range: Range<TextPosition>, with text: String, kind: EditHistory.Kind = .other) -> Bool {
        let removed = buffer.text(in: range)
        if removed.isEmpty, text.isEmpty { return true }
        let newSize = size - removed.utf8.count + text.utf8.count
        guard newSize <= limit || newSize <= size else { return false }
        let before = EditHistory.Selection(cursor: cursor, anchor: anchor)
        let end = buffer.replace(range, with: text)
        size = newSize
        cursor = buffer.clamped(end)
        anchor = nil
        goal = nil
        revision += 1
        history.record(
            EditHistory.Change(start: range.lowerBound, removed: removed, inserted: text), kind: kind, before: before,
            after: EditHistory.Selection(cursor: cursor, anchor: nil))
        // A word and the blank behind it are a step.
        if kind == .typing, text == " " { history.close() }
        reveal()
        return true
    }

    /// Replaces all, as one step; undo brings the old text back.
    package mutating func setText(_ text: String) {
        replace(.start..<buffer.end, with: isMultiline ? text : TextEditor.joined(text))
        if isMultiline { move(.textStart) }
    }

    /// - Returns: whether there was something to undo.
    @discardableResult
    package mutating func undo() -> Bool {
        guard let step = history.undo() else { return false }
        for change in step.changes.reversed() { apply(change.start, remove: change.inserted, insert: change.removed) }
        show(step.before)
        return true
    }

    @discardableResult
    package mutating func redo() -> Bool {
        guard let step = history.redo() else { return false }
        for change in step.changes { apply(change.start, remove: change.removed, insert: change.inserted) }
        show(step.after)
        return true
    }

    private mutating func apply(_ start: TextPosition, remove: String, insert: String) {
        // The end of the removed text, from the text alone.
        let lines = TextBuffer(remove).end
        let end = TextPosition(line: start.line + lines.line, offset: lines.offset + (lines.line == 0 ? start.offset : 0))
        buffer.replace(start..<end, with: insert)
        size += insert.utf8.count - remove.utf8.count
        revision += 1
    }

    private mutating func show(_ selection: EditHistory.Selection) {
        cursor = buffer.clamped(selection.cursor)
        anchor = selection.anchor.map(buffer.clamped)
        goal = nil
        reveal()
    }

    // MARK: Scrolling

    /// Scrolls without moving the cursor (the wheel); the next key brings the cursor back into sight.
    package mutating func scroll(lines: Int) {
        top = min(max(0, top + lines), max(0, buffer.lines.count - viewport.rows))
    }

    /// Scrolls as little as it takes to see the cursor.
    package mutating func reveal() {
        let rows = max(1, viewport.rows)
        if cursor.line < top { top = cursor.line }
        if cursor.line >= top + rows { top = cursor.line - rows + 1 }
        top = min(top, max(0, buffer.lines.count - rows))
        // One column is kept for the cursor behind the end.
        let columns = max(1, viewport.columns)
        let column = buffer.column(of: cursor)
        if column < left { left = max(0, column - columns / 4) }
        if column >= left + columns { left = column - columns + 1 }
        if column < columns, left > 0, DisplayWidth.of(buffer.lines[cursor.line]) < columns { left = 0 }
    }

    private static func joined(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
        return text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// What can be undone and redone: steps of changes, as a person would count them (a typed word is one step).
package struct EditHistory: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package var start: TextPosition
        package var removed: String
        package var inserted: String
    }

    /// Changes of the same kind that follow each other are one step.
    package enum Kind: Hashable, Sendable {
        case typing, erasing, other
    }

    struct Step: Hashable, Sendable {
        var kind: Kind
        var changes: [Change]
        var before: Selection
        var after: Selection
    }

    struct Selection: Hashable, Sendable {
        var cursor: TextPosition
        var anchor: TextPosition?
    }

    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    private var isOpen = false
    private let limit = 10_000

    package init() {}

    mutating func record(_ change: Change, kind: Kind, before: Selection, after: Selection) {
        redoable = []
        if isOpen, kind != .other, let last = undoable.last, last.kind == kind, last.after == before {
            undoable[undoable.count - 1].changes.append(change)
            undoable[undoable.count - 1].after = after
        } else {
            undoable.append(Step(kind: kind, changes: [change], before: before, after: after))
            if undoable.count > limit { undoable.removeFirst(limit / 10) }
        }
        isOpen = true
    }

    /// What comes next is a step of its own.
    mutating func close() {
        isOpen = false
    }

    mutating func undo() -> Step? {
        isOpen = false
        guard let step = undoable.popLast() else { return nil }
        redoable.append(step)
        return step
    }

    mutating func redo() -> Step? {
        isOpen = false
        guard let step = redoable.popLast() else { return nil }
        undoable.append(step)
        return step
    }
}
