import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// A row of the request pane. Views draw it, keys act on it.
enum RequestPaneRow: Hashable, Sendable {
    case heading(String)
    /// What the file has wrong: Enter shows all of it.
    case problem(CollectionProblem)
    case url
    /// The URL with its variables' values in place.
    case preview
    case named(RequestField.Rows, Int)
    case inherited(RequestField.Rows, InheritedValues.Row)
    /// A row for an empty list, which says how to add to it.
    case empty(RequestField.Rows)
    /// A label and a value.
    case field(RequestField)
    /// What the folders above decide, where the request does not.
    case inheritedAuth(AuthDefinition, origin: String)
    /// A line of the body's text comes after this: the editor fills the rest of the pane.
    case note(String)
    /// An effective value, and below it where it stands and what it won over.
    case explained(Explanation.Row)
    case origin(Explanation.Origin)
    case overridden(Explanation.Overridden)
    /// What sending it wants of this machine: Enter asks for it.
    case want(mark: String, String, isOpen: Bool)
    /// Rows that Enter shows and hides.
    case more(More, String)

    enum More: Hashable, Sendable {
        /// The settings that nothing sets.
        case defaults
        /// Where every value comes from.
        case origins
    }

    var isSelectable: Bool {
        switch self {
        case .heading, .preview, .note, .inheritedAuth, .origin: false
        case .problem, .url, .named, .inherited, .empty, .field, .explained, .overridden, .want, .more: true
        }
    }

    /// The list that `a` adds to from here.
    var list: RequestField.Rows? {
        switch self {
        case .named(let rows, _), .inherited(let rows, _), .empty(let rows): rows
        case .heading, .problem, .url, .preview, .field, .inheritedAuth, .note, .explained, .origin, .overridden, .want, .more:
            nil
        }
    }
}

extension RequestPaneState.Tab {
    /// What is wrong, broken at blanks, behind a sign.
    static func lines(of problem: CollectionProblem, columns: Int) -> [String] {
        LineWrapping.lines(of: problem.message, columns: columns - 4)
    }

