/// What belongs at a place of a text, by the tokens before it. It follows brackets and the types in them, and lets everything else pass:
/// what stands before the cursor need not be finished, nor right.
struct GraphQLCursor {
    typealias Schema = GraphQLSchema

    let schema: Schema
    private(set) var variables: [Variable] = []
    /// The name of the fragment that is being defined.
    private(set) var fragment: String?
    private var stack: [Frame] = []
    private var frame = Frame(kind: .document)

    struct Variable {
        var name: String
        var typeText = ""
        var hasDefault = false

        var type: GraphQLType? {
            var parser = GraphQLParser(typeText)
            return try? parser.type()
        }
    }

    /// What belongs at the cursor.
    enum Expectation {
        case nothing
        case keywords([String])
        case field(Schema.TypeDefinition)
        /// An argument of a field or a directive, or a field of an input object.
        case input(owner: String, [Schema.InputValue], given: [String])
        case value(GraphQLType?, isConstant: Bool)
        /// The name of a variable, behind `$`.
        case variable(GraphQLType?)
        /// A fragment, behind `...`, within this type; `nil`: the type isn't known.
        case spread(Schema.TypeDefinition?)
        /// A type, behind `on`, that can be of this one; `nil`: any type.
        case typeCondition(Schema.TypeDefinition?)
        case directive(location: String)
        case inputType
    }

    /// What stands in a pair of brackets, or outside all of them.
    private struct Frame {
        var kind: Kind
        var state = State.start
        /// The type whose fields are selected.
        var type: Schema.TypeDefinition?
        /// The arguments, or the input object's fields, that may stand here.
        var inputs: [Schema.InputValue] = []
        var owner = ""
        var given: [String] = []
        /// The type of the value that is expected.
        var valueType: GraphQLType?
        /// What `{` opens.
        var nextType: Schema.TypeDefinition?
        /// What `(` opens; `nil`: variables, in an operation's head.
        var nextArguments: (owner: String, inputs: [Schema.InputValue])?
        /// Where a directive would stand.
        var location = ""

        enum Kind { case document, selections, arguments, object, list, variables }
        enum State { case start, head, fragmentName, fragmentOn, typeCondition, spread, directive, name, value, variable, type }
    }

    init(_ schema: Schema) { self.schema = schema }

    var expectation: Expectation {
        switch (frame.kind, frame.state) {
        case (.document, .start): .keywords(["query", "mutation", "subscription", "fragment"])
        case (.document, .fragmentOn): .keywords(["on"])
        case (_, .directive): .directive(location: frame.location)
        case (.document, .typeCondition): .typeCondition(nil)
        case (.selections, .start): frame.type.map { .field($0) } ?? .nothing
        case (.selections, .spread): .spread(frame.type)
        case (.selections, .typeCondition): .typeCondition(frame.type)
        case (.arguments, .start), (.object, .start): .input(owner: frame.owner, frame.inputs, given: frame.given)
        case (.arguments, .value), (.object, .value), (.list, .start), (.variables, .value):
            .value(frame.valueType, isConstant: (stack + [frame]).contains { $0.kind == .variables })
        case (.arguments, .variable), (.object, .variable), (.list, .variable): .variable(frame.valueType)
        case (.variables, .type): .inputType
        default: .nothing
        }
    }

    // MARK: Reading

    /// - Parameter text: of a name, a template or another value.
    mutating func read(_ token: GraphQLLexer.Token, _ text: String) {
        switch token.kind {
        case .punctuator(let byte): read(punctuator: Unicode.Scalar(byte))
        case .name, .template: read(name: text)
        case .int, .float, .string, .blockString: if frame.state == .value { frame.state = .start }
        case .invalid, .end: return
        }
    }

