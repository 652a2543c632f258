/// Reads a document by recursive descent (GraphQL, 2 and Appendix B); ``GraphQLParser/typeSystemDefinition(description:start:)`` is
/// in a file of its own.
struct GraphQLParser {
    typealias Fault = GraphQLFault
    typealias Name = GraphQLDocument.Name

    /// Selections, values and types in one another: each is a call in a call.
    static let depthLimit = 200

    var lexer: GraphQLLexer
    /// The next one.
    var token: GraphQLLexer.Token
    /// Where the last one ended.
    private(set) var end = 0
    private var depth = 0
    private var isOpen = false

    init(_ text: String) {
        lexer = GraphQLLexer(text)
        token = lexer.next()
    }

    // MARK: Tokens

    func fault(_ message: String, _ range: Range<Int>) -> Fault { Fault(message, range, in: lexer.source) }

    /// A fault that says what belongs at the next token.
    func unexpected(_ expected: String) -> Fault {
        switch token.kind {
        case .invalid(let problem): fault("Here stands \(problem).", token.range)
        case .end: fault("The text ends where \(expected) is missing.", token.range)
        default: fault("Here must stand \(expected), not \(lexer.text(token.range)).", token.range)
        }
    }

    @discardableResult
    mutating func take() -> GraphQLLexer.Token {
        let taken = token
        end = taken.range.upperBound
        token = lexer.next()
        return taken
    }

    func isAt(_ punctuator: Unicode.Scalar) -> Bool { token.kind == .punctuator(UInt8(ascii: punctuator)) }

    mutating func skip(_ punctuator: Unicode.Scalar) -> Bool {
        guard isAt(punctuator) else { return false }
        take()
        return true
    }

    mutating func expect(_ punctuator: Unicode.Scalar) throws(Fault) {
        guard skip(punctuator) else { throw unexpected(punctuator == "." ? "..." : String(punctuator)) }
    }

    func isAt(keyword: String) -> Bool { token.kind == .name && lexer.source[token.range].elementsEqual(keyword.utf8) }

    mutating func skip(keyword: String) -> Bool {
        guard isAt(keyword: keyword) else { return false }
        take()
        return true
    }

    mutating func name(_ expected: String = "a name") throws(Fault) -> Name {
        guard token.kind == .name || token.kind == .template else { throw unexpected(expected) }
        let range = take().range
        return Name(text: lexer.text(range), range: range)
    }

