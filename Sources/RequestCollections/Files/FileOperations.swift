import Base
import CFiles
import NetworkLayer

/// The calls that change what is on disk, one by one, so that a test can let any of them fail, or be the last.
protocol FileOperations: Sendable {
    /// A new file of a name that nothing else has, beside another; no collection reads it.
    ///
    /// - Parameter isPrivate: for its owner only until ``copyAttributes(of:to:)``; else as the user's `umask` says.
    func createTemporary(beside path: String, isPrivate: Bool) throws(SystemCallError) -> TemporaryFile
    func write(_ bytes: [UInt8], to file: TemporaryFile) throws(SystemCallError)
    /// Owner, mode, access lists and attributes.
    ///
    /// - Throws: ``SystemCallError/cannotKeep`` when the other file can't have the same ones.
    func copyAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError)
    /// Writes what the system has buffered of the file to the disk.
    func sync(_ file: TemporaryFile) throws(SystemCallError)
    func close(_ file: TemporaryFile)
    /// Each of two files gets the other's name, in one step.
    ///
    /// - Throws: ``SystemCallError/isUnsupported`` where the file system can't.
    func exchange(_ path: String, with other: String) throws(SystemCallError)
    /// Writes over what a file holds, and to the disk. It stays the same file; a crash leaves any part of the bytes.
    func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemCallError)
    /// Whether a program has it open to write to it, as far as the system tells.
    func isBeingWritten(_ path: String) -> Bool
    /// Gives other programs some milliseconds.
    func pause(milliseconds: UInt32)
    /// Renames a file in one step; it replaces whatever had the new name.
    func rename(_ path: String, to other: String) throws(SystemCallError)
    /// In one step; fails when something has the name.
    ///
    /// - Throws: ``SystemCallError/isUnsupported`` where the file system can't.
    func rename(_ path: String, toNew other: String) throws(SystemCallError)
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

    /// The error of the last call.
    static var last: SystemCallError { SystemCallError(errno) }

    /// As the end of a sentence.
    var message: String { FileContents.describe(number) }

    static let exists = SystemCallError(EEXIST)
    /// A file made anew would belong to somebody else, or be open to others than the old one.
    static let cannotKeep = SystemCallError(EPERM)
    /// The directory takes no new files, whatever its files take.
    var isNoPlace: Bool { number == EACCES || number == EROFS }
    /// A file system that can't exchange two names, or look and rename in one step.
    var isUnsupported: Bool { number == ENOTSUP || number == ENOSYS || number == EINVAL }
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
                SystemCall.write(file.descriptor, buffer.baseAddress! + written, buffer.count - written)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            written += count
        }
    }

    func copyAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last }
        // Only root may change a file's owner, and only members of a group may give a file to that group.
        _ = fchown(file.descriptor, status.st_uid, status.st_gid)
        var now = stat()
        guard fstat(file.descriptor, &now) == 0 else { throw .last }
        guard now.st_uid == status.st_uid, now.st_gid == status.st_gid else { throw .cannotKeep }
        try copyExtendedAttributes(of: path, to: file)
        // Last: a change of the owner takes bits away.
        guard fchmod(file.descriptor, status.st_mode & 0o7777) == 0 else { throw .last }
    }

    /// Access lists are among them. Labels that the system gives to new files by itself are its own business.
    private func copyExtendedAttributes(of path: String, to file: TemporaryFile) throws(SystemCallError) {
        for name in try Self.extendedAttributes(of: path) {
            let size = turnstone_get_attribute(path, name, nil, 0)
            guard size >= 0 else { continue }
            var value = [UInt8](repeating: 0, count: size)
            let isRead = turnstone_get_attribute(path, name, &value, size) == size
            guard !isRead || turnstone_set_attribute(file.descriptor, name, value, size) != 0 else { continue }
            if !name.hasPrefix("security."), !name.hasPrefix("trusted.") { throw .cannotKeep }
        }
    }

    private static func extendedAttributes(of path: String) throws(SystemCallError) -> [String] {
        let size = turnstone_list_attributes(path, nil, 0)
        guard size > 0 else { return [] }
        var names = [CChar](repeating: 0, count: size)
        guard turnstone_list_attributes(path, &names, size) == size else { throw .last }
        return names.split(separator: 0).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    }

    func exchange(_ path: String, with other: String) throws(SystemCallError) {
        guard turnstone_exchange(path, other) == 0 else { throw .last }
    }

    func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemCallError) {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { SystemCall.close(descriptor) }
        let file = TemporaryFile(path: path, descriptor: descriptor)
        try write(bytes, to: file)
        guard ftruncate(descriptor, off_t(bytes.count)) == 0 else { throw .last }
        try sync(file)
    }

    func isBeingWritten(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { SystemCall.close(descriptor) }
        return turnstone_is_being_written(descriptor) != 0
    }

    func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    func sync(_ file: TemporaryFile) throws(SystemCallError) {
        guard fsync(file.descriptor) == 0 else { throw .last }
    }

    func close(_ file: TemporaryFile) { SystemCall.close(file.descriptor) }

    func rename(_ path: String, to other: String) throws(SystemCallError) {
        guard SystemCall.rename(path, other) == 0 else { throw .last }
    }

    func rename(_ path: String, toNew other: String) throws(SystemCallError) {
        guard turnstone_rename_new(path, other) == 0 else { throw .last }
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
        SystemCall.close(descriptor)
    }
}
