import Base

extension FoundFile {
    /// What lies in a directory that can be opened, in the order of the names. Of long files only the beginning is looked at.
    package static func search(_ directory: String) -> [FoundFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        var found: [FoundFile] = []
        for name in names.sorted().prefix(2_000) where !name.hasPrefix(".") && found.count < 100 {
            if let kind = kind(of: name, in: directory) { found.append(FoundFile(name, kind)) }
        }
        return found
    }

    /// Whether a directory is a collection of Bruno's.
    package static func isForeign(directory: String) -> Bool {
        ["bruno.json", "opencollection.yml"].contains { FileManager.default.fileExists(atPath: "\(directory)/\($0)") }
    }

    private static func kind(of name: String, in directory: String) -> String? {
        let path = "\(directory)/\(name)"
        let small = name.lowercased()
        for (ending, kind) in [
            (".postman_collection.json", "Postman"), (".http", ".http"), (".rest", ".http"), (".hurl", "Hurl"), (".har", "HAR"),
        ] where small.hasSuffix(ending) { return kind }
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        if isDirectory {
            return isForeign(directory: path)
                ? "Bruno" : FileManager.default.fileExists(atPath: "\(path)/_collection.yaml") ? "Turnstone" : nil
        }
        guard [".json", ".yaml", ".yml"].contains(where: small.hasSuffix) else { return nil }
        // A pipe of that name isn't waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let head = String(
            decoding: [UInt8](unsafeUninitializedCapacity: 4_096) { $1 = max(0, read(file, $0.baseAddress, 4_096)) }, as: UTF8.self)
        for (sign, kind) in [
            ("openapi", "OpenAPI"), ("swagger", "OpenAPI"), ("insomnia", "Insomnia"), ("schema.getpostman.com", "Postman"),
            ("thunderclient", "Thunder Client"), ("httpie", "HTTPie"), ("turnstone:", "Turnstone"),
        ] where head.contains(sign) { return kind }
        return nil
    }
}
