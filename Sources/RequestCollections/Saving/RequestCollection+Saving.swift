import NetworkLayer
import OrderedCollections

extension RequestCollection {
    /// What has to change on disk so that a request is as in the draft.
    ///
    /// Only the bytes of what differs are replaced. The result is read again before it is handed out: the request must be the
    /// draft, and everything else in the file what it was. Rows of one name that are apart in the draft come together, because a
    /// map of YAML can't have them apart; JSON that stands as YAML takes YAML's layout.
    ///
    /// - Parameters:
    ///   - stored: the request as the collection has it.
    ///   - bytes: the file in which it stands.
    /// - Throws: ``CollectionProblem`` when the file has a form that can't be edited in place.
    func change(to draft: RequestDefinition, from stored: RequestDefinition, in bytes: [UInt8]) throws -> CollectionChange {
        let path = stored.location.path
        let document = try YAMLDocument(path: path, bytes: bytes)
        guard let node = requestNode(draft.id, in: document) else { throw CollectionChange.changedOnDisk(path) }
        let difference = DefinitionDifference(stored: stored, draft: draft, node: node)
        var editor = SpliceEditor(document)
        try editor.update(
            node, to: difference.desired(), at: .init(head: editor.source.start(of: node), indent: 0, isFlow: node.isFlow))
        guard !editor.edits.isEmpty else { return CollectionChange(steps: [], collection: self) }
        guard let after = editor.source.applying(editor.edits) else { throw notInPlace(stored) }
        // A text that ends in a line break can't end a file that doesn't.
        let candidates = after.last == 0x0A ? [after] : [after, after + Array(editor.source.lineBreak.utf8)]
        var problem: CollectionProblem?
        for after in candidates {
            let collection = rereading(path, after, for: [draft.id])
            if isSaved(draft, in: collection) {
                return CollectionChange(steps: [.replace(path, before: bytes, after: after)], collection: collection)
            }
            problem = problem ?? collection.request(draft.id)?.problems.first
        }
        guard let problem else { throw notInPlace(stored) }
        // Such as a template that isn't closed: the file's form isn't at fault.
        throw CollectionProblem(location: stored.location, message: "`\(stored.id)` would be wrong in its file: \(problem.message)")
    }

    private func notInPlace(_ stored: RequestDefinition) -> CollectionProblem {
        CollectionProblem(
            location: stored.location,
            message: "`\(stored.id)` is written in a form that can't be changed in place without changing more; edit it in the file"
        )
    }

    private func requestNode(_ id: RequestID, in document: YAMLDocument) -> YAMLNode? {
        guard path == document.path else { return document.root }
        var node = document.root
        for name in id.rawValue.split(separator: "/") { node = node?["requests"]?[String(name)] }
        return node
    }

    /// Whether the request is the draft there, and everything else what it was.
    private func isSaved(_ draft: RequestDefinition, in collection: RequestCollection) -> Bool {
        guard let now = collection.request(draft.id), now.problems.isEmpty, now.withoutPlaces == draft.withoutPlaces else {
            return false
        }
        return collection.others(than: draft.id) == others(than: draft.id)
    }

    /// The collection with the bytes that a file of it has by now.
    ///
    /// - Parameter ids: of the requests that stand in the file.
    func rereading(_ path: String, _ bytes: [UInt8], for ids: [RequestID]) -> RequestCollection {
        if path == self.path { return Self.load(path: path, bytes: bytes) }
        var collection = self
        collection.files[path] = FileFingerprint(bytes)
        for id in ids { collection.replace(DirectoryReader.request(path, id, bytes)) }
        return collection
    }

    /// Puts a request in the place of the one with its id.
    private mutating func replace(_ request: RequestDefinition) {
        func replace(in nodes: inout [Node]) {
            for index in nodes.indices {
                switch nodes[index] {
                case .request(let old) where old.id == request.id: nodes[index] = .request(request)
                case .folder(var folder) where request.id.rawValue.hasPrefix(folder.id.rawValue + "/"):
                    replace(in: &folder.nodes)
                    nodes[index] = .folder(folder)
                default: break
                }
            }
        }
        replace(in: &nodes)
    }

