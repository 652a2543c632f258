import RequestCollections

/// What a statement may do to what comes behind it, at worst.
struct ScriptEffects: Hashable {
    /// Names that it gives a value, or declares for those behind it.
    var assigned: Set<String> = []
    /// It may change what names stand for, or run a function that does.
    var mutates = false
    /// Nobody knows what it does: `eval`.
    var isAnything = false
    /// It may leave the function that it stands in.
    var leaves = false
    /// Variables of the collection that it may set or remove.
    var sets: Set<String> = []
    var setsAnything = false

    mutating func formUnion(_ other: ScriptEffects) {
        assigned.formUnion(other.assigned)
        mutates = mutates || other.mutates
        isAnything = isAnything || other.isAnything
        leaves = leaves || other.leaves
        sets.formUnion(other.sets)
        setsAnything = setsAnything || other.setsAnything
    }
}

extension ScriptNode {
    /// What a pattern gives a value: `a` and `b` of `{ a, x: [b = 1] }`.
    var targets: Set<String> {
        switch self {
        case .name(let name): [name]
        case .array(let nodes), .other(let nodes): nodes.reduce(into: []) { $0.formUnion($1.targets) }
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.targets) }
        case .assign(_, let target, _): target.targets
        default: []
        }
    }

    /// `a` of `a.b[0]`.
    var root: String? {
        switch self {
        case .name(let name): name
        case .member(let inner, _), .index(let inner, _), .unary("?.", let inner): inner.root
        default: nil
        }
    }
}

extension [ScriptStatement] {
    /// What they declare for themselves and those in their blocks.
    var ownNames: Set<String> {
        reduce(into: []) { names, statement in
            switch statement.kind {
            case .declare(false, let declarators): for one in declarators { names.formUnion(one.target.targets) }
            case .function(let name, _): names.insert(name)
            default: break
            }
        }
    }

    /// What `var` declares in them for the whole function.
    var functionNames: Set<String> {
        reduce(into: []) { names, statement in
            switch statement.kind {
            case .declare(true, let declarators): for one in declarators { names.formUnion(one.target.targets) }
            case .condition(_, let one, let other): names.formUnion(one.functionNames.union(other?.functionNames ?? []))
            case .block(let inside), .other(_, let inside): names.formUnion(inside.functionNames)
            case .function(let name, _): names.insert(name)
            default: break
            }
        }
    }
}

/// Gathers the effects of statements.
struct ScriptEffectReader {
    private(set) var effects = ScriptEffects()
    /// The effects of functions that have a name, which anything may call.
    private(set) var closures = ScriptEffects()
    /// An object has a method of its own.
    private(set) var hasMethods = false
    private let script: TestScript

    init(_ script: TestScript) { self.script = script }

    mutating func add(_ statements: [ScriptStatement]) {
        for statement in statements { add(statement) }
    }

    mutating func add(_ statement: ScriptStatement) {
        switch statement.kind {
        case .declare(_, let declarators):
            for one in declarators {
                effects.assigned.formUnion(one.target.targets)
                add(pattern: one.target)
                if let value = one.value { add(value) }
            }
        case .function(let name, let function):
            effects.assigned.insert(name)
            addClosure(function)
        case .expression(let node): add(node)
        case .condition(let condition, let inside, let otherwise):
            add(condition)
            add(inside)
            add(otherwise ?? [])
        case .block(let inside): addBlock(inside)
        case .leave(let node):
            effects.leaves = true
            if let node { add(node) }
        case .other(let nodes, let inside):
            for node in nodes { add(node) }
            addBlock(inside)
        }
    }

    private mutating func addBlock(_ inside: [ScriptStatement]) {
        let outer = effects.assigned
        effects.assigned = []
        add(inside)
        effects.assigned = outer.union(effects.assigned.subtracting(inside.ownNames))
    }

    /// Adds the effects of what stands in brackets, and of the default values.
    private mutating func add(pattern: ScriptNode) {
        switch pattern {
        case .array(let nodes), .other(let nodes): for node in nodes { add(pattern: node) }
        case .object(let members): for member in members { add(pattern: member.value) }
        case .assign(_, let target, let value):
            add(pattern: target)
            add(value)
        default: break
        }
    }

    private mutating func add(_ function: ScriptFunction) {
        let outer = effects
        effects = ScriptEffects()
        for parameter in function.parameters { add(pattern: parameter) }
        add(function.body)
        var inner = effects
        inner.leaves = false
        inner.assigned.subtract(function.body.ownNames)
        inner.assigned.subtract(function.body.functionNames)
        for parameter in function.parameters { inner.assigned.subtract(parameter.targets) }
        effects = outer
        effects.formUnion(inner)
    }

