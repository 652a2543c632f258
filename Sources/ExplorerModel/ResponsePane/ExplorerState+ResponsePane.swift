import TerminalUI

extension ExplorerState {
    /// A command while the response pane has the focus; `nil`: not one of its own.
    mutating func responsePane(perform command: Command.ID) -> [ExplorerEffect]? {
        nil
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func responsePane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        []
    }

    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func responsePane(search text: String) -> [ExplorerEffect] {
        []
    }
}
