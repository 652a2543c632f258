package import NetworkLayer
package import OrderedCollections
package import RequestCollections
package import TerminalUI

/// Everything the explorer knows. Each event changes it and gives back what is to be done; a frame is drawn from it alone.
///
///     TerminalEvent ─┐                               ┌─> [ExplorerEffect] ─> files, queue, editor …
///     NetworkEvent ──┼─> ExplorerEvent ─> handle(_:) ┤                              │
///     answers  ──────┘         ▲                     └─> ExplorerView.frame(for:)   │
///                              └────────────────────────────────────────────────────┘
package struct ExplorerState: Sendable {
    /// What the panes have: the terminal's, but for the rows of the tour.
    package internal(set) var size: Size
    package internal(set) var tour: Tour?
    /// The time of the last event: what gauges and running phases are drawn against.
    package internal(set) var now = MonotonicTime.zero

    // The screen
    package internal(set) var focus = Pane.collection
    package internal(set) var isZoomed = false
    /// Which borders the stage has: changed by keys alone.
    package internal(set) var moment = Layout.Moment.sent
    /// What the panes below the tree asked for at the last key.
    package internal(set) var demand: Layout.Demand = [:]
    package var adjustments = Layout.AdjustmentBook()
    /// See ``Layout/holdsStill``.
    package var holdsStill = false
    package internal(set) var overlay: Overlay?
    /// What came up by itself and waits until nothing else has the keyboard, in the order in which it came.
    package internal(set) var arrivals: [Overlay] = []
    var keyboard = KeyboardGuard()
    /// Being typed into, below the panes.
    package internal(set) var searchLine: SearchLine?
    /// Until the next key.
    package internal(set) var notice: Notice?
    package internal(set) var theme: String
    /// Nobody has chosen the theme: it is the one that fits the terminal's ground.
    package var followsGround = false
    package internal(set) var themes: [String]
    package internal(set) var keymap: Keymap
    /// What was found in the omnibox, how often and when.
    package internal(set) var uses = UseBook()
    var dragged: Layout.Divider?
    /// What editors cut and copied; the terminal's own gets it too.
    var clipboard = ""
    var quitsWhenSaved = false

    // What is open
    package internal(set) var collections: OrderedDictionary<String, RequestCollection> = [:] {
        didSet { collectionsReading += 1 }
    }
    /// Counts what was read.
    private(set) var collectionsReading = 0
    /// By the collections' paths.
    package internal(set) var trusts: [String: CollectionTrust] = [:]
    /// The environment chosen for each collection, by path.
    package internal(set) var environments: [String: String] = [:]
    /// Chosen in each collection that has it when it is opened.
    package var preferredEnvironment: String?
    /// Stand over the variables of every collection: what the program was started with.
    package var variables: [String: String] = [:]
    /// Given since; see ``givenVariables(in:)``.
    package internal(set) var sessionVariables = SessionVariables()
    /// The request that the panes are about.
    package internal(set) var selectedRequest: RequestReference?
    /// What surrounds it.
    package internal(set) var context: RequestContext?
    /// The requests that were edited, with the way back; see ``isUnsaved(_:)``.
    package internal(set) var drafts: [RequestReference: RequestDraft] = [:]
    var typedDraft = TypedDraft()
    /// What other kinds of body have taken the place of.
    var bodyShelves: [RequestReference: BodyShelf] = [:]
    /// The request that is gone from its file and is being written again.
    var puttingBack: RequestReference?
    /// The edits of requests that were deleted: undo brings them back together.
    var setAsideDrafts: [RequestReference: RequestDraft] = [:]

    // Changes of the tree
    package internal(set) var treeUndo: [TreeChange] = []
    package internal(set) var treeRedo: [TreeChange] = []
    /// One is being written.
    package internal(set) var isTreeChanging = false
    /// Where the tree's cursor was before something was added.
    var cursorsBefore: [TreeEdit: RequestReference] = [:]
    /// What was asked for meanwhile.
    var waitingTreeCommands: [Command.ID] = []
    /// What is to be told once it is in the tree.
    var pastedRequest: PastedNote?
    /// What lacks the variable that is being written.
    var sendAfterChange: RequestReference?

    // Operations
    /// In the order in which they were enqueued.
    package internal(set) var operations: OrderedDictionary<OperationID, OperationEntry> = [:]
    /// The last operation of each request.
    package internal(set) var latestOperations: [RequestReference: OperationID] = [:]
    package internal(set) var selectedOperation: OperationID?
    /// Sends that aren't in the queue yet, by number.
    package internal(set) var waitingSends: OrderedDictionary<Int, WaitingSend> = [:]
    /// By the collections' paths: the cookies of requests that say nothing of a jar, without their values.
    package internal(set) var sessionCookies: [String: CookieJar] = [:]
    /// Why requests were not sent when that was asked for last.
    package internal(set) var refusals: [RequestReference: Refusal] = [:]
    /// Runs are kept, and those of former sessions are shown.
    package var keepsHistory = false
    /// The terminal has colours enough for images.
    package var drawsPictures = false
    /// The terminal shows PNG files themselves.
    package var showsImages = false
    /// What the transport adds by itself to what has none of its own.
    package var userAgent: String?
    /// Names of codings, for responses that may be compressed.
    package var contentCodings: [String] = []
    /// Requests that have a mock are answered by it; the screen says so.
    package var usesMocks = false
    package internal(set) var pastRuns = PastRuns()
    /// The former run that is being read to be shown, unless something else is picked meanwhile.
    var wantedPastRun: OperationID?
    /// The lab, as it was begun or looked at last; `nil` before.
    package internal(set) var lab: LabBoard?
    var labNumber = 0
    /// The last one that was sent.
    var lastWhatIf: WhatIf?
    var contrast: Contrast?
    package internal(set) var isQueueSuspended = false
    /// Nothing goes to a host before the pause that it asked for is over.
    package internal(set) var keepsPauses = false
    /// The ends of those pauses.
    var hostPauses: [String: MonotonicTime] = [:]
    /// What was shown when a request was sent: a user who has moved on since stays at the new place.
    var shownAtSend: [RequestReference: RequestReference] = [:]
    package var retention = Retention()
    /// The request that was sent last: the response's tab was picked for its answers.
    var tabRequest: RequestReference?

    package internal(set) var panes = PaneStates()

    package init(size: Size, theme: String = "dark", themes: [String] = ["dark", "light"], keymap: Keymap = Keymap()) {
        self.size = size
        self.keymap = keymap
        self.theme = theme
        self.themes = themes
    }

    package var layout: Layout {
        Layout(
            size: size, focus: focus, isZoomed: isZoomed, moment: moment, hasRun: selectedOperation != nil, demand: demand,
            adjustments: adjustments, holdsStill: holdsStill, treeColumns: tree.columns)
    }

    /// How many things a pane below the tree holds.
    package func count(in pane: Pane) -> Int { pane.description.foot?.count(self) ?? 0 }

    package var collectionPaths: [String] { Array(collections.keys) }

    /// `nil`: it isn't open.
    package func collection(at path: String) -> RequestCollection? { collections[path] }

    /// The operation that the operation and response panes show.
    package var shownOperation: OperationEntry? {
        selectedOperation.flatMap { operations[$0] }
    }

    /// The operation whose response is on the screen: the shown one when it has ended, else the one before it of the same
    /// request, which is then stale.
    package var shownResponse: (entry: OperationEntry, isStale: Bool)? {
        guard let shown = shownOperation else { return nil }
        if shown.response != nil { return (shown, false) }
        let earlier = operations.values.last {
            $0.request == shown.request && $0.id.pastRun == nil && $0.id < shown.id && $0.response != nil
        }
        return earlier.map { ($0, true) }
    }
}
