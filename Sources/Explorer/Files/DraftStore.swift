import Base
import RequestCollections
import Synchronization

/// Unsaved edits, where a crash can't reach them: one small file each, readable by their owner only.
///
/// A draft goes away when its request is saved or the edit is undone. Each program has a directory for its own, which it keeps locked as
/// long as it runs, however it ends. So nobody else undoes or takes over what is being edited, and a draft whose program has ended
/// becomes an unsaved edit of the next program that opens its collection.
package final class DraftStore: Sendable {
    package let directory: String
    /// This program's; made with its first draft.
    private let own = Mutex<Folder?>(nil)

    package init(directory: String) { self.directory = directory }

    /// In a directory for the state of programs; `nil` without one.
    package convenience init?(stateDirectory: String?) {
        guard let stateDirectory else { return nil }
        self.init(directory: "\(stateDirectory)/drafts")
    }

    private struct Draft: Codable {
        /// Absolute.
        var collection: String
        var base: RequestDefinition
        var definition: RequestDefinition
    }

    /// The reason comes first: the line in which it is shown may be short.
    private struct Failure: Error, CustomStringConvertible {
        var description: String

        init(_ error: SystemCallError, _ path: String) { description = "\(error.message) (\(path))" }
    }

    /// - Parameter edit: `nil` takes the draft away.
    func write(_ edit: RequestEdit?, of reference: RequestReference) throws {
        try own.withLock { own in
            let name = name(of: reference)
            guard let edit else {
                if let own, unlink("\(own.path)/\(name)") != 0, errno != ENOENT { throw Failure(.last, own.path) }
                return
            }
            let draft = Draft(collection: absolute(reference.collection), base: edit.base, definition: edit.edited)
            let data = try JSONEncoder().encode(draft)
            do throws(SystemCallError) {
                if own == nil { own = try Folder(in: directory) }
                guard let folder = own else { return }
                try AtomicFile.write(data, to: "\(folder.path)/\(name)", mode: 0o600)
            } catch {
                throw Failure(error, directory)
            }
        }
    }

    /// The drafts of a collection: this program's, and those of programs that have ended, which are this one's from now on. Of several
    /// of one request only the first comes; the others wait. One that can't be read (of another version, say) is left alone.
    func drafts(of collection: String) -> [(RequestReference, RequestEdit)] {
        let path = absolute(collection)
        return own.withLock { own in
            func draft(_ file: String) -> Draft? {
                let draft = AtomicFile.read(file).flatMap { try? JSONDecoder().decode(Draft.self, from: Data($0)) }
                return draft?.collection == path ? draft : nil
            }
            for folder in Folder.abandoned(in: directory) {
                for name in folder.names where draft("\(folder.path)/\(name)") != nil {
                    guard let mine = own ?? (try? Folder(in: directory)) else { break }
                    own = mine
                    try? AtomicFile.move("\(folder.path)/\(name)", to: "\(mine.path)/\(name)")
                }
            }
            guard let own else { return [] }
            return own.names.compactMap { name in
                guard let draft = draft("\(own.path)/\(name)") else { return nil }
                return (
                    RequestReference(collection: collection, id: draft.definition.id),
                    RequestEdit(from: draft.base, to: draft.definition)
                )
            }
        }
    }

    /// Drafts that are left are for the next program that opens the collection.
    func leave() { own.withLock { $0 = nil } }

    /// The same for the same request in every process (FNV-1a), and nothing that a path could break out with.
    private func name(of reference: RequestReference) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(absolute(reference.collection))\u{0}\(reference.id.rawValue)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16) + ".json"
    }

    /// The same path, whichever link leads there.
    private func absolute(_ path: String) -> String {
        AtomicFile.realPath(path) ?? URL(filePath: path).standardized.path(percentEncoded: false)
    }
}

/// The drafts of one program, locked as long as this object is there.
private final class Folder: Sendable {
    let path: String
    private let lock: FileLock

    init(in directory: String) throws(SystemCallError) {
        try AtomicFile.makeDirectory(directory, mode: 0o700)
        var path: String
        var lock: FileLock?
        repeat {
            path = "\(directory)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            guard mkdir(path, 0o700) == 0 else { throw .last }
            do throws(SystemCallError) {
                lock = try FileLock(path)
            } catch {
                guard error.number == ENOENT else { throw error }
            }
            // A program that looks for abandoned drafts may have had it, and have taken it away.
        } while access(path, F_OK) != 0
        guard let lock else { throw SystemCallError(ENOENT) }
        (self.path, self.lock) = (path, lock)
    }

    private init(path: String, lock: FileLock) { (self.path, self.lock) = (path, lock) }

    /// One without drafts goes.
    deinit { rmdir(path) }

    /// Those whose programs have ended, the most recent one first.
    static func abandoned(in directory: String) -> [Folder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let folders = names.compactMap { name -> (Folder, Date)? in
            let path = "\(directory)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, let lock = try? FileLock(path, patience: .zero)
            else {
                return nil
            }
            let time = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
            return (Folder(path: path, lock: lock), Date(timeIntervalSince1970: time))
        }
        return folders.sorted { $0.1 > $1.1 }.map(\.0)
    }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }
}
