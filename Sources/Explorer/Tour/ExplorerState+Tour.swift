import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

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
    mutating func guide(_ key: KeyPress) -> [ExplorerEffect]? {
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
        case .dropped: go(toResponse: .redirects)
        case .recovered: go(toResponse: .timing)
        case .trusted: go(toResponse: .tls)
        case .arriving, .arrived: go(toResponse: .body)
        default: break
        }
        return []
    }
}
