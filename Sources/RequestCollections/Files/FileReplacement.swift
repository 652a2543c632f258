import Base

/// Why a file was not replaced or removed.
enum ReplacementFailure: Error {
    /// The file doesn't hold what was expected, and was left as it is.
    case changed
    case failed(CollectionFileError)
}

/// Writes whole files in one step: a crash at any moment leaves the old bytes or the new ones, and what another program puts there in
/// the same moment is not lost.
struct FileReplacement<Operations: FileOperations> {
    let operations: Operations

    /// Puts bytes in the place of others.
    ///
    /// They are written beside the file and synced; then the two files exchange their names, and what came out is looked at: when it
    /// isn't what was expected, the exchange is taken back. So nothing gets lost between looking and writing, also of programs that
    /// take no lock. Owner, mode, access lists and attributes stay; what a symbolic link points to is replaced, not the link. A file
    /// for which that can't be is written over where it is.
    ///
    /// - Returns: what was done in another way than usual, as a sentence.
    @discardableResult
    func replace(_ path: String, _ before: [UInt8], with after: [UInt8]) throws(ReplacementFailure) -> String? {
        let target = Self.resolved(path)
        guard access(target, W_OK) == 0 else { throw .failed(Self.failure(path, .last)) }
        if Self.countNames(of: target) > 1 {
            return try overwrite(path, target, before, after, because: "it has more than one name (hard links)")
        }
        let temporary: TemporaryFile
        do throws(SystemCallError) {
            temporary = try write(after, beside: target, like: target)
        } catch {
            let reason =
                switch error {
                case .cannotKeep: "a new one could not have its owner and attributes"
                case _ where error.isNoPlace: "its directory takes no new files"
                default: throw .failed(Self.failure(path, error))
                }
            return try overwrite(path, target, before, after, because: reason)
        }
        do throws(SystemCallError) {
            try operations.exchange(temporary.path, with: target)
        } catch {
            guard error.isUnsupported else {
                try? operations.unlink(temporary.path)
                guard error.number == EBUSY else { throw .failed(Self.failure(path, error)) }
                return try overwrite(path, target, before, after, because: "it is mounted by itself")
            }
            try replaceWithoutExchange(path, target, before, temporary)
            return nil
        }
        let isReplaced = try check(temporary.path, exchangedWith: target, path, before, after)
        operations.syncDirectory(directory(of: target))
        if isReplaced { return nil }
        return try overwrite(path, target, before, after, because: "another program keeps it open to write to it")
    }

    /// Looks at what had the name, and takes it away when it is what was expected.
    ///
    /// - Returns: `false` when it is, but somebody may still write to it: then it has its name back.
    private func check(
        _ temporary: String, exchangedWith target: String, _ path: String, _ before: [UInt8], _ after: [UInt8]
    ) throws(ReplacementFailure) -> Bool {
        let isFree = waitUntilFree(temporary)
        let isExpected = bytes(of: temporary) == before
        if isFree, isExpected {
            // What can't be taken away is litter, and the file is saved.
            try? operations.unlink(temporary)
            return true
        }
        do throws(SystemCallError) {
            try operations.exchange(temporary, with: target)
        } catch {
            throw .failed(Self.kept(path, temporary))
        }
        if bytes(of: temporary) == after {
            try? operations.unlink(temporary)
            if isExpected { return false }
            throw .changed
        }
        // And another one came between the two exchanges: the later one gets the name.
        try? operations.exchange(temporary, with: target)
        throw .failed(Self.kept(path, temporary))
    }

    /// - Returns: whether nobody has a file open to write to it, within half a second.
    private func waitUntilFree(_ path: String) -> Bool {
        for _ in 0..<100 {
            guard operations.isBeingWritten(path) else { return true }
            operations.pause(milliseconds: 5)
        }
        return false
    }

    private func bytes(of path: String) -> [UInt8]? { try? FileContents.read(path, limit: YAMLDocument.Limits.size) }

    /// For file systems that can't exchange names: what is written between the look and the rename is lost.
    private func replaceWithoutExchange(
        _ path: String, _ target: String, _ before: [UInt8], _ temporary: TemporaryFile
    ) throws(ReplacementFailure) {
        guard bytes(of: target) == before else {
            try? operations.unlink(temporary.path)
            throw .changed
        }
        do throws(SystemCallError) {
            try finish(temporary) { () throws(SystemCallError) in try operations.rename(temporary.path, to: target) }
        } catch {
            throw .failed(Self.failure(path, error))
        }
        operations.syncDirectory(directory(of: target))
    }

