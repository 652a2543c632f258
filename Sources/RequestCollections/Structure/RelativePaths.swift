/// The paths in a request that are relative to its file, when it goes to another directory.
enum RelativePaths {
    /// The bytes with the paths as they are from the new place. What can't follow becomes a remark.
    static func moving(
        _ bytes: [UInt8], from old: String, to new: String, _ remarks: inout [CollectionProblem]
    ) throws(CollectionProblem) -> [UInt8] {
        guard directory(of: old) != directory(of: new), let document = try? YAMLDocument(path: old, bytes: bytes),
            let root = document.root
        else { return bytes }
        return edited(document, root, from: directory(of: old), to: directory(of: new), &remarks) ?? bytes
    }

    /// - Returns: `nil` when nothing changes.
    static func edited(
        _ document: YAMLDocument, _ node: YAMLNode, from old: String, to new: String, _ remarks: inout [CollectionProblem]
    ) -> [UInt8]? {
        guard old != new else { return nil }
        var editor = SpliceEditor(document)
        var found: [(node: YAMLNode, isPath: Bool)] = []
        collect(node, under: [], &found)
        for (scalar, isPath) in found {
            guard let text = scalar.text else { continue }
            guard isPath, !Template.isIn(text), scalar.decoration == nil,
                case .scalar(_, let style) = scalar.content, style != .literal, style != .folded
            else {
                if !isPath || !text.hasPrefix("/") { remarks.append(remark(scalar, in: document.path)) }
                continue
            }
            guard !text.hasPrefix("/"), !text.hasPrefix("~"), !text.isEmpty else { continue }
            let path = relative(joined(old, text), to: new)
            guard case .inline(let written) = ScalarWriter.write(path, .text, style: style, isFlow: true) else { continue }
            editor.replace(editor.source.start(of: scalar)..<editor.source.offset(scalar.end), with: written)
        }
        guard !editor.edits.isEmpty else { return nil }
        return editor.source.applying(editor.edits)
    }

    /// Values that are read as paths, and templates that read files or run programs.
    private static func collect(_ node: YAMLNode, under keys: [String], _ found: inout [(node: YAMLNode, isPath: Bool)]) {
        if node.decoration?.alias != nil { return }
        switch node.content {
        case .scalar(let text, _):
            let isPath =
                switch keys.count {
                case _ where keys.last == "schema" || keys.last == "contract": keys.first == "expect" || keys.first == "until"
                case _ where keys.first == "messages": keys == ["messages", "send", "file"] || keys.last == "schema"
                case 1: keys == ["graphql-schema"] || keys == ["unix-socket"]
                case 2: Self.pairs.contains(keys)
                case 3: keys == ["body", "graphql", "file"] || keys[0] == "for-each" && keys[2] == "file"
                case 4:
                    keys.starts(with: ["body", "multipart"]) && keys[3] == "file"
                        || keys.starts(with: ["body", "graphql", "files"])
                default: false
                }
            if isPath {
                found.append((node, true))
            } else if keys.first == "hydrate" ? text.contains("./") : Template.isIn(text) && asksFiles(text) {
                found.append((node, false))
            }
        // An item of a loop stands for itself, whatever its members are called.
        case .sequence where keys.count == 2 && keys[0] == "for-each": break
        case .sequence(let items, _): for item in items { collect(item, under: keys, &found) }
        case .mapping(let pairs, _):
            for pair in pairs { collect(pair.value, under: keys + [pair.key.text ?? ""], &found) }
        }
    }

    private static let pairs = [
        ["body", "file"], ["mock", "file"], ["response", "save"], ["tls", "ca"], ["tls", "certificate"], ["tls", "key"],
    ]

    private static func asksFiles(_ text: String) -> Bool { text.contains("file(") || text.contains("command(") }

    /// A remark for each path that leads out of a folder which moves as a whole.
    static func leaving(_ path: String, _ bytes: [UInt8]) -> [CollectionProblem] {
        guard let root = try? YAMLDocument(path: path, bytes: bytes).root else { return [] }
        var found: [(node: YAMLNode, isPath: Bool)] = []
        collect(root, under: [], &found)
        return found.filter { $0.node.text?.contains("../") ?? false }.map { remark($0.node, in: path) }
    }

    private static func remark(_ node: YAMLNode, in path: String) -> CollectionProblem {
        CollectionProblem(
            location: node.location(in: path),
            message: "`\((node.text ?? "").prefix(60))` is relative to the file, which is in another directory now")
    }

    /// The way from a directory to a file, both from the same root.
    private static func relative(_ path: String, to directory: String) -> String {
        var path = normalized(path)
        var directory = normalized(directory)
        while let first = path.first, path.count > 1, first == directory.first {
            path.removeFirst()
            directory.removeFirst()
        }
        return (directory.map { _ in ".." } + path).joined(separator: "/")
    }

    private static func normalized(_ path: String) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/").map(String.init) where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return parts
    }
}
