import Base

/// Files that no directory knows: they are gone as soon as nobody has them open, also when a program is killed.
package enum UnnamedFile {
    /// The system's directory for temporary files: `TMPDIR`, else `/tmp`.
    package static var directory: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// A file in ``directory`` to write and to read again, which only this program can open. It has a name for a moment where there is
    /// no other way.
    ///
    /// - Returns: `nil` with `errno` set when it failed.
    package static func open() -> Int32? {
        if let file = open(in: directory, mode: 0o600) { return file }
        guard let (file, name) = openNamed(in: directory) else { return nil }
        unlink(name)
        return file
    }

    /// A file with a name that nobody else has, for its user alone.
    ///
    /// - Returns: `nil` with `errno` set when it failed.
    static func openNamed(in directory: String) -> (file: Int32, name: String)? {
        var template = Array("\(directory)/turnstone-XXXXXX".utf8CString)
        // 0600: mkstemp(3).
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return (file, template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
    }

    /// `nil` where there is no such thing; the way through a name says why, when it is something else.
    ///
    /// - Parameter mode: what the user's `umask` leaves of it.
    static func open(in directory: String, mode: mode_t) -> Int32? {
        // O_TMPFILE, which Swift's Glibc doesn't show: a flag of its own, and O_DIRECTORY.
        let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
        guard canBeOpened else { return nil }
        let file = SystemCall.open(directory, unnamed | O_RDWR | O_CLOEXEC, mode)
        if file >= 0, hasRoom(file) { return file }
        if file >= 0 { SystemCall.close(file) }
        return nil
    }

    /// A file without a name stays open as long as it is kept. A program that keeps thousands gives the rest names, so that there are
    /// descriptors left for connections.
    private static func hasRoom(_ file: Int32) -> Bool {
        SystemCall.descriptorLimit.map { rlim_t(file) < $0 / 2 } ?? false
    }

    /// Takes the name away from an open file that has one: on file systems that make no files without a name this is the next best thing.
    /// It can't be given a name any more.
    ///
    /// - Returns: whether it has none now.
    static func unname(_ path: String, of file: Int32) -> Bool {
        canBeOpened && hasRoom(file) && unlink(path) == 0
    }

    /// Without `/proc`, the file can't be opened a second time.
    private static let canBeOpened = access("/proc/self/fd", F_OK) == 0

    /// Where this program and those it starts can open it. The process is named: "self" would be another one in a child.
    static func path(_ file: Int32) -> String { "/proc/\(getpid())/fd/\(file)" }

    /// Gives it a name that nothing has.
    ///
    /// - Returns: `false` with `errno` set when it failed.
    static func link(_ file: Int32, to path: String) -> Bool {
        linkat(AT_FDCWD, Self.path(file), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }
}
