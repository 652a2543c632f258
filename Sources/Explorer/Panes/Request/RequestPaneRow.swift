import NetworkLayer
import RequestCollections

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

    var isSelectable: Bool {
        switch self {
        case .heading, .preview, .note, .inheritedAuth, .origin: false
        case .problem, .url, .named, .inherited, .empty, .field, .explained, .overridden, .want: true
        }
    }

    /// The list that `a` adds to from here.
    var list: RequestField.Rows? {
        switch self {
        case .named(let rows, _), .inherited(let rows, _), .empty(let rows): rows
        case .heading, .problem, .url, .preview, .field, .inheritedAuth, .note, .explained, .origin, .overridden, .want:
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
    /// - Parameter columns: of the pane; notes are broken into lines.
    func rows(of definition: RequestDefinition, inherited: InheritedValues, columns: Int) -> [RequestPaneRow] {
        switch self {
        case .url:
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
            case .graphql: return [kind] + GraphQLField.allCases.map { .field(.graphql($0)) }
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
        case .explain: return []
        case .checks:
            return Self.list(.needs, "needs", definition, inherited)
                + Self.list(.expectations, "expect", definition, inherited)
                + Self.list(.captures, "capture", definition, inherited)
                + [.heading("when and how often")] + RequestKey.flow.map { .field(.typed($0)) }
                + [.heading("mock: the answer without the network")] + MockDefinition.fields.map { .field(.mock($0)) }
                + Self.list(.mockHeaders, nil, definition, inherited)
                + [.heading("about")] + RequestKey.about.filter { $0.example != nil }.map { .field(.typed($0)) }
        case .policy:
            var rows: [RequestPaneRow] = []
            var heading = ""
            for field in SettingField.all {
                if field.heading != heading { rows.append(.heading(field.heading)) }
                heading = field.heading
                rows.append(.field(.policy(field)))
            }
            return rows
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
