/// Merges the values of one map of a file with what a new import says there: what only one of both has changed since the base is as that
/// one says.
struct ValueMerge {
    /// A value of a new import, with the comments that are written with it.
    struct New {
        var node: YAMLNode
        var desired: DesiredValue

        func entry(_ key: String) -> (value: New, entry: DesiredEntry)? {
            guard case .map(let entries, _) = desired, let entry = entries.first(where: { $0.key == key }), let node = node[key]
            else { return nil }
            return (New(node: node, desired: entry.value), entry)
        }
    }

    struct Conflict: Hashable {
        var entry: String
        /// For people; `nil`: it isn't there.
        var mine: String?
        var theirs: String?
    }

    /// Whether the file takes the import's value for an entry, whatever it says.
    let yields: (String) -> Bool
    private(set) var changes: [String] = []
    private(set) var conflicts: [Conflict] = []

    /// What is to stand there, and what it comes to.
    struct Merged {
        var value: DesiredValue
        var digest: ValueDigest
    }

    private struct Target {
        /// What takes the place of method and URL; `nil`: they stay.
        var entries: [DesiredEntry]?
        var digest: ValueDigest
    }

    /// - Parameter mine: a map.
    mutating func merge(_ mine: YAMLNode, _ theirs: New, base: ValueDigest?, _ scope: MergeScope, at path: String = "") -> Merged {
        var entries: [DesiredEntry] = []
        var digest: [String: ValueDigest] = [:]
        let pairs = mine.pairs ?? []
        let isRequest = scope == .request && path.isEmpty
        let target = isRequest ? self.target(mine, theirs, base) : nil
        if let target { digest[ValueDigest.target] = target.digest }
        var hasTarget = false
        for (index, pair) in pairs.enumerated() {
            let key = pair.key.text ?? ""
            if isRequest, pair.isTarget {
                if target?.entries == nil {
                    entries.append(DesiredEntry(source: index, key: key, value: .keep(pair.value)))
                } else if !hasTarget {
                    entries += Self.continuing(target?.entries ?? [], index)
                }
                hasTarget = true
                continue
            }
            guard let inner = scope.inside(key) else {
                entries.append(DesiredEntry(source: index, key: key, value: .keep(pair.value)))
                continue
            }
            let merged = value(
                pair.value, theirs.entry(key)?.value, base: base?[key], inner, at: path.isEmpty ? key : "\(path).\(key)")
            guard let merged else { continue }
            digest[key] = merged.digest
            entries.append(DesiredEntry(source: index, key: key, value: merged.value))
        }
        guard case .map(let news, _) = theirs.desired else {
            return Merged(value: .map(entries, .block), digest: .map(digest))
        }
        if isRequest, !hasTarget, let added = target?.entries { entries.insert(contentsOf: added, at: 0) }
        for (place, new) in news.enumerated() where mine[new.key] == nil {
            guard let inner = scope.inside(new.key), let node = theirs.node[new.key],
                !isRequest || !YAMLPair(key: Self.key(new.key, node), value: node).isTarget,
                let merged = value(
                    nil, New(node: node, desired: new.value), base: base?[new.key], inner,
                    at: path.isEmpty ? new.key : "\(path).\(new.key)")
            else { continue }
            digest[new.key] = merged.digest
            let before = news[..<place].last { other in entries.contains { $0.key == other.key } }
            let index = before.flatMap { before in entries.lastIndex { $0.key == before.key } }.map { $0 + 1 } ?? 0
            entries.insert(DesiredEntry(source: nil, key: new.key, value: merged.value, comment: new.comment), at: index)
        }
        return Merged(value: .map(entries, .block), digest: .map(digest))
    }

    private static func key(_ text: String, _ node: YAMLNode) -> YAMLNode {
        YAMLNode(content: .scalar(text, .plain), start: node.start, end: node.start)
    }

    private static func continuing(_ entries: [DesiredEntry], _ source: Int) -> [DesiredEntry] {
        entries.enumerated().map { number, entry in
            DesiredEntry(source: number == 0 ? source : nil, key: entry.key, value: entry.value)
        }
    }

    /// - Returns: `nil` when it goes, or stays away.
    private mutating func value(
        _ mine: YAMLNode?, _ theirs: New?, base: ValueDigest?, _ scope: MergeScope, at path: String
    ) -> Merged? {
        let own = mine.map { ValueDigest($0, scope) }
        let new = theirs.map { ValueDigest($0.node, scope) }
        let kept = mine.flatMap { mine in own.map { Merged(value: .keep(mine), digest: $0) } }
        if own == new { return kept }
        if let mine, let theirs, case .map(let left)? = own, case .map(let right)? = new,
            scope != .body || left.keys == right.keys
        {
            return merge(mine, theirs, base: base, scope, at: path)
        }
        if (mine == nil) != (theirs == nil), case .map? = own ?? new, case .map? = base, own != base, new != base, scope != .body,
            let place = mine ?? theirs?.node
        {
            // One side has removed all entries; what the other side has added is kept.
            let nothing = YAMLNode(content: .mapping([], isFlow: false), start: place.start, end: place.start)
            let merged = merge(
                mine ?? nothing, theirs ?? New(node: nothing, desired: .map([], .block)), base: base, scope, at: path)
            return merged.digest == .map([:]) ? nil : merged
        }
        // The import doesn't decide about keys that it doesn't know.
        let isYielding = yields(path) && (new != nil || base != nil)
        if !isYielding {
            if new == base { return kept }
            if own != base {
                conflicts.append(Conflict(entry: path, mine: Self.text(mine, path), theirs: Self.text(theirs?.node, path)))
                return kept
            }
        }
        changes.append(path)
        guard let theirs, let new else { return nil }
        return Merged(value: mine.map { DefinitionDifference.continuing(theirs.desired, $0) } ?? theirs.desired, digest: new)
    }

    private mutating func target(_ mine: YAMLNode, _ theirs: New, _ base: ValueDigest?) -> Target? {
        let own = ValueDigest(mine, .request)[ValueDigest.target]
        let new = ValueDigest(theirs.node, .request)[ValueDigest.target]
        guard let new, own != new, case .map(let entries, _) = theirs.desired else { return own.map { Target(digest: $0) } }
        if !yields(ValueDigest.target), let own {
            let base = base?[ValueDigest.target]
            if new == base { return Target(digest: own) }
            if own != base {
                conflicts.append(Conflict(entry: ValueDigest.target, mine: mine.target, theirs: theirs.node.target))
                return Target(digest: own)
            }
        }
        changes.append(ValueDigest.target)
        let targets = entries.filter { entry in
            theirs.node[entry.key].map { YAMLPair(key: Self.key(entry.key, $0), value: $0).isTarget } ?? false
        }
        return Target(entries: targets, digest: new)
    }

    /// In one line, as far as it helps. What may be a credential that somebody typed in is not shown.
    static func text(_ node: YAMLNode?, _ path: String) -> String? {
        guard let node else { return nil }
        let text = ValueRenderer(step: 2).render(.keep(node), indent: 0, isFlow: true).inline
        let words = ["auth", "token", "secret", "password", "passwd", "key", "cookie", "credential"]
        let name = path.lowercased()
        if words.contains(where: name.contains), !text.contains("{{"), !text.contains("secret:") { return "(not shown)" }
        return text.count <= 80 ? text : text.prefix(79) + "…"
    }
}
