import NetworkLayer

extension CollectionUpdate {
    /// The steps for a collection in a directory, which name each file once.
    func directorySteps(_ merge: UpdateMerge) throws -> [CollectionChange.Step] {
        let plan = merge.plan
        let writer = CollectionWriter(merge.theirs)
        let main = joined(mine.path, RequestCollection.mainFile)
        let lineBreak = old.documents[main].map { SourceText($0.bytes).lineBreak } ?? "\n"
        var steps: [CollectionChange.Step] = []
        var last: [CollectionChange.Step] = []
        try head(nil, main, merge, try writer.head(), lineBreak, &steps)
        for node in plan.theirs.nodes {
            guard let place = plan.places[node.id] else { continue }
            let path = joined(mine.path, place.rawValue)
            if node.isFolder {
                if plan.added.contains(node.id), !FileContents.isDirectory(path) { steps.append(.createDirectory(path)) }
                let folder = writer.folder(node.id)
                let entries = try folder.map { folder throws(CollectionProblem) in try writer.head(of: folder) } ?? []
                if plan.added.contains(node.id) || plan.matching.mine(of: node.id) != nil {
                    try head(place, joined(path, "_folder.yaml"), merge, entries, lineBreak, &steps)
                }
            } else if plan.added.contains(node.id), let file = node.file, let document = plan.theirs.documents[file] {
                steps.append(.create(path + ".yaml", Self.bytes(document, lineBreak)))
            }
        }
        for node in old.nodes where !node.isFolder {
            guard let file = node.file, let document = old.documents[file] else { continue }
            if plan.removed.contains(node.id) {
                last.append(.remove(file, before: document.bytes))
                continue
            }
            let after = try bytes(of: node, document, merge, lineBreak)
            if let place = plan.moved[node.id] {
                let new = joined(mine.path, place.rawValue) + (file.hasSuffix(".yml") ? ".yml" : ".yaml")
                last += [.create(new, after), .remove(file, before: document.bytes)]
            } else if after != document.bytes {
                steps.append(.replace(file, before: document.bytes, after: after))
            }
        }
        for node in old.nodes.reversed() where node.isFolder && plan.removed.contains(node.id) {
            let directory = joined(mine.path, node.id.rawValue)
            if let file = node.file, let document = old.documents[file] {
                last.append(.remove(file, before: document.bytes))
            }
            last.append(.removeDirectory(directory))
        }
        return steps + last
    }

    private static func bytes(_ document: YAMLDocument, _ lineBreak: String) -> [UInt8] {
        guard lineBreak != "\n" else { return document.bytes }
        return Array(SourceText(document.bytes).lines(0..<document.bytes.count).joined(separator: lineBreak).utf8)
    }

    private func bytes(
        of node: UpdateSide.Node, _ document: YAMLDocument, _ merge: UpdateMerge, _ lineBreak: String
    ) throws(CollectionProblem) -> [UInt8] {
        switch merge.texts[node.id] {
        case nil: return document.bytes
        case .new(let id)?:
            guard let file = merge.plan.theirs[id]?.file, let new = merge.plan.theirs.documents[file] else { return document.bytes }
            let after = Self.bytes(new, SourceText(document.bytes).lineBreak)
            return document.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] + after : after
        case .merged(let value)?: return try spliced(document, value)
        }
    }

    private func spliced(_ document: YAMLDocument, _ value: DesiredValue) throws(CollectionProblem) -> [UInt8] {
        guard let root = document.root else { return document.bytes }
        var editor = SpliceEditor(document)
        try editor.update(root, to: value, at: .init(head: editor.source.start(of: root), indent: 0, isFlow: root.isFlow))
        guard let after = editor.source.applying(editor.edits) else {
            throw editor.refusal(root, "this has a form that can't be merged in place; nothing was written")
        }
        return after
    }

    /// What a folder says in its own file, and the order of what is in it.
    private func head(
        _ id: RequestID?, _ file: String, _ merge: UpdateMerge, _ entries: CollectionWriter.Entries, _ lineBreak: String,
        _ steps: inout [CollectionChange.Step]
    ) throws {
        let wanted = merge.plan.slots(in: id).map { String($0.id.name) }
        let order = merge.plan.order(in: id)?.map { String($0.name) } ?? wanted
        let document = old.documents[file]
        let root = document?.root
        let own = root?["order"]?.items?.compactMap(\.text)
        // Files are read by their names, endings included.
        let sorted = order.sorted { name(id, $0, merge) < name(id, $1, merge) }
        let ranks = Dictionary(zip(own ?? [], 0...), uniquingKeysWith: { first, _ in first })
        let shown = sorted.enumerated().sorted { left, right in
            let (a, b) = (ranks[left.element] ?? .max, ranks[right.element] ?? .max)
            return a == b ? left.offset < right.offset : a < b
        }.map(\.element)
        let needsOrder = shown != order && (own != nil || Self.hasOrder(id, merge.plan))
        guard let document, let root else {
            let isNew = id.map { merge.plan.mine[$0] == nil } ?? false
            var all = isNew || merge.texts[id] != nil ? entries : []
            if needsOrder { all.append(("order", .texts(order))) }
            guard !all.isEmpty || isNew && order.isEmpty else { return }
            let text = CollectionWriter(merge.theirs).text(all.isEmpty ? [("name", .scalar(String(id?.name ?? ""), .text))] : all)
            steps.append(.create(file, Array(text.replacing(scalars: "\n", with: lineBreak).utf8)))
            return
        }
        var value = DesiredValue.map(
            (root.pairs ?? []).enumerated().map { DesiredEntry(source: $0, key: $1.key.text ?? "", value: .keep($1.value)) }, .block
        )
        if case .merged(let merged)? = merge.texts[id] { value = merged }
        if needsOrder, case .map(var all, let layout) = value {
            let items = root["order"]?.items ?? []
            let sources = DefinitionDifference.match(own ?? [], order)
            let list = DesiredValue.list(
                zip(order, sources).map { name, source in
                    let isSame = source.map { items[$0].text == name } ?? false
                    return DesiredEntry(
                        source: source, key: "", value: isSame ? .keep(items[source ?? 0]) : .scalar(name, .text))
                }, .automatic)
            if let index = all.firstIndex(where: { $0.key == "order" }) {
                all[index].value = list
            } else {
                all.append(DesiredEntry(source: nil, key: "order", value: list))
            }
            value = .map(all, layout)
        }
        let after = try spliced(document, value)
        if after != document.bytes { steps.append(.replace(file, before: document.bytes, after: after)) }
    }

    /// Whether the import says an order for a folder.
    private static func hasOrder(_ id: RequestID?, _ plan: UpdatePlan) -> Bool {
        guard let id else { return plan.theirs.root["order"] != nil }
        return plan.theirs.nodes.contains { $0.isFolder && plan.places[$0.id] == id && $0.value["order"] != nil }
    }

    /// The name of an entry's file.
    private func name(_ folder: RequestID?, _ name: String, _ merge: UpdateMerge) -> String {
        let id = folder.child(name)
        if let own = merge.plan.mine[id] {
            guard !own.isFolder else { return name }
            return own.file?.split(separator: "/").last.map(String.init) ?? name + ".yaml"
        }
        let isFolder = merge.plan.theirs.nodes.contains { $0.isFolder && merge.plan.places[$0.id] == id }
        return isFolder ? name : name + ".yaml"
    }
}
