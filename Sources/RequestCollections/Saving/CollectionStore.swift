import Base

/// Writes to collections that other programs write to as well: other explorers, editors, git.
///
/// Whatever it writes is worked out and written under a ``FileLock`` on the collection's directory, and on what the files hold by then. When
/// a program that takes no lock has written meanwhile, all of that begins again.
package struct CollectionStore: Sendable {
    /// How long it waits for another Turnstone.
    private let patience: Duration

    /// How often it begins again before it gives up.
    private static let tries = 10

    package init(patience: Duration = .seconds(5)) { self.patience = patience }

    /// Works out a change on collections as they are on the disk, and writes it.
    ///
    /// - Parameters:
    ///   - known: as they were last read.
    ///   - work: gets them in that order, read again when they have changed. Called more than once when others write meanwhile.
    package func change(
        _ known: [RequestCollection], _ work: ([RequestCollection]) throws -> CollectionChange
    ) throws -> CollectionChange {
        try whileLocked(known.map(\.path)) {
            var collections = known
            var left = Self.tries
            while true {
                do {
                    let change = try work(collections)
                    try change.write()
                    return change
                } catch let error as CollectionFileError where error.isChange && left > 0 {
                    left -= 1
                    collections = try known.map { try RequestCollection.load(path: $0.path) }
                }
            }
        }
    }

    /// Does steps that ``CollectionChange/undoing`` gave.
    ///
    /// - Parameter paths: of the collections that they are about.
    /// - Throws: before the first one when a file isn't any more what the change has left.
    package func write(_ steps: [CollectionChange.Step], in paths: [String]) throws {
        try whileLocked(paths) { try CollectionChange.write(steps) }
    }

    /// - Parameter paths: of collections: files or directories. Another program may have opened a file of a directory alone.
    private func whileLocked<Result>(_ paths: [String], _ work: () throws -> Result) throws -> Result {
        let directories = paths.map { path in
            let real = FileContents.realPath(path) ?? path
            if FileContents.isDirectory(real) { return real }
            // The nearest one that is there: the file's own may have gone.
            var directory = RequestCollections.directory(of: real)
            while !directory.isEmpty, !FileContents.isDirectory(directory) {
                directory = RequestCollections.directory(of: directory)
            }
            return FileContents.realPath(directory.isEmpty ? "." : directory) ?? "."
        }
        do {
            return try FileLock.holding(directories, patience: patience, work)
        } catch let error as SystemCallError {
            throw CollectionFileError(
                path: directories.first ?? "",
                message: error.number == EWOULDBLOCK
                    ? "is being written to by another Turnstone; try again in a moment" : "can't be locked: \(error.message)")
        }
    }
}

// MARK: Edits of requests

/// What became of edits that were to be saved.
package struct SavedEdits: Sendable {
    /// As its files are now.
    package var collection: RequestCollection
    /// They are in their files.
    package var saved: [RequestEdit] = []
    /// Requests whose files have another change of the same entries; their edits aren't saved.
    package var conflicts: [RequestID] = []
    /// Why the rest is not saved.
    package var failures: [Failure] = []

    package struct Failure: Hashable, Sendable {
        package var request: RequestID
        package var message: String
    }
}

extension CollectionStore {
    /// Saves edits, each merged with what others have made of its request meanwhile. All of one file are written in one step.
    ///
    /// - Parameter known: as it was last read.
    /// - Throws: when the lock can't be had; everything else is in the result.
    package func save(_ edits: [RequestEdit], in known: RequestCollection) throws -> SavedEdits {
        let files = Dictionary(grouping: edits) { (known.request($0.base.id) ?? $0.base).location.path }
        return try whileLocked([known.path] + files.keys) {
            var result = SavedEdits(collection: known)
            for (file, edits) in files.sorted(by: { $0.key < $1.key }) { save(edits, to: file, &result) }
            return result
        }
    }

    private func save(_ edits: [RequestEdit], to file: String, _ result: inout SavedEdits) {
        var left = Self.tries
        while true {
            var attempt = result
            do throws(CollectionFileError) {
                let before = try FileContents.read(file, limit: YAMLDocument.Limits.size)
                if attempt.collection.files[file] != FileFingerprint(before) {
                    attempt.collection = attempt.collection.rereading(file, before, for: edits.map(\.base.id))
                }
                var after = before
                let others = attempt.collection
                for edit in edits { apply(edit, to: &after, &attempt) }
                // What others have written stands in it, also when nothing of ours can be.
                result.collection = others
                if after != before {
                    let step = CollectionChange.Step.replace(file, before: before, after: after)
                    try CollectionChange.write([step])
                }
                result = attempt
                return
            } catch {
                if left > 0, error.isChange {
                    left -= 1
                    continue
                }
                result.failures += edits.map { .init(request: $0.base.id, message: "\(error)") }
                return
            }
        }
    }

    /// Puts an edit into the bytes of its file.
    private func apply(_ edit: RequestEdit, to bytes: inout [UInt8], _ result: inout SavedEdits) {
        let id = edit.base.id
        guard let theirs = result.collection.request(id) else {
            return result.failures.append(
                .init(
                    request: id,
                    message: "\(id) isn't in \(edit.base.location.path) any more; the edit of it is kept until it is back"))
        }
        let (definition, conflicts) = edit.rebased(onto: theirs)
        guard conflicts.isEmpty else { return result.conflicts.append(id) }
        do {
            if let problem = theirs.problems.first { throw problem }
            let change = try result.collection.change(to: definition, from: theirs, in: bytes)
            if case .replace(_, _, let after)? = change.steps.first { bytes = after }
            result.collection = change.collection
            result.saved.append(edit)
        } catch {
            result.failures.append(.init(request: id, message: "\(error)"))
        }
    }
}

extension CollectionFileError {
    /// The file was written by somebody else meanwhile.
    fileprivate var isChange: Bool { self == CollectionChange.changedOnDisk(path) }
}
