import NetworkLayer

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
