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
    /// The first is the one that hints show; none: the palette finds it.
    var keys: [KeyPress]
    /// Where its keys work; the palette offers it everywhere.
    var panes: Set<Pane>

    /// The raw value is its name in a keymap file.
    enum ID: String, Sendable, Hashable, CaseIterable, Codable {
        // Requests
        case send, cancel, back
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
        case copy, share, why
        case whatIf = "what-if"
        case lab
        case askTrust = "trust"
        case askSchema = "schema"

        // Moving
        case up, down, left, right
        case pageUp = "page-up"
        case pageDown = "page-down"
        case top, bottom
        case goToTab = "go-to-tab"
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
        case captureThis = "capture-this"
        case writeMessage = "write-message"
        case closeSession = "close-session"

        // The history
        case replay
        case compare

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
        case palette, help, redraw, suspend, quit
    }

    init(
        _ id: ID, _ title: String, hint: String? = nil, keys: [KeyPress] = [], in panes: Set<Pane> = Set(Pane.allCases),
        help: String
    ) {
        self.id = id
        self.title = title
        self.hint = hint ?? title.lowercased()
        self.help = help
        self.keys = keys
        self.panes = panes
    }
}

extension Command {
    /// Every command, in the order of the help.
    static let all: [Command] = groups.flatMap(\.commands)

    /// The groups of commands as keymap files and the manual list them.
    static let groups: [(title: String, commands: [Command])] = [
        ("Requests", requests), ("Moving", moving), ("Editing", editing), ("The tree", structure), ("The response", response),
        ("The screen", screen),
    ]

    private static let requests = [
        Command(
            .send, "Send", keys: ["s", .init(.function(5))],
            help: "Send the request as it stands, edits included; a second send runs beside the first."),
        Command(
            .cancel, "Cancel", keys: ["x"],
            help: "Cancel the selected operation at once: its connection is closed, and what arrived is kept."),
        Command(
            .back, "Back", keys: [.init(.escape)],
            help: "End the search, then the filter, then the zoom, then editing. It never cancels."),
        Command(
            .retryNow, "Retry now", hint: "retry now", keys: ["+"],
            help: "While the operation waits to try again: try at once."),
        Command(
            .stopRetrying, "Stop retrying", hint: "give up", keys: ["-"],
            help: "Try no more: the operation ends with what its last attempt brought."),
        Command(
            .cancelAll, "Cancel everything", in: Set(Pane.allCases).subtracting([.queue]),
            help: "Cancel every operation that runs or waits."),
        Command(
            .cancelSubtree, "Cancel with what waits for it", hint: "cancel tree", in: [.queue],
            help: "Cancel the operation, and with it all that can't begin before it has ended."),
        Command(
            .pauseQueue, "Pause or resume the queue", hint: "pause",
            help: "Hold back operations that have not started, or let them go."),
        Command(
            .startEarlier, "Start earlier", hint: "earlier", in: [.queue],
            help: "Let what waits in the queue start before the one above it."),
        Command(
            .startLater, "Start later", hint: "later", in: [.queue],
            help: "Let what waits in the queue start behind the one below it."),
        Command(
            .priority, "Priority", hint: "priority", in: [.queue],
            help: "Choose how urgent an operation is: of those that wait the most urgent starts first."),
        Command(
            .forgetCookies, "Forget cookies and secrets", hint: "forget cookies",
            help:
                "Forget the cookies that this collection's requests share while the explorer runs, and ask commands and people for secrets again; jars with a name stay."
        ),
        Command(
            .askSchema, "Ask for the schema", hint: "schema",
            help:
                "Ask the request's server for its GraphQL schema, for completion and faults; that of graphql-schema is read again."),
        Command(.save, "Save", keys: ["w"], help: "Write this request to its file; every byte that was not edited stays."),
        Command(.saveAll, "Save all", help: "Write every edited request to its file."),
        Command(
            .undo, "Undo", keys: ["u"],
            help:
                "Take back the last edit of this request; in the tree, the last change of the tree, also when that deleted something."
        ),
        Command(.redo, "Redo", keys: ["U", .control("r")], help: "Do again what was undone."),
        Command(
            .chooseEnvironment, "Environment", hint: "env", keys: ["v"],
            help: "Choose the environment that gives variables their values."),
        Command(
            .editVariables, "Environments and variables", hint: "variables",
            help: "See, add, change and remove environments and their variables, in the collection's file."),
        Command(.copy, "Copy", keys: ["y"], help: "Copy the value, the body, the URL, or the request as a curl command."),
        Command(
            .share, "Share", keys: ["S"],
            help: "Write the run to a file for other people: what was sent and received, hop by hop, times and certificate, masked."
        ),
        Command(
            .why, "Why?", hint: "why", keys: ["!"],
            help: "Say why the run failed or wasn't sent, what shows it, and which keys mend it and send again."),
        Command(
            .whatIf, "What if?", hint: "what-if", keys: ["."],
            help: "Send it once more without auth, over a new connection, with another HTTP version …; . . does the last one again."
        ),
        Command(
            .lab, "Latency lab", hint: "lab", keys: ["B"],
            help:
                "Send it many times, and see p50, p90, p99 and a histogram of each phase; 100 times, 4 at once, unless you say more."
        ),
        Command(
            .askTrust, "Allow what it wants", hint: "allow", keys: ["T"],
            help: "Ask for all that the collection wants of this machine and isn't allowed: commands, files, variables, secrets."),
    ]

