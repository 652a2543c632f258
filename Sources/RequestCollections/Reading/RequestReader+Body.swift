extension RequestReader {
    /// A query, or a map with its file, operation and variables.
    func graphql(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> BodyDefinition.GraphQL {
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
    func json(_ node: YAMLNode, problems: inout [CollectionProblem]) -> String {
        if case .scalar(let text, let style) = node.content, style != .plain || PlainScalar(text) == .text { return text }
        return jsonText(node, problems: &problems)
    }

    func jsonText(_ node: YAMLNode, problems: inout [CollectionProblem]) -> String {
        do throws(CollectionProblem) {
            return try JSONValue(node, in: path).text(pretty: true)
        } catch {
            problems.append(error)
            return "null"
        }
    }

    func parts(_ node: YAMLNode, problems: inout [CollectionProblem]) -> [BodyDefinition.Part] {
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
                var part = BodyDefinition.Part(name: name, content: .text(""))
                BodyDefinition.Part.fields.read(value, with: self, into: &part, problems: &problems)
                parts.append(part)
            }
        }
        return parts
    }
}
