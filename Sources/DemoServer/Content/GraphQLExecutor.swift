import GraphQLLanguage

/// Answers a query that is valid (GraphQL, section 6), over values that are made when they are asked for.
///
/// It is enough for a schema without interfaces and unions, and whose fields don't wait for anything.
struct GraphQLExecutor {
    let schema: GraphQLSchema
    let document: GraphQLDocument
    let variables: JSON
    private(set) var errors: [JSON] = []

    struct Failure: Error { var message: String }

    indirect enum Node: Sendable {
        case leaf(JSON)
        case list([Node])
        /// An object of a type, and what gives one of its fields by name and arguments.
        case object(String, @Sendable (String, [String: JSON]) throws(Failure) -> Node)

        /// An object whose fields are the members of a value.
        static func values(_ type: String, _ value: JSON) -> Node {
            if case .null = value { return .leaf(.null) }
            return .object(type) { name, _ in .leaf(value[name] ?? .null) }
        }
    }

    init(_ schema: GraphQLSchema, _ document: GraphQLDocument, variables: JSON) {
        self.schema = schema
        self.document = document
        self.variables = variables
    }

    /// - Parameter extra: further arguments of the fields at the root.
    /// - Returns: the members of the response (section 7.1).
    mutating func execute(_ operation: GraphQLDocument.Operation, on root: Node, with extra: [String: JSON] = [:]) -> JSON {
        let type = schema.roots[operation.kind] ?? ""
        let rooted: Node = .object(type) { [schema] name, arguments throws(Failure) in
            switch name {
            case "__schema": return IntrospectedSchema(schema).root
            case "__type":
                guard case .string(let name)? = arguments["name"], let type = schema.type(named: name) else { return .leaf(.null) }
                return IntrospectedSchema(schema).node(type)
            default:
                guard case .object(_, let field) = root else { return .leaf(.null) }
                return try field(name, arguments.merging(extra) { $1 })
            }
        }
        let defaults = Dictionary(
            operation.variables.compactMap { variable in variable.defaultValue.map { (variable.name.text, JSON($0.value, [:])) } },
            uniquingKeysWith: { $1 })
        let data = value(rooted, operation.selections, [], defaults)
        return errors.isEmpty ? ["data": data] : ["data": data, "errors": .array(errors)]
    }

    private mutating func value(
        _ node: Node, _ selections: [GraphQLDocument.Selection], _ path: [JSON], _ defaults: [String: JSON]
    ) -> JSON {
        switch node {
        case .leaf(let value): return value
        case .list(let items):
            return .array(items.enumerated().map { value($1, selections, path + [.number($0)], defaults) })
        case .object(let type, let field):
            var members: [JSON.Member] = []
            for (name, fields) in collected(selections, defaults) {
                let here = path + [.string(name)]
                let value: JSON
                do throws(Failure) {
                    value =
                        fields[0].name.text == "__typename"
                        ? .string(type)
                        : self.value(
                            try field(fields[0].name.text, arguments(of: fields[0], type, defaults)), fields.flatMap(\.selections),
                            here,
                            defaults)
                } catch {
                    value = .null
                    errors.append(["message": .string(error.message), "path": .array(here)])
                }
                members.append(.init(name: name, value: value))
            }
            return .object(members)
        }
    }

    /// The fields by their names in the response, those of fragments included (section 6.3.2).
    private func collected(
        _ selections: [GraphQLDocument.Selection], _ defaults: [String: JSON]
    ) -> [(name: String, fields: [GraphQLDocument.Field])] {
        var collected: [(name: String, fields: [GraphQLDocument.Field])] = []
        func add(_ field: GraphQLDocument.Field) {
            if let index = collected.firstIndex(where: { $0.name == field.responseName }) {
                collected[index].fields.append(field)
            } else {
                collected.append((field.responseName, [field]))
            }
        }
        for selection in selections {
            switch selection {
            case .field(let field) where isIncluded(field.directives, defaults): add(field)
            case .spread(let name, let directives, _) where isIncluded(directives, defaults):
                let fragment = document.fragments.first { $0.name.text == name.text }
                for (_, fields) in self.collected(fragment?.selections ?? [], defaults) { fields.forEach(add) }
            case .inline(_, let directives, let selections, _) where isIncluded(directives, defaults):
                for (_, fields) in self.collected(selections, defaults) { fields.forEach(add) }
            case .field, .spread, .inline: break
            }
        }
        return collected
    }

    private func isIncluded(_ directives: [GraphQLDocument.Directive], _ defaults: [String: JSON]) -> Bool {
        directives.allSatisfy { directive in
            let condition = directive.arguments.first { $0.name.text == "if" }.map { JSON($0.value.value, known(defaults)) }
            return directive.name.text == "skip" ? condition != .bool(true) : condition != .bool(false)
        }
    }

    private func arguments(
        of field: GraphQLDocument.Field, _ type: String, _ defaults: [String: JSON]
    ) -> [String: JSON] {
        var arguments: [String: JSON] = [:]
        for argument in schema.type(named: type)?.fields.first(where: { $0.name == field.name.text })?.arguments ?? [] {
            if let value = argument.defaultValue { arguments[argument.name] = JSON(value, [:]) }
        }
        for argument in field.arguments {
            if case .variable(let name) = argument.value.value, known(defaults)[name] == nil { continue }
            arguments[argument.name.text] = JSON(argument.value.value, known(defaults))
        }
        return arguments
    }

