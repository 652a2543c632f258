import RequestCollections

/// What a GraphQL body says, as the format names it. A query that stands here takes the place of its file, and the other way round.
enum GraphQLField: String, Hashable, Sendable, CaseIterable {
    case query, file, operation, variables
}

extension RequestDefinition {
    /// `""`: nothing is said.
    func text(ofGraphQL field: GraphQLField) -> String {
        guard case .graphql(let graphql) = body else { return "" }
        switch field {
        case .query: return if case .text(let text) = graphql.query { text } else { "" }
        case .file: return if case .file(let path) = graphql.query { path } else { "" }
        case .operation: return graphql.operation ?? ""
        case .variables: return graphql.variables.map { JSONParser.parse($0)?.text(pretty: false) ?? $0 } ?? ""
        }
    }

    /// - Throws: ``InvalidFieldText``, when the variables aren't a map in JSON.
    mutating func setText(_ text: String, ofGraphQL field: GraphQLField) throws(InvalidFieldText) {
        guard case .graphql(var graphql) = body else { return }
        let isFile = if case .file = graphql.query { true } else { false }
        switch field {
        case .query: if !text.isEmpty || !isFile { graphql.query = .text(text) }
        case .file: if !text.isEmpty || isFile { graphql.query = text.isEmpty ? .text("") : .file(text) }
        case .operation: graphql.operation = text.isEmpty ? nil : text
        case .variables:
            let value = JSONParser.parse(text)
            guard text.isEmpty || value.map({ if case .object = $0 { true } else { false } }) == true else {
                throw InvalidFieldText(message: "`\(text)` isn't a map in JSON, such as {\"id\": 7}")
            }
            graphql.variables = value?.text(pretty: true)
        }
        body = .graphql(graphql)
    }
}
