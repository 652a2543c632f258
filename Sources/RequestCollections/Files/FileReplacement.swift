#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Replaces a file in one step: a crash at any moment leaves the old bytes or the new ones.
enum FileReplacement {
    /// Writes beside the file, syncs, renames, and syncs the directory. Mode and owner stay as far as the system lets them; what
    /// a symbolic link points to is replaced, not the link.
    static func replace(_ path: String, with bytes: [UInt8]) throws(CollectionFileError) {
        let target = resolved(path)
        var status = stat()
        guard stat(target, &status) == 0 else { throw failure(path) }
        guard access(target, W_OK) == 0 else { throw failure(path) }
        var name = Array("\(target).XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw failure(path) }
        let temporary = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        do throws(CollectionFileError) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, of: path)
            // Only root may give a file away; everybody else keeps their own.
            _ = fchown(descriptor, status.st_uid, status.st_gid)
            guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else { throw failure(path) }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let error = failure(path)
            unlink(temporary)
            throw error
        }
        syncDirectory(of: target)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, of path: String) throws(CollectionFileError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                writeBytes(descriptor, buffer.baseAddress! + written, buffer.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(path)
            }
            written += count
        }
    }

    private static func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes, count)
        #else
            Darwin.write(descriptor, bytes, count)
        #endif
    }

    private static func resolved(_ path: String) -> String {
        guard let pointer = realpath(path, nil) else { return path }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    /// So that the new name survives a loss of power, too. What fails here has not harmed the file.
    private static func syncDirectory(of path: String) {
        let parent = directory(of: path)
        let descriptor = open(parent.isEmpty ? "." : parent, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }

    private static func failure(_ path: String) -> CollectionFileError {
        CollectionFileError(path: path, message: "can't be written: \(FileContents.lastError())")
    }
}
