import TerminalUI

/// All that the screen asks of a pane.
struct PaneDescription: Sendable {
    let title: String
    /// The command that gives it the focus.
    let focus: Command.ID
    /// Which borders the stage has when the pane gets the focus; `nil`: as before.
    var moment: Layout.Moment?
    /// What can be asked of it while another pane has the focus, from the palette say.
    var commands: Set<Command.ID> = []
    /// Whether it gets the focus with such a command; `nil`: it isn't performed at all.
    var takesFocus: @Sendable (ExplorerState) -> Bool? = { _ in true }
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

    /// What it asks for as one of the panes that cover the last rows of the tree; `nil`: it has a place of its own.
    var foot: Foot?

    struct Foot: Sendable {
        /// The rows that it asks for, borders not counted; 0: it has nothing to say.
        let room: @Sendable (ExplorerState) -> Int
        /// How many things it holds, for the tree's edge while it isn't shown.
        let count: @Sendable (ExplorerState) -> Int
    }

    typealias JumpPlace = (place: Jump.Place, point: Point)
}
