import Base
import Interchange

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
            (".postman_collection.json", ImportKind.postman), (".http", .http), (".rest", .http), (".hurl", .hurl), (".har", .har),
        ] where small.hasSuffix(ending) { return kind.title }
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        if isDirectory {
            return isForeign(directory: path)
                ? ImportKind.bruno.title : FileManager.default.fileExists(atPath: "\(path)/_collection.yaml") ? "Turnstone" : nil
        }
        guard [".json", ".yaml", ".yml"].contains(where: small.hasSuffix) else { return nil }
        // A pipe of that name isn't waited for.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let head = String(
            decoding: [UInt8](unsafeUninitializedCapacity: 4_096) { $1 = max(0, read(file, $0.baseAddress, 4_096)) }, as: UTF8.self)
        for (sign, kind) in [
            ("insomnia.rest/", ImportKind.insomnia), ("\"__export_source\": \"insomnia", .insomnia),
            ("schema.getpostman.com", .postman), ("\"Thunder Client\"", .thunder), ("\"httpie\"", .httpie),
        ] where head.contains(sign) { return kind.title }
        if hasMember("openapi", head) || hasMember("swagger", head) { return ImportKind.openapi.title }
        return hasMember("turnstone", head) ? "Turnstone" : nil
    }

    /// Whether a line of JSON or YAML begins with a member of this name: a package that merely depends on one has no such line.
    private static func hasMember(_ name: String, _ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let line = line.drop { $0 == "{" || $0 == " " || $0 == "\t" }
            return line.hasPrefix("\(name):") || line.hasPrefix("\"\(name)\":")
        }
    }
}
