extension RequestCollection {
    /// What has to change on disk so that a request, or a folder, is in another collection.
    ///
    /// The target is written before the source: between the two, both have it, and nothing ever has none.
    ///
    /// - Parameter folder: of the other collection; `nil`: its own level.
    /// - Returns: the change, with this collection as ``CollectionChange/collection`` and the other one as ``CollectionChange/target``.
    /// - Throws: as ``applying(_:)`` does.
    package func moving(_ id: RequestID, into folder: RequestID?, of other: RequestCollection) throws -> CollectionChange {
        let node = try existing(id)
        try other.checkFolder(folder)
        let result = folder.child(String(id.name))
        try other.checkFree(result)
        var remarks: [CollectionProblem] = []
        if case .folder = node, !isFile || !other.isFile {
            guard !isFile, !other.isFile else {
                throw refusal(
                    "the folder `\(id)` can't go from a file to a directory or back as a whole; make the folder there, and move its requests"
                )
            }
            let steps = [CollectionChange.Step.move(directory(of: id), to: other.directory(of: result))]
            for request in requests where request.id.moved(from: id, to: id) != nil {
                remarks += RelativePaths.leaving(request.location.path, try bytes(of: request.location.path))
            }
            return try exchange(id, result, with: other, into: [], outOf: steps, remarks)
        }
        let (piece, out) = try takingOut(id, result, to: other, &remarks)
        return try exchange(id, result, with: other, into: other.takingIn(piece, result), outOf: out, remarks)
    }

    private func exchange(
        _ id: RequestID, _ result: RequestID, with other: RequestCollection, into: [CollectionChange.Step],
        outOf: [CollectionChange.Step], _ remarks: [CollectionProblem]
    ) throws -> CollectionChange {
        let rest = try CollectionChange(
            steps: outOf, collection: Self.load(path: path, from: CollectionFiles(after: outOf)), remarks: remarks
        ).takingReferences(along: .remove(id), from: self)
        let target = try Self.load(path: other.path, from: CollectionFiles(after: into + outOf))
        let before = Set(other.problems.map(\.message))
        var change = CollectionChange(
            steps: into + rest.steps, collection: rest.collection,
            remarks: rest.remarks + target.problems.filter { !before.contains($0.message) })
        change.target = target
        return change
    }

    /// The text of a request or folder, as it is in the other place, and what takes it out of this one.
    private func takingOut(
        _ id: RequestID, _ result: RequestID, to other: RequestCollection, _ remarks: inout [CollectionProblem]
    ) throws -> (EntryPiece, [CollectionChange.Step]) {
        let new = RequestCollections.directory(of: other.isFile ? other.path : other.directory(of: result))
        guard isFile else {
            guard let old = request(id)?.location.path else { throw refusal("the collection has no request `\(id)`") }
            let before = try bytes(of: old)
            let document = try YAMLDocument(path: old, bytes: before)
            guard let root = document.root else { throw refusal("the file of `\(id)` is empty") }
            let bytes =
                RelativePaths.edited(document, root, from: RequestCollections.directory(of: old), to: new, &remarks) ?? before
            let moved = try YAMLDocument(path: old, bytes: bytes)
            if let problem = try FileTree(path: old, bytes: bytes).entanglement(of: root, isCopy: false, leaves: false) {
                if other.isFile { throw problem }
            }
            guard let root = moved.root,
                let piece = EntryPiece(file: SourceText(bytes), root: root, key: String(result.name), step: other.isFile ? 2 : 0)
            else {
                throw CollectionProblem(
                    location: SourceLocation(path: old, line: 1, column: 1),
                    message: "a file of this form can't become a part of another one; copy it by hand")
            }
            return (piece, [.remove(old, before: before)])
        }
        let before = try bytes(of: path)
        let tree = try FileTree(path: path, bytes: before)
        let (map, index) = try tree.place(of: id)
        let node = map.entries[index].value
        if let problem = tree.entanglement(of: node, isCopy: false, leaves: true) { throw problem }
        let old = RequestCollections.directory(of: path)
        var piece = map.piece(index)
        if let edited = RelativePaths.edited(tree.document, node, from: old, to: new, &remarks) {
            let (map, index) = try FileTree(path: path, bytes: edited).place(of: id)
            piece = map.piece(index)
        }
        var expected = tree.shape
        expected.remove(id.components)
        let after = try tree.applying(try map.removing(index), expecting: expected, about: node)
        return (piece, [.replace(path, before: before, after: after)])
    }

    /// What puts the text of a request or folder into this collection.
    private func takingIn(_ piece: EntryPiece, _ id: RequestID) throws -> [CollectionChange.Step] {
        let lines = piece.lines(indent: 0, renderer: ValueRenderer(step: 2)).joined(separator: "\n")
        guard let root = try? YAMLDocument(path: path, bytes: Array((lines + "\n").utf8)).root, let value = root.pairs?.first?.value
        else { throw refusal("`\(id)` is written in a form that can't move to another file; copy it by hand") }
        guard isFile else {
            let path = directory(of: id) + ".yaml"
            guard let text = piece.file(lineBreak: "\n"),
                let now = try? YAMLDocument(path: path, bytes: Array(text.utf8)).root, YAMLShape(now).says(sameAs: YAMLShape(value))
            else { throw refusal("`\(id)` is written in a form that can't be a file of its own; copy it by hand") }
            return [.create(path, Array(text.utf8))]
        }
        let before = try bytes(of: path)
        let tree = try FileTree(path: path, bytes: before)
        let map = try tree.map(of: id.parent)
        var expected = tree.shape
        expected.insert(YAMLShape(value), at: id.components)
        let after = try tree.applying(
            try map.inserting(piece, at: map.entries.count), expecting: expected, about: map.node ?? tree.root)
        return [.replace(path, before: before, after: after)]
    }
}
