/// A lock on a file or a directory, held until the value goes away, and by no program that has ended.
///
/// It is a promise among ourselves (`flock(2)`): other programs know nothing of it.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// - Parameters:
    ///   - path: of a directory, or of a file.
    ///   - makesFile: makes the file where there is nothing.
    ///   - patience: how long it waits for another program.
    /// - Throws: EWOULDBLOCK when another program holds it. Where the file system has no locks, nothing is locked.
    package init(_ path: String, makesFile: Bool = false, patience: Duration = .seconds(5)) throws(SystemCallError) {
        var file = SystemCall.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        if file < 0, errno == ENOTDIR || makesFile && errno == ENOENT {
            file = SystemCall.open(path, O_RDWR | (makesFile ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        descriptor = file
        guard file >= 0 else { throw .last }
        let end = ContinuousClock.now + patience
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                guard ContinuousClock.now < end else { throw SystemCallError(EWOULDBLOCK) }
                usleep(10_000)
            default: return
            }
        }
    }

    deinit { if descriptor >= 0 { SystemCall.close(descriptor) } }

    /// Holds several while the work is done. All programs take them in the same order, so of two that want the same ones, one gets all.
    @discardableResult package static func holding<Result>(
        _ paths: some Sequence<String>, patience: Duration = .seconds(5), _ work: () throws -> Result
    ) throws -> Result {
        let locks = try Set(paths).sorted().map { try FileLock($0, patience: patience) }
        return try withExtendedLifetime(locks, work)
    }
}
