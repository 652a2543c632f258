/// An expression of JavaScript.
indirect enum ScriptNode: Hashable {
    case name(String)
    case number(String)
    case text(String)
    case template([String], [ScriptNode])
    case regex(String, flags: String)
    case array([ScriptNode])
    case object([ScriptMember])
    case member(ScriptNode, String)
    case index(ScriptNode, ScriptNode)
    case call(ScriptNode, [ScriptNode])
    case function(ScriptFunction)
    /// A unary operator, or `?.` around the value that it is applied to.
    case unary(String, ScriptNode)
    case binary(String, ScriptNode, ScriptNode)
    /// `=`, `+=`, `++`, `delete`: what changes something.
    case assign(String, ScriptNode, ScriptNode)
    /// What nobody reads, by its parts.
    case other([ScriptNode])
}

struct ScriptMember: Hashable {
    /// `nil` for one that only a program knows.
    var name: String?
    var value: ScriptNode
}

struct ScriptFunction: Hashable {
    var parameters: [ScriptNode]
    var body: [ScriptStatement]
    /// Calling it runs it: it is no generator.
    var runs = true
}

struct ScriptStatement: Hashable {
    var kind: Kind
    /// Where it stands, in scalars of the script.
    var range: Range<Int>

    indirect enum Kind: Hashable {
        case declare(isVar: Bool, [Declarator])
        case function(String, ScriptFunction)
        case expression(ScriptNode)
        case condition(ScriptNode, [ScriptStatement], otherwise: [ScriptStatement]?)
        case block([ScriptStatement])
        /// `return`, `throw`.
        case leave(ScriptNode?)
        /// What nobody reads, by its parts: loops, `try`, `switch`.
        case other([ScriptNode], [ScriptStatement])
    }

    struct Declarator: Hashable {
        /// A name, or a pattern as a literal.
        var target: ScriptNode
        var value: ScriptNode?
    }
}

extension [ScriptStatement] {
    /// Without blocks that declare nothing.
    var flattened: [ScriptStatement] {
        flatMap { statement in
            if case .block(let inside) = statement.kind, inside.ownNames.isEmpty { inside.flattened } else { [statement] }
        }
    }
}

extension ScriptNode {
    /// `a`, `b` of `a && b`.
    var conjuncts: [ScriptNode] {
        if case .binary("&&", let left, let right) = self { left.conjuncts + right.conjuncts } else { [self] }
    }
}
