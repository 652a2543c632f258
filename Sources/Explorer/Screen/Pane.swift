import TerminalUI

/// A part of the screen. Its raw value is the number in its title and the key that focuses it.
///
/// A new pane is a case here with its description, a state in ``PaneStates``, a command that focuses it, and a folder of its own.
enum Pane: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
    case collection = 1, request = 2, response = 4, queue, history

    var description: PaneDescription {
        switch self {
        case .collection: .collection
        case .request: .request
        case .response: .response
        case .queue: .queue
        case .history: .history
        }
    }

    var title: String { description.title }

    /// The command that gives it the focus.
    var focusCommand: Command.ID { description.focus }

    /// Whether it lists runs: it has all of the stage while it has the focus, and else no place.
    var isList: Bool { self == .queue || self == .history }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What each pane holds by itself.
struct PaneStates: Sendable {
    var collection = CollectionPaneState()
    var request = RequestPaneState()
    var response = ResponsePaneState()
    var queue = QueuePaneState()
    var history = HistoryPaneState()
}

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
}

/// What the terminal gives, and how the panes share it.
struct Screen: Sendable {
    /// What the panes have: the terminal's, but for the rows of the tour.
    var size: Size
    var focus = Pane.collection
    /// What had the focus before a list of runs, and gets it back.
    var focusBefore = Pane.collection
    var isZoomed = false
    /// Which borders the stage has: changed by keys alone.
    var moment = Layout.Moment.sent
    var adjustments = Layout.AdjustmentBook()
    /// See ``Layout/holdsStill``.
    var holdsStill = false
    var dragged: Layout.Divider?
    /// The mouse selects in the line that is being typed.
    var isSelecting = false
    /// How often something has come over the panes, or gone.
    var openings = 0
    /// What ``openings`` was before the last press.
    var pressed = 0
    var theme: String
    /// Nobody has chosen the theme: it is the one that fits the terminal's ground.
    var followsGround = false
    var themes: [String]
    /// The terminal shows PNG files themselves.
    var showsImages = false

    mutating func setFocus(_ pane: Pane) {
        if !focus.isList { focusBefore = focus }
        focus = pane
        moment = pane.description.moment ?? moment
    }

    mutating func focusNext(_ step: Int) {
        let panes = Pane.allCases.filter { !$0.isList }
        setFocus(panes[(panes.firstIndex(of: focus) ?? -1).stepped(by: step, of: panes.count)])
    }
}
