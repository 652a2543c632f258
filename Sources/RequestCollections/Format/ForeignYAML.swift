/// YAML that other programs wrote, as values.
package enum ForeignYAML {
    /// The values of a file; merge keys (`<<`) are merged, tags that say what JSON says anyway mean nothing.
    ///
    /// - Throws: ``CollectionProblem`` at the place where the text stops being YAML, or goes beyond the limits of a collection's file.
    package static func parse(_ bytes: [UInt8], path: String) throws(CollectionProblem) -> JSONValue {
        guard let root = try YAMLDocument(path: path, bytes: bytes).root else { return .null }
        return value(root)
    }

    private static func value(_ node: YAMLNode) -> JSONValue {
        switch node.content {
        case .scalar(let text, .plain) where node.decoration?.tag != YAMLNode.stringTag:
            switch PlainScalar(text) {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .number(let digits): .number(digits)
            case .text, .notFinite: .string(text)
            }
        case .scalar(let text, _): .string(text)
        case .sequence(let items, _): .array(items.map(value))
        case .mapping(let pairs, _): .object(members(pairs))
        }
    }

    /// The first of a name wins.
    private static func members(_ pairs: [YAMLPair]) -> [JSONValue.Member] {
        var names: Set<String> = []
        return pairs.compactMap { pair in
            guard let name = pair.key.text, names.insert(name).inserted else { return nil }
            return .init(name: name, value: value(pair.value))
        }
    }
}
