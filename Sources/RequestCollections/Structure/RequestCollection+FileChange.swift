extension RequestCollection {
    /// A change of the tree in a collection of one file: one step.
    func fileChange(_ edit: CollectionEdit) throws -> CollectionChange {
        let bytes = try bytes(of: path)
        let tree = try FileTree(path: path, bytes: bytes)
        let (edits, expected, about) = try Self.edits(for: edit, in: tree)
        guard !edits.isEmpty else { return CollectionChange(steps: [], collection: self) }
        let after = try tree.applying(edits, expecting: expected, about: about)
        return CollectionChange(
            steps: [.replace(path, before: bytes, after: after)], collection: Self.load(path: path, bytes: after))
    }

    private static func edits(
        for edit: CollectionEdit, in tree: FileTree
    ) throws(CollectionProblem) -> (edits: [SpliceEditor.Edit], expected: YAMLShape, about: YAMLNode) {
        var expected = tree.shape
        let path = edit.id.components
        let renderer = tree.editor.renderer
        switch edit {
        case .add(let request):
            return try adding(EntryPiece(request, renderer: renderer), request.id, tree)
        case .addFolder(let id):
            return try adding(EntryPiece(.newFolder, key: String(id.name), renderer: renderer), id, tree)
        case .duplicate(let id, let name):
            let (map, index) = try tree.place(of: id)
            let node = map.entries[index].value
            if let problem = tree.entanglement(of: node, isCopy: true, leaves: false) { throw problem }
            var piece = map.piece(index)
            piece.key = name
            let next = index + 1 < map.entries.count ? map.entries[index + 1].key?.text : nil
            expected.insert(YAMLShape(node), at: Array(path.dropLast()) + [name], before: next)
            return (try map.inserting(piece, at: index + 1, follows: true), expected, node)
        case .rename(let id, let name):
            guard name != id.name else { return ([], expected, tree.root) }
            let (map, index) = try tree.place(of: id)
            expected.rename(path, to: name)
            return ([map.renaming(index, to: name)], expected, map.entries[index].value)
        case .remove(let id):
            let (map, index) = try tree.place(of: id)
            expected.remove(path)
            return (try map.removing(index), expected, map.entries[index].value)
        case .reorder(let id, let next):
            let (map, index) = try tree.place(of: id)
            let node = map.entries[index].value
            let target = next.flatMap { map.index(of: String($0.name)) } ?? map.entries.count
            guard target != index else { return ([], expected, node) }
            expected.remove(path)
            expected.insert(YAMLShape(node), at: path, before: next.map { String($0.name) })
            return (try map.moving(index, before: target), expected, node)
        case .move(let id, let folder):
            guard folder != id.parent else { return ([], expected, tree.root) }
            let (map, index) = try tree.place(of: id)
            let node = map.entries[index].value
            let target = try tree.map(of: folder)
            expected.remove(path)
            expected.insert(YAMLShape(node), at: folder.child(String(id.name)).components)
            return (
                try target.inserting(map.piece(index), at: target.entries.count) + map.removing(index), expected, node
            )
        }
    }

    private static func adding(
        _ piece: EntryPiece, _ id: RequestID, _ tree: FileTree
    ) throws(CollectionProblem) -> (edits: [SpliceEditor.Edit], expected: YAMLShape, about: YAMLNode) {
        let map = try tree.map(of: id.parent)
        var expected = tree.shape
        let text = "x:" + piece.head + piece.lines.map { "\n" + $0 }.joined()
        let value = try YAMLDocument(path: tree.path, bytes: Array(text.utf8)).root?["x"]
        guard let value else { throw tree.editor.refusal(tree.root, "a new request can't be written here; edit the file") }
        expected.insert(YAMLShape(value), at: id.components)
        return (try map.inserting(piece, at: map.entries.count), expected, map.node ?? tree.root)
    }
}
