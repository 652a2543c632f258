/// A value in a YAML file, with the place of its first and last byte.
package struct YAMLNode: Sendable {
    package var content: Content
    package var start: YAMLMark
    /// After the last byte. Of a block collection: the end of its last value.
    var end: YAMLMark
    var decoration: Decoration?

    package enum Content: Sendable {
        case scalar(String, YAMLScalarStyle)
        case sequence([YAMLNode], isFlow: Bool)
        case mapping([YAMLPair], isFlow: Bool)
    }

    /// What is rare, apart so that a node stays small.
    final class Decoration: Sendable {
        let anchor: String?
        let tag: String?
        /// The node is `*alias` in the file; its content is a copy of what has the anchor.
        let alias: String?
        /// A map with `<<` in it: some of its pairs are copies, at the place of the `<<`.
        let hasMerge: Bool

        init(anchor: String? = nil, tag: String? = nil, alias: String? = nil, hasMerge: Bool = false) {
            self.anchor = anchor
            self.tag = tag
            self.alias = alias
            self.hasMerge = hasMerge
        }
    }
}

package struct YAMLPair: Sendable {
    package var key: YAMLNode
    package var value: YAMLNode
    /// `false` for a key that a comma within braces has made of what was meant as a text.
    var hasColon = true
}

package enum YAMLScalarStyle: Sendable, Hashable {
    case plain, singleQuoted, doubleQuoted, literal, folded
}

/// A position in a file's text, counted in Unicode scalars, all from 0.
package struct YAMLMark: Sendable, Hashable {
    package var index: UInt32
    package var line: UInt32
    package var column: UInt32
}

extension YAMLNode {
    /// The text of a scalar, whatever its type.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether nothing at all stands there.
    var isAbsent: Bool {
        if case .scalar("", .plain) = content { decoration == nil } else { false }
    }

    package var pairs: [YAMLPair]? {
        if case .mapping(let pairs, _) = content { pairs } else { nil }
    }

    var items: [YAMLNode]? {
        if case .sequence(let items, _) = content { items } else { nil }
    }

    var isFlow: Bool {
        switch content {
        case .scalar: false
        case .sequence(_, let isFlow), .mapping(_, let isFlow): isFlow
        }
    }

    var isNull: Bool {
        guard case .scalar(let text, .plain) = content, text.utf8.count <= 4, decoration?.tag == nil else { return false }
        return PlainScalar(text) == .null
    }

    /// The value of a key.
    subscript(_ key: String) -> YAMLNode? {
        guard case .mapping(let pairs, _) = content, let index = pairs.index(of: key) else { return nil }
        return pairs[index].value
    }

    /// Whether there is a key: cheaper than asking for its value.
    func has(_ key: String) -> Bool {
        guard case .mapping(let pairs, _) = content else { return false }
        return pairs.index(of: key) != nil
    }

    package func location(in path: String) -> SourceLocation { start.location(in: path) }
}

extension [YAMLPair] {
    /// Looks at the keys where they are: a copy of a pair counts references, which is what most of reading a large file costs.
    fileprivate func index(of key: String) -> Int? {
        indices.first { index in
            if case .scalar(let text, _) = self[index].key.content { text == key } else { false }
        }
    }
}

extension YAMLMark {
    func location(in path: String) -> SourceLocation {
        SourceLocation(path: path, line: Int(line) + 1, column: Int(column) + 1)
    }
}

/// Merge keys: `<<: *common` stands for the pairs of another map (https://yaml.org/type/merge.html).
enum YAMLMerge {
    /// The pairs of a map with those that `<<` brings in its place: of one name the map's own wins, then the earlier one of a list of maps.
    ///
    /// What comes in this way is a copy that stands where the alias stands, so that nobody edits the one it was made from.
    ///
    /// - Returns: `nil` for a map without `<<`.
    static func merged(_ pairs: [YAMLPair], in path: String) throws(CollectionProblem) -> [YAMLPair]? {
        guard pairs.contains(where: isMerge) else { return nil }
        var names = Set(pairs.filter { !isMerge($0) }.compactMap(\.key.text))
        var merged: [YAMLPair] = []
        for pair in pairs {
            guard isMerge(pair) else {
                merged.append(pair)
                continue
            }
            for source in pair.value.items ?? [pair.value] {
                guard let others = source.pairs else {
                    throw CollectionProblem(
                        location: source.location(in: path), message: "`<<` takes a map or a list of maps, such as `<<: *common`")
                }
                for other in others {
                    if let name = other.key.text, !names.insert(name).inserted { continue }
                    merged.append(YAMLPair(key: other.key.copied(to: pair.value), value: other.value.copied(to: pair.value)))
                }
            }
        }
        return merged
    }

    private static func isMerge(_ pair: YAMLPair) -> Bool {
        guard case .scalar("<<", .plain) = pair.key.content else { return false }
        return pair.key.decoration == nil
    }
}

extension YAMLNode {
    fileprivate func copied(to place: YAMLNode) -> YAMLNode {
        let alias = place.decoration?.alias ?? place.items?.compactMap(\.decoration?.alias).first ?? "<<"
        return YAMLNode(
            content: content, start: place.start, end: place.end, decoration: .init(tag: decoration?.tag, alias: alias))
    }
}
