import NetworkLayer

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
    ) throws(CollectionProblem) -> (edits: [SpliceEditor.Edit], expected: DesiredValue, about: YAMLNode) {
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
            var piece = try map.piece(index)
            piece.key = name
            let next = index + 1 < map.entries.count ? map.entries[index + 1].key?.text : nil
            expected.insertRequest(.copy(node), at: Array(path.dropLast()) + [name], before: next)
            return (try map.edits(inserting: [(piece, index)]), expected, node)
        case .rename(let id, let name):
            guard name != id.name else { return ([], expected, tree.root) }
            let (map, index) = try tree.place(of: id)
            expected.renameRequest(path, to: name)
            return ([map.renaming(index, to: name)], expected, map.entries[index].value)
        case .remove(let id):
            let (map, index) = try tree.place(of: id)
            expected.removeRequest(path)
            return (try map.edits(inserting: [], removing: [index]), expected, map.entries[index].value)
        case .reorder(let id, let next):
            let (map, index) = try tree.place(of: id)
            let node = map.entries[index].value
            let target = next.flatMap { map.index(of: String($0.name)) } ?? map.entries.count
            guard target != index, target != index + 1 else { return ([], expected, node) }
            expected.removeRequest(path)
            expected.insertRequest(.copy(node), at: path, before: next.map { String($0.name) })
            let after = target > 0 ? target - 1 : nil
            return (try map.edits(inserting: [(map.piece(index), after)], removing: [index]), expected, node)
        case .move(let id, let folder):
            guard folder != id.parent else { return ([], expected, tree.root) }
            let (map, index) = try tree.place(of: id)
            let node = map.entries[index].value
            let target = try tree.map(of: folder)
            expected.removeRequest(path)
            expected.insertRequest(.copy(node), at: folder.child(String(id.name)).components)
            let last = target.entries.indices.last
            let edits = try target.edits(inserting: [(map.piece(index), last)]) + map.edits(inserting: [], removing: [index])
            return (edits, expected, node)
        }
    }

    private static func adding(
        _ piece: EntryPiece, _ id: RequestID, _ tree: FileTree
    ) throws(CollectionProblem) -> (edits: [SpliceEditor.Edit], expected: DesiredValue, about: YAMLNode) {
        let map = try tree.map(of: id.parent)
        var expected = tree.shape
        let text = "x:" + piece.head + piece.lines.map { "\n" + $0 }.joined()
        let value = try YAMLDocument(path: tree.path, bytes: Array(text.utf8)).root?["x"]
        guard let value else { throw tree.editor.refusal(tree.root, "a new request can't be written here; edit the file") }
        expected.insertRequest(.copy(value), at: id.components)
        return (try map.edits(inserting: [(piece, map.entries.indices.last)]), expected, map.node ?? tree.root)
    }
}

extension RequestCollection {
    /// A change of the tree in a collection that is a directory: files come, go, and get other names.
    func directoryChange(_ edit: CollectionEdit) throws -> CollectionChange {
        var steps: [CollectionChange.Step] = []
        var remarks: [CollectionProblem] = []
        let renderer = ValueRenderer(step: 2)
        switch edit {
        case .add(let request):
            let piece = try EntryPiece(request, renderer: renderer)
            let file = try file(of: request.id)
            guard let text = piece.file(lineBreak: "\n") else { throw refusal("`\(request.id)` can't be written") }
            steps.append(.create(file, Array(text.utf8)))
        case .addFolder(let id):
            let directory = directory(of: id)
            let text = "name: \(renderer.key(String(id.name), isFlow: false))\n"
            steps += [.createDirectory(directory), .create(joined(directory, "_folder.yaml"), Array(text.utf8))]
        case .duplicate(let id, let name):
            let copy = id.parent.child(name)
            try duplicate(existing(id), from: directory(of: id), to: directory(of: copy), into: &steps)
        case .rename(let id, let name):
            guard name != id.name else { break }
            try move(id, to: id.parent.child(name), &steps, &remarks)
        case .move(let id, let folder):
            guard folder != id.parent else { break }
            try move(id, to: folder.child(String(id.name)), &steps, &remarks)
        case .remove(let id):
            try remove(existing(id), &steps)
        case .reorder: break
        }
        guard !steps.isEmpty else { return CollectionChange(steps: [], collection: self) }
        let collection = try Self.load(path: path, from: CollectionFiles(after: steps))
        return CollectionChange(steps: steps, collection: collection, remarks: remarks)
    }

    func directory(of id: RequestID?) -> String { id.map { joined(path, $0.rawValue) } ?? path }

