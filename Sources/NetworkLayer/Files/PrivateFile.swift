package import Base

/// Files that only their user may read, each written as an `AtomicFile`; what fails is an error of the layer.
package enum PrivateFile {
    /// - Parameter isSynced: whether to wait until the disk has it; for what may be lost with the power, `false` is faster.
    package static func replace(_ path: String, with data: Data, isSynced: Bool = true) throws(NetworkError) {
        try attempt("can't be written", path) { () throws(SystemCallError) in
            try AtomicFile.write(data, to: path, mode: 0o600, isSynced: isSynced)
        }
    }

    /// - Returns: `nil` when there is none.
    package static func read(_ path: String) throws(NetworkError) -> Data? {
        if let bytes = AtomicFile.read(path) { return Data(bytes) }
        guard errno == ENOENT else { throw .file("can't be read", path: path, errno: errno) }
        return nil
    }

    /// Reads it, and writes what `change` makes of it; of all programs that do so, none comes between. Beside it stays an empty
    /// file, its name with `.lock` behind, because one that is replaced can't be the lock itself.
    ///
    /// - Parameters:
    ///   - patience: how long it waits for another program.
    ///   - change: gets `nil` where there is no file yet.
    package static func change(
        _ path: String, patience: Duration = .seconds(5), _ change: (Data?) -> Data
    ) throws(NetworkError) {
        try attempt("can't be written", path) { () throws(SystemCallError) in
            let lock = try FileLock("\(path).lock", makesFile: true, patience: patience)
            defer { withExtendedLifetime(lock) {} }
            let old = AtomicFile.read(path)
            guard old != nil || errno == ENOENT else { throw .last }
            try AtomicFile.write(change(old.map { Data($0) }), to: path, mode: 0o600)
        }
    }

    /// Makes a directory that only its user may enter, and those above it.
    package static func makeDirectory(_ path: String) throws(NetworkError) {
        try attempt("can't be made", path) { () throws(SystemCallError) in try AtomicFile.makeDirectory(path, mode: 0o700) }
    }

    private static func attempt(
        _ problem: String, _ path: String, _ work: () throws(SystemCallError) -> Void
    ) throws(NetworkError) {
        do throws(SystemCallError) {
            try work()
        } catch {
            let problem = error.number == EWOULDBLOCK ? "is locked by another program" : problem
            throw .file(problem, path: path, errno: error.number)
        }
    }
}
