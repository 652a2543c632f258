import FoundationEssentials
import NetworkLayer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The drafts of one program: a directory with a file in it that the program keeps locked as long as it runs, however it ends.
///
/// So nobody else undoes or takes over what is being edited, and what a program has left behind is known by its lock being free.
final class DraftFolder: Sendable {
    let path: String
    private let lock: Int32

    private struct Failure: Error, CustomStringConvertible {
        var message: String
        var description: String { message }
    }

    /// A new one.
    init(in directory: String) throws {
        try PrivateFile.makeDirectory(directory)
        while true {
            let path = "\(directory)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw Failure(message: "\(path) can't be made: \(Self.lastError())")
            }
            // Another program may look for abandoned ones in this very moment, lock it, and take it away.
            guard let lock = Self.locked(path, flags: O_CREAT | O_EXCL) else { continue }
            self.path = path
            self.lock = lock
            return
        }
    }

    private init(path: String, lock: Int32) {
        self.path = path
        self.lock = lock
    }

    deinit {
        if names.isEmpty, lock >= 0 {
            _ = unlink(Self.lockFile(path))
            _ = rmdir(path)
        }
        if lock >= 0 { close(lock) }
    }

    /// Those whose programs have ended, the last one first.
    static func abandoned(in directory: String) -> [DraftFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let folders = names.compactMap { name in
            let path = "\(directory)/\(name)"
            return locked(path, flags: 0).map { DraftFolder(path: path, lock: $0) }
        }
        // Before there were folders, drafts lay here.
        return folders.sorted { $0.time > $1.time } + [DraftFolder(path: directory, lock: -1)]
    }

    /// Of the drafts.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }

    func read(_ name: String) -> Data? { (try? PrivateFile.read("\(path)/\(name)")) ?? nil }

    func write(_ data: Data, as name: String) throws {
        try PrivateFile.replace("\(path)/\(name)", with: data)
    }

    func remove(_ name: String) throws {
        guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
            throw Failure(message: "\(path)/\(name) can't be taken away: \(Self.lastError())")
        }
    }

    /// Takes over a draft, unless there is one of the same request here.
    func take(_ name: String, from other: DraftFolder) {
        let target = "\(path)/\(name)"
        guard access(target, F_OK) != 0 else { return }
        _ = rename("\(other.path)/\(name)", target)
    }

    private static func lockFile(_ path: String) -> String { "\(path)/lock" }

    /// - Returns: `nil` when its program runs, or it isn't there any more.
    private static func locked(_ path: String, flags: Int32) -> Int32? {
        let file = open(lockFile(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard file >= 0 else { return nil }
        var status = stat()
        guard flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_nlink > 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// When a draft came or went last.
    private var time: Int {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private static func lastError() -> String { String(cString: strerror(errno)) }
}
