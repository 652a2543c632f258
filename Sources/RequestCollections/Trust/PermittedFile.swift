import Base
import NetworkLayer

/// A file that may be read: the collection's own, or one that a person has allowed.
package struct PermittedFile: Hashable, Sendable {
    /// Without links, so that what was judged is what is opened.
    package let path: String
    /// The path as the collection writes it, for messages.
    package let name: String
    /// `nil`: somebody else's.
    private let place: CollectionPlace?

    /// - Returns: `nil` when it isn't the collection's own.
    package init?(ownOf place: CollectionPlace, _ path: String, named name: String) {
        guard place.owns(path) else { return nil }
        self.path = path
        self.name = name
        self.place = place
    }

    /// - Parameter permit: to read this path.
    init(_ path: String, named name: String, _ permit: Permission) {
        self.path = path
        self.name = name
        place = nil
    }

    package func read(limit: Int) throws(CollectionFileError) -> [UInt8] {
        let file = try open()
        defer { close(file) }
        return try FileContents.read(file, name, limit: limit)
    }

    /// Bytes of a regular file.
    func size() throws(CollectionFileError) -> Int64 {
        let file = try open()
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw failure }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CollectionFileError(path: name, message: "is not a file") }
        return Int64(status.st_size)
    }

    /// Checks a file or directory.
    func checkReadable() throws(CollectionFileError) {
        close(try open())
    }

    /// A pipe is opened without waiting for its writer.
    private func open() throws(CollectionFileError) -> Int32 {
        let file = descriptor()
        guard file >= 0 else { throw failure }
        return file
    }

    /// The file as a body. A file that has taken its place in the meantime is never sent.
    var body: BodyFile { BodyFile(path: path) { descriptor() } }

    /// - Returns: -1 with `errno` set when it can't be read, or isn't what was judged any more.
    private func descriptor() -> Int32 { place?.open(path) ?? FileContents.openWithoutLinks(path) }

    private var failure: CollectionFileError {
        let number = errno
        return CollectionFileError(path: name, message: "can't be read: \(FileContents.describe(number == 0 ? ENOENT : number))")
    }
}

/// Where a secret comes from, with permission to read it there.
package enum PermittedSecret: Hashable, Sendable {
    case environment(String, Permission)
    case file(PermittedFile)
    /// - Parameter directory: where it runs; `""` for the current one.
    case command([String], directory: String, Permission)
    /// Whoever is asked may decline.
    case prompt(String)
}
