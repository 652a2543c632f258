/// What an update does to the tree of a collection.
///
/// An id is what people and programs know a request by, so it stays when the source has another name for it; the name follows. A request
/// that the source has moved to another folder moves, unless it was moved in the collection, too.
struct UpdatePlan {
    enum Slot: Hashable {
        /// In the collection, where it is.
        case stay(RequestID)
        /// In the collection, in another folder.
        case move(RequestID, to: RequestID)
        /// In the import only.
        case add(RequestID, as: RequestID)

        /// Where it is afterwards.
        var id: RequestID {
            switch self {
            case .stay(let id), .move(_, let id), .add(_, let id): id
            }
        }
    }

    let mine: UpdateSide
    let theirs: UpdateSide
    let base: ImportBase
    let matching: UpdateMatching
    /// Where each entry of the import is afterwards; of what was deleted in the collection, where it was.
    private(set) var places: [RequestID: RequestID] = [:]
    /// Entries of the import that the collection doesn't have.
    private(set) var added: Set<RequestID> = []
    /// Where requests of the collection go.
    private(set) var moved: [RequestID: RequestID] = [:]
    /// Requests of the collection that are gone in the import, and unchanged.
    private(set) var removed: Set<RequestID> = []
    /// Requests of the collection that are gone in the import, and edited.
    private(set) var kept: [RequestID] = []
    /// Requests of the import that were deleted in the collection.
    private(set) var deleted: [RequestID] = []
    private var taken: [RequestID?: Set<String>] = [:]
    /// Folders of the import, by what they are afterwards.
    private var folders: [RequestID: [RequestID]] = [:]

    /// - Parameter yields: whether something that was deleted comes back.
    init(
        mine: UpdateSide, theirs: UpdateSide, identities: [RequestID: String], base: ImportBase, yields: (RequestID) -> Bool
    ) {
        (self.mine, self.theirs, self.base) = (mine, theirs, base)
        matching = UpdateMatching(mine: mine, theirs: theirs, identities: identities, base: base)
        taken = mine.children.mapValues { Set($0.map { String($0.name) }) }
        for node in theirs.nodes { place(node, yields) }
        for node in theirs.nodes where node.isFolder {
            if let place = places[node.id] { folders[place, default: []].append(node.id) }
        }
        findRemoved()
    }

    private mutating func place(_ node: UpdateSide.Node, _ yields: (RequestID) -> Bool) {
        let index = matching.bases[node.id]
        if let own = matching.mine(of: node.id) {
            guard let index, !node.isFolder, base.entries[index].id == own, isMoved(node.id, index) else {
                places[node.id] = own
                return
            }
            let place = free(String(own.name), in: folder(of: node.id))
            places[node.id] = place
            moved[own] = place
            return
        }
        let name = String((index.map { base.entries[$0].id } ?? node.id).name)
        if let index, !node.isFolder, !yields(base.entries[index].id) {
            places[node.id] = base.entries[index].id
            deleted.append(node.id)
            return
        }
        places[node.id] = free(name, in: node.id.parent.flatMap { places[$0] })
        // A folder that was deleted comes back with a request that is new in it.
        guard index == nil || !node.isFolder else { return }
        _ = folder(of: node.id)
        added.insert(node.id)
    }

    /// Where the folder of an entry of the import is, which is there from now on.
    private mutating func folder(of id: RequestID) -> RequestID? {
        guard let parent = id.parent else { return nil }
        if matching.mine(of: parent) == nil, added.insert(parent).inserted { _ = folder(of: parent) }
        return places[parent]
    }

    /// Whether the source has it in another folder than it had.
    private func isMoved(_ id: RequestID, _ index: Int) -> Bool {
        guard let now = id.parent else { return base.entries[index].origin.parent != nil }
        guard let before = base.entries[index].origin.parent else { return true }
        return matching.bases[now].map { base.entries[$0].origin != before } ?? true
    }

    private mutating func free(_ name: String, in folder: RequestID?) -> RequestID {
        var key = name
        var number = 2
        while !taken[folder, default: []].insert(key).inserted {
            key = "\(name)-\(number)"
            number += 1
        }
        return folder.child(key)
    }

    private mutating func findRemoved() {
        let wanted = Set(matching.bases.values)
        let filled = Set((added.compactMap { places[$0] } + moved.values).map(\.parent))
        for index in base.entries.indices.reversed() where !wanted.contains(index) {
            guard let id = matching.mines[index], let node = mine[id] else { continue }
            let isUnchanged =
                !node.isCommented
                && (node.isFolder ? node.digest == base.entries[index].values : node.text == base.entries[index].text)
            let isEmpty = !filled.contains(id) && (mine.children[id] ?? []).allSatisfy { isGone($0) }
            if node.isFolder, !isEmpty { continue }
            if isUnchanged { removed.insert(id) } else { kept.insert(id, at: 0) }
        }
    }

    func isGone(_ id: RequestID) -> Bool { removed.contains(id) || moved[id] != nil }

    /// What is in a folder afterwards, in the collection's order, with what is new behind what the import has before it.
    ///
    /// - Parameter folder: as it is afterwards.
    func slots(in folder: RequestID?) -> [Slot] {
        var slots = (mine.children[folder] ?? []).filter { !isGone($0) }.map(Slot.stay)
        for parent in parents(of: folder) {
            var last: RequestID?
            for id in theirs.children[parent] ?? [] {
                guard let place = places[id], place.parent == folder else { continue }
                let own = matching.mine(of: id)
                if added.contains(id) || own.map({ moved[$0] != nil }) == true {
                    let slot = own.map { Slot.move($0, to: place) } ?? .add(id, as: place)
                    let index = last.flatMap { last in slots.firstIndex { $0.id == last } }.map { $0 + 1 } ?? 0
                    slots.insert(slot, at: index)
                }
                if !deleted.contains(id), own != nil || added.contains(id) { last = place }
            }
        }
        return slots
    }

    /// The folders of the import that are this one afterwards.
    private func parents(of folder: RequestID?) -> [RequestID?] {
        guard let folder else { return [nil] }
        return (folders[folder] ?? []).map(Optional.some)
    }

    /// The order in a folder that the source has changed and the collection hasn't; `nil`: it stays as it is.
    func order(in folder: RequestID?) -> [RequestID]? {
        let news = parents(of: folder).flatMap { theirs.children[$0] ?? [] }.filter { places[$0]?.parent == folder }
        guard news.count > 1 else { return nil }
        let known = news.filter { id in
            matching.bases[id] != nil && matching.mine(of: id).map { $0.parent == folder && !isGone($0) } == true
        }
        let common = Set(known.compactMap { places[$0] })
        let theirOrder = known.compactMap { places[$0] }
        let baseOrder = known.sorted { matching.bases[$0] ?? 0 < matching.bases[$1] ?? 0 }.compactMap { places[$0] }
        let myOrder = (mine.children[folder] ?? []).filter(common.contains)
        guard theirOrder != baseOrder, myOrder == baseOrder else { return nil }
        let slots = slots(in: folder)
        var result = news.filter { !deleted.contains($0) }.compactMap { places[$0] }
        let present = Set(slots.map(\.id))
        result.removeAll { !present.contains($0) }
        var last: RequestID?
        for slot in slots {
            if !result.contains(slot.id) {
                let index = last.flatMap { last in result.firstIndex(of: last) }.map { $0 + 1 } ?? 0
                result.insert(slot.id, at: index)
            }
            last = slot.id
        }
        return result
    }
}