    /// The rows of a tab, top to bottom.
    ///
    /// - Parameters:
    ///   - query: what is known of a GraphQL body.
    ///   - columns: of the pane; notes are broken into lines.
    ///   - opened: of the settings.
    func rows(
        of definition: RequestDefinition, inherited: InheritedValues, query: QueryAnalysis?, columns: Int,
        opened: Set<RequestPaneRow.More> = []
    ) -> [RequestPaneRow] {
        switch self {
        case .params:
            var rows: [RequestPaneRow] = [.url]
            let isAllSaid = !definition.url.contains("{{") && !definition.url.contains("/:")
            if !isAllSaid || definition.query.contains(where: \.isEnabled) { rows.append(.preview) }
            // The first line is the row that can be opened.
            rows += definition.problems.flatMap { problem -> [RequestPaneRow] in
                [.problem(problem)] + Self.lines(of: problem, columns: columns).dropFirst().map { .note("  " + $0) }
            }
            if !definition.path.isEmpty { rows += Self.list(.path, "path", definition, inherited) }
            rows += Self.list(.query, "query", definition, inherited)
            if let description = definition.description {
                rows += [.note("")] + LineWrapping.lines(of: description, columns: columns - 2).map { .note($0) }
            }
            return rows
        case .headers:
            var rows = Self.list(.headers, nil, definition, inherited)
            if !definition.cookies.isEmpty || !inherited.cookies.isEmpty {
                rows += Self.list(.cookies, "cookies", definition, inherited)
            }
            return rows
        case .body:
            let kind = RequestPaneRow.field(.bodyKind)
            switch definition.body?.kind.editor {
            case nil, RequestBodyKind.Editor.none?, .text: return [kind]
            case .rows: return [kind] + Self.list(.form, nil, definition, inherited)
            case .parts: return [kind] + Self.list(.parts, nil, definition, inherited)
            case .line: return [kind, .field(.body)]
            case .graphql:
                guard let graphql = definition.graphQL else { return [kind] }
                return [kind] + GraphQLField.rows(of: graphql, query, isWebSocket: definition.isWebSocket)
            }
        case .auth:
            var rows: [RequestPaneRow] = [.field(.authKind)]
            switch definition.auth {
            case nil, .inherit?:
                if let auth = inherited.auth {
                    rows.append(.inheritedAuth(auth.definition, origin: auth.origin))
                } else {
                    rows.append(.note("no folder above says anything: sent without"))
                }
            case let auth?:
                rows += auth.fields.map { .field(.auth($0)) }
                if auth.fields.isEmpty, !auth.kind.help.isEmpty { rows.append(.note(auth.kind.help)) }
            }
            return rows
        case .checks:
            return Self.list(.needs, "needs", definition, inherited)
                + Self.list(.expectations, "expect", definition, inherited)
                + Self.list(.captures, "capture", definition, inherited)
                + [.heading("when and how often")] + RequestKey.flow.map { .field(.typed($0)) }
                + [.heading("mock: the answer without the network")] + MockDefinition.fields.map { .field(.mock($0)) }
                + Self.list(.mockHeaders, nil, definition, inherited)
                + [.heading("about")] + RequestKey.about.filter { $0.example != nil }.map { .field(.typed($0)) }
        case .settings:
            let isSet = { (field: SettingField) in field.isSaid(in: definition.settings) || inherited.isSet(field) }
            let rest = SettingField.all.filter { !isSet($0) }
            var rows = SettingField.all.filter(isSet).map { RequestPaneRow.field(.policy($0)) }
            rows.append(.more(.defaults, "\(rest.count) settings as the library has them"))
            var heading = ""
            for field in rest where opened.contains(.defaults) {
                if field.heading != heading { rows.append(.heading(field.heading)) }
                heading = field.heading
                rows.append(.field(.policy(field)))
            }
            return rows + [.more(.origins, "where every value comes from")]
        }
    }

    /// What is in the tab, in a word or a number; empty: nothing is.
    func detail(of definition: RequestDefinition, _ inherited: InheritedValues) -> String {
        func count(_ lists: RequestField.Rows...) -> String {
            let count = lists.reduce(0) { count, list in
                let own = definition[list]
                let others = inherited.rows(list).filter { row in !own.contains { $0.name.lowercased() == row.name.lowercased() } }
                return count + own.count(where: \.isEnabled) + others.count(where: \.isEnabled)
            }
            return count == 0 ? "" : "\(count)"
        }
        switch self {
        case .params: return count(.inURL, .path, .query)
        case .headers: return count(.headers, .cookies)
        case .body: return definition.body.map { $0.kind == .none ? "" : $0.kind.name } ?? ""
        case .auth:
            let said = definition.auth ?? .inherit
            let auth = said == .inherit ? inherited.auth?.definition ?? AuthDefinition.none : said
            return auth == .none ? "" : auth.kindName
        case .checks: return count(.needs, .expectations, .captures)
        case .settings:
            let set = SettingField.all.count { $0.isSaid(in: definition.settings) || inherited.isSet($0) }
            return set == 0 ? "" : "\(set)"
        }
    }

    private static func list(
        _ list: RequestField.Rows, _ heading: String?, _ definition: RequestDefinition, _ inherited: InheritedValues
    ) -> [RequestPaneRow] {
        let own = definition[list]
        let inURL = list == .query ? definition[.inURL] : []
        let others = inherited.rows(list).filter { row in !own.contains { $0.name.lowercased() == row.name.lowercased() } }
        var rows: [RequestPaneRow] = heading.map { [.heading($0)] } ?? []
        rows += inURL.indices.map { .named(.inURL, $0) } + own.indices.map { .named(list, $0) }
        rows += others.map { .inherited(list, $0) }
        if own.isEmpty && others.isEmpty && inURL.isEmpty { rows.append(.empty(list)) }
        return rows
    }
}