    /// What it says, but for one request; the places, which move when lines are added, are none of it.
    ///
    /// - Parameter id: `nil`: every request counts.
    func others(than id: RequestID?) -> Others {
        let said = try? said()
        return Others(
            head: said?.head, nodes: said?.nodes.filter { $0.isFolder } ?? [],
            requests: requests.filter { $0.id != id }.map(\.withoutPlaces), problems: problems.map(\.message))
    }

    struct Others: Equatable {
        var head: DesiredValue?
        var nodes: [SaidNode]
        /// The values, and not what is written of them: a writer that leaves something out would leave it out on both sides.
        var requests: [RequestDefinition]
        var problems: [String]
    }
}

extension RequestDefinition {
    /// What counts when two are compared: without places, with rows of one name together, and JSON without its layout.
    var withoutPlaces: RequestDefinition {
        var definition = withoutLocations
        func plain(_ rows: [Row]) -> [Row] {
            rows.grouped(by: \.name).joined().map { Row(name: $0.name, value: $0.value, isEnabled: $0.isEnabled) }
        }
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] {
            definition[keyPath: rows] = plain(definition[keyPath: rows])
        }
        if let mock { definition.mock?.headers = plain(mock.headers) }
        definition.messages = definition.messages.map { step in
            step.mapTexts { part, text in
                if part == .json { text = JSONParser.parse(text)?.text(pretty: true) ?? text }
            }
        }
        switch body {
        case .form(let rows): definition.body = .form(plain(rows))
        case .json(let text): definition.body = .json(JSONParser.parse(text)?.text(pretty: true) ?? text)
        case .multipart(let parts): definition.body = .multipart(Array(parts.grouped(by: \.name).joined()))
        default: break
        }
        return definition
    }
}

/// What is to stand in a request's map, where a draft differs from what was read.
///
/// Keys that the draft says nothing about, and those in which nothing changed, are kept as they are.
struct DefinitionDifference {
    let stored: RequestDefinition
    let draft: RequestDefinition
    let node: YAMLNode

    /// What gets lines of its own even when it is short, since it is about to grow.
    private static let lines: Set = ["path", "query", "headers", "cookies", "auth", "expect"]

    /// The whole map as it should be.
    func desired() throws(CollectionProblem) -> DesiredValue {
        let pairs = node.pairs ?? []
        // Method and URL go by one name, whatever keys the file has for them.
        let short = pairs.firstIndex { $0.value.pairs == nil && FormatTable.methods.contains($0.key.text ?? "") }
        var named = node
        if let short, case .mapping(var pairs, let isFlow) = node.content {
            pairs[short].key.content = .scalar(RequestDefinition.target, .plain)
            named.content = .mapping(pairs, isFlow: isFlow)
        }
        let new = try said(draft)
        guard case .map(var entries, let layout) = DesiredValue.replacing(named, try said(stored), with: new) else {
            return .keep(node)
        }
        guard let index = entries.firstIndex(where: { $0.key == RequestDefinition.target }), let source = entries[index].source
        else {
            return .map(entries, layout)
        }
        for place in entries.indices where entries[place].source == nil && Self.lines.contains(entries[place].key) {
            if case .map(let inner, _) = entries[place].value { entries[place].value = .map(inner, .block) }
        }
        entries[index].value = draft.url == stored.url ? .keep(pairs[source].value) : .scalar(draft.url, .text)
        let method = DesiredValue.scalar(draft.method, .text)
        if short == nil {
            if draft.method != stored.method, let place = entries.firstIndex(where: { $0.key == "method" }) {
                entries[place].value = method
            }
        } else if draft.hasShortTarget {
            entries[index].key = draft.method.lowercased()
        } else {
            entries.insert(DesiredEntry(source: nil, key: "method", value: method), at: index)
        }
        return .map(entries, layout)
    }

