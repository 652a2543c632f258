import NetworkLayer

extension TemplateExpression {
    /// `user.name` as the member of `user`, where that is a variable and the whole name isn't.
    ///
    /// - Parameter isKnown: of `a.b`, `a` for `a.b.c`, the longest counts; none of a name with more than 32 parts.
    /// - Returns: `nil` when no variable is called like the name's beginning.
    package static func member(_ name: String, where isKnown: (String) -> Bool) -> (base: String, node: TemplateNode)? {
        guard name.utf8.count(where: { $0 == UInt8(ascii: ".") }) < 32 else { return nil }
        var base = name[...]
        while let dot = base.lastIndex(of: ".") {
            base = base[..<dot]
            guard isKnown(String(base)) else { continue }
            var node = TemplateNode(expression: .variable(String(base)), offset: 0)
            for key in name[name.index(after: dot)...].pieces(at: ".") {
                let key = TemplateNode(expression: .string(String(key)), offset: 0)
                node.expression = .call(TemplateCall(function: .item, arguments: ["value": node, "key": key]))
            }
            return (String(base), node)
        }
        return nil
    }
}

/// Items of lists and members of maps.
extension VariableScope {
    mutating func member(_ name: String, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue? {
        guard let member = TemplateExpression.member(name, where: isKnown) else { return nil }
        return try value(of: member.node, at: location)
    }

    mutating func item(_ call: TemplateCall, at location: SourceLocation?) throws(ResolutionError) -> LabelledValue {
        guard let node = call["value"], let keyNode = call["key"] else { return LabelledValue(.null) }
        let name = node.path.map { "`\($0)`" } ?? "the value"
        let key = try value(of: keyNode, at: location).value
        let item = try item(of: value(of: node, at: location), key, of: name, at: location)
        let names = node.names + [key.plainText]
        return names.first(where: Redaction.standard.redacts(variable:)).map { hidden(item, called: $0) } ?? item
    }

    /// - Throws: as for a variable without a value, so that `default` takes its place.
    private func item(
        of value: LabelledValue, _ key: JSONValue, of name: String, at location: SourceLocation?
    ) throws(ResolutionError) -> LabelledValue {
        if let item = value.value.item(key) { return LabelledValue(item, labels: value.labels) }
        let reason: String
        switch (value.value, key) {
        // Only a run knows what is in an answer, or in a secret.
        case (.string(let text), _) where text == Redactor.mask || text.hasPrefix("‹") && text.hasSuffix("›"): return value
        case (.array(let items), .number):
            reason = "\(name) has no item \(key.plainText): \(items.isEmpty ? "it is empty" : "they are 0 to \(items.count - 1)")"
        case (.array, _): reason = "\(name) is a list, and its items have numbers: `[0]`, `[-1]`"
        case (.object(let members), .string(let key)):
            reason = "\(name) has no member `\(key)`\(suggestion(for: key, in: members.map(\.name)))"
        case (.object, _): reason = "\(name) is a map, and its members have names: `[\"name\"]`"
        default: reason = "\(name) is neither a list nor a map"
        }
        throw ResolutionError(.variable, reason, at: location)
    }
}

extension TemplateNode {
    /// What the variable and the members on the way to a value are called: what one of them says of it holds for all that is below.
    package var names: [String] {
        switch expression {
        case .variable(let name): name.pieces(at: ".").map(String.init)
        case .string(let key): [key]
        case .call(let call) where call.function == .item: (call["value"]?.names ?? []) + (call["key"]?.names ?? [])
        default: []
        }
    }

    /// `users[0].name`, where nothing in it has to be filled in.
    fileprivate var path: String? {
        switch expression {
        case .variable(let name): return name
        case .call(let call) where call.function == .item:
            guard let base = call["value"]?.path else { return nil }
            switch call["key"]?.expression {
            case .string(let key)?: return "\(base).\(key)"
            case .number(let digits)?: return "\(base)[\(digits)]"
            default: return nil
            }
        default: return nil
        }
    }
}
