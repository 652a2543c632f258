/// A YAML file in a directory that its name keeps from being a request or a collection, so that nobody would miss it.
struct PassedOverFile {
    var path: String
    private let name: String
    private let reason: String
    private let better: String

    /// - Returns: `nil` for a file that is read, and for one that nobody can have meant for a request.
    init?(_ path: String, name: String) {
        let parts = name.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count > 1, !parts[0].isEmpty, let ending = parts.last, ["yaml", "yml"].contains(ending.lowercased()),
            !["_collection.yaml", "_folder.yaml"].contains(name)
        else { return nil }
        let stem = parts.dropLast().joined(separator: "-")
        let head = stem.lowercased()
        if ["_collection", "_folder"].contains(head) {
            (reason, better) = ("that name ends in `.yaml`", "\(head).yaml")
        } else if stem.hasPrefix("_") {
            let rest = String(stem.unicodeScalars.drop { $0 == "_" })
            (reason, better) = ("its name begins with `_`", "\(rest.isEmpty ? "request" : rest).\(ending.lowercased())")
        } else if parts.count > 2 {
            (reason, better) = ("there is another dot in its name", "\(stem).\(ending.lowercased())")
        } else if ending != ending.lowercased() {
            (reason, better) = ("its name ends in `.\(ending)`", "\(stem).\(ending.lowercased())")
        } else {
            return nil
        }
        self.path = path
        self.name = name
    }

    /// Whether one of these files names it, such as for its body: then it is where it belongs. A template may stand before a dot of it.
    func isNamed(in contents: [[UInt8]]) -> Bool {
        let names = [name] + name.unicodeScalars.indices.filter { name.unicodeScalars[$0] == "." }.map { "}}\(name[$0...])" }
        return contents.contains { bytes in names.contains { bytes.firstRange(of: Array($0.utf8)) != nil } }
    }

    /// - Parameter kind: what it would be.
    func warning(_ kind: String) -> CollectionProblem {
        CollectionProblem(
            location: SourceLocation(path: path, line: 1, column: 1),
            message: "this file isn't read as \(kind), since \(reason); rename it, such as to `\(better)`")
    }
}

extension RequestCollection {
    /// A warning for each file of a directory of collections that would be one, if its name didn't keep it from that.
    package static func passedOver(at path: String) -> [CollectionProblem] {
        guard FileContents.isDirectory(path), !FileContents.exists(joined(path, "_collection.yaml")),
            let entries = try? FileContents.list(path)
        else { return [] }
        return entries.compactMap { entry in
            let inside = joined(path, entry.name)
            guard !entry.isDirectory, let file = PassedOverFile(inside, name: entry.name),
                let bytes = try? CollectionFiles.onDisk.read(inside),
                bytes.split(separator: 0x0A).contains(where: { $0.starts(with: "turnstone:".utf8) })
            else { return nil }
            return file.warning("a collection")
        }
    }
}
