import Base
import Dispatch

/// What was found in the omnibox, how often and when: a small file among the program's state, readable by its owner only.
///
/// Several explorers may run at once: what another has counted is taken in before the file is written.
final class UseStore: Sendable {
    private let path: String
    private let queue: DispatchQueue

    /// - Parameter queue: where it is written.
    init?(stateDirectory: String?, queue: DispatchQueue) {
        guard let stateDirectory else { return nil }
        path = "\(stateDirectory)/uses.json"
        self.queue = queue
    }

    /// Empty when the file can't be read: nothing in it is essential.
    func load() -> RecentUses {
        guard let data = FileManager.default.contents(atPath: path), data.count < 1 << 20 else { return RecentUses() }
        return (try? JSONDecoder().decode(RecentUses.self, from: data)) ?? RecentUses()
    }

    func write(_ book: RecentUses) {
        queue.async { [self] in
            var all = load()
            all.merge(book)
            guard let data = try? JSONEncoder().encode(all) else { return }
            let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
            try? FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try? data.write(to: URL(filePath: path), options: .atomic)
            try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }
}
