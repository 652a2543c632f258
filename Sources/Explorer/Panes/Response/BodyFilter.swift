import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// The line over the body that a filter is typed into.
struct FilterLine: Hashable, Sendable {
    var line: LineEditor
    /// The filter before: Escape brings it back.
    var before: String
    /// Whether it filters the events, by words that their lines have, and not the body.
    var isOfEvents = false

    /// What it does as it stands, while it is typed. A command may have effects, so it waits for Enter.
    var liveFilter: String? {
        let text = ExplorerState.filter(from: line.text)
        return text.hasPrefix("!") ? nil : text
    }
}

/// What a filter makes of a body.
struct FilteredBody: Sendable {
    /// The filter that was asked for last.
    var filter: String
    /// What it found; while it is at work, and when it fails, what the one before it found.
    var document: BodyDocument?
    /// Why it found nothing.
    var failure: String?
    var isRunning = true
}

/// Which events of the log are shown: those whose line has all words of a text, in any case.
struct EventFilter: Hashable, Sendable {
    private(set) var text = ""
    /// Indices into the events of the operation.
    private(set) var matches: [Int] = []
    private var words: [String] = []
    private var operation: OperationID?
    /// So many events were looked at: a log only grows.
    private var scanned = 0

    var isOn: Bool { !words.isEmpty }

    mutating func set(_ text: String) {
        guard text != self.text else { return }
        self.text = text
        words = text.lowercased().split(separator: " ").map(String.init)
        restart(for: operation)
    }

    /// Looks at what has come since.
    mutating func look(at events: [NetworkEvent], of operation: OperationID) {
        guard isOn else { return }
        if operation != self.operation || events.count < scanned { restart(for: operation) }
        guard let start = events.first?.time else { return }
        for index in scanned..<events.count {
            let line = EventLog.line(events[index], since: start).text.lowercased()
            if words.allSatisfy(line.contains) { matches.append(index) }
        }
        scanned = events.count
    }

    private mutating func restart(for operation: OperationID?) {
        self.operation = operation
        matches = []
        scanned = 0
    }
}

extension ExplorerState {
    struct FilterFailure: Error {
        var message: String
    }

    /// The filter without what makes no difference; `.` stands for everything.
    static func filter(from text: String) -> String {
        let filter = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        return String(filter) == "." ? "" : String(filter)
    }

    /// A key while the filter is typed: its effect is seen at once.
    mutating func filterLine(_ filter: FilterLine, key: KeyPress) -> [ExplorerEffect] {
        var filter = filter
        switch key.key {
        case .escape:
            panes.response.filterLine = nil
            return apply(filter.before, of: filter)
        case .enter:
            panes.response.filterLine = nil
            return apply(Self.filter(from: filter.line.text), of: filter)
        case .up, .down, .pageUp, .pageDown:
            guard let command = keymap.command(for: key, in: .response) else { return [] }
            return responsePane(perform: command) ?? []
        default:
            let revision = filter.line.revision
            _ = filter.line.handle(key, clipboard: &clipboard)
            panes.response.filterLine = filter
            guard filter.line.revision != revision, let live = filter.liveFilter else { return [] }
            return apply(live, of: filter)
        }
    }

    mutating func filterLine(_ filter: FilterLine, paste text: String) -> [ExplorerEffect] {
        var filter = filter
        _ = filter.line.paste(text)
        panes.response.filterLine = filter
        return filter.liveFilter.map { apply($0, of: filter) } ?? []
    }

    private mutating func apply(_ text: String, of line: FilterLine) -> [ExplorerEffect] {
        guard line.isOfEvents else { return filterResponse(by: text) }
        panes.response.eventFilter.set(text)
        return []
    }

    /// From now on the pane shows what the filter makes of bodies; an empty one, the bodies themselves.
    mutating func filterResponse(by filter: String) -> [ExplorerEffect] {
        guard filter != panes.response.filter else { return [] }
        panes.response.filter = filter
        if shownStream != nil { return filterStream() }
        guard filter.isEmpty else { return askForFilter() }
        guard let id = responseSubject(for: .body)?.entry.id, let filtered = operations[id]?.filtered else { return [] }
        operations[id]?.filtered = nil
        let ends: [ExplorerEffect] = filtered.isRunning ? [.filterBody(id, filter: "", panes.response.body.mode)] : []
        return ends + adoptBodyMode() + lookAtNewDocument()
    }

