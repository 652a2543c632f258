#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The calls that change what is on disk, one by one, so that a test can let any of them fail, or be the last.
protocol FileOperations: Sendable {
    /// A new file of a name that nothing else has, beside another; no collection reads it.
    ///
    /// - Parameter isPrivate: for its owner only until ``copyAttributes(of:to:)``; else as the user's `umask` says.
    func createTemporary(beside path: String, isPrivate: Bool) throws(SystemCallError) -> TemporaryFile
    func write(_ bytes: [UInt8], to file: TemporaryFile) throws(SystemCallError)
    /// Mode and owner, as far as the system lets them.
    func copyAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError)
    /// To the disk.
    func sync(_ file: TemporaryFile) throws(SystemCallError)
    func close(_ file: TemporaryFile)
    /// In one step, in the place of what has the name.
    func rename(_ path: String, to other: String) throws(SystemCallError)
    /// A second name for a file; fails when something has it.
    func link(_ path: String, to other: String) throws(SystemCallError)
    func unlink(_ path: String) throws(SystemCallError)
    func createDirectory(_ path: String) throws(SystemCallError)
    /// Fails when something is in it.
    func removeDirectory(_ path: String) throws(SystemCallError)
    /// So that the names in it survive a loss of power, too. What fails here has harmed nothing.
    func syncDirectory(_ path: String)
}

struct TemporaryFile: Hashable, Sendable {
    var path: String
    var descriptor: Int32
}

/// What the system said.
struct SystemCallError: Error, Hashable, Sendable {
    var number: Int32

    init(_ number: Int32) { self.number = number }

    /// Of the last call.
    static var last: SystemCallError { SystemCallError(errno) }

    /// As the end of a sentence.
    var message: String { FileContents.describe(number) }

    static let exists = SystemCallError(EEXIST)
    /// A file system that has no second names.
    var isUnsupported: Bool { number == EPERM || number == ENOTSUP || number == ENOSYS || number == EMLINK }
}

/// The system's own.
struct SystemFileOperations: FileOperations {
    func createTemporary(beside path: String, isPrivate: Bool) throws(SystemCallError) -> TemporaryFile {
        while true {
            let name = "\(path).\(String(UInt32.random(in: .min ... .max), radix: 36))"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
            if descriptor >= 0 { return TemporaryFile(path: name, descriptor: descriptor) }
            guard errno == EEXIST || errno == EINTR else { throw .last }
        }
    }

    func write(_ bytes: [UInt8], to file: TemporaryFile) throws(SystemCallError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Self.write(file.descriptor, buffer.baseAddress! + written, buffer.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            written += count
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes, count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes, count)
        #else
            Darwin.write(descriptor, bytes, count)
        #endif
    }

    func copyAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        // Only root may give a file away; everybody else keeps their own.
        _ = fchown(file.descriptor, status.st_uid, status.st_gid)
        guard fchmod(file.descriptor, status.st_mode & 0o7777) == 0 else { throw .last }
    }

    func sync(_ file: TemporaryFile) throws(SystemCallError) {
        guard fsync(file.descriptor) == 0 else { throw .last }
    }

    func close(_ file: TemporaryFile) { Self.close(file.descriptor) }

    private static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    func rename(_ path: String, to other: String) throws(SystemCallError) {
        #if canImport(Glibc)
            let result = Glibc.rename(path, other)
        #elseif canImport(Musl)
            let result = Musl.rename(path, other)
        #else
            let result = Darwin.rename(path, other)
        #endif
        guard result == 0 else { throw .last }
    }

    func link(_ path: String, to other: String) throws(SystemCallError) {
        guard linkat(AT_FDCWD, path, AT_FDCWD, other, 0) == 0 else { throw .last }
    }

    func unlink(_ path: String) throws(SystemCallError) {
        guard unlinkat(AT_FDCWD, path, 0) == 0 else { throw .last }
    }

    func createDirectory(_ path: String) throws(SystemCallError) {
        guard mkdir(path, 0o777) == 0 else { throw .last }
    }

    func removeDirectory(_ path: String) throws(SystemCallError) {
        guard rmdir(path) == 0 else { throw .last }
    }

    func syncDirectory(_ path: String) {
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        Self.close(descriptor)
    }
}
