/// What is to stand in a place of a file, as far as it is decided: what stays points to the node that is there.
///
/// What a definition says, written without a file, is the same value without a node. Saving compares two of them, merging three.
indirect enum DesiredValue {
    case keep(YAMLNode)
    case scalar(String, ScalarKind)
    case map([DesiredEntry], DesiredLayout)
    case list([DesiredEntry], DesiredLayout)
}

/// An entry of a map or list.
struct DesiredEntry: Equatable {
    /// The entry of the map or list in the file that this one continues, by number; `nil` for a new one.
    var source: Int?
    /// `""` in a list.
    var key: String
    var value: DesiredValue
    /// Written above it, or behind it where it is short. It may have several lines.
    var comment: String?

    static func == (left: Self, right: Self) -> Bool { left.key == right.key && left.value == right.value }
}

/// How something new is laid out.
enum DesiredLayout {
    case block
    case flow
    /// In one line when it is short.
    case automatic
}

/// Which quoting a text needs.
enum ScalarKind {
    /// Read as text whatever it looks like, but for `null`.
    case text
    /// Must not look like a number, a boolean or `null`.
    case string
    /// In quotes, which say that nothing in it means something else.
    case quoted
    /// A number, a boolean or `null`, never quoted.
    case literal
    /// Like `text`, in one line.
    case key
}

extension DesiredValue: Equatable {
    /// Whether two say the same, however they are written.
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.keep(let node), _): copy(node) == right
        case (_, .keep(let node)): left == copy(node)
        case (.scalar(let left, let kind), .scalar(let right, let other)):
            left == right && (kind == .literal) == (other == .literal)
        case (.map(let left, _), .map(let right, _)), (.list(let left, _), .list(let right, _)): left == right
        default: false
        }
    }

    /// What a node says, as something new.
    static func copy(_ node: YAMLNode) -> DesiredValue {
        switch node.content {
        case .scalar(let text, let style):
            .scalar(text, style == .plain && PlainScalar(text) != .text ? .literal : .text)
        case .sequence(let items, let isFlow):
            .list(items.map { DesiredEntry(source: nil, key: "", value: copy($0)) }, isFlow ? .flow : .block)
        case .mapping(let pairs, let isFlow):
            .map(pairs.map { DesiredEntry(source: nil, key: $0.key.text ?? "", value: copy($0.value)) }, isFlow ? .flow : .block)
        }
    }

    /// The value of a key.
    subscript(_ key: String) -> DesiredValue? {
        guard case .map(let entries, _) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }
}

// MARK: The difference of two

extension DesiredValue {
    /// What is to stand where a node stands that says `old`, so that it says `new`. What both say alike stays as it is written, and so does
    /// what neither of them knows.
    static func replacing(_ node: YAMLNode, _ old: DesiredValue?, with new: DesiredValue) -> DesiredValue {
        if old == new { return .keep(node) }
        switch (node.content, new) {
        case (.mapping(let pairs, _), .map(let entries, let layout)):
            return .map(replacing(pairs, old?.entries, with: entries), layout)
        case (.sequence(let items, _), .list(let entries, let layout)):
            var olds = old?.entries?.map(\.value) ?? []
            if olds.count != items.count { olds = items.map(copy) }
            let sources = match(olds, entries.map(\.value))
            return .list(
                zip(entries, sources).map { entry, source in
                    let value = source.map { replacing(items[$0], olds[$0], with: entry.value) } ?? entry.value
                    return DesiredEntry(source: source, key: "", value: value)
                }, layout)
        case (.mapping(let pairs, _), .scalar(let text, _)):
            guard old?["enabled"] == .scalar("false", .literal), old?.entries?.count == 2,
                let index = pairs.firstIndex(where: { $0.key.text == "value" })
            else { return new }
            let value: DesiredValue = pairs[index].value.text == text ? .keep(pairs[index].value) : new
            if node.isFlow {
                // Quotes that only the brackets around it made necessary go with them. Around a template, people quote anyway.
                let isQuotedForThem = !ScalarWriter.isPlainSafe(text, .text, isFlow: true) && !Template.isIn(text)
                return isQuotedForThem && ScalarWriter.isPlainSafe(text, .text, isFlow: false) ? new : value
            }
            // A row that is switched on again stays as long as it is where it may have comments of its own.
            return .map(
                pairs.enumerated().map { number, pair in
                    let key = pair.key.text ?? ""
                    return DesiredEntry(
                        source: number, key: key,
                        value: number == index ? value : key == "enabled" ? .scalar("true", .literal) : .keep(pair.value))
                }, .block)
        case (.scalar(let text, _), .map(let entries, let layout)): return .map(entries.map { $0.keeping(node, text) }, layout)
        case (.scalar(let text, _), .list(let entries, let layout)): return .list(entries.map { $0.keeping(node, text) }, layout)
        default: return new
        }
    }

