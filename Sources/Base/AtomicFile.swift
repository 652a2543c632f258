/// What the system said to a call.
package struct SystemCallError: Error, Hashable, Sendable {
    package var number: Int32

    package init(_ number: Int32) { self.number = number }

    /// The error of the last call.
    package static var last: SystemCallError { SystemCallError(errno) }

    package static let exists = SystemCallError(EEXIST)
    /// The file doesn't hold what was expected; it was left as it is.
    package static let changed = SystemCallError(ESTALE)

    /// As the end of a sentence.
    package var message: String {
        if self == .changed { return "another program has changed it" }
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}

/// A file that gets all of its bytes in one step: they are written beside it and brought to the disk, and then take its name. A reader, and
/// a crash at any moment, finds the old bytes or the new ones.
///
/// Mode and owner stay; what a symbolic link points to is replaced, not the link. A file for which that can't be (it has several names,
/// belongs to somebody else, is mounted by itself, or its directory takes no new files) is written over where it is.
package struct AtomicFile: ~Copyable {
    private let target: String
    private let temporary: String
    /// Where its bytes go until it is finished.
    package private(set) var descriptor: Int32

    /// Whether the file has its place, and under which condition it gets it.
    package enum Condition: Sendable {
        case none
        /// Nothing has the name.
        case isNew
        /// The file holds these bytes. A program that writes between the look and the step is not noticed.
        case holds([UInt8])
    }

    /// An empty file beside the one whose place it is to take.
    ///
    /// - Parameter mode: of a file that isn't there yet, before the user's `umask`.
    package init(at path: String, mode: mode_t = 0o666) throws(SystemCallError) {
        let target = Self.realPath(path) ?? path
        self.target = target
        let old = Self.status(target)
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { target[...$0] } ?? ""
        // Hidden, without an ending that a collection reads, and no longer than a name may be.
        let prefix = ".\(String(decoding: target.utf8.dropFirst(directory.utf8.count).prefix(200), as: UTF8.self)).turnstone-"
        if old != nil { Self.sweep(directory.isEmpty ? "." : String(directory), prefix) }
        var name: String
        repeat {
            name = directory + prefix + String(UInt32.random(in: .min ... .max), radix: 36)
            descriptor = SystemCall.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, old == nil ? mode : 0o600)
        } while descriptor < 0 && (errno == EEXIST || errno == EINTR)
        temporary = name
        guard descriptor >= 0 else { throw .last }
        guard let old else { return }
        // Only root may change a file's owner, and only members of a group may give a file to that group.
        _ = fchown(descriptor, old.st_uid, old.st_gid)
        var new = stat()
        guard fstat(descriptor, &new) == 0, new.st_uid == old.st_uid, new.st_gid == old.st_gid else {
            throw SystemCallError(EPERM)
        }
        // After the owner, a change of whom takes bits away.
        guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else { throw .last }
    }

    deinit {
        guard descriptor >= 0 else { return }
        SystemCall.close(descriptor)
        unlink(temporary)
    }

    package func write(_ bytes: some ContiguousBytes) throws(SystemCallError) { try Self.write(bytes, to: descriptor) }

    /// Gives it its place.
    ///
    /// - Parameter isSynced: whether to wait until the disk has it; for what may be lost with the power, `false` is faster.
    package consuming func finish(if condition: Condition = .none, isSynced: Bool = true) throws(SystemCallError) {
        if isSynced, fsync(descriptor) != 0 { throw .last }
        switch condition {
        case .isNew: try Self.move(temporary, to: target)
        case .holds(let bytes) where Self.read(target) != bytes: throw .changed
        case .holds, .none:
            guard SystemCall.rename(temporary, target) == 0 else { throw .last }
        }
        SystemCall.close(descriptor)
        descriptor = -1
        if isSynced { Self.syncDirectory(of: target) }
    }

    /// What a program that was killed has left, an hour ago or longer.
    private static func sweep(_ directory: String, _ prefix: String) {
        guard let entries = opendir(directory) else { return }
        defer { closedir(entries) }
        let old = time(nil) - 3600
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix), let status = status("\(directory)/\(name)"), status.st_mtim.tv_sec < old else { continue }
            unlink("\(directory)/\(name)")
        }
    }
}

// MARK: Whole files

