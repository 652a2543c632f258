import Presentation
import TerminalUI

/// Every command of a pane with its keys, those that help most now first: what is typed finds those of all panes with all its words.
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

    mutating func find() {
        let words = line.text.lowercased().split(separator: " ")
        var first: [Command] = []
        for command in now.compactMap({ Command[$0] }) where !first.contains(command) { first.append(command) }
        rows = ([("Now", first)] + Command.groups).flatMap { title, commands in
            let found = commands.filter { command in
                let text = "\(command.title) \(command.id.rawValue) \(command.help) \(command.keys.map(\.name))".lowercased()
                let isHere = command.panes.contains(pane) || !words.isEmpty
                return (title == "Now" || isHere && !first.contains(command)) && words.allSatisfy { text.contains($0) }
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

extension Help: TypedListOverlay {
    var overlay: Overlay { .help(self) }
    var title: String { "Keys: \(pane.title)" }

    func area(in screen: Rect) -> Rect { screen.centered(Size(columns: 84, rows: screen.rows)) }

    func listArea(in inner: Rect) -> Rect { inner.splitTop(1).rest.splitBottom(inner.rows > 9 ? Self.sentenceRows : 0).rest }
    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "↑ ↓", word: "scroll"), .init(key: "Enter", word: "do it"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape: return .closes()
        case _ where line.isEmpty && state.isKey(key, of: .help): return .closes()
        // It is looked in from the start.
        case _ where line.isEmpty && state.isKey(key, of: .search): break
        case .enter:
            guard let selected else { return .stays() }
            // What a command acts on must be seen.
            let elsewhere = selected.panes.contains(pane) ? [] : Pane.allCases.filter(selected.panes.contains).prefix(1)
            return .closes { state in (elsewhere.map(\.focusCommand) + [selected.id]).flatMap { state.perform($0) + state.fit() } }
        case .up, .down, .pageUp, .pageDown:
            _ = list.handle(key)
            skipHeading(forward: key.key == .down || key.key == .pageDown)
        default:
            type { _ = $0.handle(key, clipboard: &clipboard) }
        }
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
        if rows.isEmpty { canvas.text("no command has these words", .dim, column: rect.column + 1, row: rect.row) }
        canvas.list(list, in: rect) { canvas, index, row in
            switch rows[index] {
            case .heading(let title): canvas.text(title, .title, column: 1, row: row)
            case .command(let command):
                let keys = state.keymap.keys(for: command.id).map(\.name).joined(separator: " ")
                canvas.text(keys.isEmpty ? state.keyName(.palette) : keys, keys.isEmpty ? .dim : .key, column: 3, row: row)
                let end = canvas.text(command.title, .strong, column: 16, row: row, limit: rect.columns - 17, ellipsis: true)
                guard !command.panes.contains(pane) else { return }
                let places = Pane.allCases.filter(command.panes.contains).map(\.title).joined(separator: ", ")
                canvas.text("in \(places)", .dim, column: end + 2, row: row)
            }
        }
        guard let selected, rect.endRow < layout.area.inner.endRow else { return }
        let sentence = LineWrapping.lines(of: selected.help, columns: rect.columns - 2)
        for (row, text) in sentence.prefix(Self.sentenceRows - 1).enumerated() {
            canvas.text(text, .info, column: rect.column + 1, row: rect.endRow + 1 + row)
        }
    }
}