    var isMap: Bool { if case .map = self { true } else { false } }

    var isList: Bool { if case .list = self { true } else { false } }

    private var entries: [DesiredEntry]? {
        switch self {
        case .map(let entries, _), .list(let entries, _): entries
        default: nil
        }
    }

    private static func replacing(_ pairs: [YAMLPair], _ old: [DesiredEntry]?, with new: [DesiredEntry]) -> [DesiredEntry] {
        let names = pairs.map { $0.key.text ?? "" }
        let old = old ?? pairs.map { DesiredEntry(source: nil, key: $0.key.text ?? "", value: copy($0.value)) }
        let olds = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let news = Dictionary(new.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        // Where the file says in another form what changes, that form goes.
        let isOtherForm = old.contains { !names.contains($0.key) && news[$0.key] != $0.value }
        let renamed = renamed(old, new, in: names)
        var result: [DesiredEntry] = []
        for (index, pair) in pairs.enumerated() {
            if let key = news[names[index]] == nil ? renamed[names[index]] : names[index], let value = news[key] {
                result.append(DesiredEntry(source: index, key: key, value: replacing(pair.value, olds[names[index]], with: value)))
            } else if olds[names[index]] == nil, !isOtherForm {
                result.append(DesiredEntry(source: index, key: names[index], value: .keep(pair.value)))
            }
        }
        let common = new.map(\.key).filter { olds[$0] != nil }
        if common != old.map(\.key).filter({ news[$0] != nil }) { result = reordered(result, as: new.map(\.key)) }
        for (rank, entry) in new.enumerated() where !result.contains(where: { $0.key == entry.key }) {
            // What was said without standing there needn't be written.
            if !names.contains(entry.key), olds[entry.key] == entry.value { continue }
            let before = Set(new[..<rank].map(\.key))
            result.insert(entry, at: result.lastIndex { before.contains($0.key) }.map { $0 + 1 } ?? 0)
        }
        return result
    }

    /// What got another name and says the same, is a map, too, or is all that there is: by its name in the file.
    private static func renamed(_ old: [DesiredEntry], _ new: [DesiredEntry], in names: [String]) -> [String: String] {
        let sources = match(old.map(\.key), new.map(\.key))
        let isOnlyOne = old.count == 1 && new.count == 1
        var renamed: [String: String] = [:]
        for (entry, source) in zip(new, sources) {
            guard let source, old[source].key != entry.key, names.contains(old[source].key), !names.contains(entry.key),
                isOnlyOne || old[source].value == entry.value || old[source].value.isMap && entry.value.isMap,
                !new.contains(where: { $0.key == old[source].key })
            else { continue }
            renamed[old[source].key] = entry.key
        }
        return renamed
    }

    /// Entries in an order of their keys; those that aren't in it stay behind the same neighbours.
    private static func reordered(_ entries: [DesiredEntry], as keys: [String]) -> [DesiredEntry] {
        var result = keys.compactMap { key in entries.first { $0.key == key } }
        for (index, entry) in entries.enumerated() where !keys.contains(entry.key) {
            let before = index == 0 ? nil : result.firstIndex { $0.key == entries[index - 1].key }
            result.insert(entry, at: before.map { $0 + 1 } ?? 0)
        }
        return result
    }

    /// Which old entry each new one continues: equal ones in order, and between two such the others one by one when they are as
    /// many on both sides.
    static func match<Value: Equatable>(_ old: [Value], _ new: [Value]) -> [Int?] {
        var sources = [Int?](repeating: nil, count: new.count)
        var prefix = 0
        while prefix < min(old.count, new.count), old[prefix] == new[prefix] {
            sources[prefix] = prefix
            prefix += 1
        }
        var suffix = 0
        while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
            sources[new.count - 1 - suffix] = old.count - 1 - suffix
            suffix += 1
        }
        let oldRest = prefix..<old.count - suffix
        let newRest = prefix..<new.count - suffix
        if oldRest.count == newRest.count {
            for (from, to) in zip(oldRest, newRest) { sources[to] = from }
            return sources
        }
        var free = Set(oldRest)
        for to in newRest {
            if let from = oldRest.first(where: { free.contains($0) && old[$0] == new[to] }) {
                sources[to] = from
                free.remove(from)
            }
        }
        return sources
    }
}

extension DesiredEntry {
    /// The entry with a node in place of the text that the node has.
    fileprivate func keeping(_ node: YAMLNode, _ text: String) -> DesiredEntry {
        guard case .scalar(text, let kind) = value, kind != .literal else { return self }
        return DesiredEntry(source: source, key: key, value: .keep(node), comment: comment)
    }
}
