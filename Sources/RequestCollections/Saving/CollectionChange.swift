/// A change that is worked out and checked, and not yet written.
package struct CollectionChange: Sendable {
    /// The files with their bytes before and after; empty when nothing differs.
    package let files: [File]
    /// The collection as it is once the change is written.
    package let collection: RequestCollection

    package struct File: Hashable, Sendable {
        package let path: String
        package let before: [UInt8]
        package let after: [UInt8]
    }

    /// Replaces each file in one step.
    ///
    /// - Throws: when a file can't be written, or isn't any more what the change was worked out from. That file is then as it was.
    package func write() throws(CollectionFileError) {
        for file in files {
            let now = try FileContents.read(file.path, limit: YAMLDocument.Limits.size)
            guard now == file.before else { throw Self.changedOnDisk(file.path) }
            try FileReplacement.replace(file.path, with: file.after)
        }
    }

    static func changedOnDisk(_ path: String) -> CollectionFileError {
        CollectionFileError(path: path, message: "has changed on disk since it was read; read it again, then save")
    }
}
