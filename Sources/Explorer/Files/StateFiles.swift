import Base
import Dispatch

/// A small file among the program's state, readable by its owner only. Nothing in it is essential: what fails is passed over.
private struct StateFile {
    var path: String

    func read<Value: Decodable>(_ type: Value.Type) -> Value? {
        guard let data = AtomicFile.read(path), data.count < 1 << 20 else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(data))
    }

    func write(_ value: some Encodable) {
        guard let data = try? JSONEncoder().encode(value) else { return }
        try? AtomicFile.makeDirectory(path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }, mode: 0o700)
        try? AtomicFile.write(data, to: path, mode: 0o600, isSynced: false)
    }
}

/// Where the borders stood when the explorer was left last.
struct SizeStore {
    private let file: StateFile

    init?(stateDirectory: String?) {
        guard let stateDirectory else { return nil }
        file = StateFile(path: "\(stateDirectory)/sizes.json")
    }

    /// Reads the sizes; where that fails, the designed ones.
    func load() -> Layout.AdjustmentBook { file.read(Layout.AdjustmentBook.self) ?? .init() }

    func write(_ book: Layout.AdjustmentBook) { file.write(book) }
}

/// The environment that was chosen last in each collection, by the collections' whole paths.
struct EnvironmentStore {
    private let file: StateFile

    init?(stateDirectory: String?) {
        guard let stateDirectory else { return nil }
        file = StateFile(path: "\(stateDirectory)/environments.json")
    }

    func load() -> [String: String] { file.read([String: String].self) ?? [:] }

    func write(_ names: [String: String]) { file.write(names) }
}

/// What was found in the omnibox, how often and when.
///
/// Several explorers may run at once: what another has counted is taken in before the file is written.
final class UseStore: Sendable {
    private let file: StateFile
    private let queue: DispatchQueue

    /// - Parameter queue: where it is written.
    init?(stateDirectory: String?, queue: DispatchQueue) {
        guard let stateDirectory else { return nil }
        file = StateFile(path: "\(stateDirectory)/uses.json")
        self.queue = queue
    }

    func load() -> RecentUses { file.read(RecentUses.self) ?? RecentUses() }

    func write(_ book: RecentUses) {
        queue.async { [self] in
            var all = load()
            all.merge(book)
            file.write(all)
        }
    }
}
