import TerminalUI

/// Every command of a pane with its keys.
struct Help: Hashable, Sendable {
    var pane: Pane
    var list: ListState

    init(pane: Pane) {
        self.pane = pane
        self.list = ListState(count: Help.commands(of: pane).count)
    }

    /// Below its list: a blank row, and all of the sentence of the selected command.
    static let sentenceRows = 3

    var commands: [Command] { Help.commands(of: pane) }

    /// The commands of this pane alone come first.
    private static func commands(of pane: Pane) -> [Command] {
        let here = Command.all.filter { $0.panes.contains(pane) }
        // A command of nearly all panes isn't this one's own.
        let isOwn = { (command: Command) in command.panes.count < Pane.allCases.count - 1 }
        return here.filter(isOwn) + here.filter { !isOwn($0) }
    }
}

extension Help: ListedOverlay {
    var overlay: Overlay { .help(self) }
    var title: String { "Keys: \(pane.title)" }

    func area(in screen: Rect) -> Rect {
        screen.centered(Size(columns: 132, rows: commands.count + 2 + Self.sentenceRows))
    }

    func listArea(in inner: Rect) -> Rect { inner.splitBottom(inner.rows > 8 ? Self.sentenceRows : 0).rest }
    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "↑ ↓", word: "scroll"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        _ = list.handle(key)
        return state.isClosing(key, .help) ? .closes() : .stays()
    }
}

extension Help: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (commands, rect) = (commands, layout.list)
        let keys = commands.map { state.keymap.keys(for: $0.id).map(\.name).joined(separator: " ") }
        let keyColumns = min(12, keys.map(\.count).max() ?? 0)
        let isWide = rect.columns >= 60
        let titleColumns = isWide ? (commands.map { $0.title.count }.max() ?? 0) + 2 : 0
        let rows = list.window(height: rect.rows)
        canvas.draw(in: rect) { canvas in
            for row in rows {
                let line = row - rows.lowerBound
                if row == list.selected { OverlayView.select(line, on: &canvas) }
                canvas.text(keys[row], .key, column: 1, row: line, limit: keyColumns, ellipsis: true)
                var column = keyColumns + 3
                if isWide {
                    canvas.text(commands[row].title, .strong, column: column, row: line)
                    column += titleColumns
                }
                canvas.text(commands[row].help, .text, column: column, row: line, limit: rect.columns - column - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: commands.count)
        guard let selected = list.selection else { return }
        let sentence = LineWrapping.lines(of: commands[selected].help, columns: rect.columns - 2)
        for (row, text) in sentence.prefix(Self.sentenceRows - 1).enumerated() {
            canvas.text(text, .info, column: rect.column + 1, row: rect.endRow + 1 + row)
        }
    }
}
