/// What a YAML value says, without how and where it is written: what has to be the same before and after a change of the text.
indirect enum YAMLShape: Hashable {
    /// Whether it is a text matters: `"1"` isn't `1`.
    case scalar(String, isText: Bool, tag: String?)
    case sequence([YAMLShape], tag: String?)
    case mapping([Pair], tag: String?)

    struct Pair: Hashable {
        var key: YAMLShape
        var value: YAMLShape
    }

    init(_ node: YAMLNode) {
        let tag = node.decoration?.tag
        switch node.content {
        case .scalar(let text, let style): self = .scalar(text, isText: style != .plain || PlainScalar(text) == .text, tag: tag)
        case .sequence(let items, _): self = .sequence(items.map(YAMLShape.init), tag: tag)
        case .mapping(let pairs, _):
            self = .mapping(pairs.map { Pair(key: YAMLShape($0.key), value: YAMLShape($0.value)) }, tag: tag)
        }
    }

    static func text(_ text: String) -> YAMLShape { .scalar(text, isText: PlainScalar(text) == .text, tag: nil) }
}

extension YAMLShape {
    private func isKey(_ name: String) -> Bool {
        if case .scalar(name, _, _) = self { true } else { false }
    }

    /// The map of requests of a folder; `[]`: of the file. An empty map and none are the same.
    private func level(_ folder: [String]) -> [Pair]? {
        guard case .mapping(let pairs, _) = self else { return nil }
        guard let requests = pairs.first(where: { $0.key.isKey("requests") })?.value else { return [] }
        guard let name = folder.first else {
            switch requests {
            case .mapping(let entries, _): return entries
            default: return []
            }
        }
        guard case .mapping(let entries, _) = requests else { return nil }
        return entries.first { $0.key.isKey(name) }?.value.level(Array(folder.dropFirst()))
    }

    /// Changes the map of requests of a folder.
    mutating func edit(_ folder: [String], _ change: (inout [Pair]) -> Void) {
        guard case .mapping(var pairs, let tag) = self else { return }
        var index = pairs.firstIndex { $0.key.isKey("requests") }
        if index == nil, folder.isEmpty {
            index = pairs.count
            pairs.append(Pair(key: .text("requests"), value: .mapping([], tag: nil)))
        }
        guard let index else { return }
        var entries: [Pair] = []
        var entriesTag: String?
        if case .mapping(let old, let tag) = pairs[index].value { (entries, entriesTag) = (old, tag) }
        if let name = folder.first {
            guard let inner = entries.firstIndex(where: { $0.key.isKey(name) }) else { return }
            entries[inner].value.edit(Array(folder.dropFirst()), change)
        } else {
            change(&entries)
        }
        pairs[index].value = .mapping(entries, tag: entriesTag)
        self = .mapping(pairs, tag: tag)
    }

    mutating func remove(_ path: [String]) {
        edit(path.dropLast()) { entries in
            if let index = entries.firstIndex(where: { $0.key.isKey(path.last ?? "") }) { entries.remove(at: index) }
        }
    }

    /// - Parameter next: the name of the entry that it comes before; `nil`: at the end.
    mutating func insert(_ value: YAMLShape, at path: [String], before next: String? = nil) {
        edit(path.dropLast()) { entries in
            let index = next.flatMap { next in entries.firstIndex { $0.key.isKey(next) } } ?? entries.count
            entries.insert(Pair(key: .text(path.last ?? ""), value: value), at: index)
        }
    }

    mutating func rename(_ path: [String], to name: String) {
        edit(path.dropLast()) { entries in
            guard let index = entries.firstIndex(where: { $0.key.isKey(path.last ?? "") }) else { return }
            entries[index].key = .text(name)
        }
    }

    /// Only the text of keys counts; a file may quote them.
    func says(sameAs other: YAMLShape) -> Bool {
        switch (self, other) {
        case (.mapping(let left, let leftTag), .mapping(let right, let rightTag)):
            left.count == right.count && leftTag == rightTag
                && zip(left, right).allSatisfy { left, right in
                    Self.isSameKey(left.key, right.key) && left.value.says(sameAs: right.value)
                }
        case (.sequence(let left, let leftTag), .sequence(let right, let rightTag)):
            left.count == right.count && leftTag == rightTag && zip(left, right).allSatisfy { $0.says(sameAs: $1) }
        // The last entry of a map of requests is gone, or the first one isn't there yet.
        case (.mapping([], _), .scalar(let text, false, _)), (.scalar(let text, false, _), .mapping([], _)):
            PlainScalar(text) == .null
        default: self == other
        }
    }

    private static func isSameKey(_ left: YAMLShape, _ right: YAMLShape) -> Bool {
        if case .scalar(let left, _, _) = left, case .scalar(let right, _, _) = right { return left == right }
        return left == right
    }
}
