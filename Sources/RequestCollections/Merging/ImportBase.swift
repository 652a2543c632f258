import NetworkLayer

/// What an import made of its sources, as far as the next one has to know it to tell what was edited since.
///
/// It lies in a file beside the collection, `api.import.json` for `api.yaml` and `_import.json` in a directory: git keeps it with the
/// collection, so that a clone on another machine can be updated, and so that a branch has the base of its own collection. The state
/// directory knows neither. Each collection has its own, so several lie in one directory.
///
/// It holds names, and digests instead of values: no secret can be read in it, also not one that was taken out of a description before
/// the collection was shared. A merge compares with the base, and never needs what it said.
package struct ImportBase: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        /// Where it is in the collection, or was before it was deleted there.
        var id: RequestID
        /// What a new import of the same would call it.
        var origin: RequestID
        /// What the source knows it by, whatever it is called.
        var identity: String?
        var isFolder: Bool
        var values: ValueDigest
    }

    var head: ValueDigest
    var entries: [Entry]

    static let none = ImportBase(head: .map([:]), entries: [])

    /// Where the base of a collection lies.
    package static func path(of collection: String, _ form: RequestCollection.Form) -> String {
        switch form {
        case .directory: joined(collection, "_import.json")
        case .file:
            ([".yaml", ".yml"].first(where: collection.hasSuffix).map { String(collection.dropLast($0.count)) } ?? collection)
                + ".import.json"
        }
    }
}

extension ImportBase {
    /// The base that a new collection begins with.
    ///
    /// - Parameter identities: what the sources know the requests by.
    package init(_ made: RequestCollection, identities: [RequestID: String]) throws(CollectionProblem) {
        self.init(try UpdateSide(made), places: [:], identities: identities)
    }

    init(_ side: UpdateSide, places: [RequestID: RequestID], identities: [RequestID: String]) {
        head = ValueDigest(side.head, .collection)
        entries = side.nodes.map { node in
            Entry(
                id: places[node.id] ?? node.id, origin: node.id, identity: identities[node.id], isFolder: node.isFolder,
                values: node.digest)
        }
    }

    /// What makes it on disk, or brings it up to date; `nil` when it is so already.
    package func step(at path: String) throws(CollectionFileError) -> CollectionChange.Step? {
        let bytes = Array(text.utf8)
        guard FileContents.exists(path) else { return .create(path, bytes) }
        let before = try FileContents.read(path, limit: YAMLDocument.Limits.size)
        return before == bytes ? nil : .replace(path, before: before, after: bytes)
    }

    /// - Returns: `nil` when there is none.
    /// - Throws: for one that can't be read, such as one with the marks of a merge that wasn't finished.
    package static func read(_ path: String) throws(CollectionFileError) -> ImportBase? {
        guard FileContents.exists(path) else { return nil }
        let bytes = try FileContents.read(path, limit: YAMLDocument.Limits.size)
        func fail(_ why: String) -> CollectionFileError {
            CollectionFileError(
                path: path,
                message: "\(why); restore it, or take it away: then everything that differs is kept as it is, and named")
        }
        guard let value = JSONParser.parse(String(decoding: bytes, as: UTF8.self)) else {
            throw fail("isn't JSON, and was to say what the last import made")
        }
        // The first version had digests of texts, of which nothing is known by now.
        if value["import"]?.integer == 1 { return nil }
        guard value["import"]?.integer == 2 else { throw fail("isn't the base of an import that this version knows") }
        guard let base = ImportBase(value) else { throw fail("lacks something that the base of an import has") }
        return base
    }
}

// MARK: JSON

extension ImportBase {
    /// A line for each request, so that git can merge and show it.
    package var text: String {
        let lines = entries.map { entry in
            var members: [JSONValue.Member] = [.init(name: "id", value: .string(entry.id.rawValue))]
            if entry.origin != entry.id { members.append(.init(name: "origin", value: .string(entry.origin.rawValue))) }
            if let identity = entry.identity { members.append(.init(name: "identity", value: .string(identity))) }
            if entry.isFolder { members.append(.init(name: "folder", value: .boolean(true))) }
            members.append(.init(name: "values", value: entry.values.json))
            return JSONValue.object(members).text(pretty: false)
        }
        return """
            {
            "about": "What the last import made, as digests: keep this file with the collection. `turnstone import --update` reads it.",
            "import": 2,
            "collection": \(head.json.text(pretty: false)),
            "entries": [\(lines.map { "\n" + $0 }.joined(separator: ","))
            ]}

            """
    }

    fileprivate init?(_ value: JSONValue) {
        guard let head = value["collection"].flatMap(ValueDigest.init(json:)), case .array(let items)? = value["entries"] else {
            return nil
        }
        self.head = head
        entries = []
        for item in items {
            guard let id = item["id"]?.string, let values = item["values"].flatMap(ValueDigest.init(json:)) else { return nil }
            entries.append(
                Entry(
                    id: RequestID(rawValue: id), origin: RequestID(rawValue: item["origin"]?.string ?? id),
                    identity: item["identity"]?.string, isFolder: item["folder"] == .boolean(true), values: values))
        }
    }
}

extension ValueDigest {
    fileprivate var json: JSONValue {
        switch self {
        case .value(let digest): .string(digest)
        case .map(let members):
            .object(members.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value.json) })
        }
    }

    fileprivate init?(json: JSONValue) {
        switch json {
        case .string(let digest): self = .value(digest)
        case .object(let members):
            var map: [String: ValueDigest] = [:]
            for member in members {
                guard let value = ValueDigest(json: member.value) else { return nil }
                map[member.name] = value
            }
            self = .map(map)
        default: return nil
        }
    }
}
