import FoundationEssentials

@testable import NetworkMonitor

/// The kernel's files, in a folder of their own.
struct FixtureMachine {
    let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "turnstone-monitor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    var files: SystemFiles { SystemFiles(root: root.path) }

    func write(_ text: String, to path: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func plugIn(_ name: String, carrier: String? = nil, isWireless: Bool = false) throws {
        let folder = "sys/class/net/\(name)"
        try write("up\n", to: "\(folder)/operstate")
        try write("1\n", to: "\(folder)/type")
        if let carrier { try write("\(carrier)\n", to: "\(folder)/carrier") }
        if isWireless { try write("", to: "\(folder)/wireless/level") }
    }

    /// Makes it the only default route.
    func route(over name: String) throws {
        try write("Iface\n\(name)\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n", to: "proc/net/route")
    }

    func remove() { try? FileManager.default.removeItem(at: root) }
}
