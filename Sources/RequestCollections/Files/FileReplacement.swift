#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes whole files in one step: a crash at any moment leaves the old bytes or the new ones.
struct FileReplacement<Operations: FileOperations> {
    let operations: Operations

    /// Writes beside the file, syncs, renames, and syncs the directory. Mode and owner stay as far as the system lets them; what
    /// a symbolic link points to is replaced, not the link.
    func replace(_ path: String, with bytes: [UInt8]) throws(CollectionFileError) {
        let target = Self.resolved(path)
        guard access(target, W_OK) == 0 else { throw Self.failure(path, .last) }
        do throws(SystemCallError) {
            let temporary = try write(bytes, beside: target, like: target)
            try finish(temporary) { () throws(SystemCallError) in try operations.rename(temporary.path, to: target) }
        } catch {
            throw Self.failure(path, error)
        }
        operations.syncDirectory(directory(of: target))
    }

    /// The same for a file that isn't there yet; what has the name since is not replaced.
    func create(_ path: String, with bytes: [UInt8]) throws(CollectionFileError) {
        do throws(SystemCallError) {
            let temporary = try write(bytes, beside: path, like: nil)
            try finish(temporary) { () throws(SystemCallError) in try move(temporary.path, to: path) }
        } catch {
            throw Self.failure(path, error)
        }
        operations.syncDirectory(directory(of: path))
    }

    /// Gives a file another name that nothing has.
    ///
    /// There is no call for that everywhere, but one for a second name that fails when there is something. Between the two steps
    /// the file has both.
    func move(_ path: String, to other: String) throws(SystemCallError) {
        do throws(SystemCallError) {
            try operations.link(path, to: other)
        } catch {
            guard error.isUnsupported else { throw error }
            guard !FileContents.exists(other) else { throw .exists }
            return try operations.rename(path, to: other)
        }
        try operations.unlink(path)
    }

    private func write(
        _ bytes: [UInt8], beside path: String, like original: String?
    ) throws(SystemCallError) -> TemporaryFile {
        let file = try operations.createTemporary(beside: path, isPrivate: original != nil)
        defer { operations.close(file) }
        try finish(file) { () throws(SystemCallError) in
            try operations.write(bytes, to: file)
            if let original { try operations.copyAttributes(of: original, to: file) }
            try operations.sync(file)
        }
        return file
    }

    /// Leaves nothing behind when it fails.
    private func finish(_ file: TemporaryFile, _ work: () throws(SystemCallError) -> Void) throws(SystemCallError) {
        do throws(SystemCallError) {
            try work()
        } catch {
            try? operations.unlink(file.path)
            throw error
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    static func failure(_ path: String, _ error: SystemCallError) -> CollectionFileError {
        CollectionFileError(path: path, message: "can't be written: \(error.message)")
    }
}
