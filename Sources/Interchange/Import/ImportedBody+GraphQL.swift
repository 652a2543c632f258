import NetworkLayer
import RequestCollections

extension ImportedBody {
    /// A GraphQL request out of its text and that of its variables.
    ///
    /// Variables that are JSON only once their templates are filled in, as in `{"n": {{n}}}`, go into a body of JSON, which says the same
    /// (https://graphql.github.io/graphql-over-http/draft/).
    ///
    /// - Returns: `nil` for variables that are no JSON in any case.
    static func graphql(
        query: String, operation: String?, variables text: String, _ translate: (String) -> TemplateText
    ) -> BodyDefinition? {
        let text = text.trimmingSpace
        if text.isEmpty { return graphql(query: query, operation: operation, variables: JSONValue?.none, translate) }
        if let variables = JSONParser.parse(text) {
            return graphql(query: query, operation: operation, variables: variables, translate)
        }
        guard Template.isIn(text), text.hasPrefix("{") else { return nil }
        var members = ["\"query\": \(JSONText.quoted(query))"]
        if let operation { members.append("\"operationName\": \(JSONText.quoted(operation))") }
        members.append("\"variables\": \(text)")
        return .json(translate("{\(members.joined(separator: ", "))}").json)
    }
}
