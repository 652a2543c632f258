extension GraphQLValidator {
    /// - Parameter parent: an object, an interface or a union; `nil`: unknown, and nothing is said about what depends on it.
    mutating func validate(_ selections: [Document.Selection], of parent: Schema.TypeDefinition?) {
        for selection in selections {
            switch selection {
            case .field(let field): validate(field, of: parent)
            case .spread(let name, let directives, _):
                uses.spreads.append(name)
                validate(directives, at: "FRAGMENT_SPREAD")
                guard !name.isTemplate else { continue }
                guard let fragment = fragments[name.text] else {
                    if document.isOpen { continue }
                    let names = document.fragments.lazy.map(\.name.text)
                    report("There is no fragment \(name.text).\(GraphQLSuggestion.text(for: name.text, among: names))", name.range)
                    continue
                }
                validateSpread(of: schema?.type(named: fragment.typeCondition.text), in: parent, name.range)
            case .inline(let condition, let directives, let selections, let range):
                let type = condition.map { typeCondition($0) } ?? parent
                if let condition { validateSpread(of: type, in: parent, range.lowerBound..<condition.range.upperBound) }
                validate(directives, at: "INLINE_FRAGMENT")
                validate(selections, of: type)
            }
        }
    }

    /// GraphQL, 5.5.2.3.
    private mutating func validateSpread(of type: Schema.TypeDefinition?, in parent: Schema.TypeDefinition?, _ range: Range<Int>) {
        guard let schema, let type, let parent, type.isComposite, !schema.canBe(type, parent) else { return }
        report("No \(parent.name) is of the type \(type.name), so this fragment never applies.", range)
    }

    private mutating func validate(_ field: Document.Field, of parent: Schema.TypeDefinition?) {
        let definition = field.name.isTemplate ? nil : parent.flatMap { schema?.field(field.name.text, of: $0) }
        if let schema, let parent, definition == nil, !field.name.isTemplate {
            report(
                "\(parent.name) has no field \(field.name.text).\(Self.suggestion(for: field.name.text, of: parent, in: schema))",
                field.name.range)
        }
        let owner = "\(parent?.name ?? "").\(field.name.text)"
        validate(field.arguments, definition?.arguments, of: owner, at: field.name.range)
        validate(field.directives, at: "FIELD")
        let type = definition.flatMap { schema?.type(named: $0.type.name) }
        if let definition, let type, type.isComposite == field.selections.isEmpty {
            report(
                type.isComposite
                    ? "\(owner) is of the type \(definition.type): select some of its fields in { … }."
                    : "\(owner) is of the type \(definition.type), which has no fields to select.", field.name.range)
        }
        validate(field.selections, of: type.flatMap { $0.isComposite ? $0 : nil })
    }

    private static func suggestion(for name: String, of parent: Schema.TypeDefinition, in schema: Schema) -> String {
        let holders = schema.possibleTypes(of: parent).sorted().filter {
            schema.type(named: $0)?.fields.contains { $0.name == name } == true
        }
        if parent.kind != .object, !holders.isEmpty {
            return GraphQLSuggestion.text(holders, question: "Did you mean an inline fragment on")
        }
        return GraphQLSuggestion.text(for: name, among: parent.fields.map(\.name))
    }

    // MARK: Arguments and directives

    /// GraphQL, 5.4.
    ///
    /// - Parameter known: `nil`: nothing is known about them.
    mutating func validate(_ arguments: [Document.Argument], _ known: [Schema.InputValue]?, of owner: String, at range: Range<Int>)
    {
        var counts: [String: Int] = [:]
        for argument in arguments {
            let definition = known?.first { $0.name == argument.name.text }
            counts[argument.name.text, default: 0] += 1
            if counts[argument.name.text] == 2, !argument.name.isTemplate {
                report("The argument \(argument.name.text) is there twice.", argument.name.range)
            }
            if let known, definition == nil, !argument.name.isTemplate {
                let name = argument.name.text
                report(
                    "\(owner) has no argument \(name).\(GraphQLSuggestion.text(for: name, among: known.map(\.name)))",
                    argument.name.range)
            }
            validate(argument.value, definition?.type, hasDefault: definition?.defaultValue != nil)
        }
        guard let known, !arguments.contains(where: \.name.isTemplate) else { return }
        for definition in known where definition.isRequired && counts[definition.name] == nil {
            report("\(owner) needs its argument \(definition.name): \(definition.type).", range)
        }
    }

    /// GraphQL, 5.7.
    mutating func validate(_ directives: [Document.Directive], at location: String) {
        var seen: Set<String> = []
        for directive in directives {
            let name = directive.name
            let definition = schema?.directive(named: name.text) ?? Schema.builtIn.directives[name.text]
            validate(directive.arguments, definition?.arguments, of: "@\(name.text)", at: directive.range)
            if let definition {
                if !definition.locations.contains(location) {
                    report(
                        "@\(name.text) can't stand here: its places are \(definition.locations.joined(separator: ", ")).",
                        directive.range)
                }
                if !definition.isRepeatable, !seen.insert(name.text).inserted {
                    report("@\(name.text) can stand only once here.", directive.range)
                }
            } else if let schema, !name.isTemplate {
                let names = (schema.directives + Schema.builtInDirectives).map(\.name)
                report(
                    "The schema has no directive @\(name.text).\(GraphQLSuggestion.text(for: name.text, among: names, prefix: "@"))",
                    directive.range)
            }
        }
    }

    // MARK: Values and variables

    /// - Parameter type: `nil`: unknown.
    private mutating func validate(_ value: Document.Value, _ type: GraphQLType?, hasDefault: Bool) {
        note(value, type, hasDefault: hasDefault, oneOf: nil)
        check(value, type)
    }

    private mutating func check(_ value: Document.Value, _ type: GraphQLType?) {
        guard let schema, let type else { return }
        var check = GraphQLInputCheck(schema)
        check.check(value.value, type, at: .literal(value))
        for case (let message, .literal(let node)) in check.problems { report(message, node.range) }
    }

    /// Notes the variables in a value, and finds entries of one name (GraphQL, 5.6.3), whatever the type is.
    private mutating func note(_ node: Document.Value, _ type: GraphQLType?, hasDefault: Bool, oneOf: String?) {
        switch node.value {
        case .variable(let name):
            guard !name.hasTemplate else { return }
            let name = Document.Name(text: name, range: node.range)
            uses.variables.append(VariableUse(name: name, type: type, hasDefault: hasDefault, oneOf: oneOf))
        case .list:
            for part in node.parts { note(part, type?.item, hasDefault: false, oneOf: nil) }
        case .object(let entries):
            let object = type.flatMap { schema?.type(named: $0.name) }
            var seen: Set<String> = []
            for (index, entry) in entries.enumerated() {
                if !seen.insert(entry.name).inserted, !entry.name.hasTemplate {
                    report("The field \(entry.name) is there twice.", node.nameRanges[index])
                }
                let field = object?.inputFields.first { $0.name == entry.name }
                note(
                    node.parts[index], field?.type, hasDefault: field?.defaultValue != nil,
                    oneOf: object?.isOneOf == true ? object?.name : nil)
            }
        default: return
        }
    }

    /// Definitions of variables (GraphQL, 5.8.1 and 5.8.2).
    mutating func validate(_ variables: [Document.Variable]) {
        var counts: [String: Int] = [:]
        for variable in variables {
            counts[variable.name.text, default: 0] += 1
            if counts[variable.name.text] == 2, !variable.name.isTemplate {
                report("The variable \(variable.name.text) is there twice.", variable.name.range)
            }
            validate(variable.directives, at: "VARIABLE_DEFINITION")
            if let value = variable.defaultValue { note(value, variable.type, hasDefault: false, oneOf: nil) }
            guard let schema, !variable.type.name.hasTemplate else { continue }
            guard let type = schema.type(named: variable.type.name) else {
                let names = (schema.types + Schema.builtInScalars).lazy.filter(\.isInput).map(\.name)
                let suggestion = GraphQLSuggestion.text(for: variable.type.name, among: names)
                report("The schema has no type \(variable.type.name).\(suggestion)", variable.typeRange)
                continue
            }
            guard type.isInput else {
                report("A variable can't be of the type \(variable.type): it is for what a server answers.", variable.typeRange)
                continue
            }
            if let value = variable.defaultValue { check(value, variable.type) }
        }
    }

    /// GraphQL, 5.8.3 to 5.8.5; since September 2025 an entry of an input object with `@oneOf` isn't null either.
    mutating func validateVariables(of operation: Document.Operation, _ uses: [VariableUse]) {
        let definitions = Dictionary(operation.variables.map { ($0.name.text, $0) }) { $1 }
        let isOpen = operation.variables.contains(where: \.name.isTemplate)
        for use in uses {
            guard let definition = definitions[use.name.text] else {
                if isOpen { continue }
                report(
                    "\(operation.name.map { "The operation \($0.text)" } ?? "The operation") has no variable $\(use.name.text)."
                        + GraphQLSuggestion.text(for: use.name.text, among: operation.variables.map(\.name.text), prefix: "$"),
                    use.name.range)
                continue
            }
            guard let schema, let type = use.type, schema.type(named: definition.type.name) != nil,
                !definition.type.name.hasTemplate
            else { continue }
            let hasDefault = definition.defaultValue.map { $0.value != .null } ?? false || use.hasDefault
            let expected = type.isNonNull && !definition.type.isNonNull && hasDefault ? type.nullable : type
            if !Self.isUsable(definition.type, as: expected) {
                report("$\(use.name.text) is of the type \(definition.type), where \(type) is needed.", use.name.range)
            }
            if let oneOf = use.oneOf, !definition.type.isNonNull, !hasDefault {
                report(
                    "$\(use.name.text) must be of the type \(definition.type)!, since it is the one field of \(oneOf).",
                    use.name.range)
            }
        }
        let used = Set(uses.map(\.name.text))
        for variable in operation.variables
        where !document.isOpen && !used.contains(variable.name.text) && !variable.name.isTemplate {
            report("The operation doesn't use $\(variable.name.text).", variable.name.range)
        }
    }

    /// Whether all values of one input type are of the other (GraphQL, 5.8.5: AreTypesCompatible).
    static func isUsable(_ type: GraphQLType, as expected: GraphQLType) -> Bool {
        switch (type, expected) {
        case (.nonNull(let type), .nonNull(let expected)), (.list(let type), .list(let expected)): isUsable(type, as: expected)
        case (_, .nonNull): false
        case (.nonNull(let type), _): isUsable(type, as: expected)
        case (.named(let type), .named(let expected)): type == expected
        default: false
        }
    }
}

extension Range<Int> {
    func prefix(_ length: Int) -> Range<Int> { lowerBound..<Swift.min(upperBound, lowerBound + length) }
}
