import NetworkLayer

/// The entries of a request that is new.
struct RequestWriter {
    private let request: RequestDefinition

    init(_ request: RequestDefinition) {
        self.request = request
    }

    typealias Entries = CollectionWriter.Entries

    /// In the order of people: what it is, where it goes, what it sends, what comes of it.
    func entries() throws(CollectionProblem) -> Entries {
        var entries: Entries = []
        if let name = request.name { entries.append(("name", .scalar(name, .text))) }
        if let description = request.description { entries.append(("description", .scalar(description, .text))) }
        if !request.tags.isEmpty { entries.append(("tags", .texts(request.tags))) }
        entries += target
        for (key, rows) in [
            ("path", request.path), ("query", request.query), ("headers", request.headers), ("cookies", request.cookies),
        ] where !rows.isEmpty {
            entries.append((key, Self.rows(rows)))
        }
        if let auth = request.auth { entries.append(("auth", Self.auth(auth))) }
        if let body = request.body { entries.append(("body", Self.body(body))) }
        entries += try settings()
        if !request.needs.isEmpty { entries.append(("needs", needs)) }
        if !request.captures.isEmpty { entries.append(("capture", captures)) }
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

    private var retry: DesiredValue? {
        let retry = request.settings.retry
        guard !retry.isEmpty else { return nil }
        guard retry.isOn != false else { return .scalar("none", .text) }
        var entries: Entries = []
        if let attempts = retry.attempts { entries.append(("attempts", .scalar("\(attempts)", .literal))) }
        if let conditions = retry.conditions { entries.append(("on", .texts(conditions))) }
        var backoff: Entries = []
        if let first = retry.first { backoff.append(("first", .scalar(DurationText.format(first), .text))) }
        if let factor = retry.factor { backoff.append(("factor", .scalar("\(factor)", .literal))) }
        if let longest = retry.longest { backoff.append(("max", .scalar(DurationText.format(longest), .text))) }
        if let jitter = retry.jitter { backoff.append(("jitter", .scalar(jitter.rawValue, .text))) }
        if !backoff.isEmpty { entries.append(("backoff", .map(backoff))) }
        if let honours = retry.honoursRetryAfter { entries.append(("retry-after", .scalar(honours ? "honour" : "ignore", .text))) }
        return .map(entries)
    }

    /// Settings as they are saved into a request that has none.
    private func settings() throws(CollectionProblem) -> Entries {
        guard request.settings != RequestSettings() else { return [] }
        let retry = retry.map { [DesiredEntry(source: nil, key: "retry", value: $0)] } ?? []
        let empty = RequestDefinition(id: request.id, method: "", url: "", location: request.location)
        var draft = empty
        draft.settings = request.settings
        let mark = YAMLMark(index: 0, line: 0, column: 0)
        let node = YAMLNode(content: .mapping([], isFlow: false), start: mark, end: mark)
        var difference = DefinitionDifference(from: empty, to: draft, node: node, path: "")
        guard case .map(let entries, _) = try difference.desired() else { return [] }
        return FormatTable.settings.compactMap { key in (entries + retry).first { $0.key == key.name }.map { ($0.key, $0.value) } }
    }

    private var needs: DesiredValue {
        if request.needs.allSatisfy({ $0.maxAge == nil }) {
            let names = request.needs.map(\.name)
            return names.count == 1 ? .scalar(names[0], .text) : .texts(names)
        }
        return .map(
            request.needs.map { need in
                (
                    need.name,
                    need.maxAge.map { .map([("max-age", .scalar(DurationText.format($0), .text))]) } ?? .scalar("null", .literal)
                )
            })
    }

    private var captures: DesiredValue {
        .map(
            request.captures.map { capture in
                let source = DesiredValue.scalar(capture.source.description, .text)
                guard capture.isSecret || capture.fallback != nil else { return (capture.name, source) }
                var entries: Entries = [("from", source)]
                if capture.isSecret { entries.append(("secret", .scalar("true", .literal))) }
                if let fallback = capture.fallback { entries.append(("default", DesiredValue(json: fallback))) }
                return (capture.name, .map(entries))
            })
    }

    // MARK: Rows

    static func rows(_ rows: [RequestDefinition.Row]) -> DesiredValue {
        .map(
            DefinitionDifference.grouped(rows).map { group in
                let values = group.map(row)
                return (
                    group[0].name,
                    values.count == 1 ? values[0] : .list(values.map { DesiredEntry(source: nil, key: "", value: $0) }, .automatic)
                )
            })
    }

    private static func row(_ row: RequestDefinition.Row) -> DesiredValue {
        if row.isEnabled { return .scalar(row.value, .text) }
        return row.value.isEmpty
            ? .scalar("null", .literal)
            : .map([("value", .scalar(row.value, .text)), ("enabled", .scalar("false", .literal))])
    }

    // MARK: Body

    private static func body(_ body: BodyDefinition) -> DesiredValue {
        switch body {
        case .none: .scalar("none", .text)
        case .text(let text): .map([("text", .scalar(text, .text))])
        case .file(let path): .map([("file", .scalar(path, .text))])
        case .json(let text): .map([("json", json(text))])
        case .form(let rows): .map([("form", rows.isEmpty ? .map([], .flow) : self.rows(rows))])
        case .multipart(let parts): .map([("multipart", self.parts(parts))])
        case .graphql(let graphql): .map([("graphql", self.graphql(graphql))])
        }
    }

    private static func json(_ text: String) -> DesiredValue {
        guard let value = JSONParser.parse(text), value.standsAsYAML else { return .scalar(text, .string) }
        return DesiredValue(json: value)
    }

    private static func graphql(_ graphql: BodyDefinition.GraphQL) -> DesiredValue {
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

    private static func parts(_ parts: [BodyDefinition.Part]) -> DesiredValue {
        .map(
            parts.groupedByName.map { group in
                let values = group.map(part)
                return (
                    group[0].name,
                    values.count == 1 ? values[0] : .list(values.map { DesiredEntry(source: nil, key: "", value: $0) }, .automatic)
                )
            })
    }

    private static func part(_ part: BodyDefinition.Part) -> DesiredValue {
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
