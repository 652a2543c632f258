import TerminalUI

extension ExplorerState {
    /// A command while the operation pane has the focus; `nil`: not one of its own.
    mutating func operationPane(perform command: Command.ID) -> [ExplorerEffect]? {
        nil
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func operationPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        []
    }

    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func operationPane(search text: String) -> [ExplorerEffect] {
        []
    }
}