    /// Adds the effects of a function that isn't run where it stands.
    private mutating func addClosure(_ function: ScriptFunction) {
        let outer = effects
        effects = ScriptEffects()
        add(function)
        closures.formUnion(effects)
        effects = outer
    }

    private mutating func add(_ node: ScriptNode) {
        switch node {
        case .name, .number, .text, .regex: break
        case .template(_, let nodes), .array(let nodes), .other(let nodes): for node in nodes { add(node) }
        case .object(let members):
            for member in members {
                if case .function = member.value { hasMethods = true }
                add(member.value)
            }
        case .member(let inner, _), .unary(_, let inner): add(inner)
        case .index(let one, let other), .binary(_, let one, let other):
            add(one)
            add(other)
        case .assign(_, let target, let value):
            add(value)
            assign(target)
        case .function(let function): addClosure(function)
        case .call(let callee, let arguments): addCall(callee, arguments)
        }
    }

    private mutating func assign(_ target: ScriptNode) {
        switch target {
        case .member, .index:
            guard target.root != "tests" || script.isDeclared("tests") else { return }
            effects.mutates = true
            if let root = target.root { effects.assigned.insert(root) }
        case .array(let nodes), .other(let nodes): for node in nodes { assign(node) }
        case .object(let members): for member in members { assign(member.value) }
        case .assign(_, let target, let value):
            add(value)
            assign(target)
        default: effects.assigned.formUnion(target.targets)
        }
    }

    private mutating func addCall(_ callee: ScriptNode, _ arguments: [ScriptNode]) {
        for argument in arguments {
            if case .function(let function) = argument { add(function) } else { add(argument) }
        }
        switch callee {
        case .member(let inner, _), .unary("?.", .member(let inner, _)): add(inner)
        case .function(let function): return add(function)
        case .name: break
        default: add(callee)
        }
        if let path = script.builtin(callee) {
            if path == "eval" || path == "Function" { effects.isAnything = true }
            if let changes = TestScript.change(of: path) { return set(changes, arguments.first) }
            if Self.harmless.contains(path) || Self.harmlessPrefixes.contains(where: path.hasPrefix) {
                return pass(path.hasPrefix("console.") || path.hasPrefix("JSON.") ? [] : arguments)
            }
        }
        if isExpectation(callee) { return }
        if case .member(let inner, let method) = callee, Self.readers.contains(method) {
            if !script.hasMethods || script.value(inner) != .unknown { return pass(arguments) }
        }
        effects.mutates = true
    }

    private mutating func set(_ all: Bool, _ name: ScriptNode?) {
        guard !all, let name, case .literal(.string(let text)) = script.value(name) else {
            effects.setsAnything = true
            return
        }
        effects.sets.insert(VariableName.make(text))
    }

    /// A function that is passed by its name is run.
    private mutating func pass(_ arguments: [ScriptNode]) {
        for argument in arguments {
            switch argument {
            case .name, .member, .index: if script.value(argument) == .unknown { effects.mutates = true }
            default: break
            }
        }
    }

    private func isExpectation(_ callee: ScriptNode) -> Bool {
        switch callee {
        case .member(let inner, _): isExpectation(inner)
        case .call(let inner, _): script.builtin(inner).map(TestScript.expects.contains) == true || isExpectation(inner)
        default: script.builtin(callee).map(TestScript.expects.contains) == true
        }
    }

    private static let harmless: Set<String> = [
        "Date", "Set", "Map", "RegExp", "Error", "Number", "String", "Boolean", "parseInt", "parseFloat", "isNaN", "Array",
        "Object", "encodeURIComponent", "decodeURIComponent", "btoa", "atob", "require", "moment", "xml2Json", "test", "it",
        "Array.isArray", "Object.keys", "Object.values", "Object.entries", "setTimeout", "Date.now", "Array.from",
        "Number.isInteger", "_.isEmpty", "client.test", "client.assert", "client.log",
    ]

    private static let harmlessPrefixes = ["console.", "JSON.", "Math.", "pm.", "insomnia.", "postman.", "bru."]

    /// Methods that change nothing, unless they are passed something that does.
    private static let readers: Set<String> = [
        "map", "filter", "forEach", "find", "findIndex", "some", "every", "includes", "indexOf", "lastIndexOf", "join", "slice",
        "split", "toString", "trim", "toLowerCase", "toUpperCase", "replace", "match", "test", "exec", "substring", "substr",
        "startsWith", "endsWith", "concat", "reduce", "keys", "values", "entries", "hasOwnProperty", "toFixed", "charAt", "get",
        "has", "json", "text", "toISOString", "getTime", "flat", "flatMap", "padStart", "padEnd", "then", "catch", "one", "all",
        "format",
    ]
}
