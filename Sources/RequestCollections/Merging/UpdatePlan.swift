import NetworkLayer

/// What the requests and folders of a collection say, in its order.
struct UpdateSide {
    struct Node {
        var id: RequestID
        var isFolder: Bool
        /// Of a folder: what it says beside its requests.
        var said: DesiredValue
        var digest: ValueDigest

        var target: ValueDigest? { digest[RequestDefinition.target] }
    }

    /// What the collection says beside its requests.
    let head: DesiredValue
    /// Each folder before what is in it.
    let nodes: [Node]
    private let indices: [RequestID: Int]

    subscript(_ id: RequestID) -> Node? { indices[id].map { nodes[$0] } }

    func children(of folder: RequestID?) -> [Node] { nodes.filter { $0.id.parent == folder } }

    init(_ collection: RequestCollection) throws(CollectionProblem) {
        let said = try collection.said()
        head = said.head
        nodes = said.nodes.map { node in
            Node(
                id: node.id, isFolder: node.isFolder, said: node.value,
                digest: ValueDigest(node.value, node.isFolder ? .folder : .request))
        }
        indices = Dictionary(zip(nodes.map(\.id), nodes.indices), uniquingKeysWith: { first, _ in first })
    }
}

/// What an update does to the tree of a collection.
///
/// An id is what people and programs know a request by, so it stays when the source has another name or place for it.
struct UpdatePlan {
    let mine: UpdateSide
    let theirs: UpdateSide
    let base: ImportBase
    /// The entry of the base, by the id in the import.
    private(set) var bases: [RequestID: Int] = [:]
    /// What is in the collection, by the entry of the base.
    private var mines: [Int: RequestID] = [:]
    /// What is in the collection and in the import, and not in the base.
    private var both: [RequestID: RequestID] = [:]
    /// Where each entry of the import is afterwards; of what was deleted in the collection, where it was.
    private(set) var places: [RequestID: RequestID] = [:]
    /// Entries of the import that the collection doesn't have.
    private(set) var added: Set<RequestID> = []
    /// Requests of the collection that are gone in the import, and unchanged.
    private(set) var removed: Set<RequestID> = []
    /// Requests of the collection that are gone in the import, and edited.
    private(set) var kept: [RequestID] = []
    /// Requests of the import that were deleted in the collection.
    private(set) var deleted: [RequestID] = []

    /// What an entry of the import is in the collection.
    func mine(of id: RequestID) -> RequestID? { bases[id].map { mines[$0] } ?? both[id] }

    /// - Parameters:
    ///   - identities: what the source knows requests and folders by: it counts more than a name.
    ///   - yields: whether something that was deleted comes back.
    init(
        mine: UpdateSide, theirs: UpdateSide, identities: [RequestID: String], base: ImportBase, yields: (RequestID) -> Bool
    ) {
        (self.mine, self.theirs, self.base) = (mine, theirs, base)
        match(identities)
        var taken = Set(mine.nodes.map(\.id))
        for node in theirs.nodes { place(node, yields, &taken) }
        findRemoved()
    }

    // MARK: The same request, whatever it is called by now