    /// What a request says, in the forms that the file has: JSON that stands there as a text stays one, and a list of rows a list.
    private func said(_ request: RequestDefinition) throws(CollectionProblem) -> DesiredValue {
        guard case .map(var entries, let layout) = try request.said() else { return .keep(node) }
        for index in entries.indices {
            let key = entries[index].key
            if ["path", "query", "headers", "cookies"].contains(key) {
                entries[index].value = inLists(entries[index].value, node[key])
            }
            guard key == "body", case .map(var kinds, let layout) = entries[index].value else { continue }
            for index in kinds.indices where kinds[index].key != "json" {
                kinds[index].value = inLists(kinds[index].value, node["body"]?[kinds[index].key])
            }
            if case .json(let text)? = request.body, case .scalar(let written, let style)? = node["body"]?["json"]?.content,
                style != .plain || PlainScalar(written) == .text
            {
                kinds[0].value = .scalar(text, .text)
            }
            entries[index].value = .map(kinds, layout)
        }
        return .map(entries, layout)
    }

    private func inLists(_ value: DesiredValue, _ node: YAMLNode?) -> DesiredValue {
        guard case .map(let entries, let layout) = value else { return value }
        return .map(
            entries.map { entry in
                guard node?[entry.key]?.items != nil, !entry.value.isList else { return entry }
                let item = DesiredEntry(source: nil, key: "", value: entry.value)
                return DesiredEntry(source: nil, key: entry.key, value: .list([item], .automatic))
            }, layout)
    }
}

extension RequestDefinition {
    /// The name under which method and URL are one: another method for another URL was meant by nobody.
    static let target = "url"

    /// All that it says, to be compared with what another one says.
    func said() throws(CollectionProblem) -> DesiredValue {
        .map(try RequestWriter(self).entries(isTargetOne: true), layout: .block)
    }

    /// Whether the file says `get: URL`; `query` is also the name of the parameters.
    var hasShortTarget: Bool {
        let short = method.lowercased()
        return FormatTable.methods.contains(short) && method == short.uppercased() && (short != "query" || query.isEmpty)
    }

    /// A request that says this, at the place of another one.
    init(saying said: DesiredValue, like other: RequestDefinition) throws(CollectionProblem) {
        guard case .map(var entries, let layout) = said, let index = entries.firstIndex(where: { $0.key == Self.target }),
            case .scalar(let target, _) = entries[index].value, let space = target.firstIndex(of: " ")
        else { throw CollectionProblem(location: other.location, message: "the request has no URL") }
        entries[index].value = .scalar(String(target[target.index(after: space)...]), .text)
        entries.insert(DesiredEntry(source: nil, key: "method", value: .scalar(String(target[..<space]), .text)), at: index)
        let lines = ValueRenderer(step: 2).lines(
            DesiredEntry(source: nil, key: "x", value: .map(entries, layout)), isMap: true, indent: 0)
        let document = try YAMLDocument(path: other.location.path, bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
        guard let node = document.root?["x"] else { throw CollectionProblem(location: other.location, message: "it is empty") }
        let read = RequestReader(path: other.location.path).request(node, id: other.id).mappingLocations { _ in nil }
        self = read
        // What the other one says as well is where it is there.
        for key in RequestKey.all where key.write(RequestWriter(read)) == key.write(RequestWriter(other)) { key.copy(other, &self) }
        place(like: other)
    }

    /// Gives it the places that another version of it has in its file.
    mutating func place(like other: RequestDefinition) {
        (id, location, places) = (other.id, other.location, other.places)
        for rows in [\RequestDefinition.path, \.query, \.headers, \.cookies] {
            let known = other[keyPath: rows]
            for (index, row) in self[keyPath: rows].enumerated() {
                let same = known.first { $0.name == row.name } ?? (known.indices.contains(index) ? known[index] : nil)
                self[keyPath: rows][index].location = same?.location
            }
        }
    }
}
