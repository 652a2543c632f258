import NetworkLayer

/// The entries of a request that is new.
struct RequestWriter {
    private let request: RequestDefinition
    /// By key path: `query.limit`, `body.form.name`.
    private let comments: [String: String]

    init(_ request: RequestDefinition, comments: [String: String] = [:]) {
        self.request = request
        self.comments = comments
    }

    typealias Entries = CollectionWriter.Entries

    /// In the order of people: what it is, where it goes, what it sends, what comes of it.
    func entries() throws(CollectionProblem) -> Entries {
        var entries: Entries = []
        if let name = request.name { entries.append(("name", .scalar(name, .text))) }
        if let description = request.description { entries.append(("description", .scalar(description, .text))) }
        if !request.tags.isEmpty { entries.append(("tags", .texts(request.tags))) }
        if !request.variables.isEmpty { entries.append(("variables", CollectionWriter.value(of: request.variables))) }
        entries += target
        for (key, rows) in [
            ("path", request.path), ("query", request.query), ("headers", request.headers), ("cookies", request.cookies),
        ] where !rows.isEmpty {
            entries.append((key, self.rows(rows, at: key)))
        }
        if let auth = request.auth { entries.append(("auth", Self.auth(auth))) }
        if let body = request.body { entries.append(("body", self.body(body))) }
        entries += try settings()
        if let when = request.when { entries.append(("when", Self.when(when))) }
        if let forEach = request.forEach { entries.append(("for-each", Self.forEach(forEach))) }
        if let repeats = request.repeats { entries.append(("repeat", .scalar("\(repeats)", .literal))) }
        if !request.needs.isEmpty { entries.append(("needs", Self.needs(request.needs))) }
        if let hydrate = request.hydrate { entries.append(("hydrate", Self.hydrate(hydrate))) }
        if !request.captures.isEmpty { entries.append(("capture", captures)) }
        if !request.expectations.isEmpty { entries.append(("expect", ExpectationWriter.value(request.expectations))) }
        if let until = request.until { entries.append(("until", Self.until(until))) }
        if !request.tearDown.isEmpty { entries.append(("tear-down", Self.needs(request.tearDown))) }
        if let mock = request.mock { entries.append(("mock", self.mock(mock))) }
        // What an import didn't understand; it has no meaning here.
        for key in comments.keys.filter({ $0.hasPrefix("x-") }).sorted() {
            entries.append((key, .scalar(comments[key] ?? "", .text)))
        }
        return entries
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
        if needs.allSatisfy({ $0.maxAge == nil && $0.ifSkipped == nil }) {
            let names = needs.map(\.name)
            return names.count == 1 ? .scalar(names[0], .text) : .texts(names)
        }
        return .map(
            needs.map { need in
                var entries: Entries = []
                if let age = need.maxAge { entries.append(("max-age", .scalar(DurationText.format(age), .text))) }
                if let ifSkipped = need.ifSkipped { entries.append(("if-skipped", .scalar(ifSkipped.rawValue, .text))) }
                return (need.name, entries.isEmpty ? .scalar("null", .literal) : .map(entries))
            })
    }

    /// A line for the shell, or the words of a program.
    static func hydrate(_ hydrate: HydrateDefinition) -> DesiredValue {
        let words = hydrate.words
        return words.count == 3 && words[..<2] == ["sh", "-c"] ? .scalar(words[2], .text) : .texts(words)
    }

    var captures: DesiredValue {
        .map(
            request.captures.map { capture in
                let source = DesiredValue.scalar(capture.source.description, .text)
                let isShort = !capture.isSecret && capture.fallback == nil && capture.isFlat == nil && capture.steps.isEmpty
                guard !isShort else { return (capture.name, source) }
                var entries: Entries = [("from", source)]
                if !capture.steps.isEmpty { entries.append(("then", .texts(capture.steps.map(\.description)))) }
                if capture.isSecret { entries.append(("secret", .scalar("true", .literal))) }
                if let fallback = capture.fallback { entries.append(("default", DesiredValue(json: fallback))) }
                if let isFlat = capture.isFlat { entries.append(("flat", .scalar("\(isFlat)", .literal))) }
                return (capture.name, .map(entries))
            })
    }

    // MARK: Rows

    /// - Parameter place: what the names of comments begin with.
    private func rows(_ rows: [RequestDefinition.Row], at place: String) -> DesiredValue {
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

    private func body(_ body: BodyDefinition) -> DesiredValue {
        switch body {
        case .none: .scalar("none", .text)
        case .text(let text): .map([("text", .scalar(text, .text))])
        case .file(let path): .map([("file", .scalar(path, .text))])
        case .json(let text): .map([("json", Self.json(text))])
        case .form(let rows): .map([("form", rows.isEmpty ? .map([], .flow) : self.rows(rows, at: "body.form"))])
        case .multipart(let parts):
            .map([("multipart", groups(parts.groupedByName.map { ($0[0].name, $0.map(Self.part)) }, at: "body.multipart"))])
        case .graphql(let graphql): .map([("graphql", Self.graphql(graphql))])
        }
    }

    private static func json(_ text: String) -> DesiredValue {
        guard let value = JSONParser.parse(text), value.standsAsYAML else { return .scalar(text, .string) }
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
        var entries: Entries = []
        switch part.content {
        case .text(let text): entries.append(("value", .scalar(text, .text)))
        case .file(let path): entries.append(("file", .scalar(path, .text)))
        }
        if let name = part.fileName { entries.append(("filename", .scalar(name, .text))) }
        if let type = part.contentType { entries.append(("type", .scalar(type, .text))) }
        if !part.isEnabled { entries.append(("enabled", .scalar("false", .literal))) }
        return .map(entries)
    }

    // MARK: The mock

    func mock(_ mock: MockDefinition) -> DesiredValue {
        var entries: Entries = []
        if let status = mock.status { entries.append(("status", .scalar("\(status)", .literal))) }
        if !mock.headers.isEmpty { entries.append(("headers", rows(mock.headers, at: "mock.headers"))) }
        switch mock.body {
        case nil: break
        case .text(let text): entries.append(("body", .scalar(text, .string)))
        case .json(let text): entries.append(("body", Self.json(text)))
        case .file(let path): entries.append(("file", .scalar(path, .text)))
        }
        if let delay = mock.delayText { entries.append(("delay", .scalar(delay, .text))) }
        if let latency = mock.latency { entries.append(("latency", .scalar(DurationText.format(latency), .text))) }
        if let rate = mock.rate { entries.append(("rate", .scalar("\(rate)", .literal))) }
        if let error = mock.error { entries.append(("error", .scalar(error.rawValue, .text))) }
        return .map(entries)
    }
}

extension JSONValue {
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
