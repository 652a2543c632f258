package import Base
import NetworkLayer

/// A file that an answer may be written to, since a person has allowed it.
package struct PermittedOutput: Hashable, Sendable {
    /// Without links, so that what was judged is what is written.
    package let path: String
    /// The path as the collection writes it, for messages.
    package let name: String

    /// - Parameter permit: to write this path.
    init(_ path: String, named name: String, _ permit: Permission) {
        self.path = path
        self.name = name
    }

    /// Puts the bytes there in one step: until then, and when that fails, what was there before stays. Missing directories are made.
    package func write(_ bytes: Data) throws(CollectionFileError) {
        do throws(SystemCallError) {
            try AtomicFile.makeDirectory(directory(of: path))
            // It led through no link when it was judged.
            guard !FileContents.isLink(path) else { throw .exists }
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw CollectionFileError(path: name, message: "can't be written: \(error.message)")
        }
    }
}