    private static let moving = [
        Command(.up, "Up", keys: ["k", .init(.up)], help: "One row up."),
        Command(.down, "Down", keys: ["j", .init(.down)], help: "One row down."),
        Command(.left, "Left", keys: ["h", .init(.left)], help: "Left, or close the folder."),
        Command(.right, "Right", keys: ["l", .init(.right)], help: "Right, or open the folder."),
        Command(.pageUp, "Page up", keys: [.init(.pageUp), .control("b")], help: "A screen up."),
        Command(.pageDown, "Page down", keys: [.init(.pageDown), .control("f")], help: "A screen down."),
        Command(.top, "To the top", hint: "top", keys: [.init(.home)], help: "To the first row."),
        Command(.bottom, "To the bottom", hint: "bottom", keys: ["G", .init(.end)], help: "To the last row."),
        Command(
            .goToTab, "Go to a tab", hint: "tab …", keys: ["g"],
            help:
                "Then the first letter of a tab: b body, h headers, t timing, c checks, l log, p params …; g again goes to the first row."
        ),
        Command(
            .previousTab, "Previous tab", hint: "tab", keys: ["["],
            help: "The tab to the left; in a pane without tabs, that of the response."),
        Command(
            .nextTab, "Next tab", hint: "tab", keys: ["]"],
            help: "The tab to the right; in a pane without tabs, that of the response."),
        Command(
            .search, "Search", hint: "find", keys: ["/"],
            help:
                "Look for a text; in the tree and the history, show only what matches: there also status:5xx, is:failed, over:1s, since:2d."
        ),
        Command(.nextMatch, "Next match", hint: "next", keys: ["n"], help: "To the next place that matches."),
        Command(.previousMatch, "Previous match", hint: "prev", keys: ["N"], help: "To the place before that matches."),
        Command(
            .activate, "Open", hint: "open", keys: [.init(.enter)],
            help: "Open or close a folder, go to the request, edit the row, fold or unfold a part of the body."
        ),
        Command(
            .toggle, "Switch on or off", hint: "on/off", keys: [" "],
            help: "Switch a header or parameter on and off; open or close a folder; hold a stream still, and follow it again."),
    ]

    private static let editing = [
        Command(
            .edit, "Edit", keys: ["e"], in: [.request, .response],
            help: "Edit the row where it stands; in the response of an open WebSocket, type a message."),
        Command(
            .editExternally, "Edit in $EDITOR", hint: "editor", keys: ["E"], in: [.request],
            help: "Open the body, or the row's value, in $EDITOR; of what the tab settings explains the file, at its line."),
        Command(.method, "Method", keys: ["m"], in: [.collection, .request], help: "Choose the method."),
        Command(.addRow, "Add a row", hint: "add", keys: ["a"], in: [.request], help: "Add a header, a parameter or a field."),
        Command(
            .deleteRow, "Delete the row", hint: "delete", keys: ["d"], in: [.request],
            help: "Delete the header, parameter or field; undo brings it back."),
    ]

    private static let structure = [
        Command(
            .newRequest, "New request", hint: "new", keys: ["a"], in: [.collection],
            help: "Add a request to the folder under the cursor, or beside the request."),
        Command(.newFolder, "New folder", in: [.collection], help: "Add a folder to the folder under the cursor."),
        Command(
            .newCollection, "New collection", in: [.collection],
            help: "Make a collection: one file, or a directory with a file for each request."),
        Command(
            .renameEntry, "Rename", keys: ["e", .init(.function(2))], in: [.collection],
            help: "Give the request or folder another name; what refers to it follows."),
        Command(
            .duplicateEntry, "Duplicate", in: [.collection],
            help: "Copy the request or folder, with what isn't saved."),
        Command(
            .deleteEntry, "Delete", keys: ["d"], in: [.collection],
            help: "Delete the request or folder; asks first, and undo brings it back."),
        Command(
            .moveEntry, "Move to a folder", hint: "move", in: [.collection],
            help: "Move the request or folder to another folder, or another collection."),
        Command(.moveEntryUp, "Move up", in: [.collection], help: "Put it before the one above it."),
        Command(.moveEntryDown, "Move down", in: [.collection], help: "Put it behind the one below it."),
    ]

