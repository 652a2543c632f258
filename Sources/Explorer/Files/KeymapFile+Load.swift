import Base

extension KeymapFile {
    /// The file of a user; `nil`: there is none.
    ///
    /// - Parameter name: for problems, in place of the path.
    package static func load(path: String, named name: String? = nil) -> KeymapFile? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            var file = KeymapFile("", path: name ?? path)
            file.report("can't be read", line: nil)
            return file
        }
        return KeymapFile(String(decoding: data, as: UTF8.self), path: name ?? path)
    }
}
