import NetworkLayer

/// What is to stand in a request's map, where a draft differs from what was read.
///
/// Keys that the draft says nothing about, and those in which nothing changed, are kept as they are.
struct DefinitionDifference {
    let stored: RequestDefinition
    let draft: RequestDefinition
    let node: YAMLNode
    let path: String
    private var entries: [DesiredEntry] = []

    init(from stored: RequestDefinition, to draft: RequestDefinition, node: YAMLNode, path: String) {
        self.stored = stored
        self.draft = draft
        self.node = node
        self.path = path
    }

    /// The whole map as it should be.
    mutating func desired() throws(CollectionProblem) -> DesiredValue {
        entries = (node.pairs ?? []).enumerated().map { number, pair in
            DesiredEntry(source: number, key: pair.key.text ?? "", value: .keep(pair.value))
        }
        changeTarget()
        let plain = (stored.withoutPlaces, draft.withoutPlaces)
        for key in RequestKey.all {
            let isSame = key.countsPlaces ? key.isSame(stored, draft) : key.isSame(plain.0, plain.1)
            if !isSame { set(key.name, try key.change(self)) }
        }
        try changeSettings()
        return .map(entries, .block)
    }

    // MARK: Keys

    /// Sets, adds or (with `nil`) removes a key. A new one comes after those that the format's page lists before it.
    mutating func set(_ key: String, _ value: DesiredValue?) {
        let index = entries.firstIndex { $0.key == key }
        guard let value else {
            if let index { entries.remove(at: index) }
            return
        }
        if let index {
            entries[index].value = value
        } else {
            entries.insert(DesiredEntry(source: nil, key: key, value: value), at: position(of: key))
        }
    }

    private func position(of key: String) -> Int {
        let order = FormatTable.request.keys.map(\.name)
        let rank = order.firstIndex(of: key) ?? order.count
        let last = entries.lastIndex { (order.firstIndex(of: $0.key) ?? order.count) < rank }
        return last.map { $0 + 1 } ?? entries.count
    }

    /// `get: URL`, or `method:` and `url:` for a method that is no key; a request that has the long form keeps it.
    private mutating func changeTarget() {
        let short = draft.method.lowercased()
        // `query` is also the name of the parameters.
        let canBeShort =
            FormatTable.methods.contains(short) && draft.method == short.uppercased() && (short != "query" || draft.query.isEmpty)
        let target = (node.pairs ?? []).firstIndex { $0.value.pairs == nil && FormatTable.methods.contains($0.key.text ?? "") }
        guard draft.method != stored.method || draft.url != stored.url || (target != nil && !canBeShort) else { return }
        let url = draft.url == stored.url ? nil : DesiredValue.scalar(draft.url, .text)
        if let target {
            if let url { entries[target].value = url }
            entries[target].key = canBeShort ? short : "url"
            if !canBeShort {
                entries.insert(DesiredEntry(source: nil, key: "method", value: .scalar(draft.method, .text)), at: target)
            }
            return
        }
        if draft.method != stored.method { set("method", .scalar(draft.method, .text)) }
        if let url { set("url", url) }
    }

    // MARK: Small values

    /// A list of texts; `nil` when it is empty.
    func texts(_ texts: [String], _ old: YAMLNode?, layout: DesiredLayout) -> DesiredValue? {
        guard !texts.isEmpty else { return nil }
        let items = old?.items ?? []
        let sources = Self.match(items.map { $0.text ?? "" }, texts)
        return .list(
            zip(texts, sources).map { text, source in
                let isSame = source.map { items[$0].text == text } ?? false
                return DesiredEntry(source: source, key: "", value: isSame ? .keep(items[source!]) : .scalar(text, .text))
            }, layout)
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

    /// What is to stand there, with the entries of the file that it goes on with.
    static func continuing(_ desired: DesiredValue, _ old: YAMLNode?) -> DesiredValue {
        guard case .map(let entries, let layout) = desired, let pairs = old?.pairs else { return desired }
        return .map(
            entries.map { entry in
                let source = pairs.firstIndex { $0.key.text == entry.key }
                return DesiredEntry(
                    source: source, key: entry.key, value: continuing(entry.value, source.map { pairs[$0].value }))
            }, layout)
    }
}
