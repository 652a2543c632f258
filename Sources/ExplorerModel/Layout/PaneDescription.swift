import TerminalUI

/// All that the screen asks of a pane. A new pane is a folder with a state, a reducer and one of these, and a line in ``Pane/description``.
struct PaneDescription: Sendable {
    let title: String
    /// Which borders the stage has when the pane gets the focus; `nil`: as before.
    var moment: Layout.Moment?
    /// A command while the pane has the focus; `nil`: not one of its own.
    let perform: @Sendable (inout ExplorerState, Command.ID) -> [ExplorerEffect]?
    /// A click or the wheel inside of the pane, whose inner part is given.
    let mouse: @Sendable (inout ExplorerState, MouseEvent, Rect) -> [ExplorerEffect]
    /// What is looked for; empty: nothing is.
    let searchText: @Sendable (ExplorerState) -> String
    /// The text that is looked for changed; an empty one ends the search.
    let search: @Sendable (inout ExplorerState, String) -> [ExplorerEffect]
    /// What is most useful in it, for the status line.
    let hints: @Sendable (ExplorerState) -> [Command.ID]
    /// Its tabs, and where each leads.
    var tabs: @Sendable (ExplorerState) -> (tabs: PaneTabs, places: [Jump.Place])? = { _ in nil }
    /// The rows that are seen and can be gone to, with the point of each one's first cell.
    let rows: @Sendable (ExplorerState, Rect) -> [JumpPlace]

    typealias JumpPlace = (place: Jump.Place, point: Point)
}

extension Pane {
    var description: PaneDescription {
        switch self {
        case .collection: .collection
        case .request: .request
        case .operation: .operation
        case .response: .response
        case .queue: .queue
        case .history: .history
        }
    }

    package var title: String { description.title }
}
