import NetworkLayer

/// One of the sides of an update: a collection's tree as it stands in its files.
struct UpdateSide {
    struct Node {
        var id: RequestID
        var isFolder: Bool
        /// For a folder: what it says beside its requests, too.
        var value: YAMLNode
        var digest: ValueDigest
        /// The digest of its text with its comments, wherever it stands. Of a folder: `""`.
        var text: String
        /// Whether comments stand directly above it.
        var isCommented = false
        /// Its file, in a directory; `nil` where it has none.
        var file: String?
        /// Where it is in its file.
        var index = 0
    }

    /// Each folder before what is in it, in the collection's order.
    private(set) var nodes: [Node] = []
    private(set) var indices: [RequestID: Int] = [:]
    private(set) var children: [RequestID?: [RequestID]] = [:]
    /// What the collection says beside its requests.
    private(set) var root: YAMLNode
    private(set) var head: ValueDigest
    /// The tree of a collection in one file.
    private(set) var tree: FileTree?
    private(set) var maps: [RequestID?: RequestsMap] = [:]
    /// The files of a directory, by path.
    private(set) var documents: [String: YAMLDocument] = [:]

    subscript(_ id: RequestID) -> Node? { indices[id].map { nodes[$0] } }

    private mutating func append(_ node: Node) {
        indices[node.id] = nodes.count
        nodes.append(node)
        children[node.id.parent, default: []].append(node.id)
    }
}

extension UpdateSide {
    /// A collection that has no bytes yet.
    init(new collection: RequestCollection, _ form: RequestCollection.Form) throws(CollectionProblem) {
        let writer = CollectionWriter(collection)
        switch form {
        case .file: try self.init(FileTree(path: collection.path, bytes: Array(try writer.file().utf8)))
        case .directory:
            var documents: [String: YAMLDocument] = [:]
            for case .file(let path, let text) in try writer.directory() {
                documents[path] = try YAMLDocument(path: path, bytes: Array(text.utf8))
            }
            self.init(collection, documents)
        }
    }

    // MARK: A file

    init(_ tree: FileTree) throws(CollectionProblem) {
        self.tree = tree
        root = tree.root
        head = ValueDigest(tree.root, .collection)
        try walk(tree.root, under: nil)
    }

    private mutating func walk(_ holder: YAMLNode, under parent: RequestID?) throws(CollectionProblem) {
        guard let tree else { return }
        let map = try tree.map(in: holder, isChanged: false)
        maps[parent] = map
        for (index, entry) in map.entries.enumerated() {
            let isFolder = entry.value.has("requests")
            let id = parent.child(entry.key?.text ?? "")
            append(
                Node(
                    id: id, isFolder: isFolder, value: entry.value,
                    digest: ValueDigest(entry.value, isFolder ? .folder : .request),
                    text: isFolder ? "" : ValueDigest.digest(of: Array(map.text(index).utf8)),
                    isCommented: map.isCommented(index), index: index))
            if isFolder { try walk(entry.value, under: id) }
        }
    }

    // MARK: A directory

    /// - Parameter documents: the files, by path.
    init(_ collection: RequestCollection, _ documents: [String: YAMLDocument]) {
        self.documents = documents
        let mark = YAMLMark(index: 0, line: 0, column: 0)
        let nothing = YAMLNode(content: .mapping([], isFlow: false), start: mark, end: mark)
        root = documents[joined(collection.path, RequestCollection.mainFile)]?.root ?? nothing
        head = ValueDigest(root, .collection)
        func walk(_ nodes: [RequestCollection.Node]) {
            for node in nodes {
                switch node {
                case .request(let request):
                    // A new request has no place yet.
                    let known = request.location.path
                    let file = documents[known] == nil ? joined(collection.path, request.id.rawValue + ".yaml") : known
                    let document = documents[file]
                    let value = document?.root ?? nothing
                    append(
                        Node(
                            id: request.id, isFolder: false, value: value, digest: ValueDigest(value, .request),
                            text: Self.text(document?.bytes ?? []), file: file))
                case .folder(let folder):
                    let file = joined(joined(collection.path, folder.id.rawValue), "_folder.yaml")
                    let value = documents[file]?.root ?? nothing
                    append(
                        Node(
                            id: folder.id, isFolder: true, value: value, digest: ValueDigest(value, .folder), text: "",
                            file: documents[file] == nil ? nil : file))
                    walk(folder.nodes)
                }
            }
        }
        walk(collection.nodes)
    }

    /// The files of a directory as they are.
    static func documents(of collection: RequestCollection, from files: CollectionFiles) throws -> [String: YAMLDocument] {
        var documents: [String: YAMLDocument] = [:]
        for path in collection.files.keys.sorted() {
            // What isn't YAML is a problem of the collection, and nothing of it changes.
            documents[path] = try? YAMLDocument(path: path, bytes: files.read(path))
        }
        return documents
    }

    /// - Returns: the same digest with either kind of line break, and with a byte order mark.
    private static func text(_ bytes: [UInt8]) -> String {
        var bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if bytes.contains(0x0D) { bytes = Array(SourceText(bytes).lines(0..<bytes.count).joined(separator: "\n").utf8) }
        return ValueDigest.digest(of: bytes)
    }
}

extension RequestsMap {
    /// What an entry says, comments below its key included, as it would stand at the left margin.
    func text(_ index: Int) -> String {
        let entry = entries[index]
        guard node?.isFlow != true, !isInFlow else { return "{" + source.text(entry.start..<entry.end) }
        let column = source.column(entry.start)
        let lines = source.lines(entry.head..<extents[index].upperBound)
        return lines[0] + lines.dropFirst().map { "\n" + $0.dropFirst(min(column, $0.prefix { $0 == " " }.count)) }.joined()
    }

    func isCommented(_ index: Int) -> Bool {
        node?.isFlow != true && extents[index].lowerBound < source.lineStart(entries[index].start)
    }
}