    private mutating func read(name: String) {
        switch (frame.kind, frame.state) {
        case (_, .directive):
            frame.nextArguments = ("@" + name, schema.directive(named: name)?.arguments ?? [])
            frame.state = frame.kind == .document ? .head : .start
        case (.document, .start):
            if let kind = GraphQLDocument.OperationKind(rawValue: name) {
                let root = schema.roots[kind].flatMap { schema.type(named: $0) }
                (variables, fragment) = ([], nil)
                frame = Frame(kind: .document, state: .head, nextType: root, location: name.uppercased())
            } else if name == "fragment" {
                frame = Frame(kind: .document, state: .fragmentName, location: "FRAGMENT_DEFINITION")
            }
        case (.document, .fragmentName):
            (variables, fragment) = ([], name)
            frame.state = .fragmentOn
        case (.document, .fragmentOn): frame.state = name == "on" ? .typeCondition : .head
        case (.document, .typeCondition):
            frame.nextType = schema.type(named: name)
            frame.state = .head
        case (.selections, .spread):
            frame.state = name == "on" ? .typeCondition : .start
            if name != "on" { (frame.nextType, frame.location) = (nil, "FRAGMENT_SPREAD") }
        case (.selections, .typeCondition):
            frame.nextType = schema.type(named: name)
            frame.state = .start
        case (.selections, _):
            let field = frame.type.flatMap { schema.field(name, of: $0) }
            frame.nextType = field.flatMap { schema.type(named: $0.type.name) }
            frame.nextArguments = ("\(frame.type?.name ?? "").\(name)", field?.arguments ?? [])
            frame.location = "FIELD"
        case (.arguments, .start), (.object, .start):
            frame.given.append(name)
            frame.valueType = frame.inputs.first { $0.name == name }?.type
            frame.state = .name
        case (.variables, .variable):
            variables.append(Variable(name: name))
            frame.state = .name
        case (.variables, .type):
            if !variables.isEmpty { variables[variables.count - 1].typeText += name }
            frame.state = .name
        case (_, .value), (_, .variable): frame.state = .start
        default: return
        }
    }

    private mutating func read(punctuator: Unicode.Scalar) {
        let isValue = frame.state == .value || frame.kind == .list
        switch (frame.kind, punctuator) {
        case (.document, "{"), (.selections, "{"):
            let isShorthand = frame.kind == .document && frame.state == .start
            let type = isShorthand ? schema.roots[.query].flatMap { schema.type(named: $0) } : frame.nextType
            if isShorthand { (variables, fragment) = ([], nil) }
            frame.state = .start
            push(Frame(kind: .selections, type: type))
        case (_, "{") where isValue:
            let type = frame.valueType.flatMap { schema.type(named: $0.name) }
            if frame.kind != .list { frame.state = .start }
            push(Frame(kind: .object, inputs: type?.inputFields ?? [], owner: type?.name ?? ""))
        case (_, "[") where isValue:
            if frame.kind != .list { frame.state = .start }
            push(Frame(kind: .list, valueType: frame.valueType?.item ?? frame.valueType))
        case (_, "{"): readOutside(punctuator)
        case (_, "("):
            if let (owner, inputs) = frame.nextArguments {
                push(Frame(kind: .arguments, inputs: inputs, owner: owner))
            } else if frame.kind == .document {
                push(Frame(kind: .variables, location: "VARIABLE_DEFINITION"))
            }
        case (.selections, "}"), (.object, "}"), (.list, "]"), (.arguments, ")"), (.variables, ")"): pop()
        case (_, "}"), (.object, ")"), (.list, ")"): readOutside(punctuator)
        case (.selections, "."):
            (frame.state, frame.nextType, frame.location) = (.spread, frame.type, "INLINE_FRAGMENT")
        case (.document, "@"), (.selections, "@"), (.variables, "@"): frame.state = .directive
        case (_, "$"): if isValue || frame.kind == .variables { frame.state = .variable }
        case (.variables, ":"): frame.state = .type
        case (.variables, "="):
            if !variables.isEmpty { variables[variables.count - 1].hasDefault = true }
            (frame.state, frame.valueType) = (.value, variables.last?.type)
        case (.variables, _): if !variables.isEmpty { variables[variables.count - 1].typeText.unicodeScalars.append(punctuator) }
        case (.arguments, ":"), (.object, ":"): frame.state = .value
        default: return
        }
    }

    private mutating func push(_ inner: Frame) {
        frame.nextArguments = nil
        stack.append(frame)
        frame = inner
    }

    private mutating func pop() {
        frame = stack.popLast() ?? Frame(kind: .document)
        if frame.kind == .document, frame.state == .start { frame = Frame(kind: .document) }
    }

    /// A bracket that doesn't belong in here: somebody forgot to close this one.
    private mutating func readOutside(_ punctuator: Unicode.Scalar) {
        guard !stack.isEmpty else { return }
        pop()
        read(punctuator: punctuator)
    }
}
