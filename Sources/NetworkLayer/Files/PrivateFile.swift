package import Base

/// Files that only their user may read, replaced in one step: a reader sees the old one or the new one, also after a crash.
package enum PrivateFile {
    /// Writes a temporary file beside it, brings it to the disk, and renames it.
    ///
    /// - Parameter isSynced: whether to wait until the disk has it; for what may be lost with the power, `false` is faster.
    package static func replace(_ path: String, with data: Data, isSynced: Bool = true) throws(NetworkError) {
        var template = Array("\(path).XXXXXX".utf8CString)
        // 0600: mkstemp(3).
        let file = mkstemp(&template)
        guard file >= 0 else { throw .file("can't be written", path: path, errno: errno) }
        let temporary = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        let isWritten = data.withUnsafeBytes { bytes in
            bytes.isEmpty || TemporaryFile.writeAll(bytes.baseAddress!, count: bytes.count, to: file)
        }
        var problem = isWritten && (!isSynced || fsync(file) == 0) ? 0 : errno
        // Some file systems tell only now that the disk is full.
        if close(file) != 0, problem == 0 { problem = errno }
        if problem == 0, rename(temporary, path) != 0 { problem = errno }
        guard problem == 0 else {
            _ = unlink(temporary)
            throw .file("can't be written", path: path, errno: problem)
        }
    }

    /// - Returns: `nil` when there is none.
    package static func read(_ path: String) throws(NetworkError) -> Data? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .file("can't be read", path: path, errno: errno)
        }
        defer { close(file) }
        var data = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Self.read(file, buffer)
            guard count >= 0 else { throw .file("can't be read", path: path, errno: errno) }
            if count == 0 { return data }
            data.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Reads it, and writes what `change` makes of it; of all programs that do so, none comes between. Beside it stays an empty
    /// file, its name with `.lock` behind, because one that is replaced can't be the lock itself.
    ///
    /// - Parameters:
    ///   - patience: how long it waits for another program while the file stays as it is: one that was stopped with the lock in its hand
    ///     would hold everybody up for ever.
    ///   - change: gets `nil` where there is no file yet.
    package static func change(
        _ path: String, patience: Duration = .seconds(2), _ change: (Data?) -> Data
    ) throws(NetworkError) {
        let file = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .file("can't be written", path: path, errno: errno) }
        defer { close(file) }
        try lock(file, path, patience)
        try replace(path, with: change(read(path)))
    }

    private static func lock(_ file: Int32, _ path: String, _ patience: Duration) throws(NetworkError) {
        var lastChange = ContinuousClock.now
        var time = changeTime(of: path)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                let now = ContinuousClock.now
                if changeTime(of: path) != time { (time, lastChange) = (changeTime(of: path), now) }
                guard now - lastChange < patience else {
                    throw NetworkError(
                        .fileFailed, phase: .body, type: "file.failed",
                        message: "\(path) is locked by another program, which does nothing with it.", systemErrno: EWOULDBLOCK)
                }
                usleep(5_000)
            default: throw .file("can't be locked", path: path, errno: errno)
            }
        }
    }

    /// When a file was last written or replaced; empty where there is none.
    private static func changeTime(of path: String) -> [Int] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        #if canImport(Darwin)
            return [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #else
            return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #endif
    }

    /// Makes a directory that only its user may enter, and those above it.
    package static func makeDirectory(_ path: String) throws(NetworkError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex {
            try makeDirectory(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw .file("can't be made", path: path, errno: errno)
    }

    private static func read(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        SystemCall.read(file, buffer.baseAddress, buffer.count)
    }
}
