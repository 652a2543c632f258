/// Whether a value is of a type (GraphQL, 3.4.3 to 3.13 "Input Coercion", 5.6.1), as a literal of a document or as a variable's JSON.
struct GraphQLInputCheck {
    let schema: GraphQLSchema
    private(set) var problems: [(message: String, place: Place)] = []

    /// Where a value stands.
    enum Place {
        case literal(GraphQLDocument.Value)
        /// A place in variables in JSON: `$filter.ids[2]`
        case path(String)

        /// - Parameter step: `[2]` or `.name`
        fileprivate func part(_ index: Int, _ step: @autoclosure () -> String) -> Place {
            switch self {
            case .literal(let node): .literal(node.parts[index])
            case .path(let path): .path(path + step())
            }
        }

        /// Where the name of an entry stands.
        fileprivate func name(_ index: Int, _ name: String) -> Place {
            switch self {
            case .literal(let node): .literal(GraphQLDocument.Value(value: .null, range: node.nameRanges[index]))
            case .path(let path): .path("\(path).\(name)")
            }
        }

        fileprivate var isJSON: Bool {
            if case .path = self { true } else { false }
        }
    }

    init(_ schema: GraphQLSchema) { self.schema = schema }

    mutating func check(_ value: GraphQLValue, _ type: GraphQLType, at place: Place) {
        switch (value, type) {
        case (.variable, _), (.template, _): return
        case (.string(let text), _) where place.isJSON && text.hasTemplate: return
        case (.null, .nonNull): problems.append(("A value of the type \(type) can't be null.", place))
        case (.null, _): return
        case (_, .nonNull(let nullable)): check(value, nullable, at: place)
        case (.list(let items), .list(let item)):
            for (index, value) in items.enumerated() { check(value, item, at: place.part(index, "[\(index)]")) }
        // One item stands for a list of it (GraphQL, 3.11).
        case (_, .list(let item)): check(value, item, at: place)
        case (_, .named(let name)):
            guard let definition = schema.type(named: name) else { return }
            switch definition.kind {
            case .inputObject: checkObject(value, definition, at: place)
            case .enum: checkEnum(value, definition, at: place)
            case .scalar: checkScalar(value, name, at: place)
            case .object, .interface, .union: return
            }
        }
    }

    private mutating func checkObject(_ value: GraphQLValue, _ type: GraphQLSchema.TypeDefinition, at place: Place) {
        guard case .object(let entries) = value else {
            problems.append(("\(Self.brief(value)) is no \(type.name), which is an object: { … }.", place))
            return
        }
        var known: [(value: GraphQLValue, place: Place)] = []
        var hasTemplate = false
        for (index, entry) in entries.enumerated() {
            if entry.name.hasTemplate {
                hasTemplate = true
            } else if let field = type.inputFields.first(where: { $0.name == entry.name }) {
                known.append((entry.value, place.part(index, "." + entry.name)))
                check(entry.value, field.type, at: place.part(index, "." + entry.name))
            } else {
                let suggestion = GraphQLSuggestion.text(for: entry.name, among: type.inputFields.map(\.name))
                problems.append(("\(type.name) has no field \(entry.name).\(suggestion)", place.name(index, entry.name)))
            }
        }
        if hasTemplate { return }
        let given = Set(entries.map(\.name))
        for field in type.inputFields where field.isRequired && !given.contains(field.name) {
            problems.append(("\(type.name) needs its field \(field.name): \(field.type).", place))
        }
        if type.isOneOf, known.count != 1 || known[0].value == .null {
            problems.append(
                ("\(type.name) takes exactly one of its fields, and not null.", known.count == 1 ? known[0].place : place))
        }
    }

    private mutating func checkEnum(_ value: GraphQLValue, _ type: GraphQLSchema.TypeDefinition, at place: Place) {
        let names = type.enumValues.map(\.name)
        switch value {
        case .enum(let name) where !place.isJSON, .string(let name) where place.isJSON:
            guard !names.contains(name) else { return }
            problems.append(("\(type.name) has no value \(name).\(GraphQLSuggestion.text(for: name, among: names))", place))
        case .string(let name):
            let suggestion = GraphQLSuggestion.text(for: name, among: names)
            problems.append(("A value of \(type.name) is written without quotes.\(suggestion)", place))
        default: problems.append(("\(Self.brief(value)) is no value of \(type.name).", place))
        }
    }

    private mutating func checkScalar(_ value: GraphQLValue, _ name: String, at place: Place) {
        switch (name, value) {
        case ("Int", .int(let text)):
            guard Int32(text) == nil else { return }
            problems.append(("\(Self.shortened(text)) is beyond the 32 bits of an Int.", place))
        case ("Int", .float(let text)) where place.isJSON && Double(text).flatMap(Int32.init(exactly:)) != nil: return
        case ("Float", .int), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("ID", .string), ("ID", .int): return
        case ("ID", .float(let text)) where place.isJSON && Double(text).map({ $0 == $0.rounded() }) == true: return
        case ("Int", _), ("Float", _), ("String", _), ("Boolean", _), ("ID", _):
            problems.append(("\(Self.brief(value)) is no \(name).", place))
        // Only the server knows what a scalar of its own takes (GraphQL, 3.5.5).
        default: return
        }
    }

    private static func brief(_ value: GraphQLValue) -> String {
        switch value {
        case .list: "A list"
        case .object: "An object"
        default: shortened(value.description)
        }
    }

    private static func shortened(_ text: String) -> String { text.utf8.count > 60 ? "\(text.prefix(40))…" : text }
}

extension String {
    /// Whether `{{` is in there.
    var hasTemplate: Bool {
        var last: UInt8 = 0
        for byte in utf8 {
            if byte == UInt8(ascii: "{"), last == byte { return true }
            last = byte
        }
        return false
    }
}

extension GraphQLSchema {
    /// Faults of the variables' values (GraphQL, 6.1.2), which have a path in place of a range.
    ///
    /// - Parameter variables: an object of JSON, or `null`; strings with a template in them are of any type.
    package func faults(inVariables variables: GraphQLValue, of operation: GraphQLDocument.Operation) -> [GraphQLFault] {
        var entries: [GraphQLValue.Entry] = []
        switch variables {
        case .object(let given): entries = given
        case .null, .template: break
        default: return [GraphQLFault("Variables are an object: their names, and the value of each.", path: "$")]
        }
        if case .template = variables { return [] }
        var faults: [GraphQLFault] = []
        for variable in operation.variables where !variable.name.isTemplate {
            let (name, path) = (variable.name.text, "$" + variable.name.text)
            if let entry = entries.last(where: { $0.name == name }) {
                var check = GraphQLInputCheck(self)
                check.check(entry.value, variable.type, at: .path(path))
                for case (let message, .path(let path)) in check.problems { faults.append(GraphQLFault(message, path: path)) }
            } else if variable.isRequired {
                faults.append(GraphQLFault("The operation needs this variable, of the type \(variable.type).", path: path))
            }
        }
        let names = operation.variables.map(\.name.text)
        for entry in entries where !names.contains(entry.name) && !entry.name.hasTemplate && !names.contains(where: \.hasTemplate) {
            let suggestion = GraphQLSuggestion.text(for: entry.name, among: names, prefix: "$")
            faults.append(GraphQLFault("The operation has no variable of this name.\(suggestion)", path: "$" + entry.name))
        }
        return faults
    }
}
