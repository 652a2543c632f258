import Base
import NetworkLayer

/// Held while a collection is read, changed and written, so that of several Turnstones one does so at a time.
///
/// The lock is on the directory in which the files are (`flock(2)`): nothing new lies there, nothing is renamed under it, and a program
/// that ends lets it go. It is a promise among ourselves; ``FileReplacement`` notices programs that know nothing of it. Where a directory
/// can't be locked (NFS wants a file that is open to write) it is on a file in the state directory that stands for it.
struct CollectionLock: Sendable {
    /// Turnstone's; `nil`: what can't be locked itself is not locked.
    var stateDirectory: String?
    /// How long it waits while nothing happens in the directory: a program that saves changes it, and one that is stopped doesn't.
    var patience: Duration = .seconds(2)
    /// How long it waits at most, however busy the others are.
    var longestPatience: Duration = .seconds(30)
    /// `false`: as on a file system that can't.
    var locksDirectories = true

    private static let step: Duration = .milliseconds(20)

    /// - Parameter paths: of collections: files or directories.
    func whileHeld<Result>(_ paths: [String], _ work: () throws -> Result) throws -> Result {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        // Every process takes the locks in the same order, so of two that want the same ones, one gets all.
        for directory in Set(paths.map { Self.directory(of: $0) }).sorted() {
            if let descriptor = try locked(directory) { descriptors.append(descriptor) }
        }
        return try work()
    }

    private static func directory(of path: String) -> String {
        let real = FileContents.realPath(path) ?? path
        if FileContents.isDirectory(real) { return real }
        let directory = RequestCollections.directory(of: real)
        return directory.isEmpty ? "." : directory
    }

    private func locked(_ directory: String) throws(CollectionFileError) -> Int32? {
        let descriptor = locksDirectories ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        if descriptor >= 0 {
            if try lock(descriptor, directory) { return descriptor }
            close(descriptor)
        }
        guard let stateDirectory, let standIn = Self.standIn(for: directory, in: stateDirectory) else { return nil }
        if try lock(standIn, directory) { return standIn }
        close(standIn)
        return nil
    }

    /// - Returns: whether there are locks here. The descriptor is closed when it throws.
    private func lock(_ descriptor: Int32, _ directory: String) throws(CollectionFileError) -> Bool {
        let start = ContinuousClock.now
        var lastChange = start
        var time = Self.changeTime(of: directory)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK:
                let now = ContinuousClock.now
                if Self.changeTime(of: directory) != time {
                    time = Self.changeTime(of: directory)
                    lastChange = now
                }
                guard now - lastChange < patience, now - start < longestPatience else {
                    close(descriptor)
                    throw CollectionFileError(
                        path: directory, message: "is being written to by another Turnstone; try again in a moment")
                }
                usleep(useconds_t(Self.step / .microseconds(1)))
            default: return false
            }
        }
        return true
    }

    /// When something in a directory last got or lost a name.
    private static func changeTime(of directory: String) -> [Int] {
        var status = stat()
        guard stat(directory, &status) == 0 else { return [] }
        #if canImport(Darwin)
            return [status.st_ctimespec.tv_sec, status.st_ctimespec.tv_nsec]
        #else
            return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #endif
    }

    /// An empty file that has a name for every directory of this machine.
    private static func standIn(for directory: String, in stateDirectory: String) -> Int32? {
        var status = stat()
        guard stat(directory, &status) == 0 else { return nil }
        let locks = "\(stateDirectory)/locks"
        guard (try? PrivateFile.makeDirectory(locks)) != nil else { return nil }
        let descriptor = open(
            "\(locks)/\(status.st_dev)-\(status.st_ino)", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return descriptor >= 0 ? descriptor : nil
    }
}