    private func known(_ defaults: [String: JSON]) -> [String: JSON] {
        guard case .object(let members) = variables else { return defaults }
        return defaults.merging(members.map { ($0.name, $0.value) }) { $1 }
    }
}

extension JSON {
    init(_ value: GraphQLValue, _ variables: [String: JSON]) {
        switch value {
        case .null: self = .null
        case .boolean(let flag): self = .bool(flag)
        case .int(let digits): self = Int(digits).map { .number($0) } ?? .string(digits)
        case .float(let text), .string(let text), .enum(let text), .template(let text): self = .string(text)
        case .list(let items): self = .array(items.map { JSON($0, variables) })
        case .object(let entries): self = .object(entries.map { .init(name: $0.name, value: JSON($0.value, variables)) })
        case .variable(let name): self = variables[name] ?? .null
        }
    }
}

/// A schema as it tells of itself (GraphQL, section 4.2).
struct IntrospectedSchema {
    private let schema: GraphQLSchema

    init(_ schema: GraphQLSchema) { self.schema = schema }

    typealias Node = GraphQLExecutor.Node

    var root: Node {
        object("__Schema") { name, _ in
            switch name {
            case "types": .list((schema.types + GraphQLSchema.builtInScalars).map(node))
            case "queryType": root(.query)
            case "mutationType": root(.mutation)
            case "subscriptionType": root(.subscription)
            case "directives": .list((schema.directives + GraphQLSchema.builtInDirectives).map(node))
            default: .leaf(.null)
            }
        }
    }

    private func object(_ type: String, _ field: @escaping @Sendable (String, [String: JSON]) -> Node) -> Node {
        .object(type, field)
    }

    private func root(_ kind: GraphQLDocument.OperationKind) -> Node {
        schema.roots[kind].flatMap { schema.type(named: $0) }.map(node) ?? .leaf(.null)
    }

    func node(_ type: GraphQLSchema.TypeDefinition) -> Node {
        object("__Type") { name, arguments in
            func kept<Element>(_ elements: [Element], _ deprecation: (Element) -> String?) -> [Element] {
                arguments["includeDeprecated"] == .bool(true) ? elements : elements.filter { deprecation($0) == nil }
            }
            switch (name, type.kind) {
            case ("kind", .inputObject): return .leaf("INPUT_OBJECT")
            case ("kind", let kind): return .leaf(.string(kind.rawValue.uppercased()))
            case ("name", _): return .leaf(.string(type.name))
            case ("description", _): return text(type.description)
            case ("specifiedByURL", _): return text(type.specifiedByURL)
            case ("fields", .object), ("fields", .interface): return .list(kept(type.fields, \.deprecation).map(node))
            case ("interfaces", .object), ("interfaces", .interface): return .list(type.interfaces.map { reference(.named($0)) })
            case ("enumValues", .enum): return .list(kept(type.enumValues, \.deprecation).map(node))
            case ("inputFields", .inputObject): return .list(kept(type.inputFields, \.deprecation).map(node))
            case ("isOneOf", .inputObject): return .leaf(.bool(type.isOneOf))
            default: return .leaf(.null)
            }
        }
    }

    private func reference(_ type: GraphQLType) -> Node {
        func wrapped(_ kind: String, _ inner: GraphQLType) -> Node {
            object("__Type") { name, _ in name == "kind" ? .leaf(.string(kind)) : name == "ofType" ? reference(inner) : .leaf(.null)
            }
        }
        switch type {
        case .named(let name): return schema.type(named: name).map(node) ?? .leaf(.null)
        case .list(let item): return wrapped("LIST", item)
        case .nonNull(let type): return wrapped("NON_NULL", type)
        }
    }

    private func node(_ field: GraphQLSchema.Field) -> Node {
        object("__Field") { name, _ in
            switch name {
            case "name": .leaf(.string(field.name))
            case "description": text(field.description)
            case "args": .list(field.arguments.map(node))
            case "type": reference(field.type)
            case "isDeprecated": .leaf(.bool(field.deprecation != nil))
            default: text(field.deprecation)
            }
        }
    }

    private func node(_ value: GraphQLSchema.InputValue) -> Node {
        object("__InputValue") { name, _ in
            switch name {
            case "name": .leaf(.string(value.name))
            case "description": text(value.description)
            case "type": reference(value.type)
            case "defaultValue": text(value.defaultValue.map { "\($0)" })
            case "isDeprecated": .leaf(.bool(value.deprecation != nil))
            default: text(value.deprecation)
            }
        }
    }

    private func node(_ value: GraphQLSchema.EnumValue) -> Node {
        object("__EnumValue") { name, _ in
            switch name {
            case "name": .leaf(.string(value.name))
            case "description": text(value.description)
            case "isDeprecated": .leaf(.bool(value.deprecation != nil))
            default: text(value.deprecation)
            }
        }
    }

    private func node(_ directive: GraphQLSchema.DirectiveDefinition) -> Node {
        object("__Directive") { name, _ in
            switch name {
            case "name": .leaf(.string(directive.name))
            case "description": text(directive.description)
            case "args": .list(directive.arguments.map(node))
            case "locations": .list(directive.locations.map { .leaf(.string($0)) })
            case "isRepeatable": .leaf(.bool(directive.isRepeatable))
            default: .leaf(.null)
            }
        }
    }

    private func text(_ text: String?) -> Node { .leaf(text.map { .string($0) } ?? .null) }
}
