/// The name that somebody probably meant: the one with the fewest changed, missing, superfluous or swapped letters, when they are
/// few for its length.
package func nearestName(to name: String, in names: some Sequence<String>) -> String? {
    let allowed = max(1, name.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in names where candidate != name {
        let distance = editDistance(name.lowercased(), candidate.lowercased())
        if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
}

/// `; did you mean x?`, or nothing when no name is near.
func suggestion(for name: String, in names: some Sequence<String>) -> String {
    nearestName(to: name, in: names).map { "; did you mean `\($0)`?" } ?? ""
}

/// Optimal string alignment: a swap of two neighbours counts once.
private func editDistance(_ left: String, _ right: String) -> Int {
    let left = Array(left)
    let right = Array(right)
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 1...left.count {
        var current = [row]
        for column in 1...right.count {
            let change = left[row - 1] == right[column - 1] ? 0 : 1
            var cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + change)
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                cost = min(cost, beforeLast[column - 2] + 1)
            }
            current.append(cost)
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}

extension YAMLNode {
    /// What is wrong with the templates in a text, or in all texts of a list or map, each at its own place.
    func checkTemplates(in path: String, problems: inout [CollectionProblem]) {
        switch content {
        case .scalar(let text, _):
            guard Template.isIn(text) else { return }
            do throws(TemplateError) {
                _ = try Template(text)
            } catch {
                problems.append(CollectionProblem(location: location(of: error.offset, in: path), message: error.message))
            }
        case .sequence(let items, _):
            for item in items { item.checkTemplates(in: path, problems: &problems) }
        case .mapping(let pairs, _):
            for pair in pairs { pair.value.checkTemplates(in: path, problems: &problems) }
        }
    }

    /// Where a character of a scalar stands in the file, when what is written there is the text itself: on one line, without
    /// escapes. Else where the scalar begins.
    ///
    /// - Parameter offset: in Unicode scalars from the text's first.
    func location(of offset: Int, in path: String) -> SourceLocation {
        var place = location(in: path)
        guard case .scalar(let text, let style) = content, start.line == end.line, decoration == nil else { return place }
        let written = Int(end.index - start.index)
        let length = text.unicodeScalars.count
        switch style {
        case .plain where written == length: place.column += offset
        case .singleQuoted where written == length + 2, .doubleQuoted where written == length + 2: place.column += offset + 1
        default: break
        }
        return place
    }
}

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

/// A name, or the name with the first number from 2 on that makes it free.
package func freeName(_ name: String, _ separator: String = "-", where isFree: (String) -> Bool) -> String {
    if isFree(name) { return name }
    return (2...).lazy.map { "\(name)\(separator)\($0)" }.first(where: isFree) ?? name
}
