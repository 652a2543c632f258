import Base
import Dispatch
import Interchange
import RequestCollections
import TerminalUI

extension EffectPerformer {
    func load(_ path: String) {
        files.async { [mailbox, drafts, watcher, loadedFiles, importer] in
            do {
                let home = FileManager.default.homeDirectoryForCurrentUser.path()
                let path = path.hasPrefix("~/") ? home + path.dropFirst(2) : path
                let isForeign = FoundFile.isForeign(directory: path)
                let paths = isForeign ? [path] : try RequestCollection.collections(at: path)
                guard !paths.isEmpty else { throw CollectionFileError(path: path, message: "has no collection in it") }
                for path in paths {
                    // Watched first: what changes while it is read is read again.
                    if !isForeign { watcher.watch(path) }
                    let collection = isForeign ? nil : try RequestCollection.load(path: path)
                    if collection?.isForeign != false, let made = try importer?(path, true) {
                        let losses = made.notes.filter(\.isLoss).map(\.text)
                        mailbox.post(.collectionImported(made.collection, from: path, losses: losses))
                    } else if let collection {
                        loadedFiles.update(collection)
                        mailbox.post(.collectionLoaded(collection))
                        for (reference, edit) in drafts?.drafts(of: path) ?? [] { mailbox.post(.draftFound(reference, edit)) }
                    }
                }
            } catch {
                mailbox.post(.collectionFailed(path: path, message: EffectPerformer.message(of: error)))
            }
        }
    }

    /// It changed on the disk. What can't be read just now (an editor is about to write it, say) leaves what was read before.
    nonisolated static func reload(_ path: String, known: LoadedFiles, _ mailbox: Mailbox) {
        do throws(CollectionFileError) {
            let collection = try RequestCollection.load(path: path)
            if known.update(collection) { mailbox.post(.collectionLoaded(collection)) }
        } catch {
            mailbox.post(.notice(Notice(.warning, "\(error); what was read before stays")))
        }
    }

    func save(_ edits: [RequestEdit], in path: String) {
        files.async { [mailbox, loadedFiles, store] in
            do {
                guard let known = loadedFiles[path] else { throw CollectionFileError(path: path, message: "is not open") }
                let result = try store.save(edits, in: known)
                let isNews = loadedFiles.update(result.collection)
                if !result.saved.isEmpty {
                    mailbox.post(.saved(result.saved, result.collection))
                } else if isNews {
                    mailbox.post(.collectionLoaded(result.collection))
                }
                guard !result.conflicts.isEmpty || !result.failures.isEmpty else { return }
                mailbox.post(
                    .saveFailed(
                        conflicts: result.conflicts.map { RequestReference(collection: path, id: $0) },
                        message: result.failures.first?.message))
            } catch {
                mailbox.post(.saveFailed(conflicts: [], message: EffectPerformer.message(of: error)))
            }
        }
    }

    nonisolated static func message(of error: any Error) -> String {
        switch error {
        case let error as CollectionFileError: "\(error.path): \(error.message)"
        case let error as CollectionProblem: "\(error.location): \(error.message)"
        default: "\(error)"
        }
    }

    func writeDraft(_ reference: RequestReference, _ edit: RequestEdit?) {
        guard let drafts else { return }
        files.async { [mailbox] in
            do {
                try drafts.write(edit, of: reference)
            } catch {
                mailbox.post(.notice(Notice(.warning, "the unsaved edit could not be kept: \(error)")))
            }
        }
    }

    /// What it changes comes back as any change on the disk does.
    func open(_ location: SourceLocation) -> [ExplorerEvent] {
        terminal.leave()
        let result = Result { [editor] in try editor.open(location.path, line: location.line) }
        terminal.enter()
        let resized = ExplorerEvent.terminal(.resize(terminal.size))
        guard case .failure(let error) = result else { return [resized] }
        return [resized, .notice(Notice(.error, "\(error)"))]
    }

    /// The terminal is the editor's until it ends; the loop stands still meanwhile.
    func open(_ request: EditorRequest) -> [ExplorerEvent] {
        terminal.leave()
        let result = Result { [editor] in try editor.edit(request.text, fileExtension: request.fileExtension) }
        terminal.enter()
        let resized = ExplorerEvent.terminal(.resize(terminal.size))
        switch result {
        case .success(let text):
            return [resized, .editorReturned(request, text: text == request.text ? nil : text)]
        case .failure(let error):
            return [resized, .editorReturned(request, text: nil), .notice(Notice(.error, "\(error)"))]
        }
    }
}
