import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// Everything the explorer knows. Each event changes it and gives back what is to be done; a frame is drawn from it alone.
///
///     TerminalEvent ─┐                               ┌─> [ExplorerEffect] ─> files, queue, editor …
///     NetworkEvent ──┼─> ExplorerEvent ─> handle(_:) ┤                              │
///     answers  ──────┘         ▲                     └─> ExplorerView.frame(for:)   │
///                              └────────────────────────────────────────────────────┘
struct ExplorerState: Sendable {
    var screen: Screen
    var tour: Tour?
    /// The time of the last event: what gauges and running phases are drawn against.
    var now = MonotonicTime.zero

    /// Each one that is put here is another one; ``keep(_:)`` changes the one that is there.
    var overlay: Overlay? { didSet { screen.openings += 1 } }
    /// What came up by itself and waits until nothing else has the keyboard, in the order in which it came.
    var arrivals: [Overlay] = []
    var keyboard = KeyboardGuard()
    /// So many collections are being read that the explorer was started with.
    var awaited = 0
    /// What was typed meanwhile: it is meant for them.
    var typedAhead: [TerminalEvent] = []
    /// The next key is the letter of a tab.
    var awaitsTab = false
    /// Being typed into, below the panes.
    var searchLine: SearchLine?
    /// Until the next key.
    var notice: Notice?
    var keymap: Keymap
    /// What was found in the omnibox, how often and when.
    var uses = RecentUses()
    /// What editors cut and copied; the terminal's own gets it too.
    var clipboard = ""

    var workspace = Workspace() { didSet { workspaceRevision += 1 } }
    /// Counts changes of the workspace.
    private(set) var workspaceRevision = 0
    /// The request that the panes are about.
    var selectedRequest: RequestReference?
    /// What surrounds it.
    var context: RequestContext?
    var drafts = DraftBook()
    var treeChanges = TreeChanges()
    var operations = OperationBook()
    var pastRuns = PastRuns()
    var lab = Lab()
    var whatIfRuns = WhatIfRuns()
    var schemas = SchemaBook()
    var transport = TransportTraits()
    var panes = PaneStates()

    init(size: Size, theme: String = "dark", themes: [String] = ["dark", "light"], keymap: Keymap = Keymap()) {
        screen = Screen(size: size, theme: theme, themes: themes)
        self.keymap = keymap
    }

    /// Says something until the next key; nothing is to be done.
    mutating func say(_ text: String, _ level: Notice.Level = .info) -> [ExplorerEffect] {
        notice = Notice(level, text)
        return []
    }

    var layout: Layout {
        Layout(
            size: screen.size, focus: screen.focus, isZoomed: screen.isZoomed, moment: screen.moment,
            hasRun: operations.selected != nil, showsTiming: panes.response.tab == .timing,
            adjustments: screen.adjustments, holdsStill: screen.holdsStill, treeColumns: tree.columns)
    }

    var collectionPaths: [String] { Array(workspace.collections.keys) }

    /// The operation that the operation and response panes show.
    var shownOperation: OperationEntry? {
        operations.selected.flatMap { operations[$0] }
    }

    /// Whether the shown answer came in another environment than the chosen one.
    var showsOtherEnvironment: Bool {
        guard let shown = shownOperation, shown.state.isFinal, shown.id.pastRun == nil else { return false }
        return shown.request == selectedRequest && shown.environment != environment
    }

    /// The operation whose response is on the screen: the shown one when it has ended, else the one before it of the same
    /// request, which is then stale.
    var shownResponse: (entry: OperationEntry, isStale: Bool)? {
        guard let shown = shownOperation else { return nil }
        if shown.response != nil { return (shown, false) }
        let earlier = operations.entries.values.last {
            $0.request == shown.request && $0.id.pastRun == nil && $0.id < shown.id && $0.response != nil
        }
        return earlier.map { ($0, true) }
    }
}

/// What is open, and what gives its variables their values.
struct Workspace: Sendable {
    var collections: OrderedDictionary<String, RequestCollection> = [:] {
        didSet { reading += 1 }
    }
    /// Counts what was read.
    private(set) var reading = 0
    /// By the collections' paths.
    var trusts: [String: CollectionTrust] = [:]
    /// The environment chosen for each collection, by path.
    var environments: [String: String] = [:]
    /// Chosen in each collection that has it when it is opened.
    var preferredEnvironment: String?
    /// Chosen when the explorer was left last, by the collections' paths.
    var usualEnvironments: [String: String] = [:]
    /// Stand over the variables of every collection: what the program was started with.
    var variables: [String: String] = [:]
    /// The path of the demo: its files are a copy that is thrown away, so what is new gets a place of its own.
    var demo: String?
    /// The collection that is in no file yet.
    var unwritten: Unwritten?
    /// Given since; see ``ExplorerState/givenVariables(in:)``.
    var sessionVariables = SessionVariables()
    /// By the collections' paths: the cookies of requests that say nothing of a jar, without their values.
    var sessionCookies: [String: CookieJar] = [:]

    struct Unwritten: Hashable, Sendable {
        /// Where saving writes it.
        var path: String
        /// The other program's file that it shows, and is made from when it is saved; `nil`: it began empty.
        var source: String?
    }

    /// `nil`: it isn't open.
    subscript(path: String) -> RequestCollection? { collections[path] }
}

/// Names a request among all collections that are open: two of them may have the same id.
struct RequestReference: Hashable, Sendable {
    /// The collection's path.
    var collection: String
    var id: RequestID
}

extension Dictionary where Key == RequestReference {
    /// Keeps what there is under the names that requests have after a change.
    mutating func follow(from: RequestReference, to: RequestReference) {
        for (reference, value) in self {
            guard let new = reference.moved(from: from, to: to) else { continue }
            self[reference] = nil
            self[new] = value
        }
    }
}

extension Int {
    /// So many steps further on among `count` places, coming round at the ends; 0 where there are none.
    func stepped(by step: Int, of count: Int) -> Int {
        guard count > 0 else { return 0 }
        let place = (self + step) % count
        return place < 0 ? place + count : place
    }
}

extension Range<Int> {
    /// The indices of a list as a search goes through them, coming round at the ends: each of them once, `start` last.
    ///
    /// - Parameter includesStart: `start` comes first.
    func round(from start: Int, forward: Bool = true, includesStart: Bool = false) -> LazyMapSequence<Range<Int>, Int> {
        let count = count
        let distances = includesStart ? 0..<count : 1..<count + 1
        return distances.lazy.map { start.stepped(by: forward ? $0 : -$0, of: count) }
    }
}

/// What the transport does by itself.
struct TransportTraits: Sendable {
    /// What it adds to what has none of its own.
    var userAgent: String?
    /// Names of codings, for responses that may be compressed.
    var contentCodings: [String] = []
    /// Requests that have a mock are answered by it; the screen says so.
    var usesMocks = false
}
