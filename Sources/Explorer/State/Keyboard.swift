import NetworkLayer
import TerminalUI

/// What can have the keyboard, the front layer first. It receives every key and paste, and passes none to the layers below it.
enum KeyboardLayer {
    case overlay(any OverlayContent)
    case search(SearchLine)
    case savePath
    case filter(FilterLine)
    case message
    case row(RequestPaneState.Editing)
    case panes
}

extension ExplorerState {
    var front: KeyboardLayer { overlay.map { .overlay($0.content) } ?? textLayer ?? .panes }

    /// The text that is being typed on the screen itself.
    private var textLayer: KeyboardLayer? {
        if let searchLine { return .search(searchLine) }
        if panes.response.savePrompt != nil { return .savePath }
        if let line = panes.response.filterLine { return .filter(line) }
        if panes.response.message.isOpen { return .message }
        return panes.request.editing.map { .row($0) }
    }

    /// Whether a text is being typed on the screen itself, whose keys nothing that comes up by itself may take.
    var isTyping: Bool { textLayer != nil }

    mutating func handle(key pressed: KeyPress) -> [ExplorerEffect] {
        // Esc and the next key come as one from tmux and screen, when they are quick. Where Alt means nothing, they are two, as in vim.
        if case .character(let character) = pressed.key, pressed.modifiers == .alt, !TextEditor.takesAlt(character),
            keymap.command(for: pressed, in: screen.focus) == nil
        {
            return handle(key: KeyPress(.escape)) + handle(key: .character(character))
        }
        let key = overPanes(pressed)
        switch front {
        case .overlay(let content): return overlay(content, key: key)
        case .search(let line): return searchLine(line, key: key)
        case .savePath: return panes.response.typePath(key, clipboard: &clipboard).map { saving(to: $0) } ?? []
        case .filter(let line): return filterLine(line, key: key)
        case .message: return messageLine(key: key)
        case .row: return editing(key: key)
        case .panes:
            if awaitsTab { return goToTab(key) }
            if let command = keymap.command(for: key, in: screen.focus) { return perform(command) }
            return key == .control("c") ? interrupt() : []
        }
    }

    /// The tabs that a letter leads to: of the focused pane first, of the request and the response.
    var tabLetters: [(letter: Character, tab: TabName)] {
        let request = RequestPaneState.Tab.allCases.map(TabName.request)
        let response = ResponsePaneState.Tab.allCases.map(TabName.response)
        var letters: [(letter: Character, tab: TabName)] = []
        for tab in screen.focus == .request ? request + response : response + request {
            guard let letter = tab.title.first, !letters.contains(where: { $0.letter == letter }) else { continue }
            letters.append((letter, tab))
        }
        return letters
    }

    private mutating func goToTab(_ key: KeyPress) -> [ExplorerEffect] {
        awaitsTab = false
        if isKey(key, of: .goToTab) { return perform(.top) }
        switch tabLetters.first(where: { key == .character($0.letter) })?.tab {
        case .request(let tab)?: go(toRequest: tab)
        case .response(let tab)?: go(toResponse: tab)
        case nil: return []
        }
        return fit()
    }

    mutating func handle(paste text: String) -> [ExplorerEffect] {
        switch front {
        case .overlay(let content): return overlay(content, paste: text)
        case .search(let line): return searchLine(line, paste: text)
        case .savePath:
            _ = panes.response.savePrompt?.paste(text)
            return []
        case .filter(let line): return filterLine(line, paste: text)
        case .message: return messageLine(paste: text)
        case .row, .panes: return editing(paste: text)
        }
    }

    /// A click in a pane ends the lines that are open beside it: a search or filter as Enter does, a path as Esc does.
    mutating func endLines(besides pane: Pane?) -> [ExplorerEffect] {
        switch textLayer {
        case .search(let line): return searchLine(line, key: KeyPress(.enter))
        case .savePath where pane != .response: panes.response.savePrompt = nil
        case .filter(let line) where pane != .response: return filterLine(line, key: KeyPress(.enter))
        case .message where pane != .response: panes.response.message.isOpen = false
        case .savePath, .filter, .message, .row, .overlay, .panes, nil: break
        }
        return []
    }
}

