/// What a script reads of the body: where that isn't there, JavaScript ends it with an error.
struct ScriptNeeds: Hashable {
    /// Neither missing nor null.
    private(set) var paths: Set<[ScriptValue.Step]> = []
    /// The body is JSON.
    private(set) var parses = false

    /// What an expression reads before anything in it is decided.
    mutating func add(_ node: ScriptNode, _ script: TestScript) {
        switch node {
        case .name, .number, .text, .regex, .function: break
        case .template(_, let nodes), .array(let nodes), .other(let nodes): for node in nodes { add(node, script) }
        case .object(let members): for member in members { add(member.value, script) }
        case .unary(_, let inner): add(inner, script)
        case .member(let inner, _):
            add(inner, script)
            require(inner, script)
        case .index(let inner, let key):
            add(inner, script)
            add(key, script)
            require(inner, script)
        case .call(let callee, let arguments):
            add(callee, script)
            for argument in arguments { add(argument, script) }
            if case .json = script.value(node) { parses = true }
        case .binary(let sign, let left, let right):
            add(left, script)
            if !["&&", "||", "??"].contains(sign) { add(right, script) }
        case .assign(_, _, let value): add(value, script)
        }
    }

    private mutating func require(_ node: ScriptNode, _ script: TestScript) {
        if case .json(let path) = script.value(node), !node.isOptional { paths.insert(path) }
    }

    /// - Parameter guards: what was asked before, and is there.
    mutating func add(_ other: ScriptNeeds, behind guards: [[ScriptValue.Step]]) {
        parses = parses || other.parses
        paths.formUnion(other.paths.filter { path in !guards.contains { $0.starts(with: path) } })
    }
}

extension ScriptNode {
    /// `a?.`
    fileprivate var isOptional: Bool { if case .unary("?.", _) = self { true } else { false } }
}
