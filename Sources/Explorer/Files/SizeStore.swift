import Base

/// Where the borders stood when the explorer was left last: a small file among the program's state, readable by its owner only.
struct SizeStore {
    private let directory: String
    private var path: String { "\(directory)/sizes.json" }

    init?(stateDirectory: String?) {
        guard let stateDirectory else { return nil }
        directory = stateDirectory
    }

    /// Reads the sizes; where that fails, the designed ones.
    func load() -> Layout.AdjustmentBook {
        guard let data = FileManager.default.contents(atPath: path), data.count < 1 << 16 else { return .init() }
        return (try? JSONDecoder().decode(Layout.AdjustmentBook.self, from: data)) ?? .init()
    }

    func write(_ book: Layout.AdjustmentBook) {
        guard let data = try? JSONEncoder().encode(book) else { return }
        try? FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try? data.write(to: URL(filePath: path), options: .atomic)
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}
