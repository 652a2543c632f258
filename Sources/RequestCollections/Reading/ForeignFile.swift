import NetworkLayer

/// Another program's file, named where a collection is wanted: what stands in it isn't wrong, so it isn't read key by key.
enum ForeignFile {
    /// - Parameter root: `nil` for what is no YAML.
    /// - Returns: what to do with it; `nil` for a file that somebody wrote for Turnstone.
    static func problem(_ path: String, _ bytes: [UInt8], _ root: YAMLNode?) -> CollectionProblem? {
        let ending = path.pieces(at: "/").last.flatMap { $0.pieces(at: ".").dropFirst().last }.map { $0.lowercased() }
        let isYAML = ending.map { ["yaml", "yml"].contains($0) } ?? false
        let isStandardInput = path == "-"
        if let root {
            guard root.pairs == nil ? !isYAML : !isMeantAsCollection(root) else { return nil }
        } else if isYAML || isStandardInput || hasVersion(bytes) {
            return nil
        }
        return problem(
            path,
            "this is no collection, which begins with `turnstone: 1`; if it is another program's file, "
                + "`turnstone import \(isStandardInput ? "FILE" : path.shellWord) -o NAME.yaml` makes a collection of it")
    }

    static func problem(_ path: String, _ message: String) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message)
    }

    /// Whether somebody who mistyped a key, or forgot the version, could have written these keys.
    private static func isMeantAsCollection(_ root: YAMLNode) -> Bool {
        let known = FormatTable.collection.keys.map(\.name)
        // A collection has fewer keys, and comparing every key of a long file would take seconds.
        let names = (root.pairs ?? []).prefix(64).map { pair in
            pair.key.text.flatMap { known.contains($0) ? $0 : nearestName(to: $0, in: known) }.map { ($0, pair.value) }
        }
        // Other programs have a list of requests.
        let hasRequests = names.contains { $0.map { $0.0 == "requests" && ($0.1.pairs != nil || $0.1.isNull) } ?? false }
        return hasRequests || names.contains { $0?.0 == "turnstone" } || names.allSatisfy { $0 != nil }
    }

    /// Whether a line says so: also of a collection that is no YAML as yet.
    private static func hasVersion(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { line in
            let key = line.drop { " \t{\"'".utf8.contains($0) }
            return key.starts(with: "turnstone".utf8) && key.dropFirst(9).first { !" \t\"'".utf8.contains($0) } == UInt8(ascii: ":")
        }
    }
}
