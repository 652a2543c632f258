extension RequestReader {
    func body(_ node: YAMLNode, problems: inout [CollectionProblem]) -> BodyDefinition? {
        if node.text == "none" { return BodyDefinition.none }
        guard let pairs = node.pairs, let pair = pairs.first, let kind = pair.key.text else {
            if node.pairs != nil { problems.append(problem(node, "`body` is empty; write `body: none` for no body")) }
            return nil
        }
        if pairs.count > 1, let second = pairs[1].key.text, second != kind {
            problems.append(problem(pairs[1].key, "both `\(kind)` and `\(second)` are there; a request has one body"))
        }
        let value = pair.value
        switch kind {
        case "text": return .text(value.text ?? "")
        case "json": return json(value, problems: &problems)
        case "form": return .form(rows(value))
        case "multipart": return .multipart(parts(value, problems: &problems))
        case "file": return .file(value.text ?? "")
        case "graphql": return .graphql(graphql(pair, problems: &problems))
        default: return nil
        }
    }

    /// A query, or a map with its file, operation and variables.
    private func graphql(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> BodyDefinition.GraphQL {
        let node = pair.value
        guard node.pairs != nil else { return .init(query: .text(node.text ?? "")) }
        if let file = node.pairs?.first(where: { $0.key.text == "file" }), node["query"] != nil {
            problems.append(problem(file.key, "both `query` and `file` are there; a GraphQL body has one query"))
        } else if node["query"] == nil, node["file"] == nil, FormatTable.graphql.knowsAllKeys(of: node) {
            problems.append(problem(pair.key, "`graphql` lacks its `query`, or the `file` that has it"))
        }
        var graphql = BodyDefinition.GraphQL(query: (node["file"]?.text).map { .file($0) } ?? .text(node["query"]?.text ?? ""))
        graphql.operation = node["operation"]?.text
        if let variables = node["variables"] { graphql.variables = jsonText(variables, problems: &problems) }
        return graphql
    }

    /// A text is taken as it stands; any other value becomes JSON.
    private func json(_ node: YAMLNode, problems: inout [CollectionProblem]) -> BodyDefinition {
        if case .scalar(let text, let style) = node.content, style != .plain || PlainScalar(text) == .text { return .json(text) }
        return .json(jsonText(node, problems: &problems))
    }

    func jsonText(_ node: YAMLNode, problems: inout [CollectionProblem]) -> String {
        do throws(CollectionProblem) {
            return try JSONValue(node, in: path).text(pretty: true)
        } catch {
            problems.append(error)
            return "null"
        }
    }

    private func parts(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for pair in node.pairs ?? [] {
            guard let name = pair.key.text else { continue }
            for value in pair.value.items ?? [pair.value] {
                guard value.pairs != nil else {
                    parts.append(.init(name: name, content: .text(value.isNull ? "" : value.text ?? ""), isEnabled: !value.isNull))
                    continue
                }
                if value["value"] != nil, let file = value.pairs?.first(where: { $0.key.text == "file" }) {
                    problems.append(problem(file.key, "both `value` and `file` are there; the part `\(name)` has one content"))
                }
                let content: BodyDefinition.Part.Content =
                    (value["file"]?.text).map { .file($0) } ?? .text(value["value"]?.text ?? "")
                parts.append(
                    .init(
                        name: name, content: content, fileName: value["filename"]?.text, contentType: value["type"]?.text,
                        isEnabled: value["enabled"]?.boolean ?? true))
            }
        }
        return parts
    }
}
