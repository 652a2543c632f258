/// A change that is worked out and checked, and not yet written.
package struct CollectionChange: Sendable {
    /// What is done, in order: a crash between any two of them loses nothing that the change doesn't remove. Empty when nothing differs.
    package let steps: [Step]
    /// The collection as it is once the change is written.
    package let collection: RequestCollection
    /// What the change could not take along, each with its place afterwards: a name in a text that still means the request of before, say.
    package var remarks: [CollectionProblem] = []
    /// What was done in another way than usual, as sentences, once it is written.
    package var notes: [String] = []
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
        (change.notes, change.target) = (notes, target)
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

    /// Does all steps where nobody else writes: to files that are new, say. What others may write to is a ``CollectionStore``'s.
    @discardableResult
    package func write() throws(CollectionFileError) -> [String] { try write(SystemFileOperations()) }

    /// Does all steps; each file changes in one.
    ///
    /// - Returns: what was done in another way than usual, as sentences.
    /// - Throws: before the first step when a file isn't any more what the change was worked out from, or something has the name of a
    ///   new one. When a later step fails, those before it are done, and nothing is lost.
    @discardableResult
    func write(_ operations: some FileOperations) throws(CollectionFileError) -> [String] {
        try Self.write(steps, operations)
    }

    /// Does all steps, or none as far as that is up to it: when one fails, those before it are taken back.
    func writeWholly(_ operations: some FileOperations) throws(CollectionFileError) -> [String] {
        for (index, step) in steps.enumerated() where !steps[..<index].contains(where: { $0.makes(step) }) { try step.check() }
        var remarks: [String] = []
        for (index, step) in steps.enumerated() {
            do throws(CollectionFileError) {
                remarks += try Self.write([step], operations)
            } catch {
                for done in Self.undoing(Array(steps[..<index])) { _ = try? Self.write([done], operations) }
                throw error
            }
        }
        return remarks
    }

    @discardableResult
    static func write(_ steps: [Step], _ operations: some FileOperations) throws(CollectionFileError) -> [String] {
        for (index, step) in steps.enumerated() where !steps[..<index].contains(where: { $0.makes(step) }) { try step.check() }
        var remarks: [String] = []
        for step in steps {
            try step.check()
            if let remark = try step.perform(FileReplacement(operations: operations)) { remarks.append(remark) }
        }
        return remarks
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

    /// - Returns: what was done in another way than usual.
    fileprivate func perform(_ files: FileReplacement<some FileOperations>) throws(CollectionFileError) -> String? {
        switch self {
        case .replace(let path, let before, let after):
            return try unlessChanged(path) { () throws(ReplacementFailure) in try files.replace(path, before, with: after) }
        case .create(let path, let bytes): try files.create(path, with: bytes)
        case .createDirectory(let path):
            try attempt(path) { () throws(SystemCallError) in try files.operations.createDirectory(path) }
            files.operations.syncDirectory(directory(of: path))
        case .move(let from, let to):
            try attempt(to) { () throws(SystemCallError) in try files.move(from, to: to) }
            files.operations.syncDirectory(directory(of: to))
            files.operations.syncDirectory(directory(of: from))
        case .remove(let path, let before):
            try unlessChanged(path) { () throws(ReplacementFailure) in try files.remove(path, before) }
        case .removeDirectory(let path):
            try? files.operations.removeDirectory(path)
            files.operations.syncDirectory(directory(of: path))
        }
        return nil
    }

    private func unlessChanged<Result>(
        _ path: String, _ work: () throws(ReplacementFailure) -> Result
    ) throws(CollectionFileError) -> Result {
        do throws(ReplacementFailure) {
            return try work()
        } catch {
            switch error {
            case .changed: throw CollectionChange.changedOnDisk(path)
            case .failed(let error): throw error
            }
        }
    }

    private func attempt(_ path: String, _ work: () throws(SystemCallError) -> Void) throws(CollectionFileError) {
        do throws(SystemCallError) {
            try work()
        } catch {
            if error == .exists { throw Self.isThere(path) }
            throw CollectionFileError(path: path, message: "can't be written: \(error.message)")
        }
    }

    private static func isThere(_ path: String) -> CollectionFileError {
        CollectionFileError(path: path, message: "is there already; choose another name")
    }
}
