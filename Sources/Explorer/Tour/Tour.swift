import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// The guided demo: what it points at now. It waits for what happens, never for a time, and a key that isn't its own ends it.
package struct Tour: Hashable, Sendable {
    var cue = Cue.opening
    /// Below the status line.
    var rows = 0
    /// What led on last.
    var lastKey: KeyPress?

    package static let beginning = Tour()

    /// How many steps there are.
    static let steps = 5

    enum Cue: Hashable, Sendable, CaseIterable {
        /// The collection is being read.
        case opening
        case redirect, dropped
        case unavailable, waiting, recovered
        case expired, refused, card, trusting, trusted
        case large, arriving, arrived, typing, found
        case repeated, asked, measuring, measured
        case end

        /// From 1; `nil` before the first and behind the last.
        var step: Int? {
            switch self {
            case .opening, .end: nil
            case .redirect, .dropped: 1
            case .unavailable, .waiting, .recovered: 2
            case .expired, .refused, .card, .trusting, .trusted: 3
            case .large, .arriving, .arrived, .typing, .found: 4
            case .repeated, .asked, .measuring, .measured: 5
            }
        }

        /// Fits into a line of 80 columns.
        var text: String {
            switch self {
            case .opening: "The demo is being read."
            case .redirect: "A token goes to a server, which redirects to another one."
            case .dropped: "The token doesn't go to another origin: the hop says so in yellow."
            case .unavailable: "This server is busy at first, and says when to come again."
            case .waiting: "It waits as long as it was asked to, and shows until when."
            case .recovered: "Two attempts on one connection: the second one has no tcp to wait for."
            case .expired: "A server whose certificate has expired."
            case .refused: "It was refused before anything was sent."
            case .card: "What is wrong, what shows it, and the keys that mend it."
            case .trusting: "It is sent again."
            case .trusted: "This request takes that one certificate now, and no other request does."
            case .large: "100 MB of JSON."
            case .arriving: "What has come can be read while the rest arrives."
            case .arrived: "All of it is here, and can be searched."
            case .typing: "Type 500000: it is found while you type."
            case .found: "That was all of the 100 MB. n and N go on to other matches."
            case .repeated: "One time is no figure: the lab sends a request a hundred times."
            case .asked: "A hundred times, four at once, over four connections."
            case .measuring: "Each phase has a row, from its median to its maximum."
            case .measured: "What made its connection, and what found one, are told apart."
            case .end: "That was the tour. `turnstone init` begins a collection of your own."
            }
        }

        /// What begins the step: the demo's request.
        var request: String? {
            switch self {
            case .redirect: "redirects/across-origins"
            case .unavailable: "trouble/unavailable-retried"
            case .expired: "transport/tls/expired"
            case .large: "receiving/json-100mb"
            case .repeated: "basics/a-first-request"
            default: nil
            }
        }

        /// What the tour asks for, or waits with; each other key ends it.
        var commands: [Command.ID] {
            switch self {
            case .redirect, .unavailable, .expired, .large: [.send]
            case .waiting: [.retryNow]
            case .refused: [.why]
            case .arrived: [.search]
            case .found: [.nextMatch, .previousMatch]
            case .repeated: [.lab]
            default: []
            }
        }

        /// Where Enter leads; `nil` when another key leads on.
        var afterEnter: Cue? {
            switch self {
            case .dropped: .unavailable
            case .recovered: .expired
            case .trusted: .large
            case .found: .repeated
            default: nil
            }
        }
    }
}

extension ExplorerState {
    /// Begins the guided demo: its lines stand below everything else.
    mutating func begin(_ tour: Tour) {
        self.tour = tour
        resize(to: screen.size)
    }

    /// The terminal's size, of which the tour takes the last rows.
    var terminalSize: Size { Size(columns: screen.size.columns, rows: screen.size.rows + (tour?.rows ?? 0)) }

    mutating func resize(to size: Size) {
        tour?.rows = size.rows >= 20 ? 2 : size.rows >= 12 ? 1 : 0
        screen.size = Size(columns: size.columns, rows: size.rows - (tour?.rows ?? 0))
    }

    private mutating func endTour() {
        let size = terminalSize
        tour = nil
        resize(to: size)
    }

    /// What leads on in the tour.
    var tourHints: [Hint] {
        guard let tour else { return [] }
        var hints: [Hint] =
            switch tour.cue {
            case .card: [Hint(key: "t", word: "trust this certificate")]
            case .typing: [Hint(key: "Enter", word: "done")]
            case .asked: [Hint(key: "Enter", word: "begin")]
            case .measured: [Hint(key: "Esc", word: "go on")]
            case .end: [Hint(key: "any key", word: "goes on in the demo")]
            default: tour.cue.commands.map { Hint(key: keyName($0), word: Command[$0]?.hint ?? "") }
            }
        if tour.cue.afterEnter != nil { hints.insert(Hint(key: "Enter", word: "go on"), at: 0) }
        // What is typed into, and what lies over the panes, has keys of its own.
        guard tour.cue != .end, !isTyping, overlay == nil else { return hints }
        // One row has room for the step's own key beside the way out.
        let leaves = tour.rows > 1 ? "leaves the tour" : "leaves"
        return hints + [Hint(key: keyName(.help), word: "what now?"), Hint(key: "any other key", word: leaves)]
    }

