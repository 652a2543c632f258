import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// A list to choose one from.
struct Chooser: Hashable, Sendable {
    var title: String
    var items: [Item]
    var list: ListState
    var purpose: Purpose

    struct Item: Hashable, Sendable {
        var title: String
        /// Dimmed, behind the title.
        var detail: String

        init(_ title: String, detail: String = "") {
            self.title = title
            self.detail = detail
        }
    }

    enum Purpose: Hashable, Sendable {
        /// The last item is "none".
        case environment(collection: String)
        /// The theme to go back to.
        case theme(before: String)
        case field(RequestField)
        case copy([CopyItem])
        /// One for each item.
        case check([RequestDefinition.Row])
        /// One place for each item.
        case move(RequestReference, [TreePlace])
        case priority(OperationID)
        /// Another type or charset of a body.
        case reading(OperationID)
        /// A page, or Markdown.
        case share(OperationID)
    }

    init(_ title: String, _ items: [Item], selected: Int = 0, purpose: Purpose) {
        self.title = title
        self.items = items
        self.list = ListState(count: items.count, selected: selected, height: max(1, items.count))
        self.purpose = purpose
    }
}

/// What can be copied from where the user is.
enum CopyItem: Hashable, Sendable {
    case text(String, what: String)
    /// One that is masked on the screen, as it is in the file: only whoever asks for it gets it.
    case credential(String)
    /// The request, ready to be used elsewhere.
    case request(RequestRendering)
    /// The body of the shown response, as it is shown.
    case responseBody
}

extension Chooser: ListedOverlay {
    var overlay: Overlay { .chooser(self) }

    var isAboutRequest: Bool {
        switch purpose {
        case .field, .check, .copy: true
        case .environment, .theme, .move, .priority, .reading, .share: false
        }
    }

    func area(in screen: Rect) -> Rect {
        let titles = items.map { DisplayWidth.of($0.title) }.max() ?? 0
        let details = items.map { DisplayWidth.of($0.detail) }.max() ?? 0
        let widest = max(titles + (details > 0 ? details + 2 : 0), DisplayWidth.of(title))
        return screen.centered(Size(columns: widest + 6, rows: items.count + 2))
    }

    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        [.init(key: "↑ ↓", word: "choose"), .init(key: "Enter", word: "take it"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .escape, .character("q"):
            if case .theme(let before) = purpose, before != state.screen.theme { return .closes([.setTheme(before)]) }
            return .closes()
        case .enter, .character(" "):
            let chooser = self
            return .closes { $0.choose(chooser, item: chooser.list.selected) }
        case .tab: list.move(by: key.modifiers.contains(.shift) ? -1 : 1)
        default: guard list.handle(key) else { return .stays() }
        }
        // A theme is tried on while it is looked for.
        if case .theme = purpose, items.indices.contains(list.selected) { return .stays([.setTheme(items[list.selected].title)]) }
        return .stays()
    }

    mutating func click(row: Int, in list: Rect, of state: ExplorerState) -> Bool { select(atRow: row) }
}

extension ExplorerState {
    var environmentChooser: Opening {
        guard let path = selectedRequest?.collection ?? workspace.collections.keys.first,
            let collection = workspace[path]
        else { return .nothing }
        guard !collection.environments.isEmpty else {
            return .notice("\(collection.name) has no environments: \(keyName(.editVariables)) adds one")
        }
        let items = collection.environments.values.map { Chooser.Item($0.name, detail: $0.extends.map { "extends \($0)" } ?? "") }
        let selected = workspace.environments[path].flatMap { collection.environments.index(forKey: $0) } ?? items.count
        return .chooser(
            Chooser(
                "Environment", items + [Chooser.Item("none", detail: "the collection's own variables")], selected: selected,
                purpose: .environment(collection: path)))
    }

    var shareChooser: Opening {
        guard let entry = shownOperation, entry.state.isFinal, !entry.isStopped else {
            return .notice("there is no run here to share yet")
        }
        let items = [
            Chooser.Item("HTML", detail: "one file, with the waterfall, hops and certificate"),
            Chooser.Item("Markdown", detail: "the same, for an issue"),
        ]
        return .chooser(Chooser("Share \(entry.title)", items, purpose: .share(entry.id)))
    }

    var themeChooser: Opening {
        .chooser(
            Chooser(
                "Theme", screen.themes.map { Chooser.Item($0) }, selected: screen.themes.firstIndex(of: screen.theme) ?? 0,
                purpose: .theme(before: screen.theme)))
    }

