import FoundationEssentials

/// A directory of a test's own, which goes away with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init(in directory: URL = FileManager.default.temporaryDirectory) throws {
        path = directory.appendingPathComponent("turnstone-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

    func file(_ name: String, _ contents: Data) throws -> String {
        try contents.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
