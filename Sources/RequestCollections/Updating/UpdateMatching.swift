/// Which entries of a new import, of the base and of the collection are the same request or folder, whatever they are called by now.
struct UpdateMatching {
    /// The entry of the base, by the id in the import.
    private(set) var bases: [RequestID: Int] = [:]
    /// What is in the collection, by the entry of the base.
    private(set) var mines: [Int: RequestID] = [:]
    /// What is in the collection and in the import, and not in the base.
    private var both: [RequestID: RequestID] = [:]

    /// What an entry of the import is in the collection.
    func mine(of id: RequestID) -> RequestID? { bases[id].map { mines[$0] } ?? both[id] }

    /// - Parameter identities: what the source knows requests and folders by: it counts more than a name, a name with its address more
    ///   than either, and all more than what else is in them.
    init(mine: UpdateSide, theirs: UpdateSide, identities: [RequestID: String], base: ImportBase) {
        for isFolder in [false, true] {
            var new = theirs.nodes.filter { $0.isFolder == isFolder }
            var old = base.entries.indices.filter { base.entries[$0].isFolder == isFolder }
            func match(_ left: (UpdateSide.Node) -> String?, _ right: (ImportBase.Entry) -> String?) {
                for (node, index) in Self.pairs(new, old, left, { right(base.entries[$0]) }) { bases[node.id] = index }
                let taken = Set(bases.values)
                new.removeAll { bases[$0.id] != nil }
                old.removeAll { taken.contains($0) }
            }
            match({ identities[$0.id] }, { $0.identity })
            if isFolder {
                match({ $0.id.rawValue }, { $0.origin.rawValue })
                matchFolders(new, old, theirs, base)
            } else {
                match({ node in node.digest.targetText.map { "\(node.id) \($0)" } }) { entry in
                    entry.values.targetText.map { "\(entry.origin) \($0)" }
                }
                match({ $0.text }, { $0.text })
                match({ $0.digest.targetText }, { $0.values.targetText })
                match({ $0.id.rawValue }, { $0.origin.rawValue })
            }
        }
        for isFolder in [false, true] {
            var old = base.entries.indices.filter { base.entries[$0].isFolder == isFolder }
            var own = mine.nodes.filter { $0.isFolder == isFolder }
            func match(_ left: (ImportBase.Entry) -> String?, _ right: (UpdateSide.Node) -> String?) {
                for (index, node) in Self.pairs(old, own, { left(base.entries[$0]) }, right) { mines[index] = node.id }
                let taken = Set(mines.values)
                old.removeAll { mines[$0] != nil }
                own.removeAll { taken.contains($0.id) }
            }
            match({ $0.id.rawValue }, { $0.id.rawValue })
            if isFolder {
                matchFolders(old, own, base)
            } else {
                match({ $0.text }, { $0.text })
                match({ $0.values.targetText }, { $0.digest.targetText })
            }
            let matched = Set(mines.values)
            let free = mine.nodes.filter { $0.isFolder == isFolder && !matched.contains($0.id) }
            let new = theirs.nodes.filter { $0.isFolder == isFolder && bases[$0.id] == nil }
            for (node, own) in Self.pairs(new, free, { $0.id.rawValue }, { $0.id.rawValue }) { both[node.id] = own.id }
        }
    }

    /// What has a key that nothing else on its side has.
    private static func pairs<Left, Right>(
        _ left: [Left], _ right: [Right], _ leftKey: (Left) -> String?, _ rightKey: (Right) -> String?
    ) -> [(Left, Right)] {
        func unique<Item>(_ items: [Item], _ key: (Item) -> String?) -> [String: Item?] {
            Dictionary(items.compactMap { item in key(item).map { ($0, item) } }, uniquingKeysWith: { _, _ in nil })
        }
        let known = unique(right, rightKey)
        return unique(left, leftKey).compactMap { key, item in
            if let item, case .some(.some(let other)) = known[key] { (item, other) } else { nil }
        }
    }

    /// A folder with another name is the one from which most of its requests come.
    private mutating func matchFolders(_ new: [UpdateSide.Node], _ old: [Int], _ theirs: UpdateSide, _ base: ImportBase) {
        let known = Dictionary(old.map { (base.entries[$0].origin, $0) }, uniquingKeysWith: { first, _ in first })
        var taken: Set<Int> = []
        for node in new {
            let origins = (theirs.children[node.id] ?? []).compactMap { bases[$0] }.compactMap { base.entries[$0].origin.parent }
            guard let index = Self.majority(origins).flatMap({ known[$0] }), taken.insert(index).inserted else { continue }
            bases[node.id] = index
        }
    }

    private mutating func matchFolders(_ old: [Int], _ own: [UpdateSide.Node], _ base: ImportBase) {
        let free = Set(own.map(\.id))
        var taken: Set<RequestID> = []
        let children = Dictionary(grouping: base.entries.indices.filter { !base.entries[$0].isFolder }) {
            base.entries[$0].id.parent
        }
        for index in old {
            let parents = (children[base.entries[index].id] ?? []).compactMap { mines[$0]?.parent }
            guard let parent = Self.majority(parents), free.contains(parent), taken.insert(parent).inserted else { continue }
            mines[index] = parent
        }
    }

    private static func majority(_ ids: [RequestID]) -> RequestID? {
        let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.first { $0.value * 2 > ids.count }?.key
    }
}

extension ValueDigest {
    /// A request's method and URL.
    var targetText: String? {
        if case .value(let digest)? = self[Self.target] { digest } else { nil }
    }
}