    /// Asks for what the filter makes of the body on the screen, unless that is known or asked already.
    mutating func askForFilter() -> [ExplorerEffect] {
        let filter = panes.response.filter
        if shownStream != nil { return filterStream() }
        guard !filter.isEmpty, let entry = responseSubject(for: .body)?.entry, case .ready = entry.body,
            entry.filtered?.filter != filter
        else { return [] }
        operations[entry.id]?.filtered = FilteredBody(filter: filter, document: entry.filtered?.document)
        return [.filterBody(entry.id, filter: filter, panes.response.body.mode)]
    }

    mutating func filtered(
        _ id: OperationID, by filter: String, _ result: Result<BodyDocument, FilterFailure>
    ) -> [ExplorerEffect] {
        guard operations[id]?.filtered?.filter == filter else { return [] }
        operations[id]?.filtered?.isRunning = false
        switch result {
        case .success(let document):
            operations[id]?.filtered?.document = document
            operations[id]?.filtered?.failure = nil
            guard responseSubject(for: .body)?.entry.id == id else { return [] }
            return lookAtNewDocument()
        case .failure(let failure):
            operations[id]?.filtered?.failure = failure.message
            return []
        }
    }

    /// The filter's lines in another form.
    mutating func show(filtered document: BodyDocument, of id: OperationID) -> [ExplorerEffect] {
        let old = responseDocument
        operations[id]?.filtered?.document = document
        guard let old else { return [] }
        return [.prepareBody(id, document.mode)] + searchBody { $0.change(to: $1, from: old, size: $2) }
    }

    /// Other lines are shown: from their top, and searched anew.
    private mutating func lookAtNewDocument() -> [ExplorerEffect] {
        panes.response.body.reset()
        let text = panes.response.body.search.pattern?.text ?? ""
        return text.isEmpty ? [] : searchBody { $0.find(text, in: $1, size: $2) }
    }

    func content(_ filtered: FilteredBody) -> ResponseContent {
        if let document = filtered.document, filtered.failure == nil || panes.response.filterLine != nil {
            return document.bytes.count == 0 ? .nothing(["The filter found nothing."]) : .body(document)
        }
        guard let failure = filtered.failure else { return .nothing(["The body is being filtered …"]) }
        return .nothing([SafeText.line(failure), "f changes the filter, Esc shows the whole body."])
    }
}

/// Draws the line that a filter is typed into, over the last row of the pane; above it, what is wrong with it.
enum FilterLineView {
    static func draw(_ filter: FilterLine, of state: ExplorerState, in inner: Rect, on canvas: inout Canvas) {
        ResponsePaneView.draw(
            filter.line, of: state,
            placeholder: filter.isOfEvents
                ? "words of the events"
                : state.shownStream != nil ? ".level == \"error\", words, or !command" : placeholder(for: state.wholeBodyKind),
            on: &canvas)
        let entry = state.responseSubject(for: .body)?.entry
        guard inner.rows > 1, !filter.isOfEvents, let failure = entry?.filtered?.failure ?? entry?.stream?.filter?.failure else {
            return
        }
        canvas.draw(in: Rect(column: inner.column, row: inner.endRow - 2, columns: inner.columns, rows: 1)) { canvas in
            canvas.fill(canvas.bounds, .text)
            canvas.text(SafeText.line(failure), .warning, column: 1, row: 0, limit: canvas.bounds.columns - 2, ellipsis: true)
        }
    }

    /// What works on such a body.
    private static func placeholder(for kind: BodyKind?) -> String {
        switch kind {
        case .json, .jsonValues, .jsonLines: ".items[0], or !command"
        case .xml, .html: "xpath://title, /words/, or !command"
        case .eventStream, .text, .yaml, .css, .javaScript: "/words/, or !command"
        case .binary: "!command"
        case nil: ".items[0], xpath://title, /words/, or !command"
        }
    }
}
