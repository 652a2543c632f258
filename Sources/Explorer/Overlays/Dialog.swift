import RequestCollections
import TerminalUI

/// Something said that must be seen, or a question.
struct Dialog: Hashable, Sendable {
    var title: String
    /// Wrapped when drawn.
    var lines: [String]
    var buttons: [Button]
    var selected = 0
    /// The first line seen, where there is no room for all.
    private var top = 0

    struct Button: Hashable, Sendable {
        var key: Character
        var title: String
        var action: Action

        init(_ key: Character, _ title: String, _ action: Action) {
            self.key = key
            self.title = title
            self.action = action
        }

        /// As wide as it is drawn: its key, its title and a blank around each.
        var columns: Int { DisplayWidth.of(title) + 4 }
    }

    enum Action: Hashable, Sendable {
        case close, saveAllAndQuit, discardAndQuit
        /// Keeps these entries of a request.
        case keepMine(RequestReference, [String]), takeTheirs(RequestReference, [String])
        case delete(RequestReference)
        /// A file, at that line.
        case open(SourceLocation)
        /// About a request that is gone from its file.
        case putBack(RequestReference), putBackAs(RequestReference), giveUp(RequestReference)
    }

    init(title: String, lines: [String], buttons: [Button] = [Button("o", "OK", .close)]) {
        self.title = title
        self.lines = lines
        self.buttons = buttons
    }
}

extension Dialog {
    /// - Returns: the button that the key presses.
    private mutating func press(_ key: KeyPress) -> Button? {
        switch key.key {
        case .escape: return Button("c", "", .close)
        case .enter, .character(" "): return buttons[selected]
        case .left, .right, .tab:
            let isBack = key.key == .left || key.modifiers.contains(.shift)
            selected = selected.stepped(by: isBack ? -1 : 1, of: buttons.count)
            return nil
        case .up, .down:
            top += key.key == .up ? -1 : 1
            return nil
        case .character(let character): return buttons.first { $0.key == character }
        default: return nil
        }
    }

    init(about problem: CollectionProblem, title: String = "A problem in the file") {
        self.init(
            title: title, lines: [problem.location.description, "", problem.message],
            buttons: [.init("e", "Open it in $EDITOR", .open(problem.location)), .init("c", "Close", .close)])
    }
}

extension Dialog: OverlayContent {
    var overlay: Overlay { .dialog(self) }

    func area(in screen: Rect) -> Rect {
        let columns = min(64, screen.columns)
        let rows = wrapped(columns: columns - 4).count + buttonRows(columns: columns - 4).count
        return screen.centered(Size(columns: columns, rows: rows + 3))
    }

    private func wrapped(columns: Int) -> [String] { lines.flatMap { LineWrapping.lines(of: $0, columns: columns) } }

    /// Its lines, broken at blanks, and which of them are seen in a place of this size, above a blank row and the buttons.
    func shown(in size: Size) -> (lines: [String], rows: Range<Int>) {
        let lines = wrapped(columns: size.columns)
        let room = max(0, size.rows - 1 - buttonRows(columns: size.columns).count)
        let first = min(max(0, top), max(0, lines.count - room))
        return (lines, first..<min(lines.count, first + room))
    }

    /// The buttons of each row, in their order.
    func buttonRows(columns: Int) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var end = 0
        for (index, button) in buttons.enumerated() {
            // The blank behind the last one needs no room.
            let width = button.columns
            if let last = rows.last, end + 1 + width <= columns {
                rows[rows.count - 1] = last.lowerBound..<index + 1
                end += 2 + width
            } else {
                rows.append(index..<index + 1)
                end = width
            }
        }
        return rows
    }

    private func shown(in state: ExplorerState) -> (lines: [String], rows: Range<Int>) {
        shown(in: OverlayLayout(of: self, in: state.screen.size).area.inner.inset(columns: 1).size)
    }

    mutating func fit(in state: ExplorerState) -> Bool {
        top = shown(in: state).rows.lowerBound
        return true
    }

    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        // As the other hints are written; the name of an environment variable stays as it is.
        let words = buttons[selected].title.split(separator: " ").map { $0.hasPrefix("$") ? String($0) : $0.lowercased() }
        let (lines, rows) = shown(in: state)
        let scroll = rows.count < lines.count ? [ExplorerState.Hint(key: "↑ ↓", word: "scroll")] : []
        return scroll + [.init(key: "Enter", word: words.joined(separator: " ")), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        press(key).map { button in .closes { $0.press(button) } } ?? .stays()
    }
}

extension ExplorerState {
    fileprivate mutating func press(_ button: Dialog.Button) -> [ExplorerEffect] {
        switch button.action {
        case .close: drafts.quitsWhenSaved = false
        case .discardAndQuit:
            // What was given up on purpose must not come back the next time.
            return drafts.unsaved.map { .writeDraft($0, nil) } + [.quit]
        case .saveAllAndQuit:
            drafts.quitsWhenSaved = true
            return save(drafts.unsaved)
        case .keepMine(let reference, let entries): return keepMine(reference, entries)
        case .takeTheirs(let reference, let entries): return takeTheirs(reference, entries)
        case .putBack(let reference):
            do throws(CollectionProblem) {
                return try putBack(reference)
            } catch {
                drafts.quitsWhenSaved = false
                return say(error.message, .error)
            }
        case .putBackAs(let reference): overlay = puttingBackForm(reference)
        case .giveUp(let reference): return giveUp(reference)
        case .delete(let reference): return treeChanges.write(deleting(reference))
        case .open(let location): return [.openFile(location)]
        }
        return []
    }
}

extension Dialog: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner
        let (lines, seen) = shown(in: inner.inset(columns: 1).size)
        canvas.draw(in: inner.inset(columns: 1)) { canvas in
            for row in seen { canvas.text(lines[row], .text, column: 0, row: row - seen.lowerBound) }
            let rows = buttonRows(columns: canvas.bounds.columns)
            for (row, buttons) in rows.enumerated() { draw(buttons, row: canvas.bounds.rows - rows.count + row, on: &canvas) }
        }
        canvas.scrollbar(column: inner.endColumn, rows: inner.row..<inner.row + seen.count, visible: seen, total: lines.count)
    }

    private func draw(_ indices: Range<Int>, row: Int, on canvas: inout Canvas) {
        var column = 0
        for index in indices {
            let button = buttons[index]
            if index == selected { canvas.fill(Rect(column: column, row: row, columns: button.columns, rows: 1), .selection) }
            canvas.text("\(button.key)", .key, column: column + 1, row: row)
            canvas.text(button.title, index == selected ? .strong : .text, column: column + 3, row: row)
            column += button.columns + 2
        }
    }
}
