import OrderedCollections
import RequestCollections

/// Requests that were edited here, and that another program has deleted or renamed: they stay on the screen, and saving writes them anew.
extension ExplorerState {
    func isMissing(_ reference: RequestReference) -> Bool {
        guard drafts[reference] != nil, let collection = workspace[reference.collection] else { return false }
        return collection.request(reference.id) == nil
    }

    /// Whether the request's collection is in no file yet.
    func isUnwritten(_ reference: RequestReference) -> Bool { reference.collection == workspace.unwritten?.path }

    /// Makes the file of the collection that has none yet.
    ///
    /// - Parameter source: what it is made from; `nil`: it begins empty.
    mutating func write(from source: String? = nil) -> [ExplorerEffect] {
        guard let path = workspace.unwritten?.path, let name = workspace[path]?.name, !treeChanges.isChanging else { return [] }
        return treeChanges.write(.create(.file, at: path, name: name, from: source))
    }

    /// A request that was never in a file is written without asking.
    mutating func saveNew(_ reference: RequestReference) -> [ExplorerEffect] {
        if isUnwritten(reference) {
            treeChanges.keeping = reference
            return write()
        }
        if reference.collection == workspace.demo {
            open(collectionForm(keeping: reference))
            return []
        }
        do throws(CollectionProblem) {
            return try putBack(reference)
        } catch {
            return say(error.message, .error)
        }
    }

    func missingRequests(in path: String) -> [RequestReference] {
        drafts.unsaved.filter { $0.collection == path && isMissing($0) }
    }

    /// Builds the tree anew: what the files say, and what is only here.
    mutating func showTree() {
        panes.collection.show(
            RequestTree(
                workspace.collections.values.map { collection in
                    let missing = missingRequests(in: collection.path)
                    guard !missing.isEmpty else { return collection }
                    var whole = collection
                    for reference in missing {
                        guard let draft = drafts[reference] else { continue }
                        var definition = draft.saved
                        definition.name = draft.current.name
                        if !whole.nodes.add(definition) { whole.nodes.append(.request(definition)) }
                    }
                    return whole
                }))
    }

    // MARK: Writing it anew

    func puttingBackDialog(_ reference: RequestReference) -> Overlay {
        .dialog(
            Dialog(
                title: "\(reference.id) isn't in its file any more",
                lines: ["It was deleted or renamed there while you edited it. It can be written again, as it is here:"],
                buttons: [
                    .init("p", "Put back", .putBack(reference)), .init("n", "As a new one", .putBackAs(reference)),
                    .init("c", "Cancel", .close),
                ]))
    }

    func puttingBackForm(_ reference: RequestReference) -> Overlay {
        .entry(
            EntryForm(
                "Save \(reference.id) as a new request", [.init("name", String(reference.id.name))],
                note: "It stands at the end of its folder", purpose: .putBack(reference)))
    }

    /// - Throws: why it can't be written there.
    mutating func putBack(_ reference: RequestReference, as name: String? = nil) throws(CollectionProblem) -> [ExplorerEffect] {
        guard var request = drafts[reference]?.current, let collection = workspace[reference.collection] else { return [] }
        // Its folder may be gone as well.
        let folder = reference.id.parent.flatMap { collection.node($0) == nil ? nil : $0 }
        request.id = folder.child(name ?? String(reference.id.name))
        try collection.check(.add(request))
        drafts.puttingBack = reference
        return treeChanges.write(.edit(.add(request), in: reference.collection))
    }

    /// The request was written: its edit is saved, and follows it if it has another name now.
    mutating func followPutBack(_ change: TreeChange) -> [ExplorerEffect] {
        guard let from = drafts.puttingBack, case .edit(.add(let request), let path, _) = change.edit, change.kind == .made else {
            return []
        }
        drafts.puttingBack = nil
        let to = RequestReference(collection: path, id: request.id)
        drafts.wrote(request, of: from)
        if to != from {
            drafts[to] = drafts.entries.removeValue(forKey: from)?.renamed(to.id)
            operations.follow(from: from, to: to)
            panes.response.follow(from: from, to: to)
            if selectedRequest == from { selectedRequest = to }
        }
        return [.writeDraft(from, nil)]
    }

    func givingUpDialog(_ reference: RequestReference) -> Overlay {
        let isNew = drafts[reference]?.isNew == true
        return .dialog(
            Dialog(
                title: isNew ? "Give up \(reference.id)?" : "Give up the edit of \(reference.id)?",
                lines: ["The request is in no file\(isNew ? "" : " any more"): nothing of it would be left."],
                buttons: [.init("d", "Give up", .giveUp(reference)), .init("c", "Keep it", .close)]))
    }

    mutating func giveUp(_ reference: RequestReference) -> [ExplorerEffect] {
        drafts[reference] = nil
        drafts.bodyShelves[reference] = nil
        if selectedRequest == reference {
            panes.request.editing = nil
            selectedRequest = nil
        }
        showTree()
        panes.collection.selectFirstRequest()
        requestUnderCursorChanged()
        return [.writeDraft(reference, nil)]
    }
}

extension [RequestCollection.Node] {
    /// At the end of its folder.
    ///
    /// - Returns: `false` when its folder doesn't exist.
    fileprivate mutating func add(_ request: RequestDefinition) -> Bool {
        guard let parent = request.id.parent else {
            append(.request(request))
            return true
        }
        for index in indices {
            guard case .folder(var folder) = self[index] else { continue }
            if folder.id == parent {
                folder.nodes.append(.request(request))
            } else if !folder.nodes.add(request) {
                continue
            }
            self[index] = .folder(folder)
            return true
        }
        return false
    }
}
