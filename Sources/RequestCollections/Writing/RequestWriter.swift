import NetworkLayer

/// The entries of a request that is new.
struct RequestWriter {
    let request: RequestDefinition
    /// By key path: `query.limit`, `body.form.name`.
    private let comments: [String: String]

    init(_ request: RequestDefinition, comments: [String: String] = [:]) {
        self.request = request
        self.comments = comments
    }

    typealias Entries = CollectionWriter.Entries

    /// In the order in which people think: what it is, where it goes, what it sends, what comes of it.
    func entries() throws(CollectionProblem) -> Entries {
        func entries(_ keys: [RequestKey]) -> Entries { keys.compactMap { key in key.write(self).map { (key.name, $0) } } }
        var all = entries(RequestKey.about) + target + entries(RequestKey.sent)
        all += try settings()
        all += entries(RequestKey.around)
        // What an import didn't understand; it has no meaning here.
        for key in comments.keys.filter({ $0.hasPrefix("x-") }).sorted() {
            all.append((key, .scalar(comments[key] ?? "", .text)))
        }
        return all
    }

    private var target: Entries {
        let short = request.method.lowercased()
        // `query` is also the name of the parameters.
        if FormatTable.methods.contains(short), request.method == short.uppercased(), short != "query" || request.query.isEmpty {
            return [(short, .scalar(request.url, .text))]
        }
        return [("method", .scalar(request.method, .text)), ("url", .scalar(request.url, .text))]
    }

    /// Settings as they are saved into a request that has none.
    private func settings() throws(CollectionProblem) -> Entries {
        guard request.settings != RequestSettings() else { return [] }
        let empty = RequestDefinition(id: request.id, method: "", url: "", location: request.location)
        var draft = empty
        draft.settings = request.settings
        let mark = YAMLMark(index: 0, line: 0, column: 0)
        let node = YAMLNode(content: .mapping([], isFlow: false), start: mark, end: mark)
        var difference = DefinitionDifference(from: empty, to: draft, node: node, path: "")
        guard case .map(let entries, _) = try difference.desired() else { return [] }
        return FormatTable.settings.compactMap { key in entries.first { $0.key == key.name }.map { ($0.key, $0.value) } }
    }

    static func needs(_ needs: [NeedDefinition]) -> DesiredValue {
        if needs.allSatisfy({ NeedDefinition.fields.written($0).isEmpty }) {
            let names = needs.map(\.name)
            return names.count == 1 ? .scalar(names[0], .text) : .texts(names)
        }
        return .map(
            needs.map { need in
                let entries = NeedDefinition.fields.written(need)
                return (need.name, entries.isEmpty ? .scalar("null", .literal) : .map(entries))
            })
    }

    /// A line for the shell, or the words of a program.
    static func hydrate(_ hydrate: HydrateDefinition) -> DesiredValue {
        let words = hydrate.words
        return words.count == 3 && words[..<2] == ["sh", "-c"] ? .scalar(words[2], .text) : .texts(words)
    }

    static func captures(_ captures: [CaptureDefinition]) -> DesiredValue {
        .map(
            captures.map { capture in
                let source = DesiredValue.scalar(capture.source.description, .text)
                let more = CaptureDefinition.fields.written(capture)
                return (capture.name, more.isEmpty ? source : .map([("from", source)] + more))
            })
    }

    // MARK: Rows

    /// - Parameter place: what the names of comments begin with.
    func rows(_ rows: [RequestDefinition.Row], at place: String) -> DesiredValue {
        groups(DefinitionDifference.grouped(rows).map { ($0[0].name, $0.map(Self.row)) }, at: place)
    }

    /// Values that have one name are a list.
    private func groups(_ groups: [(name: String, values: [DesiredValue])], at place: String) -> DesiredValue {
        .map(
            groups.map { name, values in
                DesiredEntry(
                    source: nil, key: name,
                    value: values.count == 1
                        ? values[0] : .list(values.map { DesiredEntry(source: nil, key: "", value: $0) }, .automatic),
                    comment: comments["\(place).\(name)"])
            }, .automatic)
    }

    private static func row(_ row: RequestDefinition.Row) -> DesiredValue {
        if row.isEnabled { return .scalar(row.value, .text) }
        return row.value.isEmpty
            ? .scalar("null", .literal)
            : .map([("value", .scalar(row.value, .text)), ("enabled", .scalar("false", .literal))])
    }

    // MARK: Body

    func parts(_ parts: [BodyDefinition.Part]) -> DesiredValue {
        groups(parts.groupedByName.map { ($0[0].name, $0.map(Self.part)) }, at: "body.multipart")
    }

    static func json(_ text: String) -> DesiredValue {
        guard let value = JSONValue.standingAsYAML(text) else { return .scalar(text, .string) }
        return DesiredValue(json: value)
    }

    static func graphql(_ graphql: BodyDefinition.GraphQL) -> DesiredValue {
        if case .text(let query) = graphql.query, graphql.operation == nil, graphql.variables == nil {
            return .scalar(query, .text)
        }
        var entries: Entries = []
        switch graphql.query {
        case .text(let query): entries.append(("query", .scalar(query, .text)))
        case .file(let path): entries.append(("file", .scalar(path, .text)))
        }
        if let operation = graphql.operation { entries.append(("operation", .scalar(operation, .text))) }
        if let variables = graphql.variables, let value = JSONParser.parse(variables) {
            entries.append(("variables", DesiredValue(json: value)))
        }
        return .map(entries)
    }

    static func part(_ part: BodyDefinition.Part) -> DesiredValue {
        if case .text(let text) = part.content, part.isEnabled, part.fileName == nil, part.contentType == nil {
            return .scalar(text, .text)
        }
        return .map(BodyDefinition.Part.fields.written(part))
    }

    // MARK: The mock

    func mock(_ mock: MockDefinition) -> DesiredValue {
        var entries = MockDefinition.fields.written(mock)
        if !mock.headers.isEmpty {
            entries.insert(("headers", rows(mock.headers, at: "mock.headers")), at: mock.status == nil ? 0 : 1)
        }
        return .map(entries)
    }
}

extension JSONValue {
    /// JSON that is written as YAML; `nil` for what isn't, and for what isn't JSON.
    package static func standingAsYAML(_ text: String) -> JSONValue? {
        guard let value = JSONParser.parse(text), value.standsAsYAML, !JSONParser.hasHalfPairs(text) else { return nil }
        return value
    }

    /// Whether a body of this JSON is written as YAML: nothing is lost by it, a text alone would be read as JSON itself, and what is
    /// nested deeply is hard to read, and runs into the limit of a file.
    package var standsAsYAML: Bool {
        if case .string = self { return false }
        return canBeYAML && depth <= 12
    }

    /// Levels of lists and maps.
    private var depth: Int {
        switch self {
        case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}
