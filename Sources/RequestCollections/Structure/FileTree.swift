/// The tree of requests in one file, to be changed: the text, and what it says.
struct FileTree {
    let document: YAMLDocument
    let editor: SpliceEditor
    let root: YAMLNode
    let shape: YAMLShape

    init(path: String, bytes: [UInt8]) throws(CollectionProblem) {
        document = try YAMLDocument(path: path, bytes: bytes)
        editor = SpliceEditor(document)
        guard let root = document.root, root.pairs != nil else {
            throw CollectionProblem(
                location: SourceLocation(path: path, line: 1, column: 1),
                message: "the file holds no collection; it begins with `turnstone: 1` and has `requests`")
        }
        self.root = root
        shape = YAMLShape(root)
    }

    var path: String { document.path }

    /// The map of requests of a folder.
    ///
    /// - Throws: where a change of it would change other places, too.
    func map(of folder: RequestID?) throws(CollectionProblem) -> RequestsMap {
        var holder = root
        var names = folder?.components[...] ?? []
        while true {
            try requireAlone(holder)
            let map = try map(in: holder)
            guard let name = names.popFirst() else { return map }
            guard let index = map.index(of: name) else {
                throw editor.refusal(holder, "there is no `\(name)` here any more; read the collection again")
            }
            holder = map.entries[index].value
        }
    }

    /// The map of requests that stands in a value, wherever else that is meant.
    func map(in holder: YAMLNode, isChanged: Bool = true) throws(CollectionProblem) -> RequestsMap {
        let keys = try editor.entries(of: holder)
        if let entry = keys.first(where: { $0.key?.text == "requests" }) {
            if isChanged { try requireAlone(entry.value) }
            return try RequestsMap(
                entry.value.pairs == nil && !entry.value.isNull ? nil : entry.value, head: entry.head,
                column: editor.source.column(entry.start), isInFlow: holder.isFlow, in: editor)
        }
        guard let last = keys.last, !holder.isFlow else {
            throw editor.refusal(holder, "there is no `requests` here; add `requests: {}`")
        }
        return try RequestsMap(
            nil, head: editor.source.lineEnd(last.end), column: editor.source.column(last.start), isInFlow: false, in: editor)
    }

    /// The entry of a request or folder.
    func place(of id: RequestID) throws(CollectionProblem) -> (map: RequestsMap, index: Int) {
        let map = try map(of: id.parent)
        guard let index = map.index(of: String(id.name)) else {
            throw editor.refusal(root, "`\(id)` isn't here any more; read the collection again")
        }
        return (map, index)
    }

    func requireAlone(_ node: YAMLNode) throws(CollectionProblem) {
        if let alias = node.decoration?.alias {
            throw editor.refusal(node, "this is `*\(alias)`, a copy of what has the anchor `&\(alias)`; edit it there, in the file")
        }
        if let anchor = node.decoration?.anchor, document.usedAnchors.contains(anchor) {
            throw editor.refusal(
                node, "this has the anchor `&\(anchor)`, and other places would change with it; edit it in the file")
        }
    }

    /// Why a value can't stand without what is around it, or what is around it without the value.
    ///
    /// - Parameters:
    ///   - isCopy: it stays, and another one comes.
    ///   - leaves: it goes to where the anchors of this file aren't known.
    func entanglement(of node: YAMLNode, isCopy: Bool, leaves: Bool) -> CollectionProblem? {
        var inside: Set<String> = []
        var anchors: [YAMLNode] = []
        var aliases: [YAMLNode] = []
        func collect(_ node: YAMLNode) {
            if node.decoration?.alias != nil { return aliases.append(node) }
            if let anchor = node.decoration?.anchor {
                inside.insert(anchor)
                anchors.append(node)
            }
            switch node.content {
            case .scalar: break
            case .sequence(let items, _): items.forEach(collect)
            case .mapping(let pairs, _):
                for pair in pairs {
                    collect(pair.key)
                    collect(pair.value)
                }
            }
        }
        collect(node)
        if leaves, let alias = aliases.first(where: { !inside.contains($0.decoration?.alias ?? "") }) {
            return editor.refusal(
                alias, "`*\(alias.decoration?.alias ?? "")` means something elsewhere in this file; write it out before this moves")
        }
        if let anchor = anchors.first(where: { document.usedAnchors.contains($0.decoration?.anchor ?? "") }) {
            let name = anchor.decoration?.anchor ?? ""
            return editor.refusal(
                anchor,
                isCopy
                    ? "a copy of the anchor `&\(name)` would take its name from it; write out what `*\(name)` stands for first"
                    : "other places mean this by `*\(name)`; write it out there first")
        }
        return nil
    }

    /// The new bytes, when they say what they should.
    ///
    /// - Parameter node: what the change is about, for the sentence.
    func applying(
        _ edits: [SpliceEditor.Edit], expecting expected: YAMLShape, about node: YAMLNode
    ) throws(CollectionProblem) -> [UInt8] {
        if let after = editor.source.applying(edits), let root = try? YAMLDocument(path: path, bytes: after).root,
            YAMLShape(root).says(sameAs: expected)
        {
            return after
        }
        throw entanglement(of: node, isCopy: false, leaves: false)
            ?? editor.refusal(
                node, "this is written in a form that can't be moved without changing more than it; edit it in the file")
    }
}
