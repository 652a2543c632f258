import GraphQLLanguage
import RequestCollections
import TerminalUI

/// What is known of a query: made when it, its variables or the schema change, and not when it is drawn.
struct QueryAnalysis: Sendable {
    private let graphql: BodyDefinition.GraphQL
    private let source: SchemaSource
    private let revision: Int
    let schema: GraphQLSchema?
    /// The query, as it was when it could last be read; `nil`: it never could.
    let document: GraphQLDocument?
    /// In the order of their places.
    let faults: [GraphQLFault]
    /// What the schema says of the variables' values, by the variables' names.
    private let variableFaults: [String: String]
    /// What stands at a place of the query, in UTF-8 bytes.
    private(set) var look: (offset: Int, note: String?)?

    /// - Parameter before: what the query was when it could last be read.
    init(
        _ graphql: BodyDefinition.GraphQL, _ source: SchemaSource, _ revision: Int, schema: GraphQLSchema?, before: GraphQLDocument?
    ) {
        (self.graphql, self.source, self.revision, self.schema) = (graphql, source, revision, schema)
        guard let text = graphql.text else {
            (document, faults, variableFaults) = (nil, [], [:])
            return
        }
        do throws(GraphQLFault) {
            let read = try GraphQLDocument(parsing: text)
            document = read
            faults = schema?.faults(in: read) ?? read.faults()
        } catch {
            // Nothing is written yet.
            let isEmpty = text.allSatisfy(\.isWhitespace)
            document = isEmpty ? nil : before
            faults = isEmpty ? [] : [error]
        }
        variableFaults = Self.faults(ofVariables: graphql, document?.operation(named: graphql.operation), schema)
    }

    func isOf(_ graphql: BodyDefinition.GraphQL, _ source: SchemaSource, _ revision: Int) -> Bool {
        self.revision == revision && self.source == source && self.graphql == graphql
    }

    mutating func look(at offset: Int?) {
        guard let offset, let text = graphql.text else { return look = nil }
        if look?.offset == offset { return }
        look = (offset, schema?.note(in: text, at: offset))
    }

    // MARK: Operations and variables

    /// The operation that is sent; `nil`: it isn't known which.
    var operation: GraphQLDocument.Operation? { document?.operation(named: graphql.operation) }

    /// The names to choose from, with the kinds of their operations.
    var operationNames: [(name: String, kind: String)] {
        document?.operations.compactMap { operation in operation.name.map { ($0.text, operation.kind.rawValue) } } ?? []
    }

    /// What is wrong with the choice of the operation.
    var operationFault: String? {
        guard let document, !document.isOpen, operation == nil, !document.operations.isEmpty else { return nil }
        guard let name = graphql.operation else { return "which of the \(document.operations.count) is sent? Enter chooses" }
        return Template.isIn(name) ? nil : "the query has no such operation"
    }

    private static func faults(
        ofVariables graphql: BodyDefinition.GraphQL, _ operation: GraphQLDocument.Operation?, _ schema: GraphQLSchema?
    ) -> [String: String] {
        guard let operation, let values = graphql.values else { return [:] }
        let declared = operation.variables.map(\.name.text)
        var faults: [String: String] = [:]
        for member in values where !declared.contains(member.name) {
            faults[member.name] = "not declared by the operation"
        }
        let files = Set(graphql.files.map { $0.name.prefix { $0 != "." } })
        for variable in operation.variables where variable.isRequired && !values.contains(where: { $0.name == variable.name.text })
        {
            faults[variable.name.text] = "required"
        }
        for fault in schema?.faults(inVariables: GraphQLValue(judged: .object(values)), of: operation) ?? [] {
            // `$filter.ids[2]`
            let name = fault.path.map { String($0.dropFirst().prefix { $0 != "." && $0 != "[" }) } ?? ""
            if faults[name] == nil { faults[name] = fault.message }
        }
        for name in files { faults[String(name)] = nil }
        return faults
    }

    /// The type of a variable with its default, and what is wrong with its value.
    func remark(of variable: String) -> (text: String, isFault: Bool) {
        if let fault = variableFaults[variable] { return (fault, true) }
        guard let declared = operation?.variables.first(where: { $0.name.text == variable }) else { return ("", false) }
        return ("\(declared.type)" + (declared.defaultValue.map { " = \($0.value)" } ?? ""), false)
    }

