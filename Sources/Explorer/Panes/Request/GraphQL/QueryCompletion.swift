import GraphQLLanguage
import RequestCollections
import TerminalUI

/// What is offered at the cursor of a query that is being edited. There is always something in it.
struct QueryCompletion: Hashable, Sendable {
    let offered: GraphQLCompletions
    var list: ListState
    /// Somebody has gone through the list: Enter takes what is selected, too.
    var isChosen = false
    /// The columns of the widest name, and of the widest detail behind a name; names of GraphQL are ASCII. A schema may offer thousands.
    let nameColumns: Int
    let detailColumns: Int
    /// Whether there is something to be said about one of them.
    let hasDescriptions: Bool

    /// - Returns: `nil` where nothing is to be said that isn't there already.
    init?(_ offered: GraphQLCompletions, typed: Substring) {
        guard !offered.items.isEmpty, offered.items.count > 1 || offered.items[0].text != typed else { return nil }
        self.offered = offered
        list = ListState(count: offered.items.count, height: Self.mostRows)
        nameColumns = offered.items.map { $0.text.utf8.count }.max() ?? 0
        detailColumns = offered.items.map { $0.detail?.utf8.count ?? 0 }.max() ?? 0
        hasDescriptions = offered.items.contains { $0.description != nil || $0.isDeprecated }
    }

    var selected: GraphQLCompletions.Item { offered.items[list.selected] }

    static let mostRows = 8
}

extension ExplorerState {
    /// Whether a query is being edited.
    private var editsQuery: Bool { panes.request.editing == .body && context?.query != nil }

    /// A key while a text is edited, which may be one for what is offered there.
    ///
    /// - Returns: whether it was.
    mutating func completion(key: KeyPress) -> Bool {
        guard editsQuery else { return false }
        if key == .character(" ", .control) {
            offerCompletions()
            if panes.request.completion == nil { notice = Notice(.info, nothingOffered) }
            return true
        }
        guard var completion = panes.request.completion, key.modifiers.isEmpty else { return false }
        switch key.key {
        case .up, .down:
            completion.list.select(completion.list.selected.stepped(by: key.key == .up ? -1 : 1, of: completion.list.count))
            completion.isChosen = true
            panes.request.completion = completion
        case .tab: take(completion)
        case .enter where completion.isChosen: take(completion)
        case .escape: panes.request.completion = nil
        default: return false
        }
        return true
    }

    private var nothingOffered: String {
        context?.query?.schema == nil
            ? "there is no schema yet: \(keyName(.askSchema)) asks the server for it" : "nothing can be completed here"
    }

    private mutating func take(_ completion: QueryCompletion) {
        var editor = panes.request.body
        let range =
            editor.position(at: completion.offered.range.lowerBound)..<editor.position(at: completion.offered.range.upperBound)
        var text = completion.selected.text
        let rest = editor.buffer.text(in: range.upperBound..<editor.buffer.lineEnd(range.upperBound.line))
        // An argument brings its colon along.
        let takesValue = text.hasSuffix(": ")
        if takesValue, rest.first(where: { $0 != " " }) == ":" { text.removeLast(2) }
        editor.replace(range, with: text)
        panes.request.body = editor
        panes.request.completion = nil
        if takesValue { offerCompletions() }
    }

    /// The text or the cursor has changed by a key.
    mutating func completionFollows(_ key: KeyPress, isChanged: Bool) {
        guard editsQuery else { return }
        let wasOpen = panes.request.completion != nil
        panes.request.completion = nil
        guard isChanged else { return }
        let editor = panes.request.body
        let before = editor.buffer.text(in: TextPosition(line: editor.cursor.line, offset: 0)..<editor.cursor)
        switch key.key {
        case .character(" "):
            guard wasOpen, let last = before.last(where: { $0 != " " }), "{(:,.[".contains(last) else { return }
        case .character("."): guard before.hasSuffix("...") else { return }
        case .character(let character):
            guard character.isLetter || character.isNumber || "_{(:$@[".contains(character) else { return }
        case .backspace: guard wasOpen else { return }
        default: return
        }
        offerCompletions()
    }

    private mutating func offerCompletions() {
        let editor = panes.request.body
        guard let schema = context?.query?.schema else { return }
        let offered = schema.completions(in: editor.text, at: editor.offset)
        let range = editor.position(at: offered.range.lowerBound)..<editor.position(at: offered.range.upperBound)
        panes.request.completion = QueryCompletion(offered, typed: editor.buffer.text(in: range)[...])
    }

    // MARK: Where it is drawn

    /// The popup, border included: below the cursor's line, or above it where there is more room, never over it.
    var completionArea: Rect? {
        guard let completion = panes.request.completion, let text = requestTextArea else { return nil }
        let editor = panes.request.body
        let start = editor.position(at: completion.offered.range.lowerBound)
        let row = text.row + editor.cursor.line - editor.top
        let column = text.column + editor.gutterColumns + editor.buffer.column(of: start) - editor.left
        let columns = min(screen.size.columns, max(24, min(completion.nameColumns + completion.detailColumns + 6, 64)))
        let wanted = min(completion.list.count, QueryCompletion.mostRows) + (completion.hasDescriptions ? 3 : 2)
        let (above, below) = (row, screen.size.rows - 1 - row - 1)
        let isBelow = below >= wanted || below >= above
        let rows = min(wanted, isBelow ? below : above)
        guard rows >= 3 else { return nil }
        return Rect(
            column: max(0, min(column - 2, screen.size.columns - columns)), row: isBelow ? row + 1 : row - rows, columns: columns,
            rows: rows)
    }

    /// The rows of the popup's items, and the one that says what the selected one is.
    func completionParts(of area: Rect) -> (list: Rect, said: Rect?) {
        let inner = area.inner
        guard panes.request.completion?.hasDescriptions ?? false, inner.rows > 1 else { return (inner, nil) }
        let (list, said) = inner.splitBottom(1)
        return (list, said)
    }

    /// A click on what is offered takes it; the wheel goes through it.
    ///
    /// - Returns: whether the event was meant for it.
    mutating func completion(mouse event: MouseEvent) -> Bool {
        guard var completion = panes.request.completion, let area = completionArea else { return false }
        guard area.contains(event.point) else { return false }
        let list = completionParts(of: area).list
        switch event.action {
        case .wheelUp, .wheelDown:
            completion.list.move(by: event.action == .wheelUp ? -1 : 1)
            panes.request.completion = completion
        case .press where list.contains(event.point):
            let index = completion.list.window(height: list.rows).lowerBound + event.point.row - list.row
            guard completion.offered.items.indices.contains(index) else { break }
            completion.list.select(index)
            take(completion)
        case .press, .doubleClick, .drag, .release: break
        }
        return true
    }
}
