package import ExplorerModel
import FoundationEssentials
package import RequestCollections

/// Unsaved edits, where a crash can't reach them: one small file each, readable by their owner only.
///
/// A draft goes away when its request is saved or the edit is undone. One that is there when its collection is opened
/// becomes an unsaved edit again.
package struct DraftStore: Hashable, Sendable {
    package let directory: String

    package init(directory: String) {
        self.directory = directory
    }

    /// `$XDG_STATE_HOME/turnstone/drafts`, by default below `~/.local/state`; `nil` without a home.
    package init?(environment: [String: String]) {
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            self.init(directory: "\(state)/turnstone/drafts")
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            self.init(directory: "\(home)/.local/state/turnstone/drafts")
        } else {
            return nil
        }
    }

    private struct Draft: Codable {
        /// Absolute.
        var collection: String
        var definition: RequestDefinition
    }

    /// - Parameter definition: `nil` takes the draft away.
    package func write(_ definition: RequestDefinition?, of reference: RequestReference) throws {
        let file = URL(filePath: directory).appending(path: name(of: reference))
        guard let definition else {
            if FileManager.default.fileExists(atPath: file.path()) { try FileManager.default.removeItem(at: file) }
            return
        }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = Draft(collection: absolute(reference.collection), definition: definition)
        try JSONEncoder().encode(draft).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
    }

    /// The drafts of a collection. One that can't be read (of another version, say) is left alone.
    package func drafts(of collection: String) -> [(RequestReference, RequestDefinition)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let folder = URL(filePath: directory)
        return names.sorted().compactMap { name in
            guard name.hasSuffix(".json"), let data = try? Data(contentsOf: folder.appending(path: name)),
                let draft = try? JSONDecoder().decode(Draft.self, from: data), draft.collection == absolute(collection)
            else { return nil }
            return (RequestReference(collection: collection, id: draft.definition.id), draft.definition)
        }
    }

    /// The same for the same request in every process (FNV-1a), and nothing that a path could break out with.
    private func name(of reference: RequestReference) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(absolute(reference.collection))\u{0}\(reference.id.rawValue)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16) + ".json"
    }

    private func absolute(_ path: String) -> String { URL(filePath: path).standardized.path(percentEncoded: false) }
}
