import Base

/// A change that is worked out and checked, and not yet written.
package struct CollectionChange: Sendable {
    /// What is done, in order: a crash between any two of them loses nothing that the change doesn't remove. Empty when nothing differs.
    package let steps: [Step]
    /// The collection as it is once the change is written.
    package let collection: RequestCollection
    /// What the change could not take along, each with its place afterwards: a name in a text that still means the request of before, say.
    package var remarks: [CollectionProblem] = []
    /// The collection that something was moved into, when it is another one.
    package var target: RequestCollection?

    package enum Step: Hashable, Sendable {
        case createDirectory(String)
        /// A file that isn't there yet.
        case create(String, [UInt8])
        case replace(String, before: [UInt8], after: [UInt8])
        /// Gives a file or directory another name, which must be free.
        case move(String, to: String)
        case remove(String, before: [UInt8])
        /// Removes the directory if it is empty; anything else that lies there stays.
        case removeDirectory(String)
    }

    /// A file with its bytes before and after.
    package struct File: Hashable, Sendable {
        package let path: String
        /// `nil`: it is new.
        package let before: [UInt8]?
        /// `nil`: it goes away.
        package let after: [UInt8]?
    }

    init(steps: [Step], collection: RequestCollection, remarks: [CollectionProblem] = []) {
        self.steps = steps
        self.collection = collection
        self.remarks = remarks
    }

    /// The change with one more step at its end, which is about no file of the collection.
    package func adding(_ step: Step?) -> CollectionChange {
        var change = CollectionChange(steps: steps + (step.map { [$0] } ?? []), collection: collection, remarks: remarks)
        change.target = target
        return change
    }

    /// The files whose bytes change; what only gets another name is in ``steps``.
    package var files: [File] {
        steps.compactMap { step in
            switch step {
            case .create(let path, let bytes): File(path: path, before: nil, after: bytes)
            case .replace(let path, let before, let after): File(path: path, before: before, after: after)
            case .remove(let path, let bytes): File(path: path, before: bytes, after: nil)
            case .move, .createDirectory, .removeDirectory: nil
            }
        }
    }

    /// Does all steps; each file changes in one. What others may write to at the same time is a ``CollectionStore``'s to write.
    ///
    /// - Throws: before the first step when a file isn't any more what the change was worked out from, or something has the name of a
    ///   new one. When a later step fails, those before it are taken back.
    package func write() throws(CollectionFileError) { try Self.write(steps) }

    static func write(_ steps: [Step]) throws(CollectionFileError) {
        for (index, step) in steps.enumerated() where !steps[..<index].contains(where: { $0.makes(step) }) { try step.check() }
        for (index, step) in steps.enumerated() {
            do throws(CollectionFileError) {
                try step.perform()
            } catch {
                for done in undoing(Array(steps[..<index])) { try? done.perform() }
                throw error
            }
        }
    }

    /// What takes the change back, byte by byte. Asked for once it is written: a directory in which something else still lies has stayed.
    package var undoing: [Step] { Self.undoing(steps) }

    /// - Parameter steps: those that have just been done.
    package static func undoing(_ steps: [Step]) -> [Step] {
        steps.reversed().compactMap { step in
            switch step {
            case .createDirectory(let path): .removeDirectory(path)
            case .create(let path, let bytes): .remove(path, before: bytes)
            case .replace(let path, let before, let after): .replace(path, before: after, after: before)
            case .move(let from, let to): .move(to, to: from)
            case .remove(let path, let bytes): .create(path, bytes)
            case .removeDirectory(let path): FileContents.exists(path) ? nil : .createDirectory(path)
            }
        }
    }

    static func changedOnDisk(_ path: String) -> CollectionFileError {
        CollectionFileError(path: path, message: "has changed on disk since it was read; read it again, then save")
    }
}

extension CollectionChange.Step {
    /// What it is about.
    private var path: String {
        switch self {
        case .createDirectory(let path), .create(let path, _), .replace(let path, _, _), .remove(let path, _),
            .removeDirectory(let path), .move(let path, _):
            path
        }
    }

    /// Whether the other one finds what this one has made.
    fileprivate func makes(_ other: Self) -> Bool {
        switch self {
        case .move(_, let to): other.path.rest(below: to) != nil
        case .createDirectory(let path): other.path.rest(below: path) != nil
        default: other.path == path
        }
    }

    fileprivate func check() throws(CollectionFileError) {
        switch self {
        case .replace(let path, let before, _), .remove(let path, let before):
            let now = try FileContents.read(path, limit: YAMLDocument.Limits.size)
            guard now == before else { throw CollectionChange.changedOnDisk(path) }
        case .create(let path, _), .createDirectory(let path):
            guard !FileContents.exists(path) else { throw Self.isThere(path) }
        case .move(let from, let to):
            guard FileContents.exists(from) else { throw CollectionChange.changedOnDisk(from) }
            guard !FileContents.exists(to) else { throw Self.isThere(to) }
        case .removeDirectory: break
        }
    }

    fileprivate func perform() throws(CollectionFileError) {
        do throws(SystemCallError) {
            switch self {
            case .replace(let path, let before, let after): try AtomicFile.write(after, to: path, if: .holds(before))
            case .create(let path, let bytes): try AtomicFile.write(bytes, to: path, if: .isNew)
            case .createDirectory(let path): try AtomicFile.makeDirectory(path)
            case .move(let from, let to): try AtomicFile.move(from, to: to)
            case .remove(let path, let before): try AtomicFile.remove(path, holding: before)
            // What else lies there stays.
            case .removeDirectory(let path): rmdir(path)
            }
        } catch {
            switch error {
            case .changed: throw CollectionChange.changedOnDisk(path)
            case .exists: throw Self.isThere(madePath ?? path)
            default: throw CollectionFileError(path: madePath ?? path, message: "can't be written: \(error.message)")
            }
        }
    }

    /// What is there after it.
    var madePath: String? {
        switch self {
        case .createDirectory(let path), .create(let path, _), .replace(let path, _, _), .move(_, let path): path
        case .remove, .removeDirectory: nil
        }
    }

    private static func isThere(_ path: String) -> CollectionFileError {
        CollectionFileError(path: path, message: "is there already; choose another name")
    }
}

extension CollectionChange {
    /// The change, and in the same go another `name` for a request of it; `nil` takes the name away.
    package func naming(_ id: RequestID, _ name: String?) throws -> CollectionChange {
        guard let stored = collection.request(id), stored.name != name else { return self }
        var draft = stored
        draft.name = name
        let bytes = try CollectionFiles(after: steps).read(stored.location.path)
        let next = try collection.change(to: draft, from: stored, in: bytes)
        var change = CollectionChange(steps: steps + next.steps, collection: next.collection, remarks: remarks)
        change.target = target
        return change
    }
}