/// Where the values begin in rows of the request pane.
struct RequestColumns {
    /// In rows with a name.
    let value: Int
    /// Behind the longest name of a field of this kind of authentication.
    let auth: Int
    /// Behind the longest name of a variable of the query.
    let variable: Int
    private let method: String

    /// - Parameter rows: those of the pane; the names in them have one width.
    init(_ definition: RequestDefinition, _ pane: RequestPaneState, rows: [RequestPaneRow]) {
        let names = rows.compactMap { row -> Int? in
            switch row {
            case .named(let rows, let index): DisplayWidth.of(definition[rows][index].name)
            case .inherited(_, let row): DisplayWidth.of(row.name)
            case .explained(let row): DisplayWidth.of(row.name)
            case .heading, .problem, .url, .preview, .empty, .field, .inheritedAuth, .note, .origin, .overridden, .want, .more: nil
            }
        }
        // A name that is being typed is shown with more than its end.
        let least = if case .line(.name, _) = pane.editing { 20 } else { 6 }
        value = min(max(least, names.max() ?? 0), 24) + 4
        auth = max(13, 3 + (definition.auth?.kind.fields.map(\.key.count).max() ?? 0))
        let variables = rows.compactMap { row in
            if case .field(.graphql(let field)) = row { DisplayWidth.of(field.label) } else { nil }
        }
        variable = min(max(13, 3 + (variables.max() ?? 0)), 26)
        method = definition.method
    }

    /// What a field has of its row.
    func place(of field: RequestField, in row: Rect) -> Rect {
        let start =
            switch field {
            case .url: 2 + DisplayWidth.of(method)
            case .name: 3
            case .value: value
            case .auth: auth
            case .graphql: variable
            case .method, .body, .bodyKind, .authKind, .policy, .mock, .typed: 13
            }
        let rest = row.splitLeft(start).rest
        return if case .name = field { rest.splitLeft(value - 4).left } else { rest }
    }
}

extension ExplorerState {
    /// Stands at the end of the request's line while the request isn't as its file has it.
    var requestMark: String {
        guard let line = layout.requestLine, let selectedRequest, drafts.isUnsaved(selectedRequest) else { return "" }
        return line.columns >= 60 ? "✎ edited " : "✎"
    }

    /// The part of the request's line that the URL has.
    var urlRow: Rect? {
        layout.requestLine.map { $0.line(0).splitLeft($0.columns - DisplayWidth.of(requestMark)).left }
    }

    /// Where a field is drawn while it is edited; `nil`: it isn't seen.
    func place(of field: RequestField) -> Rect? {
        guard let definition = shownDefinition else { return nil }
        if field == .url, let urlRow { return RequestColumns(definition, panes.request, rows: []).place(of: .url, in: urlRow) }
        let (rows, window) = (requestRows, requestWindow)
        guard let area = layout.panes[.request]?.inner,
            let index = rows.firstIndex(of: field == .url ? .url : RequestPaneRow(of: field)), window.contains(index)
        else { return nil }
        return RequestColumns(definition, panes.request, rows: rows).place(of: field, in: area.line(index - window.lowerBound))
    }
}

/// Where everything about the shown request comes from, as it stands now.
struct ExplainedRequest: Hashable, Sendable {
    let definition: RequestDefinition
    let rows: [Explanation.Row]
    /// Why there are none.
    let problem: String?

    init(
        _ definition: RequestDefinition, in collection: RequestCollection, environment: String?, variables: [String: String],
        secrets: [String: [OriginPattern]]
    ) {
        self.definition = definition
        do throws(ResolutionError) {
            rows = try collection.explain(
                definition, environment: environment, variables: variables.mapValues(JSONValue.string), secretVariables: secrets
            ).rows
            problem = nil
        } catch {
            rows = []
            problem = error.message
        }
    }

