import Base

/// The demo collection and the themes, which the program carries in itself: `make embedded` packs them, a line `=== BYTES PATH` before
/// the bytes of each file.
enum EmbeddedFiles {
    /// - Parameter folder: `Themes/`.
    /// - Returns: what lies in the folder, by the paths from there on.
    static func files(in folder: String) -> [(path: String, bytes: ArraySlice<UInt8>)] {
        var files: [(path: String, bytes: ArraySlice<UInt8>)] = []
        var rest = PackageResources.share_pack[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ", maxSplits: 2)
            guard head.count == 3, let count = Int(head[1]) else { break }
            rest = rest[(end + 1)...]
            if head[2].hasPrefix(folder) { files.append((String(head[2].dropFirst(folder.count)), rest.prefix(count))) }
            rest = rest.dropFirst(count)
        }
        return files
    }

    /// The texts of the themes by their paths.
    static var themes: [(path: String, text: String)] {
        files(in: "Themes/").map { ("Themes/\($0.path)", String(decoding: $0.bytes, as: UTF8.self)) }
    }
}

/// The demo collection in a folder for this run alone: what is changed in it is thrown away with it.
struct DemoCopy {
    /// The collection.
    let path: String
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "turnstone-demo-\(UUID().uuidString)").path()
        path = "\(folder)/demo"
        for file in EmbeddedFiles.files(in: "Collections/demo/") {
            let target = URL(filePath: "\(path)/\(file.path)")
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(file.bytes).write(to: target)
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
}