    /// Writes over a file where it is, while a copy of its old bytes lies beside it, or where temporary files outlive the power.
    private func overwrite(
        _ path: String, _ target: String, _ before: [UInt8], _ after: [UInt8], because reason: String
    ) throws(ReplacementFailure) -> String {
        guard bytes(of: target) == before else { throw .changed }
        let copy: TemporaryFile
        do throws(SystemCallError) {
            copy = try copyBeside(target, before)
        } catch {
            throw .failed(Self.failure(path, error))
        }
        do throws(SystemCallError) {
            try operations.overwrite(target, with: after)
        } catch {
            // The earlier contents fitted on the disk, so they fit again.
            guard (try? operations.overwrite(target, with: before)) != nil else {
                throw .failed(
                    CollectionFileError(path: path, message: "can't be written: \(error.message); what it held is in \(copy.path)"))
            }
            try? operations.unlink(copy.path)
            throw .failed(Self.failure(path, error))
        }
        try? operations.unlink(copy.path)
        return "\(path) was written over where it is, not replaced in one step: \(reason)"
    }

    private func copyBeside(_ target: String, _ bytes: [UInt8]) throws(SystemCallError) -> TemporaryFile {
        do throws(SystemCallError) {
            return try write(bytes, beside: target, like: nil)
        } catch {
            guard error.isNoPlace else { throw error }
            let name = target.lastIndex(of: "/").map { target[target.index(after: $0)...] } ?? target[...]
            return try write(bytes, beside: "/var/tmp/turnstone-\(name)", like: nil)
        }
    }

    /// The same for a file that isn't there yet; what has the name since is not replaced.
    func create(_ path: String, with bytes: [UInt8]) throws(CollectionFileError) {
        do throws(SystemCallError) {
            let temporary = try write(bytes, beside: path, like: nil, isPrivate: false)
            try finish(temporary) { () throws(SystemCallError) in try move(temporary.path, to: path) }
        } catch {
            throw Self.failure(path, error)
        }
        operations.syncDirectory(directory(of: path))
    }

    /// Takes a file away, unless it holds something else than is expected: then it stays.
    ///
    /// It gets another name first, so that nothing can be written to it between looking and removing.
    func remove(_ path: String, _ before: [UInt8]) throws(ReplacementFailure) {
        let aside: TemporaryFile
        do throws(SystemCallError) {
            aside = try operations.createTemporary(beside: path, isPrivate: true)
            operations.close(aside)
            try finish(aside) { () throws(SystemCallError) in try operations.rename(path, to: aside.path) }
        } catch {
            throw .failed(Self.failure(path, error))
        }
        guard waitUntilFree(aside.path), bytes(of: aside.path) == before else {
            guard (try? move(aside.path, to: path)) != nil else { throw .failed(Self.kept(path, aside.path)) }
            throw .changed
        }
        try? operations.unlink(aside.path)
        operations.syncDirectory(directory(of: path))
    }

    /// Gives a file or a directory another name that nothing has.
    func move(_ path: String, to other: String) throws(SystemCallError) {
        do throws(SystemCallError) {
            return try operations.rename(path, toNew: other)
        } catch {
            guard error.isUnsupported else { throw error }
        }
        guard !FileContents.exists(other) else { throw .exists }
        try operations.rename(path, to: other)
    }

    /// - Parameter original: whose owner and mode it gets.
    private func write(
        _ bytes: [UInt8], beside path: String, like original: String?, isPrivate: Bool = true
    ) throws(SystemCallError) -> TemporaryFile {
        let file = try operations.createTemporary(beside: path, isPrivate: isPrivate)
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

    private static func resolved(_ path: String) -> String { FileContents.realPath(path) ?? path }

    private static func countNames(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    static func failure(_ path: String, _ error: SystemCallError) -> CollectionFileError {
        CollectionFileError(path: path, message: "can't be written: \(error.message)")
    }

    private static func kept(_ path: String, _ temporary: String) -> CollectionFileError {
        CollectionFileError(
            path: path,
            message:
                "was written by another program again and again while it was saved: nothing was saved, and an earlier version of"
                + " theirs is in \(temporary); look at both, then save")
    }
}
