import Base
import NetworkLayer

/// The drafts of one program: a directory with a file in it that the program keeps locked as long as it runs, however it ends.
///
/// So nobody else undoes or takes over what is being edited, and what a program has left behind is known by its lock being free.
final class DraftFolder: Sendable {
    let path: String
    /// -1: there is none.
    private let lock: Int32

    /// The reason comes first: the line in which it is shown may be short.
    private struct Failure: Error, CustomStringConvertible {
        var reason: Int32
        var path: String
        var description: String { "\(String(cString: strerror(reason)).lowercased()) (\(path))" }

        init(_ reason: Int32, _ path: String) { (self.reason, self.path) = (reason, path) }

        init(_ error: NetworkError, _ path: String) { self.init(error.systemErrno ?? EIO, path) }
    }

    /// `flock(2)`.
    typealias Lock = @Sendable (_ file: Int32, _ operation: Int32) -> Int32

    /// A new one.
    ///
    /// Where the file system has no locks nobody knows whether a program has ended: there it is the directory itself, and the drafts in
    /// it are everybody's.
    init(in directory: String, lock acquireLock: Lock) throws {
        do throws(NetworkError) {
            try PrivateFile.makeDirectory(directory)
        } catch {
            throw Failure(error, directory)
        }
        while true {
            let path = "\(directory)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            guard mkdir(path, 0o700) == 0 else {
                if errno == EEXIST { continue }
                throw Failure(errno, directory)
            }
            let file: Int32
            do throws(LockFailure) {
                file = try Self.lock(path, flags: O_CREAT | O_EXCL, acquireLock)
            } catch {
                switch error {
                // A program that looks for abandoned drafts holds it at this moment, and removes it.
                case .taken: continue
                case .unsupported:
                    Self.delete(path)
                    self.path = directory
                    lock = -1
                    return
                case .failed(let number):
                    Self.delete(path)
                    throw Failure(number, directory)
                }
            }
            self.path = path
            lock = file
            return
        }
    }

    private init(path: String, lock: Int32) {
        self.path = path
        self.lock = lock
    }

    deinit {
        guard lock >= 0 else { return }
        if names.isEmpty { Self.delete(path) }
        close(lock)
    }

    private static func delete(_ path: String) {
        _ = unlink(lockFile(path))
        _ = rmdir(path)
    }

    /// The folders whose programs have ended, the most recent one first.
    static func abandoned(in directory: String, lock acquireLock: Lock) -> [DraftFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let folders = names.compactMap { name in
            let path = "\(directory)/\(name)"
            return (try? lock(path, flags: 0, acquireLock)).map { DraftFolder(path: path, lock: $0) }
        }
        // Earlier versions kept drafts in the directory itself.
        return folders.sorted { $0.time > $1.time } + [DraftFolder(path: directory, lock: -1)]
    }

    /// The names of the drafts.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }

    func read(_ name: String) -> Data? { (try? PrivateFile.read("\(path)/\(name)")) ?? nil }

    func write(_ data: Data, as name: String) throws {
        do throws(NetworkError) {
            try PrivateFile.replace("\(path)/\(name)", with: data)
        } catch {
            throw Failure(error, path)
        }
    }

    func remove(_ name: String) throws {
        guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
            throw Failure(errno, path)
        }
    }

    /// Takes over a draft, unless there is one of the same request here.
    func adopt(_ name: String, from other: DraftFolder) {
        let target = "\(path)/\(name)"
        guard access(target, F_OK) != 0 else { return }
        _ = rename("\(other.path)/\(name)", target)
    }

    private static func lockFile(_ path: String) -> String { "\(path)/lock" }

    private enum LockFailure: Error {
        /// Its program still runs, or has just removed it.
        case taken
        /// The file system has no locks.
        case unsupported
        case failed(Int32)

        init(_ number: Int32) {
            switch number {
            case EWOULDBLOCK, ENOENT: self = .taken
            case ENOLCK, ENOSYS, ENOTSUP, EINVAL: self = .unsupported
            default: self = .failed(number)
            }
        }
    }

    private static func lock(_ path: String, flags: Int32, _ acquireLock: Lock) throws(LockFailure) -> Int32 {
        let file = open(lockFile(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard file >= 0 else { throw LockFailure(errno) }
        var status = stat()
        guard acquireLock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0 else {
            let number = errno
            close(file)
            throw LockFailure(number)
        }
        // Gone between the two calls.
        guard status.st_nlink > 0 else {
            close(file)
            throw .taken
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
}
