import Presentation
import TerminalUI

/// Every command of a pane with its keys, those that help most now first: what is typed leaves those with all its words.
struct Help: Hashable, Sendable {
    var line = LineEditor()
    var list = ListState()
    let pane: Pane
    private let now: [Command.ID]
    private(set) var rows: [Row] = []

    enum Row: Hashable, Sendable {
        case heading(String)
        case command(Command)
    }

    /// - Parameter now: what helps most, the most useful first.
    init(pane: Pane, now: [Command.ID] = []) {
        (self.pane, self.now) = (pane, now)
        find()
    }

    /// Below its list: a blank row, and all of the sentence of the selected command.
    private static let sentenceRows = 4

    var commands: [Command] {
        rows.compactMap { row in
            if case .command(let command) = row { command } else { nil }
        }
    }

    private var selected: Command? {
        guard let row = list.selection, case .command(let command) = rows[row] else { return nil }
        return command
    }

    private mutating func find() {
        let words = line.text.lowercased().split(separator: " ")
        var first: [Command] = []
        for command in now.compactMap({ Command[$0] }) where !first.contains(command) { first.append(command) }
        rows = ([("Now", first)] + Command.groups).flatMap { title, commands in
            let found = commands.filter { command in
                let text = "\(command.title) \(command.id.rawValue) \(command.help) \(command.keys.map(\.name))".lowercased()
                return (title == "Now" || command.panes.contains(pane) && !first.contains(command))
                    && words.allSatisfy { text.contains($0) }
            }
            return found.isEmpty ? [] : [Row.heading(title)] + found.map(Row.command)
        }
        list = ListState(count: rows.count, selected: 1, height: list.height)
    }

    /// A heading isn't stopped at.
    private mutating func skipHeading(forward: Bool) {
        guard let row = list.selection, selected == nil else { return }
        list.move(by: forward || row == 0 ? 1 : -1)
    }
}

extension Help: ListedOverlay {
    var overlay: Overlay { .help(self) }
    var title: String { "Keys: \(pane.title)" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 84, rows: screen.rows)) }

    func listArea(in inner: Rect) -> Rect { inner.splitTop(1).rest.splitBottom(inner.rows > 9 ? Self.sentenceRows : 0).rest }
    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "↑ ↓", word: "scroll"), .init(key: "Enter", word: "do it"), .init(key: "Esc", word: "back")]
    }

    var isTypedInto: Bool { true }
    var typedLine: LineEditor? {
        get { line }
        set { if let newValue { line = newValue } }
    }

    func typedField(in inner: Rect) -> Rect? { inner.line(0).inset(columns: 1).splitLeft(2).rest }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape: return .closes()
        case _ where line.isEmpty && state.isKey(key, of: .help): return .closes()
        // It is looked in from the start.
        case _ where line.isEmpty && state.isKey(key, of: .search): break
        case .enter:
            guard let selected else { return .stays() }
            return .closes { $0.perform(selected.id) }
        case .up, .down, .pageUp, .pageDown:
            _ = list.handle(key)
            skipHeading(forward: key.key == .down || key.key == .pageDown)
        default:
            let revision = line.revision
            _ = line.handle(key, clipboard: &clipboard)
            if line.revision != revision { find() }
        }
        return .stays()
    }

    mutating func paste(_ text: String, in state: ExplorerState) -> OverlayStep {
        _ = line.paste(text)
        find()
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool {
        guard let index = self.list.index(atRow: row), case .command = rows[index] else { return false }
        self.list.select(index)
        return false
    }
}

extension Help: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let rect = layout.list
        canvas.text("/", .key, column: rect.column + 1, row: layout.area.inner.row)
        if let field = layout.typedField { line.draw(on: &canvas, in: field, isFocused: true, placeholder: "a word or a key") }
        let shown = list.window(height: rect.rows)
        canvas.draw(in: rect) { canvas in
            if rows.isEmpty { canvas.text("no command has these words", .dim, column: 1, row: 0) }
            for row in shown {
                let line = row - shown.lowerBound
                switch rows[row] {
                case .heading(let title): canvas.text(title, .title, column: 1, row: line)
                case .command(let command):
                    if row == list.selected { OverlayView.select(line, on: &canvas) }
                    let keys = state.keymap.keys(for: command.id).map(\.name).joined(separator: " ")
                    canvas.text(
                        keys.isEmpty ? "\(state.keyName(.palette))" : keys, keys.isEmpty ? .dim : .key, column: 3, row: line)
                    canvas.text(command.title, .strong, column: 16, row: line, limit: rect.columns - 17, ellipsis: true)
                }
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: shown, total: rows.count)
        guard let selected, rect.endRow < layout.area.inner.endRow else { return }
        let sentence = LineWrapping.lines(of: selected.help, columns: rect.columns - 2)
        for (row, text) in sentence.prefix(Self.sentenceRows - 1).enumerated() {
            canvas.text(text, .info, column: rect.column + 1, row: rect.endRow + 1 + row)
        }
    }
}