/// Keeps keys from what was not there yet when they were pressed.
///
/// What comes up by itself takes no key in its first moment, unless somebody waits for it: the last key asked for it, and no
/// other has been pressed since.
struct KeyboardGuard: Sendable {
    /// How long a key may have been on its way from the eye to the hand.
    static let pause: Duration = .milliseconds(300)
    /// Whoever has pressed no key for so long isn't typing.
    private static let rest: Duration = .seconds(1)

    private var lastKey: MonotonicTime?
    private var isAwaiting = false
    private var quietUntil: MonotonicTime?

    /// A key was pressed, or something pasted or clicked.
    ///
    /// - Parameter asking: something was asked for that will be answered.
    mutating func typed(at time: MonotonicTime, asking: Bool) {
        lastKey = time
        isAwaiting = asking
    }

    /// The keyboard belongs to something else now, and no key made it so.
    mutating func changedHands(at time: MonotonicTime) {
        guard let lastKey, !isAwaiting, time - lastKey < Self.rest else { return }
        quietUntil = time + Self.pause
    }

    /// Whether what is typed now was meant for what was there before.
    func isQuiet(at time: MonotonicTime) -> Bool { quietUntil.map { time < $0 } ?? false }
}

/// A tab of the request or of the response.
enum TabName: Hashable, Sendable {
    case request(RequestPaneState.Tab)
    case response(ResponsePaneState.Tab)

    var title: String {
        switch self {
        case .request(let tab): tab.rawValue
        case .response(let tab): tab.rawValue
        }
    }
}

extension TerminalEvent {
    /// Whether a person typed the key and it reaches something on the screen.
    var isTyped: Bool {
        switch self {
        case .key, .paste: true
        case .mouse(let event): event.action == .press || event.action == .doubleClick
        case .resize, .resumed, .ground, .terminate: false
        }
    }
}

extension ExplorerEffect {
    /// Whoever asks for it waits for what comes of it.
    var hasAnswer: Bool {
        switch self {
        case .send, .sendWhatIf, .answer, .save, .changeTree, .revertTree, .compareRuns, .loadPastRun, .loadCollection,
            .copyRequest, .askSchema:
            true
        default: false
        }
    }
}

extension Overlay {
    var question: Question? { if case .question(let form) = self { form.question } else { nil } }
}

extension ExplorerState {
    /// The line that is being typed, unless it stands there as dots.
    private var typedLine: LineEditor? {
        get {
            switch front {
            case .overlay(let content): content.typedLine
            case .search(let search): search.line
            case .savePath: panes.response.savePrompt
            case .filter(let filter): filter.line
            case .row(.line(_, let line)): line
            case .row(.body), .message, .panes: nil
            }
        }
        set {
            guard let newValue else { return }
            switch front {
            case .overlay(var content):
                content.typedLine = newValue
                keep(content)
            case .search: searchLine?.line = newValue
            case .savePath: panes.response.savePrompt = newValue
            case .filter: panes.response.filterLine?.line = newValue
            case .row(.line(let field, _)): panes.request.editing = .line(field, newValue)
            case .row(.body), .message, .panes: break
            }
        }
    }

    /// Where that line is drawn, and the row around it, in which a click is meant for it.
    private var typedRow: (field: Rect, row: Rect)? {
        let (field, area): (Rect?, Rect?)
        switch front {
        case .overlay(let content):
            let layout = OverlayLayout(of: content, in: screen.size)
            (field, area) = (layout.typedField, layout.area)
        case .search(let search):
            (field, area) = (place(of: search), search.pane == .collection ? treeFilterRow : layout.statusLine)
        case .savePath, .filter: (field, area) = (typedResponseRow?.field, typedResponseRow?.row)
        case .row(.line(.url, _)): (field, area) = (place(of: .url), layout.requestLine ?? layout.content(of: .request))
        case .row(.line(let edited, _)): (field, area) = (place(of: edited), layout.content(of: .request))
        case .row(.body), .message, .panes: return nil
        }
        guard let field, let area, !field.isEmpty else { return nil }
        return (field, area.line(field.row - area.row))
    }