    private static let response = [
        Command(
            .raw, "Pretty, raw or hex", hint: "raw", keys: ["o"], in: [.response],
            help: "Show the body laid out and coloured, as it came, or byte by byte."),
        Command(
            .wrap, "Wrap long lines", hint: "wrap", in: [.response],
            help: "Break lines at the edge, or let them run on beyond it."),
        Command(
            .lineNumbers, "Line numbers", hint: "numbers", in: [.response], help: "Show or hide the numbers of lines."),
        Command(
            .filter, "Filter the body or the events", hint: "filter", keys: ["f"], in: [.response],
            help:
                "Show only what a jq filter, xpath:… or /…/ finds in a body, or what !wc -l prints of it; of events, those with words; of a stream, what .level == \"error\" or words let through."
        ),
        Command(
            .foldAll, "Fold all", hint: "fold all", in: [.response],
            help: "Show each member of a JSON, XML or HTML body on one row, or unfold all; Enter folds one."),
        Command(
            .expectThis, "Expect this", hint: "expect", keys: ["="], in: [.response],
            help:
                "Expect of the next run that the value under the cursor exists; again: that it is the same, of its type. On other tabs: status and headers."
        ),
        Command(
            .captureThis, "Capture this", hint: "capture", keys: ["$"], in: [.response],
            help: "Keep the value under the cursor in a variable, in each run."),
        Command(
            .openBody, "Open the body elsewhere", hint: "open", in: [.response],
            help: "Show a text in $PAGER, and open an image or another file with the program that the desktop has for it."),
        Command(
            .readAs, "Read the body as", hint: "read as", in: [.response],
            help: "Take the body for another type or charset than the server says."),
        Command(.saveBody, "Save the body", hint: "save", in: [.response], help: "Write the body to a file."),
        Command(
            .writeMessage, "Write a message to the WebSocket", hint: "message", in: [.response],
            help: "Type messages, which Enter sends through the WebSocket that is open."),
        Command(
            .closeSession, "Close the WebSocket", hint: "close", in: [.response],
            help: "Close the WebSocket that is open with code 1000, and wait for the server's close."),
        Command(
            .replay, "Replay", keys: ["r"], in: [.response, .queue, .history],
            help: "Send the request of this operation again, as it was sent then."),
        Command(
            .compare, "Compare two runs", hint: "compare", keys: ["c"],
            help: "In the history: mark this run, and then another one; elsewhere: compare with the run before."),
        Command(
            .previousAttempt, "Previous attempt or hop", hint: "", keys: ["{"],
            help: "Show the attempt before: what was sent, what came, and its times. In a comparison, align the two elsewhere."),
        Command(
            .nextAttempt, "Next attempt or hop", hint: "attempt", keys: ["}"],
            help: "Show the next attempt or hop; behind the last one, follow those that come."),
    ]

    private static let panes = Pane.allCases.map { pane in
        Command(
            pane.description.focus, pane.title, keys: [KeyPress(.character(Character("\(pane.rawValue)")))],
            help: "Focus the \(pane).")
    }

    private static let screen =
        [
            Command(.nextPane, "Next pane", hint: "pane", keys: [.init(.tab)], help: "Focus the next pane."),
            Command(.previousPane, "Previous pane", keys: [.init(.tab, .shift)], help: "Focus the pane before."),
        ] + panes + [
            Command(
                .focusOperation, "What the operation did", hint: "timing", keys: ["3"],
                help: "Go to the tab timing: the attempts and hops of the operation, with their phases."),
            Command(.zoom, "Zoom", keys: ["z"], help: "Give the focused pane the whole screen, or give it back."),
            Command(
                .larger, "Larger pane", hint: "larger",
                help: "Make the focused pane larger; its borders can be dragged, too."),
            Command(.smaller, "Smaller pane", hint: "smaller", help: "Make the focused pane smaller."),
            Command(
                .designedSizes, "Sizes as designed", hint: "as designed",
                help: "Put the borders that were moved back where they belong."),
            Command(
                .holdStill, "Hold the borders still", hint: "hold still",
                help: "Keep the panes' sizes while one edits and sends, or let the screen follow."),
            Command(.chooseTheme, "Theme", help: "Choose the colours."),
            Command(
                .reload, "Reload the collection", hint: "reload",
                help: "Read the collection's files again; edits stay."),
            Command(
                .palette, "Find anything", hint: "all", keys: [":", .control("p")],
                help: "Find requests, runs, commands, environments, settings, tabs, rows and themes; send a URL or a curl command."),
            Command(
                .help, "Help", keys: ["?", .init(.function(1))],
                help:
                    "Every key that works in this pane, those that help now first; typing looks among all, Enter does what is selected."
            ),
            Command(.redraw, "Redraw", help: "Draw the screen anew."),
            Command(.suspend, "Suspend", keys: [.control("z")], help: "Back to the shell; fg returns."),
            Command(.quit, "Quit", keys: ["q"], help: "Leave; asks when something is unsaved or still runs."),
        ]
}

extension KeyPress: ExpressibleByExtendedGraphemeClusterLiteral {
    init(extendedGraphemeClusterLiteral character: Character) {
        self.init(.character(character))
    }

    static func control(_ character: Character) -> KeyPress {
        KeyPress(.character(character), .control)
    }
}
