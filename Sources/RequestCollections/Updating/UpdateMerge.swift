/// Merges what requests, folders and the collection say, and keeps what has to be written.
struct UpdateMerge {
    enum Text {
        /// The import's, as it is.
        case new(RequestID)
        case merged(DesiredValue)
    }

    let plan: UpdatePlan
    let theirs: RequestCollection
    let yielding: [String]
    /// The requests of which nothing is merged, since nothing valid came of it.
    let frozen: Set<RequestID>
    /// By id in the collection; `nil`: the collection itself.
    private(set) var texts: [RequestID?: Text] = [:]
    private(set) var expected: (head: ValueDigest, nodes: [RequestID: ValueDigest])
    private(set) var report = UpdateReport()

    init(plan: UpdatePlan, theirs: RequestCollection, yielding: [String], frozen: Set<RequestID>) {
        (self.plan, self.theirs, self.yielding, self.frozen) = (plan, theirs, yielding, frozen)
        expected = (plan.mine.head, [:])
    }

    /// Requests of the collection that are written anew.
    var changed: [RequestID] { texts.keys.compactMap { $0 } }

    mutating func mergeValues() throws(CollectionProblem) {
        let (mine, new) = (plan.mine, plan.theirs)
        for node in mine.nodes where !plan.removed.contains(node.id) {
            expected.nodes[plan.moved[node.id] ?? node.id] = node.digest
        }
        for (id, place) in plan.places where plan.added.contains(id) { expected.nodes[place] = new[id]?.digest }
        let writer = CollectionWriter(theirs)
        let head = ValueMerge.New(node: new.root, desired: .map(try writer.head()))
        if mine.head != new.head {
            expected.head = merge(nil, mine.root, mine.head, head, base: plan.base.head, .collection)
        }
        let folders = Dictionary(theirs.folders.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for node in new.nodes {
            guard let id = plan.matching.mine(of: node.id), let own = mine[id], own.digest != node.digest || own.text != node.text
            else { continue }
            let place = plan.moved[id] ?? id
            let base = plan.matching.bases[node.id].map { plan.base.entries[$0] }
            if let folder = folders[node.id] {
                let desired = ValueMerge.New(node: node.value, desired: .map(try writer.head(of: folder)))
                expected.nodes[place] = merge(id, own.value, own.digest, desired, base: base?.values, .folder)
                continue
            }
            guard let request = theirs.request(node.id) else { continue }
            let isYielding = yielding.contains { $0.hasPrefix(id.rawValue) || id.rawValue.hasPrefix($0) }
            if node.text == base?.text, !isYielding { continue }
            if frozen.contains(id) {
                report.conflicts.append(
                    .init(place: id.rawValue, mine: own.value.target, theirs: "a request that can't be put together with it"))
                continue
            }
            if own.text == base?.text {
                texts[id] = .new(node.id)
                expected.nodes[place] = node.digest
                let entries = Self.differences(base?.values, node.digest, .request)
                report.changed.append(.init(place: id.rawValue, entries: entries.isEmpty ? ["comments"] : entries))
                continue
            }
            let desired = ValueMerge.New(node: node.value, desired: .map(try writer.writer(of: request).entries()))
            expected.nodes[place] = merge(id, own.value, own.digest, desired, base: base?.values, .request)
        }
        finishReport()
    }

    /// - Returns: what it comes to.
    private mutating func merge(
        _ id: RequestID?, _ mine: YAMLNode, _ digest: ValueDigest, _ theirs: ValueMerge.New, base: ValueDigest?, _ scope: MergeScope
    ) -> ValueDigest {
        let yielding = yielding
        var merge = ValueMerge { entry in CollectionUpdate.yields(yielding, id.map { "\($0) \(entry)" } ?? entry) }
        let merged = merge.merge(mine, theirs, base: base, scope)
        report.conflicts += merge.conflicts.map { conflict in
            .init(place: id.map { "\($0) \(conflict.entry)" } ?? conflict.entry, mine: conflict.mine, theirs: conflict.theirs)
        }
        guard !merge.changes.isEmpty else { return digest }
        texts[id] = .merged(merged.value)
        report.changed.append(.init(place: id?.rawValue ?? "", entries: merge.changes))
        return merged.digest
    }

    private mutating func finishReport() {
        let theirs = plan.theirs
        report.added = theirs.nodes.filter { plan.added.contains($0.id) && !$0.isFolder }.compactMap { plan.places[$0.id] }
        report.removed = plan.mine.nodes.filter { plan.removed.contains($0.id) && !$0.isFolder }.map(\.id)
        report.kept = plan.kept.filter { plan.mine[$0]?.isFolder == false }
        report.moves = plan.moved
        for id in plan.deleted {
            guard let node = theirs[id], let index = plan.matching.bases[id], node.text != plan.base.entries[index].text else {
                continue
            }
            report.conflicts.append(
                .init(place: plan.base.entries[index].id.rawValue, mine: nil, theirs: node.value.target ?? "changed"))
        }
    }

    /// The entries in which two differ.
    private static func differences(
        _ old: ValueDigest?, _ new: ValueDigest, _ scope: MergeScope, at path: String = ""
    ) -> [String] {
        guard old != new else { return [] }
        guard case .map(let before)? = old, case .map(let after) = new else { return path.isEmpty ? [] : [path] }
        return Set(before.keys).union(after.keys).sorted().flatMap { key -> [String] in
            let inside = path.isEmpty ? key : "\(path).\(key)"
            guard before[key] != after[key] else { return [] }
            guard let value = after[key], let inner = scope.inside(key), before[key] != nil else { return [inside] }
            return differences(before[key], value, inner, at: inside)
        }
    }
}
