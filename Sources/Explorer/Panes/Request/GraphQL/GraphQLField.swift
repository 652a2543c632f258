import RequestCollections

/// What a GraphQL body says, a row each. A query that stands here takes the place of its file, and the other way round.
enum GraphQLField: Hashable, Sendable {
    /// The head of the query, whose text stands below it.
    case query
    case file, operation, persisted, connection
    /// All of them, as a map in JSON.
    case variables
    case variable(String, ValueForm)
    /// Where the schema comes from.
    case schema

    /// What the text of a variable's row stands for, by the variable's type. What is a template as a whole is one in each.
    enum ValueForm: Hashable, Sendable {
        /// String, ID and enumerations: the text itself.
        case text
        case json
        /// Scalars of the schema's own: JSON if it is that, else the text itself.
        case either
    }

    var label: String {
        switch self {
        case .query: "query"
        case .file: "file"
        case .operation: "operation"
        case .persisted: "persisted"
        case .connection: "connection"
        case .variables: "variables"
        case .variable(let name, _): "$\(name)"
        case .schema: "schema"
        }
    }

    /// Whether a row of its own has the text that `e` edits and `E` opens.
    var hasOwnText: Bool {
        switch self {
        case .variable, .variables, .connection: true
        case .query, .file, .operation, .persisted, .schema: false
        }
    }

    static let yes = "yes"
    static let no = "no"
}

extension BodyDefinition.GraphQL {
    /// The members of the variables; `nil`: they are no map.
    var values: [JSONValue.Member]? {
        guard let variables else { return [] }
        return if case .object(let members) = JSONParser.parse(variables) { members } else { nil }
    }

    /// The query, unless it stands in a file.
    var text: String? { if case .text(let text) = query { text } else { nil } }
}

extension RequestDefinition {
    mutating func editGraphQL(_ change: (inout BodyDefinition.GraphQL) -> Void) {
        guard var graphql = graphQL else { return }
        change(&graphql)
        body = .graphql(graphql)
    }

    /// `""`: nothing is said.
    func text(ofGraphQL field: GraphQLField) -> String {
        guard let graphql = graphQL else { return "" }
        switch field {
        case .query: return graphql.text ?? ""
        case .file: return if case .file(let path) = graphql.query { path } else { "" }
        case .operation: return graphql.operation ?? ""
        case .persisted: return graphql.isPersisted.map { $0 ? GraphQLField.yes : GraphQLField.no } ?? ""
        case .connection: return Self.line(graphql.connection)
        case .variables: return Self.line(graphql.variables)
        case .variable(let name, let form):
            guard let value = graphql.values?.first(where: { $0.name == name })?.value else { return "" }
            return form.text(of: value)
        case .schema: return ""
        }
    }

    private static func line(_ json: String?) -> String { json.map { JSONParser.parse($0)?.text(pretty: false) ?? $0 } ?? "" }

    /// - Throws: ``InvalidFieldText``, when the text isn't JSON where it must be.
    mutating func setText(_ text: String, ofGraphQL field: GraphQLField) throws(InvalidFieldText) {
        guard var graphql = graphQL, text != self.text(ofGraphQL: field) else { return }
        let isFile = if case .file = graphql.query { true } else { false }
        switch field {
        case .query: if !text.isEmpty || !isFile { graphql.query = .text(text) }
        case .file: if !text.isEmpty || isFile { graphql.query = text.isEmpty ? .text("") : .file(text) }
        case .operation: graphql.operation = text.isEmpty ? nil : text
        case .persisted: graphql.isPersisted = text.isEmpty ? nil : text == GraphQLField.yes
        case .connection: graphql.connection = try Self.map(text)
        case .variables: graphql.variables = try Self.map(text)
        case .variable(let name, let form):
            guard var members = graphql.values else { return }
            let index = members.firstIndex { $0.name == name }
            if text.isEmpty {
                if let index { members.remove(at: index) }
            } else {
                let member = JSONValue.Member(name: name, value: try form.value(of: text))
                if let index { members[index] = member } else { members.append(member) }
            }
            graphql.variables = members.isEmpty ? nil : JSONValue.object(members).text(pretty: true)
        case .schema: break
        }
        body = .graphql(graphql)
    }

    private static func map(_ text: String) throws(InvalidFieldText) -> String? {
        if text.isEmpty { return nil }
        guard let value = JSONParser.parse(text), case .object = value else {
            throw InvalidFieldText(message: "`\(text)` isn't a map in JSON, such as {\"id\": 7}")
        }
        return value.text(pretty: true)
    }
}

extension GraphQLField.ValueForm {
    fileprivate func text(of value: JSONValue) -> String {
        guard case .string(let text) = value else { return value.text(pretty: false) }
        let isPlain =
            switch self {
            case .text: true
            case .json: Template.isIn(text)
            case .either: Template.isIn(text) || Self.isPlain(text)
            }
        return isPlain ? text : value.text(pretty: false)
    }

    fileprivate func value(of text: String) throws(InvalidFieldText) -> JSONValue {
        if self == .text { return .string(text) }
        if let value = JSONParser.parse(text) { return value }
        if Template.isIn(text) || self == .either && Self.isPlain(text) { return .string(text) }
        throw InvalidFieldText(message: "`\(text)` isn't JSON, such as 7, true, [1, 2] or {\"id\": 7}, nor a template")
    }

    /// Whether it can be read as nothing else, nor was meant to be.
    private static func isPlain(_ text: String) -> Bool {
        JSONParser.parse(text) == nil && !text.hasPrefix("{") && !text.hasPrefix("[") && !text.hasPrefix("\"")
    }
}