    /// The file of a request; of one that isn't there yet, where it would be.
    private func file(of id: RequestID) throws(CollectionProblem) -> String {
        if let request = request(id) { return request.location.path }
        return directory(of: id) + ".yaml"
    }

    private func move(
        _ id: RequestID, to target: RequestID, _ steps: inout [CollectionChange.Step], _ remarks: inout [CollectionProblem]
    ) throws {
        if case .folder(let folder) = try existing(id) {
            steps.append(.move(directory(of: id), to: directory(of: target)))
            guard id.parent != target.parent else { return }
            try refuseLinks(in: .folder(folder))
            for request in requests where request.id.moved(from: folder.id, to: target) != nil {
                remarks += RelativePaths.leaving(request.location.path, try bytes(of: request.location.path))
            }
            return
        }
        let old = try file(of: id)
        if id.parent != target.parent { try refuseLink(old, id) }
        // `login.yml` stays one.
        let new = directory(of: target) + (old.hasSuffix(".yml") ? ".yml" : ".yaml")
        let bytes = try bytes(of: old)
        let moved = try RelativePaths.moving(bytes, from: old, to: new, &remarks)
        if moved == bytes {
            steps.append(.move(old, to: new))
        } else {
            steps += [.create(new, moved), .remove(old, before: bytes)]
        }
    }

    private func duplicate(
        _ node: Node, from old: String, to new: String, into steps: inout [CollectionChange.Step]
    ) throws {
        switch node {
        case .request(let request):
            let path = request.location.path
            steps.append(.create(new + (path.hasSuffix(".yml") ? ".yml" : ".yaml"), try bytes(of: path)))
        case .folder(let folder):
            steps.append(.createDirectory(new))
            let file = joined(old, "_folder.yaml")
            if files[file] != nil { steps.append(.create(joined(new, "_folder.yaml"), try bytes(of: file))) }
            for inner in folder.nodes {
                let name = String(inner.id.name)
                try duplicate(inner, from: joined(old, name), to: joined(new, name), into: &steps)
            }
        }
    }

    /// A relative link leads elsewhere from another directory.
    private func refuseLinks(in node: Node) throws {
        switch node {
        case .request(let request): try refuseLink(request.location.path, request.id)
        case .folder(let folder):
            try refuseLink(directory(of: folder.id), folder.id)
            for inner in folder.nodes { try refuseLinks(in: inner) }
        }
    }

    /// What lies behind a link isn't deleted or moved as if it lay here, and no undoing makes a link.
    private func refuseLink(_ path: String, _ id: RequestID) throws {
        guard FileContents.isLink(path) else { return }
        throw refusal("`\(id)` is a link to \(FileContents.realPath(path) ?? "what isn't there"); change the link itself: \(path)")
    }

    private func remove(_ node: Node, _ steps: inout [CollectionChange.Step]) throws {
        switch node {
        case .request(let request):
            try refuseLink(request.location.path, request.id)
            steps.append(.remove(request.location.path, before: try bytes(of: request.location.path)))
        case .folder(let folder):
            let directory = directory(of: folder.id)
            try refuseLink(directory, folder.id)
            for inner in folder.nodes { try remove(inner, &steps) }
            let file = joined(directory, "_folder.yaml")
            if files[file] != nil { steps.append(.remove(file, before: try bytes(of: file))) }
            steps.append(.removeDirectory(directory))
        }
    }
}

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
        var piece = try map.piece(index)
        if let edited = RelativePaths.edited(tree.document, node, from: old, to: new, &remarks) {
            let (map, index) = try FileTree(path: path, bytes: edited).place(of: id)
            piece = try map.piece(index)
        }
        var expected = tree.shape
        expected.removeRequest(id.components)
        let after = try tree.applying(map.edits(inserting: [], removing: [index]), expecting: expected, about: node)
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
                let now = try? YAMLDocument(path: path, bytes: Array(text.utf8)).root, DesiredValue.copy(now) == .copy(value)
            else { throw refusal("`\(id)` is written in a form that can't be a file of its own; copy it by hand") }
            return [.create(path, Array(text.utf8))]
        }
        let before = try bytes(of: path)
        let tree = try FileTree(path: path, bytes: before)
        let map = try tree.map(of: id.parent)
        var expected = tree.shape
        expected.insertRequest(.copy(value), at: id.components)
        let after = try tree.applying(
            map.edits(inserting: [(piece, map.entries.indices.last)]), expecting: expected, about: map.node ?? tree.root)
        return [.replace(path, before: before, after: after)]
    }
}
