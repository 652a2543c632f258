import Base
import RequestCollections
import Synchronization

/// Unsaved edits, where a crash can't reach them: one small file each, readable by their owner only.
///
/// A draft goes away when its request is saved or the edit is undone. One whose program has ended becomes an unsaved edit of the next
/// program that opens its collection. Drafts of a program that still runs are its own: see ``DraftFolder``.
package final class DraftStore: Sendable {
    let directory: String
    /// This program's; made with its first draft.
    private let own = Mutex<DraftFolder?>(nil)
    private let lock: DraftFolder.Lock

    convenience init(directory: String) { self.init(directory: directory, lock: flock) }

    init(directory: String, lock: @escaping DraftFolder.Lock) {
        self.directory = directory
        self.lock = lock
    }

    /// In a directory for the state of programs; `nil` without one.
    package convenience init?(stateDirectory: String?) {
        guard let stateDirectory else { return nil }
        self.init(directory: "\(stateDirectory)/drafts")
    }

    private struct Draft: Codable {
        /// Absolute.
        var collection: String
        /// `nil` in drafts of an older version, which don't say what they were made from.
        var base: RequestDefinition?
        var definition: RequestDefinition

        var edit: RequestEdit {
            // Without a base everything counts as changed: the user is asked about each difference to the file.
            RequestEdit(
                from: base ?? RequestDefinition(id: definition.id, method: "", url: "", location: definition.location),
                to: definition)
        }
    }

    /// - Parameter edit: `nil` takes the draft away.
    func write(_ edit: RequestEdit?, of reference: RequestReference) throws {
        try own.withLock { own in
            let name = name(of: reference)
            guard let edit else {
                if let own { try own.remove(name) }
                return
            }
            let draft = Draft(collection: absolute(reference.collection), base: edit.base, definition: edit.edited)
            let folder = try own ?? DraftFolder(in: directory, lock: lock)
            own = folder
            try folder.write(JSONEncoder().encode(draft), as: name)
        }
    }

    /// The drafts of a collection: this program's, and those of programs that have ended, which are this one's from now on. Of several
    /// of one request only the first comes; the others wait. One that can't be read (of another version, say) is left alone.
    func drafts(of collection: String) -> [(RequestReference, RequestEdit)] {
        let path = absolute(collection)
        return own.withLock { own in
            func draft(_ data: Data?) -> Draft? {
                let draft = data.flatMap { try? JSONDecoder().decode(Draft.self, from: $0) }
                return draft?.collection == path ? draft : nil
            }
            for folder in DraftFolder.abandoned(in: directory, lock: lock) {
                for name in folder.names where draft(folder.read(name)) != nil {
                    guard let mine = own ?? (try? DraftFolder(in: directory, lock: lock)) else { break }
                    own = mine
                    mine.adopt(name, from: folder)
                }
            }
            guard let own else { return [] }
            return own.names.compactMap { name in
                guard let draft = draft(own.read(name)) else { return nil }
                return (RequestReference(collection: collection, id: draft.definition.id), draft.edit)
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
        guard let real = realpath(path, nil) else { return URL(filePath: path).standardized.path(percentEncoded: false) }
        defer { free(real) }
        return String(cString: real)
    }
}