    /// The line scrolls as its field is wide. Called after each event.
    mutating func fitTypedLine() {
        guard let columns = typedRow?.field.columns, var line = typedLine, line.columns != columns else { return }
        line.columns = columns
        typedLine = line
    }

    /// A click in the row of that line puts its cursor there, and a drag from there on selects.
    ///
    /// - Returns: whether the event was meant for the line.
    mutating func typedLine(mouse event: MouseEvent) -> Bool {
        let place = typedRow
        switch event.action {
        case .press, .doubleClick: screen.isSelecting = typedLine != nil && place?.row.contains(event.point) == true
        case .drag: break
        case .release:
            defer { screen.isSelecting = false }
            return screen.isSelecting
        case .wheelUp, .wheelDown: return false
        }
        guard screen.isSelecting, let place else { return false }
        // An event that changes no line may have changed the field since.
        fitTypedLine()
        guard var line = typedLine else { return false }
        line.moveToCell(column: event.point.column - place.field.column, extending: event.action == .drag)
        typedLine = line
        return true
    }

    // MARK: Where lines are drawn

    /// The row of the tree's filter, while there is one.
    var treeFilterRow: Rect? {
        panes.collection.filter.isEmpty && searchLine?.pane != .collection ? nil : layout.content(of: .collection)?.line(0)
    }

    /// Behind its sign; in the status line before the hints.
    func place(of search: SearchLine) -> Rect {
        if search.pane == .collection { return treeFilterRow?.splitLeft(1).rest ?? Rect(Size(columns: 0, rows: 0)) }
        let line = layout.statusLine
        let hints = hints.reduce(1) { $0 + $1.key.count + $1.word.count + 3 }
        return line.splitLeft(2).rest.splitLeft(max(8, line.columns - 3 - hints)).left
    }

    /// What is typed over the last row of the response pane, behind its label.
    var typedResponseRow: (row: Rect, label: String, field: Rect)? {
        guard let inner = layout.panes[.response]?.inner, inner.rows > 0 else { return nil }
        let label =
            panes.response.savePrompt == nil
            ? " filter: " : panes.response.filter.isEmpty ? " save the body to: " : " save the whole body to: "
        let row = inner.line(inner.rows - 1)
        return (row, label, row.splitLeft(DisplayWidth.of(label)).rest)
    }
}

/// The line at the bottom that a search is typed into.
struct SearchLine: Hashable, Sendable {
    var pane: Pane
    var line: LineEditor
    /// Where the tree's cursor was: Escape brings it back.
    var row: RequestReference?
}

extension ExplorerState {
    mutating func openSearch() {
        let before = screen.focus == .collection ? panes.collection.filter : ""
        var line = LineEditor(before)
        line.selectAll()
        searchLine = SearchLine(
            pane: screen.focus, line: line, row: screen.focus == .collection ? panes.collection.selectedEntry?.reference : nil)
    }

    mutating func searchLine(_ search: SearchLine, key: KeyPress) -> [ExplorerEffect] {
        var search = search
        switch key.key {
        case .enter where search.pane != .collection || panes.collection.selectedEntry != nil:
            searchLine = nil
            return []
        // With nothing found there is no row to stay on.
        case .enter, .escape:
            searchLine = nil
            if let row = search.row {
                panes.collection.setFilter("")
                panes.collection.reveal(row)
            }
            return look(for: "", in: search.pane)
        case .up, .down, .pageUp, .pageDown:
            guard search.pane == .collection, let command = keymap.command(for: key, in: .collection) else { return [] }
            return collectionPane(perform: command) ?? []
        default:
            let revision = search.line.revision
            _ = search.line.handle(key, clipboard: &clipboard)
            searchLine = search
            return search.line.revision == revision ? [] : look(for: search.line.text, in: search.pane)
        }
    }

    mutating func searchLine(_ search: SearchLine, paste text: String) -> [ExplorerEffect] {
        var search = search
        _ = search.line.paste(text)
        searchLine = search
        return look(for: search.line.text, in: search.pane)
    }

    /// What is looked for in a pane; empty: nothing is.
    func searchText(in pane: Pane) -> String {
        pane.description.searchText(self)
    }

    /// An empty text ends the search.
    mutating func look(for text: String, in pane: Pane) -> [ExplorerEffect] { pane.description.search(&self, text) }
}
