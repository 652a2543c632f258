import Dispatch
import ExplorerModel
import FoundationEssentials
import RequestCollections

extension EffectPerformer {
    /// Worked out on what was last read or written, and refused when the disk says something else by then.
    func changeTree(_ edit: TreeEdit) {
        files.async { [mailbox, loadedFiles, watcher] in
            do {
                let change = try EffectPerformer.change(for: edit, in: loadedFiles)
                try change.write()
                let collections = [change.collection] + (change.target.map { [$0] } ?? [])
                for collection in collections { loadedFiles.take(collection) }
                var undoing = change.undoing
                if case .create = edit {
                    watcher.watch(change.collection.path)
                    undoing = []
                }
                mailbox.post(
                    .treeChanged(TreeChange(edit, undoing: undoing), collections, remarks: change.remarks.map(\.description)))
            } catch {
                EffectPerformer.refuse(edit, error, loadedFiles, mailbox)
            }
        }
    }

    func revertTree(_ change: TreeChange) {
        files.async { [mailbox, loadedFiles] in
            do {
                try CollectionChange.write(change.undoing)
                let collections = try change.edit.paths.map { try RequestCollection.load(path: $0) }
                for collection in collections { loadedFiles.take(collection) }
                let kind: TreeChange.Kind = change.kind == .undone ? .redone : .undone
                mailbox.post(
                    .treeChanged(
                        TreeChange(change.edit, kind, undoing: CollectionChange.undoing(change.undoing)), collections, remarks: []))
            } catch {
                EffectPerformer.refuse(change.edit, error, loadedFiles, mailbox)
            }
        }
    }

    nonisolated private static func change(for edit: TreeEdit, in known: LoadedFiles) throws -> CollectionChange {
        switch edit {
        case .edit(let edit, let path, let name):
            let change = try open(path, known).applying(edit)
            guard let name, let id = edit.result else { return change }
            return try change.naming(id, name.isEmpty ? nil : name)
        case .transfer(let reference, let place):
            return try open(reference.collection, known).moving(reference.id, into: place.folder, of: open(place.collection, known))
        case .create(let form, let path, let name):
            let home = FileManager.default.homeDirectoryForCurrentUser.path()
            return try RequestCollection.creating(form, at: path.hasPrefix("~/") ? home + path.dropFirst(2) : path, name: name)
        }
    }

    nonisolated private static func open(_ path: String, _ known: LoadedFiles) throws -> RequestCollection {
        guard let collection = known[path] else { throw CollectionFileError(path: path, message: "is not open") }
        return collection
    }

    /// What is on the disk is shown beside the reason: the next try is made on it.
    nonisolated private static func refuse(_ edit: TreeEdit, _ error: any Error, _ known: LoadedFiles, _ mailbox: Mailbox) {
        for path in edit.paths where known[path] != nil { reload(path, known: known, mailbox) }
        mailbox.post(.treeChangeFailed(edit, message: message(of: error)))
    }
}
