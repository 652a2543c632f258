import TerminalUI

/// What the terminal gives, and how the panes share it.
struct Screen: Sendable {
    /// What the panes have: the terminal's, but for the rows of the tour.
    var size: Size
    var focus = Pane.collection
    var isZoomed = false
    /// Which borders the stage has: changed by keys alone.
    var moment = Layout.Moment.sent
    /// What the panes below the tree asked for at the last key.
    var demand: Layout.Demand = [:]
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
    /// The terminal has colours enough for images.
    var drawsPictures = false
    /// The terminal shows PNG files themselves.
    var showsImages = false

    init(size: Size, theme: String, themes: [String]) {
        self.size = size
        self.theme = theme
        self.themes = themes
    }

    mutating func setFocus(_ pane: Pane) {
        focus = pane
        moment = pane.description.moment ?? moment
    }

    mutating func focusNext(_ step: Int) {
        setFocus(Pane.allCases[(focus.rawValue - 1).stepped(by: step, of: Pane.allCases.count)])
    }
}