    private mutating func match(_ identities: [RequestID: String]) {
        for isFolder in [false, true] {
            var new = theirs.nodes.filter { $0.isFolder == isFolder }
            var old = base.entries.indices.filter { base.entries[$0].isFolder == isFolder }
            func match<Key: Hashable>(_ left: (UpdateSide.Node) -> Key?, _ right: (ImportBase.Entry) -> Key?) {
                for (node, index) in Self.pairs(new, old, left, { right(base.entries[$0]) }) { bases[node.id] = index }
                let taken = Set(bases.values)
                new.removeAll { bases[$0.id] != nil }
                old.removeAll { taken.contains($0) }
            }
            match({ identities[$0.id] }, { $0.identity })
            if !isFolder {
                match({ node in node.target.map { [ValueDigest.value(node.id.rawValue), $0] } }) { entry in
                    entry.values[RequestDefinition.target].map { [ValueDigest.value(entry.origin.rawValue), $0] }
                }
                match({ $0.target }, { $0.values[RequestDefinition.target] })
            }
            match({ $0.id }, { $0.origin })
            old = base.entries.indices.filter { base.entries[$0].isFolder == isFolder }
            let own = mine.nodes.filter { $0.isFolder == isFolder }
            for (index, node) in Self.pairs(old, own, { base.entries[$0].id }, { $0.id }) { mines[index] = node.id }
            if !isFolder {
                let known = Set(mines.values)
                let moved = Self.pairs(
                    old.filter { mines[$0] == nil }, own.filter { !known.contains($0.id) },
                    { base.entries[$0].values[RequestDefinition.target] }, { $0.target })
                for (index, node) in moved { mines[index] = node.id }
            }
            let matched = Set(mines.values)
            for node in new where mine[node.id]?.isFolder == isFolder && !matched.contains(node.id) { both[node.id] = node.id }
        }
    }

    /// What has a key that nothing else on its side has.
    private static func pairs<Left, Right, Key: Hashable>(
        _ left: [Left], _ right: [Right], _ leftKey: (Left) -> Key?, _ rightKey: (Right) -> Key?
    ) -> [(Left, Right)] {
        func unique<Item>(_ items: [Item], _ key: (Item) -> Key?) -> [Key: Item?] {
            Dictionary(items.compactMap { item in key(item).map { ($0, item) } }, uniquingKeysWith: { _, _ in nil })
        }
        let known = unique(right, rightKey)
        return unique(left, leftKey).compactMap { key, item in
            if let item, case .some(.some(let other)) = known[key] { (item, other) } else { nil }
        }
    }

    // MARK: Places

    private mutating func place(_ node: UpdateSide.Node, _ yields: (RequestID) -> Bool, _ taken: inout Set<RequestID>) {
        if let own = mine(of: node.id) {
            places[node.id] = own
            return
        }
        let known = bases[node.id].map { base.entries[$0].id }
        if let known, !node.isFolder, !yields(known) {
            places[node.id] = known
            deleted.append(node.id)
            return
        }
        let folder = node.id.parent.flatMap { places[$0] }
        let name = String((known ?? node.id).name)
        places[node.id] = folder.child(freeName(name) { taken.insert(folder.child($0)).inserted })
        // A folder that was deleted comes back with a request that is new in it.
        guard known == nil || !node.isFolder else { return }
        added.insert(node.id)
        var parent = node.id.parent
        while let id = parent, mine(of: id) == nil, added.insert(id).inserted { parent = id.parent }
    }

    private mutating func findRemoved() {
        let wanted = Set(bases.values)
        let filled = Set(added.compactMap { places[$0]?.parent })
        for index in base.entries.indices.reversed() where !wanted.contains(index) {
            guard let id = mines[index], let node = mine[id] else { continue }
            let isEmpty = !filled.contains(id) && mine.children(of: id).allSatisfy { removed.contains($0.id) }
            if node.isFolder, !isEmpty { continue }
            if node.digest == base.entries[index].values { removed.insert(id) } else { kept.insert(id, at: 0) }
        }
    }

    /// What comes into a folder, each with what it is put behind: the one before it in the import. `nil`: the folder's first.
    ///
    /// - Parameter folder: as it is afterwards.
    func additions(to folder: RequestID?) -> [(id: RequestID, place: RequestID, after: RequestID?)] {
        var last: RequestID?
        return theirs.nodes.filter { places[$0.id]?.parent == folder }.compactMap { node in
            guard let place = places[node.id] else { return nil }
            defer { if added.contains(node.id) || mine[place] != nil && !removed.contains(place) { last = place } }
            return added.contains(node.id) ? (node.id, place, last) : nil
        }
    }
}