extension AtomicFile {
    /// Writes a whole file.
    ///
    /// - Parameter mode: of a file that isn't there yet.
    /// - Throws: ``SystemCallError/changed`` or ``SystemCallError/exists`` when the condition doesn't hold.
    package static func write(
        _ bytes: some ContiguousBytes, to path: String, if condition: Condition = .none, mode: mode_t = 0o666, isSynced: Bool = true
    ) throws(SystemCallError) {
        let target = realPath(path) ?? path
        let old = status(target)
        if let old {
            if case .isNew = condition { throw .exists }
            guard old.st_mode & S_IFMT == S_IFREG else { throw SystemCallError(EEXIST) }
            guard access(target, W_OK) == 0 else { throw .last }
            if old.st_nlink > 1 { return try overwrite(target, bytes, condition) }
        }
        do throws(SystemCallError) {
            let file = try AtomicFile(at: target, mode: mode)
            try file.write(bytes)
            try file.finish(if: condition, isSynced: isSynced)
        } catch {
            guard old != nil, [EPERM, EACCES, EROFS, EBUSY].contains(error.number) else { throw error }
            try overwrite(target, bytes, condition)
        }
    }

    private static func overwrite(_ path: String, _ bytes: some ContiguousBytes, _ condition: Condition) throws(SystemCallError) {
        guard let before = read(path) else { throw .last }
        if case .holds(let old) = condition, before != old { throw .changed }
        let file = SystemCall.open(path, O_WRONLY | O_CLOEXEC, 0)
        guard file >= 0 else { throw .last }
        defer { SystemCall.close(file) }
        do throws(SystemCallError) {
            try write(bytes, to: file)
            guard ftruncate(file, lseek(file, 0, SEEK_CUR)) == 0, fsync(file) == 0 else { throw .last }
        } catch {
            // What it held fitted on the disk, so it fits again.
            lseek(file, 0, SEEK_SET)
            try? write(before, to: file)
            _ = ftruncate(file, off_t(before.count))
            _ = fsync(file)
            throw error
        }
    }

    /// Takes a file away that holds these bytes.
    package static func remove(_ path: String, holding bytes: [UInt8]) throws(SystemCallError) {
        guard read(path) == bytes else { throw .changed }
        guard unlink(path) == 0 else { throw .last }
        syncDirectory(of: path)
    }

    /// Gives a file or a directory another name, which nothing has.
    package static func move(_ path: String, to other: String) throws(SystemCallError) {
        // A link fails where something has the name. Directories, and some file systems, have none.
        if link(path, other) == 0 {
            guard unlink(path) == 0 else { throw .last }
        } else {
            guard errno != EEXIST, access(other, F_OK) != 0 else { throw .exists }
            guard SystemCall.rename(path, other) == 0 else { throw .last }
        }
        syncDirectory(of: other)
    }

    /// Makes a directory, and those above it.
    package static func makeDirectory(_ path: String, mode: mode_t = 0o777) throws(SystemCallError) {
        guard !path.isEmpty, mkdir(path, mode) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { throw .last }
        try makeDirectory(String(path[..<slash]), mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .last }
    }

    /// - Returns: `nil`, with `errno` set, for what can't be read.
    package static func read(_ path: String) -> [UInt8]? {
        let file = SystemCall.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
        guard file >= 0 else { return nil }
        defer { SystemCall.close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return nil }
        var bytes: [UInt8] = []
        while true {
            let room = max(Int(status.st_size) - bytes.count, 0) + 1
            var failed = false
            let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                let got = SystemCall.read(file, buffer.baseAddress, room)
                failed = got < 0
                count = max(0, got)
            }
            if failed { return nil }
            if piece.isEmpty { return bytes }
            // Nearly always the first piece is everything.
            if bytes.isEmpty { bytes = piece } else { bytes += piece }
        }
    }

    // MARK: Calls

    private static func write(_ bytes: some ContiguousBytes, to file: Int32) throws(SystemCallError) {
        // A typed `throws` doesn't pass through the closure.
        let failure: SystemCallError? = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = SystemCall.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0, errno != EINTR { return .last }
                rest = rest.dropFirst(max(0, count))
            }
            return nil
        }
        if let failure { throw failure }
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// So that the names in it survive a loss of power, too. What fails here has harmed nothing.
    private static func syncDirectory(of path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = SystemCall.open(slash.map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC, 0)
        guard directory >= 0 else { return }
        _ = fsync(directory)
        SystemCall.close(directory)
    }

    /// Without links; `nil` for what isn't there.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