    /// - Parameter columns: where there is room, a value's place stands beside it, else below.
    func rows(columns: Int) -> [RequestPaneRow] {
        if let problem { return LineWrapping.lines(of: problem, columns: columns - 2).map { .note($0) } }
        var lines: [RequestPaneRow] = []
        var group: Explanation.Group?
        for row in rows {
            if row.group != group { lines.append(.heading(row.group.title)) }
            group = row.group
            lines.append(.explained(row))
            if columns < Self.wide { lines.append(.origin(row.origin)) }
            if let template = row.template { lines.append(.note("  filled in from \(template.pieces(at: "\n")[0])")) }
            if let problem = row.problem { lines.append(.note("  ✗ \(problem)")) }
            lines += row.overrode.map { .overridden($0) }
        }
        return lines
    }

    /// From this width on, everything about a value is on one line.
    static let wide = 72
}

extension Explanation.Group {
    fileprivate var title: String { self == .url ? "URL" : rawValue }
}

extension ExplorerState {
    /// Done only while it is seen, since it fills in every template.
    mutating func fitExplanation() {
        guard explainsRequest, let definition = shownDefinition, let reference = selectedRequest,
            let collection = workspace[reference.collection], context?.explained?.definition != definition
        else { return }
        let given = givenVariables(in: reference.collection)
        context?.explained = ExplainedRequest(
            definition, in: collection, environment: workspace.environments[reference.collection], variables: given.texts,
            secrets: given.secrets)
    }

    /// The file in which a value stands, at its line.
    mutating func openFile(at location: SourceLocation?, of source: ValueOrigin.Source) -> [ExplorerEffect] {
        guard let location, !location.path.isEmpty else {
            return say("it comes from \(source), and stands in no file")
        }
        return [.openFile(location)]
    }

    /// The location as short as is clear: its path begins at the collection's directory.
    func shortPlace(_ location: SourceLocation) -> String {
        var path = location.path
        if let root = selectedRequest?.collection, path.hasPrefix(root + "/") {
            path = String(path.dropFirst(root.count + 1))
        } else {
            path = path.split(separator: "/").last.map(String.init) ?? path
        }
        return "\(path):\(location.line)"
    }

    /// The session's cookies that go along with the shown request, as far as its URL is known; none where it names a jar, or refuses one.
    var cookiesAlong: [Cookie] {
        guard let reference = selectedRequest, let jar = workspace.sessionCookies[reference.collection], !jar.cookies.isEmpty,
            effective(\.cookieJar) == nil, let definition = shownDefinition, let context
        else { return [] }
        let parts = context.templates.resolvedParts(of: context.wholeURL(of: definition))
        guard let url = URL(international: parts.map(\.text).joined()) else { return [] }
        let own = Set(context.rows(.cookies, of: definition).map(\.name))
        // Which of them have expired was found out when they were told.
        return jar.cookies(for: url, method: HTTPRequest.Method(definition.method) ?? .get, at: .distantPast)
            .filter { !own.contains($0.name) }
    }

    /// What is explained, with those cookies behind what the file says of the request's line and its fields.
    func withCookiesAlong(_ rows: [RequestPaneRow]) -> [RequestPaneRow] {
        let cookies = cookiesAlong
        guard !cookies.isEmpty else { return rows }
        let added: [RequestPaneRow] =
            [.heading("cookies of this session")]
            + cookies.map { .note("  \($0.name)  ••••••  set by an answer of \($0.domain)") }
            + [.note("  \(keyName(.forgetCookies)) forgets them; cookie-jar: \"\" sends none")]
        let end =
            rows.firstIndex { row in
                guard case .heading(let title) = row else { return false }
                return !["URL", "path", "query", "headers", "cookies"].contains(title)
            } ?? rows.endIndex
        var all = rows
        all.insert(contentsOf: added, at: end)
        return all
    }

    /// Forgets those of the shown collection.
    func forgetCookies() -> [ExplorerEffect] {
        guard let path = selectedRequest?.collection ?? collectionPaths.first else { return [] }
        return [.forgetCookies(in: path)]
    }
}
