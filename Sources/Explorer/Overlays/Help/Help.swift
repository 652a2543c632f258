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
