import Base
import NetworkLayer
import Synchronization

/// A file as it is at a moment: whoever writes to it makes another one of it. The time of its change can't be set back.
struct FileIdentity: Hashable, Sendable {
    let path: ExactText
    private let device: UInt64
    private let node: UInt64
    private let size: Int64
    private let modified: [Int64]
    private let changed: [Int64]

    init(_ path: String, _ status: stat) {
        self.path = ExactText(path)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        node = UInt64(status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        self.modified = [Int64(modified.tv_sec), Int64(modified.tv_nsec)]
        self.changed = [Int64(changed.tv_sec), Int64(changed.tv_nsec)]
    }

    /// Seconds since 1970.
    var newest: Int64 { max(modified[0], changed[0]) }

    var text: String { ([Int64(truncatingIfNeeded: node), size] + modified + changed).map { "\($0)" }.joined(separator: " ") }
}

/// What was found in files that were read, so that a large script isn't read for each request anew.
struct FileMemory<Found: Sendable>: Sendable {
    private var known: [ExactText: (identity: FileIdentity, found: Found)] = [:]
    private let most: Int

    /// - Parameter most: of so many files; then it begins anew.
    init(most: Int) { self.most = most }

    /// - Returns: `nil` also when the file has changed since.
    func found(in identity: FileIdentity) -> Found? {
        known[identity.path].flatMap { $0.identity == identity ? $0.found : nil }
    }

    /// Leaves out what has just changed: the clock of a file system may stand still while it changes once more.
    ///
    /// - Parameter now: seconds since 1970.
    mutating func remember(_ found: Found, in identity: FileIdentity, at now: Int64) {
        guard identity.newest < now - Self.restlessSeconds else { return }
        if known.count >= most { known = [:] }
        known[identity.path] = (identity, found)
    }

    private static var restlessSeconds: Int64 { 3 }
}

extension Mutex {
    /// What was found in a file, or what is found now.
    ///
    /// - Parameter find: `nil`: nothing that is remembered.
    func found<Found: Sendable>(in path: String, _ status: stat, _ find: () -> Found?) -> Found? where Value == FileMemory<Found> {
        let identity = FileIdentity(path, status)
        if let found = withLock({ $0.found(in: identity) }) { return found }
        guard let found = find() else { return nil }
        // It may have changed while it was read.
        var status = stat()
        if stat(path, &status) == 0, FileIdentity(path, status) == identity {
            withLock { $0.remember(found, in: identity, at: Int64(time(nil))) }
        }
        return found
    }
}
