import Base
import CollectionRunner
import Dispatch
import Interchange
import RequestCollections

extension EffectPerformer {
    /// Worked out on what the disk says by then.
    func changeTree(_ edit: TreeEdit) {
        files.async { [mailbox, loadedFiles, watcher, store, trust, importer] in
            do {
                let change = try EffectPerformer.change(for: edit, in: loadedFiles, store, importer)
                let collections = [change.collection] + (change.target.map { [$0] } ?? [])
                for collection in collections { loadedFiles.update(collection) }
                var undoing = change.undoing
                if case .create(_, _, _, let source) = edit {
                    watcher.watch(change.collection.path)
                    undoing = []
                    // A new collection is the person's own, and is trusted from the start.
                    if source == nil { trust.keeper.allow([], of: change.collection, isKept: true) }
                }
                mailbox.post(
                    .treeChanged(
                        TreeChange(edit, undoing: undoing), collections, remarks: change.remarks.map(\.description)))
            } catch {
                EffectPerformer.refuse(edit, error, loadedFiles, mailbox)
            }
        }
    }

    func revertTree(_ change: TreeChange) {
        files.async { [mailbox, loadedFiles, store] in
            do {
                try store.write(change.undoing, in: change.edit.paths)
                let collections = try change.edit.paths.map { try RequestCollection.load(path: $0) }
                for collection in collections { loadedFiles.update(collection) }
                let kind: TreeChange.Kind = change.kind == .undone ? .redone : .undone
                mailbox.post(
                    .treeChanged(
                        TreeChange(change.edit, kind, undoing: CollectionChange.undoing(change.undoing)), collections, remarks: []))
            } catch {
                EffectPerformer.refuse(change.edit, error, loadedFiles, mailbox)
            }
        }
    }

    nonisolated private static func change(
        for edit: TreeEdit, in known: LoadedFiles, _ store: CollectionStore, _ importer: ExplorerServices.Importer?
    ) throws -> CollectionChange {
        switch edit {
        case .edit(let edit, let path, let name):
            let shown = try open(path, known)
            return try store.change([shown]) { collections in
                try collections[0].checkUnchanged(shown, for: edit)
                let change = try collections[0].applying(edit)
                guard let name, let id = edit.result else { return change }
                return try change.naming(id, name.isEmpty ? nil : name)
            }
        case .transfer(let reference, let place):
            let shown = try [open(reference.collection, known), open(place.collection, known)]
            return try store.change(shown) { try $0[0].moving(reference.id, into: place.folder, of: $0[1]) }
        case .create(let form, let path, let name, let source):
            let home = FileManager.default.homeDirectoryForCurrentUser.path()
            let file = path.hasPrefix("~/") ? home + path.dropFirst(2) : path
            try FileManager.default.createDirectory(
                at: URL(filePath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
            guard let source else {
                return try store.change([]) { _ in try RequestCollection.creating(form, at: file, name: name) }
            }
            guard !FileManager.default.fileExists(atPath: file), var made = try importer?(source, false) else {
                throw CollectionFileError(path: file, message: "is there already")
            }
            made.collection.path = file
            let base = try ImportBase(made.collection, identities: made.identities).step(at: ImportBase.path(of: file, form))
            var change = try store.change([]) { _ in try made.collection.writing(as: form).adding(base) }
            let names = made.secrets.map(\.variable).joined(separator: ", ")
            if !names.isEmpty {
                let place = SourceLocation(path: file, line: 1, column: 1)
                change.remarks.append(
                    CollectionProblem(location: place, message: "secrets are not copied: set the environment variables \(names)"))
            }
            return change
        case .vary(let edit, let path):
            return try store.change([open(path, known)]) { try $0[0].applying(edit) }
        case .setVariable(let name, let text, let environment, let path):
            let shown = try open(path, known)
            return try store.change([shown]) { try $0[0].applying(shown.setting(name, to: text, in: environment)) }
        }
    }

    nonisolated private static func open(_ path: String, _ known: LoadedFiles) throws -> RequestCollection {
        guard let collection = known[path] else { throw CollectionFileError(path: path, message: "isn't there yet: save it first") }
        return collection
    }

    /// What is on the disk is shown beside the reason: the next try is made on it.
    nonisolated private static func refuse(_ edit: TreeEdit, _ error: any Error, _ known: LoadedFiles, _ mailbox: Mailbox) {
        for path in edit.paths where known[path] != nil { reload(path, known: known, mailbox) }
        mailbox.post(.treeChangeFailed(edit, message: message(of: error)))
    }
}
