import NetworkLayer

/// The tree of requests in one file, to be changed: the text, and what it says.
struct FileTree {
    let document: YAMLDocument
    let editor: SpliceEditor
    let root: YAMLNode

    init(path: String, bytes: [UInt8]) throws(CollectionProblem) {
        document = try YAMLDocument(path: path, bytes: bytes)
        editor = SpliceEditor(document)
        guard let root = document.root, root.pairs != nil else {
            throw CollectionProblem(
                location: SourceLocation(path: path, line: 1, column: 1),
                message: "the file holds no collection; it begins with `turnstone: 1` and has `requests`")
        }
        self.root = root
    }

    var path: String { document.path }

    /// What the file says.
    var shape: DesiredValue { .copy(root) }

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
        _ edits: [SpliceEditor.Edit], expecting expected: DesiredValue, about node: YAMLNode
    ) throws(CollectionProblem) -> [UInt8] {
        if let after = editor.source.applying(edits), let root = try? YAMLDocument(path: path, bytes: after).root,
            DesiredValue.copy(root) == expected
        {
            return after
        }
        throw entanglement(of: node, isCopy: false, leaves: false)
            ?? editor.refusal(
                node, "this is written in a form that can't be moved without changing more than it; edit it in the file")
    }
}

extension DesiredValue {
    /// Changes the map of requests of a folder; `[]`: of the file.
    private mutating func editRequests(_ folder: ArraySlice<String>, _ change: (inout [DesiredEntry]) -> Void) {
        guard case .map(var pairs, let layout) = self else { return }
        let index = pairs.firstIndex { $0.key == "requests" } ?? pairs.count
        if index == pairs.count { pairs.append(DesiredEntry(source: nil, key: "requests", value: .map([], .flow))) }
        var entries: [DesiredEntry] = []
        if case .map(let old, _) = pairs[index].value { entries = old }
        if let name = folder.first {
            guard let inner = entries.firstIndex(where: { $0.key == name }) else { return }
            entries[inner].value.editRequests(folder.dropFirst(), change)
        } else {
            change(&entries)
        }
        pairs[index].value = .map(entries, .block)
        self = .map(pairs, layout)
    }

    mutating func removeRequest(_ path: [String]) {
        editRequests(path.dropLast()) { entries in entries.removeAll { $0.key == path.last } }
    }

    /// - Parameter next: the name of the entry that it comes before; `nil`: at the end.
    mutating func insertRequest(_ value: DesiredValue, at path: [String], before next: String? = nil) {
        editRequests(path.dropLast()) { entries in
            let index = entries.firstIndex { $0.key == next } ?? entries.count
            entries.insert(DesiredEntry(source: nil, key: path.last ?? "", value: value), at: index)
        }
    }

    mutating func renameRequest(_ path: [String], to name: String) {
        editRequests(path.dropLast()) { entries in
            for index in entries.indices where entries[index].key == path.last { entries[index].key = name }
        }
    }
}

/// The text of a request or folder, taken out of its file: to be put in elsewhere, as deep as it has to be there.
struct EntryPiece: Hashable {
    /// The lines directly above it, without their indentation.
    var comments: [String] = []
    var key: String
    /// Behind the colon, up to the end of the line.
    var head: String
    /// The lines below, as they are relative to the key's column.
    var lines: [String] = []

    /// The lines of the entry in a block map.
    func lines(indent: Int, renderer: ValueRenderer) -> [String] {
        let prefix = String(repeating: " ", count: indent)
        return comments.map { $0.isEmpty ? "" : prefix + $0 } + [prefix + renderer.key(key, isFlow: false) + ":" + head]
            + lines.map { $0.isEmpty ? "" : prefix + $0 }
    }

    /// The text of a file of its own; `nil` if the entry has a form that isn't possible there.
    func file(lineBreak: String) -> String? {
        let trimmed = String(head.drop { $0 == " " })
        var body = lines
        var above = comments
        if trimmed.isEmpty || trimmed.hasPrefix("#") {
            if !trimmed.isEmpty { above.append(trimmed) }
            guard let first = body.first(where: { !$0.isEmpty && !$0.drop { $0 == " " }.hasPrefix("#") }) else { return nil }
            let depth = first.prefix { $0 == " " }.count
            body = body.map { line in String(line.dropFirst(min(depth, line.prefix { $0 == " " }.count))) }
        } else if trimmed.hasPrefix("{") {
            body.insert(trimmed, at: 0)
        } else {
            return nil
        }
        return (above + body).joined(separator: lineBreak) + lineBreak
    }

    /// A request's file as entry of a map; `nil` for a form that has no place there: directives, several documents.
    init?(file source: SourceText, root: YAMLNode, key: String, step: Int) {
        var text = source.text(0..<source.bytes.count).replacing(scalars: "\r\n", with: "\n")
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        var lines = text.pieces(at: "\n").map(String.init)
        while lines.last?.allSatisfy({ $0 == " " }) == true { lines.removeLast() }
        var comments: [String] = []
        while let line = lines.first,
            line.allSatisfy({ $0 == " " }) || line.drop(while: { $0 == " " }).hasPrefix("#") || line == "---"
        {
            if line != "---" { comments.append(String(line.drop { $0 == " " })) }
            lines.removeFirst()
        }
        while comments.first?.isEmpty == true { comments.removeFirst() }
        guard let first = lines.first, !first.hasPrefix("%"), !first.hasPrefix("--- "), !lines.contains("..."),
            root.decoration == nil, root.pairs != nil
        else { return nil }
        self.key = key
        self.comments = comments
        if root.isFlow {
            head = " " + first
            self.lines = Array(lines.dropFirst())
        } else {
            let depth = first.prefix { $0 == " " }.count
            head = ""
            let prefix = String(repeating: " ", count: step)
            self.lines = lines.map { line in
                line.isEmpty ? "" : prefix + line.dropFirst(min(depth, line.prefix { $0 == " " }.count))
            }
        }
    }

    init(comments: [String] = [], key: String, head: String, lines: [String] = []) {
        self.comments = comments
        self.key = key
        self.head = head
        self.lines = lines
    }

    /// A value that nobody has written yet.
    init(_ value: DesiredValue, key: String, renderer: ValueRenderer) {
        let rendering = renderer.render(value, indent: 0, isFlow: false)
        self.init(
            key: key, head: rendering.inline.isEmpty ? "" : " " + rendering.inline, lines: rendering.lines)
    }

    /// A request that nobody has written yet.
    init(_ request: RequestDefinition, renderer: ValueRenderer) throws(CollectionProblem) {
        self.init(.map(try RequestWriter(request).entries(), layout: .block), key: String(request.id.name), renderer: renderer)
    }
}
