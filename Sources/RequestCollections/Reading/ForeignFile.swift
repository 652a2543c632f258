import NetworkLayer

/// Another program's file, named where a collection is wanted: what stands in it isn't wrong, so it isn't read key by key.
enum ForeignFile {
    /// - Parameter root: `nil` for what is no YAML.
    /// - Returns: what to do with it; `nil` for a file that somebody wrote for Turnstone.
    static func problem(_ path: String, _ bytes: [UInt8], _ root: YAMLNode?) -> CollectionProblem? {
        guard root?["turnstone"] == nil, !hasVersion(bytes) else { return nil }
        let ending = path.pieces(at: "/").last.flatMap { $0.pieces(at: ".").dropFirst().last }.map { $0.lowercased() }
        // Standard input has no name.
        let isYAML = ending.map { ["yaml", "yml"].contains($0) } ?? true
        // Who forgets the version has requests, and who mistypes a key has others.
        if isYAML, root?.pairs == nil { return nil }
        if let root, root.pairs != nil, root["requests"] != nil || FormatTable.collection.knowsAllKeys(of: root) { return nil }
        return CollectionProblem(
            location: SourceLocation(path: path, line: 1, column: 1),
            message: "this is no collection, which begins with `turnstone: 1`; if it is another program's file, "
                + "`turnstone import \(path) -o NAME.yaml` makes a collection of it")
    }

    /// Whether a line says so: also of a collection that is no YAML as yet.
    private static func hasVersion(_ bytes: [UInt8]) -> Bool {
        bytes.split(separator: 0x0A).contains { line in
            line.drop { " \t{\"'".utf8.contains($0) }.starts(with: "turnstone".utf8)
        }
    }
}