    /// One or more of what is read, between two punctuators.
    mutating func many<Node>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ read: (inout Self) throws(Fault) -> Node
    ) throws(Fault) -> [Node] {
        try expect(open)
        var nodes: [Node] = []
        repeat { nodes.append(try read(&self)) } while !skip(close)
        return nodes
    }

    /// None, where the first punctuator isn't.
    mutating func optionalMany<Node>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ read: (inout Self) throws(Fault) -> Node
    ) throws(Fault) -> [Node] {
        isAt(open) ? try many(open, close, read) : []
    }

    /// A level deeper.
    private mutating func nested<Node>(_ read: (inout Self) throws(Fault) -> Node) throws(Fault) -> Node {
        guard depth < Self.depthLimit else {
            throw fault("This is nested more than \(Self.depthLimit) levels deep.", token.range)
        }
        depth += 1
        let node = try read(&self)
        depth -= 1
        return node
    }

    mutating func description() -> String? {
        token.kind == .string || token.kind == .blockString ? lexer.string(take()) : nil
    }

    // MARK: Executable definitions

    mutating func document() throws(Fault) -> GraphQLDocument {
        var document = GraphQLDocument(source: lexer.source)
        repeat {
            let start = token.range.lowerBound
            let description = description()
            if isAt(keyword: "fragment") {
                document.fragments.append(try fragment(description: description, start: start))
            } else if isAt("{") && description == nil
                || GraphQLDocument.OperationKind.allCases.contains(where: { isAt(keyword: $0.rawValue) })
            {
                document.operations.append(try operation(description: description, start: start))
            } else if token.kind == .template, description == nil {
                take()
                isOpen = true
            } else {
                document.typeSystem.append(try typeSystemDefinition(description: description, start: start))
            }
        } while token.kind != .end
        document.isOpen = isOpen
        return document
    }

    private mutating func operation(description: String?, start: Int) throws(Fault) -> GraphQLDocument.Operation {
        var operation = GraphQLDocument.Operation(kind: .query, description: description, range: 0..<0, isShorthand: isAt("{"))
        if !operation.isShorthand {
            operation.kind = GraphQLDocument.OperationKind(rawValue: lexer.text(take().range)) ?? .query
            if token.kind == .name || token.kind == .template { operation.name = try name() }
            operation.variables = try optionalMany("(", ")") { parser throws(Fault) in try parser.variable() }
            operation.directives = try directives()
        }
        operation.selections = try selections()
        operation.range = start..<end
        return operation
    }

    private mutating func fragment(description: String?, start: Int) throws(Fault) -> GraphQLDocument.Fragment {
        take()
        guard !isAt(keyword: "on") else { throw unexpected("the fragment's name") }
        let name = try name("the fragment's name")
        guard skip(keyword: "on") else { throw unexpected("on, and the type of the fragment") }
        let condition = try self.name("the fragment's type")
        let directives = try directives()
        let selections = try selections()
        return GraphQLDocument.Fragment(
            name: name, typeCondition: condition, description: description, directives: directives, selections: selections,
            range: start..<end)
    }

    private mutating func variable() throws(Fault) -> GraphQLDocument.Variable {
        let start = token.range.lowerBound
        let description = description()
        let name = try variableName()
        try expect(":")
        let typeStart = token.range.lowerBound
        let type = try type()
        let typeRange = typeStart..<end
        let defaultValue = skip("=") ? try value(isConstant: true) : nil
        let directives = try directives(isConstant: true)
        return GraphQLDocument.Variable(
            name: name, description: description, type: type, typeRange: typeRange, defaultValue: defaultValue,
            directives: directives,
            range: start..<end)
    }

    private mutating func variableName() throws(Fault) -> Name {
        let start = token.range.lowerBound
        try expect("$")
        let name = try name("the variable's name")
        return Name(text: name.text, range: start..<end)
    }

    private mutating func selections() throws(Fault) -> [GraphQLDocument.Selection] {
        try nested { parser throws(Fault) in
            try parser.many("{", "}") { parser throws(Fault) in try parser.selection() }
        }
    }

    private mutating func selection() throws(Fault) -> GraphQLDocument.Selection {
        let start = token.range.lowerBound
        if skip(".") {
            let isInline = isAt(keyword: "on")
            if !isInline, token.kind == .name || token.kind == .template {
                let name = try name()
                let directives = try directives()
                return .spread(name: name, directives: directives, range: start..<end)
            }
            if isInline { take() }
            let condition = isInline ? try name("the type of the fragment") : nil
            let directives = try directives()
            let selections = try selections()
            return .inline(typeCondition: condition, directives: directives, selections: selections, range: start..<end)
        }
        var field = GraphQLDocument.Field(name: try name("a field"), range: 0..<0)
        if skip(":") {
            field.alias = field.name
            field.name = try name("a field")
        }
        field.arguments = try arguments(isConstant: false)
        field.directives = try directives()
        if isAt("{") { field.selections = try selections() }
        field.range = start..<end
        if field.name.isTemplate { isOpen = true }
        return .field(field)
    }

    // MARK: Arguments, values and types

    private mutating func arguments(isConstant: Bool) throws(Fault) -> [GraphQLDocument.Argument] {
        try optionalMany("(", ")") { parser throws(Fault) in
            let name = try parser.name("an argument")
            try parser.expect(":")
            return GraphQLDocument.Argument(name: name, value: try parser.value(isConstant: isConstant))
        }
    }

    mutating func directives(isConstant: Bool = false) throws(Fault) -> [GraphQLDocument.Directive] {
        var directives: [GraphQLDocument.Directive] = []
        while isAt("@") {
            let start = take().range.lowerBound
            let name = try name("the directive's name")
            let arguments = try arguments(isConstant: isConstant)
            directives.append(GraphQLDocument.Directive(name: name, arguments: arguments, range: start..<end))
        }
        return directives
    }

    /// - Parameter isConstant: whether no variable may stand in it.
    mutating func value(isConstant: Bool) throws(Fault) -> GraphQLDocument.Value {
        let range = token.range
        let value: GraphQLValue
        switch token.kind {
        case .punctuator(UInt8(ascii: "[")), .punctuator(UInt8(ascii: "{")):
            return try nested { parser throws(Fault) in try parser.compoundValue(isConstant: isConstant) }
        case .punctuator(UInt8(ascii: "$")):
            if isConstant {
                throw fault("A variable can't stand here: this value must be known before the variables are.", token.range)
            }
            let name = try variableName()
            return GraphQLDocument.Value(value: .variable(name.text), range: name.range)
        case .int: value = .int(lexer.text(range))
        case .float: value = .float(lexer.text(range))
        case .string, .blockString: value = .string(lexer.string(token))
        case .template: value = .template(lexer.text(range))
        case .name:
            switch lexer.text(range) {
            case "null": value = .null
            case "true": value = .boolean(true)
            case "false": value = .boolean(false)
            case let name: value = .enum(name)
            }
        default: throw unexpected("a value")
        }
        take()
        return GraphQLDocument.Value(value: value, range: range)
    }

    private mutating func compoundValue(isConstant: Bool) throws(Fault) -> GraphQLDocument.Value {
        let isList = isAt("[")
        let start = take().range.lowerBound
        var node = GraphQLDocument.Value(value: .null, range: 0..<0)
        var names: [String] = []
        while !skip(isList ? "]" : "}") {
            if !isList {
                let name = try name("a field of the object, or }")
                try expect(":")
                names.append(name.text)
                node.nameRanges.append(name.range)
            }
            node.parts.append(try value(isConstant: isConstant))
        }
        node.value =
            isList
            ? .list(node.parts.map(\.value)) : .object(zip(names, node.parts).map { GraphQLValue.Entry($0, $1.value) })
        node.range = start..<end
        return node
    }

    mutating func type() throws(Fault) -> GraphQLType {
        var type: GraphQLType
        if skip("[") {
            type = .list(try nested { parser throws(Fault) in try parser.type() })
            try expect("]")
        } else {
            type = .named(try name("a type").text)
        }
        if skip("!") { type = .nonNull(type) }
        return type
    }
}
