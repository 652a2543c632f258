extension DefinitionDifference {
    // MARK: JSON

    /// JSON that stands as YAML stays YAML, as long as it is JSON. A text stays a text. New JSON becomes YAML when nothing of its
    /// layout is lost by that.
    func json(_ text: String, replacing old: YAMLNode?) -> DesiredValue {
        let isText: Bool =
            switch old?.content {
            case .scalar(let text, let style): style != .plain || PlainScalar(text) == .text
            default: false
            }
        guard !isText, let value = JSONParser.parse(text), value.canBeYAML, old != nil || value.text(pretty: true) == text,
            !value.isText, !JSONParser.hasHalfPairs(text)
        else { return .scalar(text, .text) }
        return desired(value, replacing: old)
    }

    private func desired(_ value: JSONValue, replacing old: YAMLNode?) -> DesiredValue {
        if let old, let before = try? JSONValue(old, in: path), before == value { return .keep(old) }
        switch value {
        case .null: return .scalar("null", .literal)
        case .boolean(let flag): return .scalar(flag ? "true" : "false", .literal)
        case .number(let digits): return .scalar(digits, .literal)
        case .string(let text): return .scalar(text, .string)
        case .array(let values):
            let items = old?.items ?? []
            let before = items.map { try? JSONValue($0, in: path) }
            let sources = Self.match(before, values)
            return .list(
                zip(values, sources).map { value, source in
                    DesiredEntry(source: source, key: "", value: desired(value, replacing: source.map { items[$0] }))
                }, .automatic)
        case .object(let members):
            let pairs = old?.pairs ?? []
            let sources = Self.matchNames(pairs.map { $0.key.text ?? "" }, members.map(\.name))
            return .map(
                zip(members, sources).map { member, source in
                    DesiredEntry(
                        source: source, key: member.name, value: desired(member.value, replacing: source.map { pairs[$0].value }))
                }, .automatic)
        }
    }

    /// By name; what is left over on both sides between two that match was renamed, when it is one.
    private static func matchNames(_ old: [String], _ new: [String]) -> [Int?] {
        var sources = new.map { name in old.firstIndex(of: name) }
        let free = old.indices.filter { !sources.contains($0) }
        let unmatched = new.indices.filter { sources[$0] == nil }
        if free.count == 1, unmatched.count == 1 { sources[unmatched[0]] = free[0] }
        return sources
    }

    // MARK: Parts

    func parts(_ parts: [BodyDefinition.Part], replacing old: YAMLNode?) -> DesiredValue {
        let pairs = old?.pairs ?? []
        let reader = RequestReader(path: path)
        let oldParts = pairs.map { pair in
            var problems: [CollectionProblem] = []
            let map = YAMLNode(content: .mapping([pair], isFlow: false), start: pair.key.start, end: pair.value.end)
            return reader.parts(map, problems: &problems)
        }
        let groups = parts.groupedByName
        let sources = Self.matchNames(pairs.map { $0.key.text ?? "" }, groups.map { $0[0].name })
        let entries = zip(groups, sources).map { group, source in
            let oldGroup = source.map { oldParts[$0] } ?? []
            let oldNode = source.map { pairs[$0].value }
            let value: DesiredValue
            if group.count == 1, oldNode?.items == nil {
                value = self.value(group[0], replacing: oldNode, old: oldGroup.first)
            } else {
                let items = oldNode?.items ?? []
                let itemSources = Self.match(oldGroup, group)
                value = .list(
                    zip(group, itemSources).map { part, item in
                        let node = item.flatMap { items.indices.contains($0) ? items[$0] : nil }
                        return DesiredEntry(
                            source: node == nil ? nil : item, key: "",
                            value: self.value(part, replacing: node, old: item.map { oldGroup[$0] }))
                    }, .automatic)
            }
            return DesiredEntry(source: source, key: group[0].name, value: value)
        }
        return .map(entries, .block)
    }

    private func value(_ part: BodyDefinition.Part, replacing node: YAMLNode?, old: BodyDefinition.Part?) -> DesiredValue {
        if let node, let old, part.hasSameContent(as: old) { return .keep(node) }
        if case .text(let text) = part.content, part.isEnabled, part.fileName == nil, part.contentType == nil, node?.pairs == nil {
            return .scalar(text, .text)
        }
        var fields = BodyDefinition.Part.fields.written(part)
        if part.isEnabled, node?["enabled"] != nil { fields.append(("enabled", .scalar("true", .literal))) }
        // In the order in which the file has them.
        let keys = node?.pairs?.map { $0.key.text ?? "" } ?? []
        let ordered = fields.filter { keys.contains($0.key) }.sorted { keys.firstIndex(of: $0.key)! < keys.firstIndex(of: $1.key)! }
        let new = fields.filter { !keys.contains($0.key) }
        return .map(
            (ordered + new).map { DesiredEntry(source: keys.firstIndex(of: $0.key), key: $0.key, value: $0.value) }, .automatic)
    }
}

extension JSONValue {
    /// A map of YAML can't have a name twice.
    var canBeYAML: Bool {
        switch self {
        case .array(let values): values.allSatisfy(\.canBeYAML)
        case .object(let members): Set(members.map(\.name)).count == members.count && members.allSatisfy(\.value.canBeYAML)
        default: true
        }
    }

    /// A text alone would be read as JSON itself.
    fileprivate var isText: Bool {
        if case .string = self { true } else { false }
    }
}

extension [BodyDefinition.Part] {
    /// The parts as a map holds them: those of one name stand together, at the place of the first.
    var groupedByName: [[BodyDefinition.Part]] {
        var groups: [[BodyDefinition.Part]] = []
        for part in self {
            if let index = groups.firstIndex(where: { $0[0].name == part.name }) {
                groups[index].append(part)
            } else {
                groups.append([part])
            }
        }
        return groups
    }
}

extension BodyDefinition.Part {
    /// All but the name.
    fileprivate func hasSameContent(as other: Self) -> Bool {
        var other = other
        other.name = name
        return self == other
    }
}
