import Interchange
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// A command that changes the tree; `nil`: it is none.
    mutating func changeTree(perform command: Command.ID) -> [ExplorerEffect]? {
        if let path = workspace.unwritten?.path, placeForNew?.collection == path, command != .newCollection,
            PaneDescription.collection.commands.contains(command)
        {
            guard command == .newRequest else { return say("\(path) isn't there yet: \(keyName(.save)) makes it") }
            overlay = .start(StartLine())
            return []
        }
        do throws(Opening) {
            switch command {
            case .newRequest: open(requestForm)
            case .newFolder: open(folderForm)
            case .newCollection: open(collectionForm())
            case .duplicateEntry: try open(duplicateForm)
            case .renameEntry: try open(renameForm)
            case .deleteEntry: try open(deletingDialog)
            case .moveEntry: try open(moveChooser)
            case .moveEntryUp, .moveEntryDown, .undo, .redo:
                // Keys may be faster than the disk; none is lost, and each finds the tree as the one before has left it.
                guard !treeChanges.isChanging else {
                    treeChanges.waiting.append(command)
                    return []
                }
                return changeTreeNow(command)
            default: return nil
            }
        } catch {
            open(error)
        }
        return []
    }

    mutating func changeTreeNow(_ command: Command.ID) -> [ExplorerEffect]? {
        switch command {
        case .moveEntryUp: return moveEntry(by: -1)
        case .moveEntryDown: return moveEntry(by: 1)
        case .undo: return treeChanges.undoLast()
        case .redo: return treeChanges.redoLast()
        default: return nil
        }
    }

    // MARK: Where the cursor is

    /// The request or folder under the cursor.
    ///
    /// - Throws: what is said where there is none that can be changed.
    private var movableEntry: RequestTree.Entry {
        get throws(Opening) {
            guard let entry = panes.collection.selectedEntry else { throw .nothing }
            switch entry.kind {
            case .request where isMissing(entry.reference):
                throw .notice(
                    "\(entry.reference.id) isn't in its file any more: \(keyName(.save)) puts it back, \(keyName(.deleteEntry)) gives it up"
                )
            case .request, .folder: return entry
            case .collection: throw .notice("a collection is a file or a directory: change it outside")
            case .problem: throw .notice("this file could not be read: mend it first")
            case .warning: throw .notice("this file isn't read: rename it outside")
            }
        }
    }

    /// Where something new goes: into the folder under the cursor, or beside the request.
    var placeForNew: TreePlace? {
        guard let entry = panes.collection.selectedEntry, workspace[entry.reference.collection]?.isForeign != true else {
            return workspace.collections.values.first { !$0.isForeign }.map { TreePlace($0.path) }
        }
        switch entry.kind {
        case .folder: return TreePlace(entry.reference.collection, entry.reference.id)
        case .request: return TreePlace(entry.reference.collection, entry.reference.id.parent)
        case .collection, .problem, .warning: return TreePlace(entry.reference.collection)
        }
    }

    // MARK: Forms

    private var requestForm: Opening {
        guard let place = placeForNew, place.collection != workspace.demo else { return collectionForm() }
        return .entry(
            EntryForm(
                "New request in \(placeName(place))", [.init("name"), .init("URL", origin(for: place))],
                note: "A method may stand before the URL, as in POST https://example.org", purpose: .request(in: place)))
    }

    private var folderForm: Opening {
        guard let place = placeForNew, place.collection != workspace.demo else { return collectionForm() }
        return .entry(
            EntryForm("New folder in \(placeName(place))", [.init("name")], note: "", purpose: .folder(in: place)))
    }

    /// - Parameter keeping: a request of the demo, which is to be kept.
    func collectionForm(keeping: RequestReference? = nil) -> Opening {
        let beside = shownCollection.flatMap { $0.path == workspace.demo ? nil : $0.path }
        let folder = beside.map { $0.split(separator: "/", omittingEmptySubsequences: false).dropLast() } ?? ["Collections"]
        let path = folder.map { $0 + "/" }.joined() + (keeping == nil ? "" : "requests.yaml")
        return .entry(
            EntryForm(
                "New collection", [.init("path", path)],
                note: keeping.map { "The demo is thrown away when you leave: \($0.id.name) begins a collection of its own" }
                    ?? "One file when it ends in .yaml, else a directory with a file for each request",
                purpose: .collection(keeping: keeping)))
    }

    /// The collection that a request of the demo asked for is there.
    mutating func keepInNew(_ change: TreeChange) -> [ExplorerEffect] {
        guard case .create(_, let path, _, _) = change.edit, let reference = treeChanges.keeping, change.kind == .made else {
            return []
        }
        treeChanges.keeping = nil
        guard var request = drafts[reference]?.current else { return [] }
        request.id = RequestID?.none.child(String(reference.id.name))
        workspace.sessionVariables[path].merge(workspace.sessionVariables[reference.collection]) { $1 }
        drafts.puttingBack = reference
        return treeChanges.write(.edit(.add(request), in: path))
    }

    private var duplicateForm: Opening {
        get throws(Opening) {
            let entry = try movableEntry
            let id = entry.reference.id
            var fields = [EntryForm.Field("name", freeName(like: String(id.name), beside: entry.reference))]
            if let name = entry.definition?.name { fields.append(.init("shown as", "\(name) (copy)")) }
            return .entry(
                EntryForm(
                    "Duplicate \(id)", fields,
                    note: drafts.isUnsaved(entry.reference) ? "The copy has what isn't saved here, too" : "",
                    purpose: .duplicate(entry.reference)))
        }
    }

    private var renameForm: Opening {
        get throws(Opening) {
            if let reference = panes.collection.selectedEntry?.reference, isMissing(reference) {
                return .overlay(puttingBackForm(reference))
            }
            let entry = try movableEntry
            let id = entry.reference.id
            var fields = [EntryForm.Field("name", String(id.name))]
            var note = "What refers to it by name (needs, response) follows"
            if let definition = entry.definition {
                fields.append(.init("shown as", definition.name ?? ""))
            } else if entry.name != id.name {
                note = "It is shown as “\(entry.name)”: that is `name` in its file"
            }
            return .entry(EntryForm("Rename \(id)", fields, note: note, purpose: .rename(entry.reference)))
        }
    }

    func placeName(_ place: TreePlace) -> String {
        place.folder?.rawValue ?? workspace[place.collection]?.name ?? place.collection
    }

    /// `create-2`, `create-3` …
    func freeName(like name: String, beside reference: RequestReference) -> String {
        let collection = workspace[reference.collection]
        let stem = name.last?.isNumber == true ? name.split(separator: "-").dropLast().joined(separator: "-") : name
        let base = stem.isEmpty ? name : stem
        return (2...).lazy.map { "\(base)-\($0)" }.first { collection?.node(reference.id.parent.child($0)) == nil } ?? base
    }

    /// What a new URL probably begins with: as the request's next to it.
    private func origin(for place: TreePlace) -> String {
        let entry = panes.collection.selectedEntry.flatMap(\.definition) ?? shownDefinition
        guard let url = entry?.url else { return "https://" }
        if url.hasPrefix("{{"), let end = url.firstRange(of: "}}") { return url[..<end.upperBound] + "/" }
        guard let scheme = url.firstRange(of: "://") else { return "https://" }
        return String(url[..<scheme.upperBound]) + url[scheme.upperBound...].prefix { !"/?#".contains($0) } + "/"
    }

    /// Does what was filled in, or says in the form why it can't be so.
    mutating func submit(_ form: EntryForm) -> [ExplorerEffect] {
        do throws(CollectionProblem) {
            if case .variable(let wish) = form.purpose {
                let effects = try set(wish, to: form.fields[0].line.text)
                overlay = nil
                return effects
            }
            if case .putBack(let reference) = form.purpose {
                let effects = try putBack(reference, as: form.fields[0].text)
                overlay = nil
                return effects
            }
            if let (edit, board) = try variableEdit(of: form) { return try apply(edit, of: board) }
            let edit = try edit(of: form)
            overlay = nil
            guard let edit else { return [] }
            if case .collection(let keeping) = form.purpose { treeChanges.keeping = keeping }
            if let pasted = form.pasted, case .edit(.add(let request), let path, _) = edit {
                return add(request, of: pasted, in: path)
            }
            return treeChanges.write(edit)
        } catch {
            var form = form
            form.complaint = error.message
            keep(form)
            return []
        }
    }

    /// - Returns: `nil` when nothing is to be changed.
    private func edit(of form: EntryForm) throws(CollectionProblem) -> TreeEdit? {
        let name = form.fields[0].text
        let title = form.fields.count > 1 ? form.fields[1].text : nil
        switch form.purpose {
        case .request(let place):
            var url = title ?? ""
            var method = "GET"
            let words = url.split(separator: " ", maxSplits: 1)
            if words.count == 2, words[0].allSatisfy({ $0.isLetter && $0.isASCII }) {
                (method, url) = (words[0].uppercased(), String(words[1]))
            }
            guard var request = form.pasted.map({ bareAbroad($0.definition, at: place) }) else {
                return try checked(.addRequest(place.child(name).id, method: method, url: url), in: place.collection)
            }
            // Under a name that a person chose it isn't shown as one that the command led to.
            if name != request.id.name { request.name = nil }
            (request.id, request.method, request.url) = (place.child(name).id, method, url)
            return try checked(.add(request), in: place.collection)
        case .folder(let place): return try checked(.addFolder(place.child(name).id), in: place.collection)
        case .duplicate(let reference):
            return try checked(.duplicate(reference.id, as: name), in: reference.collection, name: title)
        case .rename(let reference):
            let old = tree.definition(of: reference)?.name ?? ""
            let isSame = title == nil || title == old
            if name == reference.id.name, isSame { return nil }
            return try checked(.rename(reference.id, to: name), in: reference.collection, name: isSame ? nil : title)
        case .collection:
            let last = name.split(separator: "/").last.map(String.init) ?? ""
            guard !last.isEmpty, !name.hasSuffix("/") else { throw complaint("the collection needs a name") }
            guard !last.hasSuffix(".yml"), !last.hasSuffix(".yaml") else {
                return .create(.file, at: name, name: String(last[..<(last.lastIndex(of: ".") ?? last.endIndex)]))
            }
            return .create(.directory, at: name, name: last)
        case .variable, .putBack, .editVariable, .editEnvironment: return nil
        }
    }

    private func checked(_ edit: CollectionEdit, in path: String, name: String? = nil) throws(CollectionProblem) -> TreeEdit {
        try workspace[path]?.check(edit)
        return .edit(edit, in: path, name: name)
    }

    func complaint(_ message: String) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: "", line: 1, column: 1), message: message)
    }

    // MARK: Delete

    private var deletingDialog: Opening {
        get throws(Opening) {
            if let reference = panes.collection.selectedEntry?.reference, isMissing(reference) {
                return .overlay(givingUpDialog(reference))
            }
            let entry = try movableEntry
            let reference = entry.reference
            let requests = tree.entries[(tree.index(of: reference) ?? 0)..<entry.end].filter { $0.definition != nil }
            var lines: [String] = []
            if entry.isOpenable {
                lines.append(requests.count == 1 ? "The folder has one request." : "The folder has \(requests.count) requests.")
            } else if entry.name != reference.id.name {
                lines.append(entry.name)
            }
            let unsaved = requests.count { drafts.isUnsaved($0.reference) }
            if unsaved > 0 {
                lines.append(unsaved == 1 ? "What was edited and not saved goes too." : "\(unsaved) unsaved edits go too.")
            }
            lines.append("\(keyName(.undo)) brings it back until you leave.")
            return .dialog(
                Dialog(
                    title: "Delete \(reference.id)?", lines: lines,
                    buttons: [.init("d", "Delete", .delete(reference)), .init("c", "Keep it", .close)]))
        }
    }

    func deleting(_ reference: RequestReference) -> TreeEdit { .edit(.remove(reference.id), in: reference.collection) }

    // MARK: Move

    /// All folders of all collections, but for those where it is or that are in it.
    private var moveChooser: Opening {
        get throws(Opening) {
            let entry = try movableEntry
            let reference = entry.reference
            var places: [TreePlace] = []
            for collection in workspace.collections.values where !collection.isForeign {
                places.append(TreePlace(collection.path))
                places += folders(in: collection.nodes).map { TreePlace(collection.path, $0) }
            }
            let here = TreePlace(reference.collection, reference.id.parent)
            places.removeAll { place in
                let isInside =
                    place.collection == reference.collection
                    && (place.folder.map { $0.moved(from: reference.id, to: reference.id) != nil } ?? false)
                return place == here || isInside
            }
            guard !places.isEmpty else { return .notice("there is no other folder: \(keyName(.newFolder)) makes one") }
            let isMany = workspace.collections.count > 1
            let items = places.map { place in
                Chooser.Item(
                    placeName(place), detail: isMany || place.folder == nil ? workspace[place.collection]?.path ?? "" : "")
            }
            return .chooser(Chooser("Move \(reference.id) to", items, purpose: .move(reference, places)))
        }
    }

    private func folders(in nodes: [RequestCollection.Node]) -> [RequestID] {
        nodes.flatMap { node in
            guard case .folder(let folder) = node else { return [RequestID]() }
            return [folder.id] + folders(in: folder.nodes)
        }
    }

    mutating func move(_ reference: RequestReference, to place: TreePlace) -> [ExplorerEffect] {
        guard place.collection == reference.collection else { return treeChanges.write(.transfer(reference, to: place)) }
        return checkedChange(.move(reference.id, into: place.folder), in: reference.collection)
    }

    private mutating func moveEntry(by step: Int) -> [ExplorerEffect] {
        let entry: RequestTree.Entry
        do throws(Opening) {
            entry = try movableEntry
        } catch {
            open(error)
            return []
        }
        guard let collection = workspace[entry.reference.collection] else { return [] }
        let id = entry.reference.id
        var level = collection.nodes
        if let parent = id.parent, case .folder(let folder)? = collection.node(parent) { level = folder.nodes }
        let siblings = level.map(\.id)
        guard let index = siblings.firstIndex(of: id) else { return [] }
        guard siblings.indices.contains(index + step) else {
            notice = Notice(
                .info, "it is the \(step < 0 ? "first" : "last") of its folder; \(keyName(.moveEntry)) moves it to another one")
            return []
        }
        let next = step < 0 ? index - 1 : index + 2
        return checkedChange(.reorder(id, before: siblings.indices.contains(next) ? siblings[next] : nil), in: collection.path)
    }

    private mutating func checkedChange(_ edit: CollectionEdit, in path: String) -> [ExplorerEffect] {
        do throws(CollectionProblem) {
            return treeChanges.write(try checked(edit, in: path))
        } catch {
            return say(error.message, .error)
        }
    }
}