    /// Takes a key that is for the tour itself. One that isn't in it ends it, and does what it always does.
    ///
    /// - Returns: `nil`: the key is for the screen.
    mutating func tourStep(_ key: KeyPress) -> [ExplorerEffect]? {
        // What lies over the panes, and what is typed into, has its own keys.
        guard let cue = tour?.cue, overlay == nil, !isTyping else { return nil }
        if key.key == .enter, let next = cue.afterEnter {
            tour?.lastKey = key
            return enter(next)
        }
        let command = keymap.command(for: key, in: screen.focus)
        if command == .help, cue != .end {
            overlay = .dialog(explanation(of: cue))
            return []
        }
        if let command, cue.commands.contains(command) {
            tour?.lastKey = key
            return nil
        }
        // Pressed twice it is impatience, and no wish to leave.
        if key == tour?.lastKey, cue != .end { return [] }
        endTour()
        guard cue != .end else { return key.key == .enter ? [] : nil }
        notice = Notice(.info, "the tour ends here; `turnstone demo --tour` begins it again")
        return command == nil ? [] : nil
    }

    private func explanation(of cue: Tour.Cue) -> Dialog {
        let keys = tourHints.dropLast(2).map { "\($0.key) (\($0.word))" }.joined(separator: ", ")
        return Dialog(
            title: cue.step.map { "The tour: \($0) of \(Tour.steps)" } ?? "The tour",
            lines: [cue.text, "", keys.isEmpty ? "Nothing has to be pressed now." : "Press \(keys)."])
    }

    /// Goes on as far as what has happened allows.
    mutating func advanceTour() -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        while let cue = tour?.cue, let next = next(after: cue) { effects += enter(next) }
        return effects
    }

    private func next(after cue: Tour.Cue) -> Tour.Cue? {
        // There may be runs of a former session, too.
        let entry = shownOperation.flatMap { $0.request == selectedRequest && $0.id.pastRun == nil ? $0 : nil }
        let isOver = entry?.verdict != nil
        switch cue {
        case .opening: return reference(of: .redirect) == nil ? nil : .redirect
        case .redirect: return isOver ? .dropped : nil
        case .unavailable where entry?.state == .waitingToRetry: return .waiting
        case .unavailable, .waiting: return isOver ? .recovered : nil
        case .expired: return isOver ? (asksWhy ? .refused : .trusted) : nil
        case .refused:
            if case .why = overlay { return .card }
            return nil
        case .card:
            if case .why = overlay { return nil }
            return selectedRequest.map(drafts.isUnsaved) == true ? .trusting : .refused
        case .trusting: return isOver && !asksWhy ? .trusted : nil
        case .large: return (entry?.bodySize ?? 0) > 1 << 20 || isOver ? .arriving : nil
        case .arriving:
            if case .ready = entry?.body { return .arrived }
            return nil
        case .arrived: return searchLine == nil ? nil : .typing
        case .typing where searchLine == nil:
            guard !panes.response.searchText.isEmpty else { return .arrived }
            guard let matches = responseMatches, matches.count > 0 || !matches.isCounting else { return nil }
            return matches.count > 0 ? .found : .arrived
        case .repeated: return isInLab ? .asked : nil
        case .asked: return labBoard?.isRunning == true ? .measuring : isInLab ? nil : .repeated
        case .measuring: return labBoard?.isRunning == true ? nil : .measured
        case .measured: return isInLab ? nil : .end
        case .dropped, .recovered, .trusted, .typing, .found, .end: return nil
        }
    }

    private var isInLab: Bool { if case .lab = overlay { true } else { false } }

    private func reference(of cue: Tour.Cue) -> RequestReference? {
        guard let id = cue.request.map(RequestID.init(rawValue:)) else { return nil }
        return workspace.collections.keys.lazy.map { RequestReference(collection: $0, id: id) }.first {
            self.tree.index(of: $0) != nil
        }
    }

    /// Shows what a cue is about.
    private mutating func enter(_ cue: Tour.Cue) -> [ExplorerEffect] {
        tour?.cue = cue
        switch cue {
        case .redirect, .unavailable, .expired, .large, .repeated:
            guard let reference = reference(of: cue) else {
                endTour()
                return []
            }
            screen.setFocus(.collection)
            panes.response.searchText = ""
            show(request: reference)
        case .dropped: go(toResponse: .timing)
        case .recovered: go(toResponse: .timing)
        case .trusted: go(toResponse: .timing)
        case .arriving, .arrived: go(toResponse: .body)
        default: break
        }
        return []
    }
}

/// The last rows while the tour goes on: what there is to be seen, and which keys lead on.
enum TourView {
    static func draw(_ state: ExplorerState, on canvas: inout Canvas) {
        guard let tour = state.tour, tour.rows > 0 else { return }
        let columns = state.screen.size.columns
        let area = Rect(column: 0, row: state.screen.size.rows, columns: columns, rows: tour.rows)
        canvas.fill(area, .statusLine)
        canvas.draw(in: area) { canvas in
            let title = tour.cue.step.map { "\($0)/\(Tour.steps)" } ?? "Tour"
            let left = canvas.text(title, .accent, column: 1, row: 0) + 1
            if tour.rows > 1 {
                canvas.text(tour.cue.text, .strong, column: left, row: 0, limit: columns - left - 1, ellipsis: true)
            }
            let keys = Rect(column: left, row: tour.rows - 1, columns: columns - left - 1, rows: 1)
            canvas.draw(in: keys) { $0.keys(state.tourHints) }
        }
    }
}