    /// The fields of a variable that is an input object: `{name: String, isBig: Boolean}`
    func shape(of variable: String) -> String? {
        guard let type = operation?.variables.first(where: { $0.name.text == variable })?.type,
            case .inputObject(let inputs, _)? = schema?.kind(of: type)
        else { return nil }
        return "{" + inputs.map { "\($0.name): \($0.type)" }.joined(separator: ", ") + "}"
    }

    /// The values to choose from: those of an enumeration with their descriptions, or of Boolean.
    func choices(of variable: String) -> [(value: String, detail: String)]? {
        guard let type = operation?.variables.first(where: { $0.name.text == variable })?.type, type.item == nil else { return nil }
        if type.name == "Boolean" { return [("true", ""), ("false", "")] }
        guard case .enumeration(let values)? = schema?.kind(of: type) else { return nil }
        return values.map { ($0.name, $0.deprecation.map { "deprecated: \($0)" } ?? $0.description ?? "") }
    }

    private func form(of type: GraphQLType) -> GraphQLField.ValueForm {
        if type.item != nil { return .json }
        switch type.name {
        case "String", "ID": return .text
        case "Int", "Float", "Boolean": return .json
        default: break
        }
        return switch schema?.kind(of: type) {
        case .enumeration: .text
        case .inputObject: .json
        case .scalar, nil: .either
        }
    }

    /// A row for each variable that the operation declares, and for what is set besides; `nil`: it isn't known which.
    var variables: [GraphQLField]? {
        guard document != nil, let values = graphql.values else { return nil }
        let declared = operation?.variables ?? []
        let others = values.map(\.name).filter { name in !declared.contains { $0.name.text == name } }
        return declared.map { .variable($0.name.text, form(of: $0.type)) } + others.map { .variable($0, .json) }
    }

    /// Whether a variable is a file, as servers call its type.
    var takesFiles: Bool { operation?.variables.contains { $0.type.name == "Upload" } ?? false }
}

extension GraphQLField {
    /// The rows of a body, but for its kind and its text.
    ///
    /// - Parameter analysis: `nil`: the query wasn't looked at.
    static func rows(of graphql: BodyDefinition.GraphQL, _ analysis: QueryAnalysis?, isWebSocket: Bool) -> [RequestPaneRow] {
        var fields: [GraphQLField] = []
        if graphql.text?.isEmpty ?? true { fields.append(.file) }
        if graphql.operation != nil || graphql.text == nil || analysis?.document?.operations.count ?? 0 > 1 {
            fields.append(.operation)
        }
        let isSaid = graphql.variables != nil || !(graphql.text?.isEmpty ?? false)
        fields += analysis?.variables ?? (isSaid ? [.variables] : [])
        if graphql.isPersisted != nil { fields.append(.persisted) }
        if graphql.connection != nil || isWebSocket { fields.append(.connection) }
        var rows = fields.map { RequestPaneRow.field(.graphql($0)) }
        if !graphql.files.isEmpty || analysis?.takesFiles ?? false {
            rows.append(.heading("files in place of variables"))
            rows += graphql.files.isEmpty ? [.empty(.uploads)] : graphql.files.indices.map { .named(.uploads, $0) }
        }
        rows.append(.field(.graphql(.schema)))
        return rows + (graphql.text == nil ? [.note("the query stands in its file: E opens that")] : [.field(.graphql(.query))])
    }
}

extension TextEditor {
    /// The UTF-8 bytes of the text before the cursor.
    var offset: Int { buffer.lines[..<cursor.line].reduce(cursor.offset) { $0 + $1.utf8.count + 1 } }

    /// - Parameter offset: UTF-8 bytes of the text.
    func position(at offset: Int) -> TextPosition {
        var rest = offset
        for (line, text) in buffer.lines.enumerated() {
            if rest <= text.utf8.count { return TextPosition(line: line, offset: rest) }
            rest -= text.utf8.count + 1
        }
        return buffer.end
    }
}