    var copyChooser: Opening {
        var items: [CopyItem] = []
        if screen.focus == .request, let value = selectedRowText {
            items.append(selectedRowIsCredential ? .credential(value) : .text(value, what: "value"))
        }
        if screen.focus == .response, let place = placeUnderCursor {
            // No terminal accepts more.
            let value = bodyWithCursor?.value(of: place, limit: 1 << 20)
            items += (value.map { [.text($0, what: "value under the cursor")] } ?? []) + [.text(place.path, what: "its path")]
        }
        if screen.focus == .response, let record = recordUnderCursor {
            items.append(.text(record.data, what: "data of \(record.number)"))
        }
        if screen.focus == .response, let (text, what) = shownTabText { items.append(.text(text, what: what)) }
        if screen.focus == .response, let text = filteredText { items.append(.text(text, what: "filtered body")) }
        if let shown = shownResponse, (shown.entry.response?.info?.body.count ?? 0) > 0 { items.append(.responseBody) }
        if let reference = selectedRequest, let definition = definition(of: reference) {
            items += RequestRendering.allCases.map { .request($0) }
            if let text = definition.body?.text, !text.isEmpty { items.append(.text(text, what: "request body")) }
        }
        guard !items.isEmpty else { return .notice("there is nothing to copy") }
        let titles = items.map { item in
            switch item {
            case .text(let text, let what): Chooser.Item(what, detail: String(text.prefix { !$0.isNewline }.prefix(24)))
            case .credential: Chooser.Item("value", detail: "as it stands in the file, not masked")
            case .request(let rendering): Chooser.Item(rendering.title, detail: rendering.detail)
            case .responseBody: Chooser.Item("response body")
            }
        }
        return .chooser(Chooser("Copy", titles, purpose: .copy(items)))
    }

    /// What the filter found, when it isn't too much for a clipboard.
    private var filteredText: String? {
        if let (_, table) = shownStream {
            guard let matches = table.filter?.matches, !matches.isEmpty else { return nil }
            let text = matches.compactMap { table[$0]?.data }.joined(separator: "\n")
            return text.utf8.count <= 1 << 20 ? text : nil
        }
        guard panes.response.tab == .body, !panes.response.filter.isEmpty, let document = responseDocument,
            document.bytes.count <= 1 << 20
        else { return nil }
        return document.text
    }

    /// Whether the selected row's value is one that is masked on the screen: a credential, and no template that says where it comes from.
    private var selectedRowIsCredential: Bool {
        guard let definition = shownDefinition, let text = selectedRowText, !text.contains("{{") else { return false }
        return switch selectedRequestRow {
        case .named(let rows, let index): rows.isCredential(definition[rows][index].name)
        case .inherited(let rows, let row): rows.isCredential(row.name)
        case .field(let field): field.isSecret
        case .url: !Redaction.standard.secrets(inURL: text[...]).isEmpty
        default: false
        }
    }

    private var selectedRowText: String? {
        guard let definition = shownDefinition else { return nil }
        switch selectedRequestRow {
        case .url: return definition.url
        case .named(let rows, let index): return definition[rows][index].value
        case .inherited(_, let row): return row.value
        case .field(let field): return definition.text(of: field)
        case .explained(let row): return row.value
        case .overridden(let row): return row.value
        case .want(_, let text, _): return text
        case .heading, .problem, .preview, .empty, .note, .inheritedAuth, .origin, .more, nil: return nil
        }
    }

    private static let noFailure = "none"

    /// The choices of a field that isn't typed.
    func choices(of field: RequestField) -> Chooser? {
        guard let definition = shownDefinition else { return nil }
        switch field {
        case .method:
            let methods =
                RequestField.methods.contains(definition.method) ? RequestField.methods : RequestField.methods + [definition.method]
            return chooser("Method", methods, current: definition.method, field)
        case .bodyKind:
            let kinds = RequestBodyKind.all.map(\.name)
            return chooser("Body", kinds, current: (definition.body ?? BodyDefinition.none).kind.name, field)
        case .authKind:
            return chooser(
                "Auth", AuthKind.all.map(\.name), current: (definition.auth ?? .inherit).kindName, field)
        case .policy(let setting):
            guard let choices = setting.choices else { return nil }
            let current = setting.typed(in: definition.settings) ?? context?.inherited.setting(setting).text ?? ""
            return chooser(setting.label, choices, current: current, field)
        case .mock(let field):
            guard let choices = field.choices else { return nil }
            let current = definition.mock.map(field.text) ?? ""
            return chooser("Fails with", [Self.noFailure] + choices, current: current, .mock(field))
        case .auth(let auth):
            guard let choices = auth.choices else { return nil }
            return chooser(auth.key, choices, current: definition.auth?.text(of: auth) ?? "", field)
        case .graphql(let field): return choices(ofGraphQL: field, in: definition)
        case .url, .name, .value, .body, .typed: return nil
        }
    }

