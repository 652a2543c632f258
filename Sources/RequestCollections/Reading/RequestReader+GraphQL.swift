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
        var graphql = BodyDefinition.GraphQL(query: .text(""))
        BodyDefinition.GraphQL.fields.read(node, with: self, into: &graphql, problems: &problems)
        return graphql
    }

    /// What a query can't have in this request.
    func checkQuery(of request: inout RequestDefinition) {
        guard let query = request.graphQL else { return }
        let isGet = request.method.uppercased() == "GET"
        var complaint: String? {
            if request.isWebSocket {
                if case .file(let path) = query.query, Template.isIn(path) {
                    return "the `file` of a query that goes over a `websocket` has no templates in its name"
                }
                return query.isPersisted == true || !query.files.isEmpty
                    ? "`persisted` and `files` don't go over a `websocket`; send the query by `post`" : nil
            }
            if query.connection != nil {
                return "`connection` is for a subscription over a `websocket`, and this request opens none"
            }
            if isGet, query.isPersisted == true || !query.files.isEmpty {
                return "`persisted` and `files` need a body, and a query by `get` stands in the URL; send it by `post`"
            }
            return query.isPersisted == true && !query.files.isEmpty
                ? "`persisted` and `files` exclude one another: leave one of them out" : nil
        }
        if let complaint {
            request.problems.append(
                CollectionProblem(location: request.places["body"] ?? request.location, message: complaint))
        }
    }
}
