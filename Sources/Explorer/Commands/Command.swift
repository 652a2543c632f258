import TerminalUI

/// Something a user can ask for. ``Command/all`` is the one table of them: it feeds the keymap, the help, the palette, and
/// the hints in the status line.
struct Command: Sendable, Hashable, Identifiable {
    var id: ID
    /// A few words: the palette, the help.
    var title: String
    /// One word or two for the status line.
    var hint: String
    /// A sentence.
    var help: String
    /// The first is the one that hints show.
    var keys: [KeyPress]
    /// Where its keys work; the palette offers it everywhere.
    var panes: Set<Pane>

    /// The raw value is its name in a keymap file.
    enum ID: String, Sendable, Hashable, CaseIterable, Codable {
        // Requests
        case send, cancel, back, interrupt
        case retryNow = "retry-now"
        case stopRetrying = "stop-retrying"
        case cancelAll = "cancel-all"
        case pauseQueue = "pause-queue"
        case cancelSubtree = "cancel-subtree"
        case forgetCookies = "forget-cookies"
        case startEarlier = "start-earlier"
        case startLater = "start-later"
        case priority
        case save
        case saveAll = "save-all"
        case undo, redo
        case chooseEnvironment = "environment"
        case editVariables = "variables"
        case copy, why
        case whatIf = "what-if"
        case lab
        case askTrust = "trust"

        // Moving
        case up, down, left, right
        case pageUp = "page-up"
        case pageDown = "page-down"
        case top, bottom
        case previousTab = "previous-tab"
        case nextTab = "next-tab"
        case search
        case nextMatch = "next-match"
        case previousMatch = "previous-match"
        case activate
        case toggle

        // Editing
        case edit
        case editExternally = "edit-externally"
        case method
        case addRow = "add-row"
        case deleteRow = "delete-row"

        // The tree
        case newRequest = "new-request"
        case newFolder = "new-folder"
        case newCollection = "new-collection"
        case duplicateEntry = "duplicate"
        case renameEntry = "rename"
        case deleteEntry = "delete"
        case moveEntry = "move"
        case moveEntryUp = "move-up"
        case moveEntryDown = "move-down"

        // The response
        case raw
        case wrap
        case lineNumbers = "line-numbers"
        case filter
        case foldAll = "fold-all"
        case saveBody = "save-body"
        case openBody = "open-body"
        case readAs = "read-as"
        case expectThis = "expect-this"

        // The history
        case replay
        case compare
        case trend
        case hosts

        case previousAttempt = "previous-attempt"
        case nextAttempt = "next-attempt"

        // The screen
        case nextPane = "next-pane"
        case previousPane = "previous-pane"
        case focusCollection = "focus-collection"
        case focusRequest = "focus-request"
        case focusOperation = "focus-operation"
        case focusResponse = "focus-response"
        case focusQueue = "focus-queue"
        case focusHistory = "focus-history"
        case zoom
        case larger, smaller
        case designedSizes = "designed-sizes"
        case holdStill = "hold-still"
        case chooseTheme = "theme"
        case reload
        case palette, jump, help, redraw, suspend, quit
    }

    init(_ id: ID, _ title: String, hint: String? = nil, keys: [KeyPress], in panes: Set<Pane> = Set(Pane.allCases), help: String) {
        self.id = id
        self.title = title
        self.hint = hint ?? title.lowercased()
        self.help = help
        self.keys = keys
        self.panes = panes
    }
}