    private func choices(ofGraphQL field: GraphQLField, in definition: RequestDefinition) -> Chooser? {
        let current = definition.text(ofGraphQL: field)
        var items: [Chooser.Item] = []
        switch field {
        case .persisted: items = [Chooser.Item(GraphQLField.yes), Chooser.Item(GraphQLField.no)]
        case .operation: items = context?.query?.operationNames.map { Chooser.Item($0.name, detail: $0.kind) } ?? []
        case .variable(let name, _):
            guard let choices = context?.query?.choices(of: name) else { return nil }
            items = choices.map { Chooser.Item($0.value, detail: $0.detail) }
            items.append(Chooser.Item(Self.notSent))
            items.append(Chooser.Item(Self.anything, detail: "a template, such as {{\(name)}}"))
        case .query, .file, .connection, .variables, .schema: break
        }
        guard !items.isEmpty else { return nil }
        let selected =
            items.firstIndex { $0.title == (current.isEmpty ? Self.notSent : current) }
            ?? items.firstIndex { $0.title == Self.anything } ?? 0
        return Chooser(field.label, items, selected: selected, purpose: .field(.graphql(field)))
    }

    private static let notSent = "not sent"
    static let anything = "something else"

    private func chooser(_ title: String, _ choices: [String], current: String, _ field: RequestField) -> Chooser {
        Chooser(title, choices.map { Chooser.Item($0) }, selected: choices.firstIndex(of: current) ?? 0, purpose: .field(field))
    }

    mutating func choose(_ chooser: Chooser, item: Int) -> [ExplorerEffect] {
        guard chooser.items.indices.contains(item) else { return [] }
        let title = chooser.items[item].title
        switch chooser.purpose {
        case .environment(let path):
            _ = choose(environment: item < chooser.items.count - 1 ? title : nil, in: path)
            return []
        case .theme:
            screen.followsGround = false
            return [.setTheme(title)]
        case .copy(let items): return copy(items[item])
        case .check(let items): return add(items[item], to: .expectations, saying: "expect \(items[item].name)")
        case .move(let reference, let places): return move(reference, to: places[item])
        case .reading(let id): return read(id, as: item)
        case .share(let id): return [.share(id, asPage: item == 0)]
        case .priority(let id): return operations.set(Self.priorities[item].priority, of: id)
        case .field(.method): return edit { $0.method = title }
        case .field(.bodyKind):
            guard let selectedRequest, let definition = shownDefinition else { return [] }
            let kind = RequestBodyKind[title] ?? .none
            guard kind != (definition.body ?? .none).kind else { return [] }
            let body = drafts.bodyShelves[selectedRequest, default: BodyShelf()].swapIn(kind, insteadOf: definition.body ?? .none)
            return edit { $0.body = body }
        case .field(.authKind):
            // What stands there already is no edit.
            guard title != (shownDefinition?.auth ?? .inherit).kindName else { return [] }
            return edit { $0.auth = ($0.auth ?? .inherit).converted(to: AuthKind[title] ?? .inherit) }
        case .field(.graphql(.variable)) where title == Self.notSent: return deleteSelectedRow()
        case .field(.graphql(let field)) where title == Self.anything:
            beginEditing(.graphql(field))
            return []
        case .field(.mock(let field)) where title == Self.noFailure: return edit { try? $0.setText("", of: .mock(field)) }
        case .field(let field): return edit { try? $0.setText(title, of: field) }
        }
    }

    /// - Returns: `false`: it is gone from the file, which is said.
    mutating func choose(environment name: String?, in path: String) -> Bool {
        if let name, workspace[path]?.environments[name] == nil {
            notice = Notice(.info, "the environment \(name) isn't there any more")
            return false
        }
        workspace.environments[path] = name
        refreshContext()
        return true
    }

    private func copy(_ item: CopyItem) -> [ExplorerEffect] {
        switch item {
        case .text(let text, let what): return [.copy(text, what: what)]
        case .credential(let text): return [.copy(text, what: "value, a credential, in clear")]
        case .responseBody: return shownResponse.map { [.copyBody($0.entry.id)] } ?? []
        case .request(let rendering):
            guard let reference = selectedRequest, let definition = definition(of: reference) else { return [] }
            return [.copyRequest(definition, in: reference.collection, environment: environment, as: rendering)]
        }
    }
}

extension RequestField {
    /// What is offered; a file may say any other.
    static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY"]
}

extension Chooser: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let rect = layout.list
        let detailColumn = (items.map { DisplayWidth.of($0.title) }.max() ?? 0) + 4
        canvas.list(list, in: rect) { canvas, index, row in
            let item = items[index]
            canvas.text(item.title, .text, column: 2, row: row, ellipsis: true)
            canvas.text(item.detail, .dim, column: detailColumn, row: row, limit: rect.columns - detailColumn - 1, ellipsis: true)
        }
    }
}
