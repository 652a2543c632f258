import NetworkLayer
import OrderedCollections

extension RequestCollection {
    /// What has to change on disk so that a request is as in the draft.
    ///
    /// Only the bytes of what differs are replaced. The result is read again before it is handed out: the request must be the
    /// draft, and everything else in the file what it was. Rows of one name that are apart in the draft come together, because a
    /// map of YAML can't have them apart; JSON that stands as YAML takes YAML's layout.
    ///
    /// - Parameter draft: of a request in this collection, found by its id.
    /// - Throws: ``CollectionProblem`` when the file has a form that can't be edited in place, ``CollectionFileError`` when the
    ///   file can't be read or isn't any more what the collection was read from. Nothing is written in any case.
    package func saving(_ draft: RequestDefinition) throws -> CollectionChange {
        guard let stored = request(draft.id) else {
            throw CollectionProblem(location: draft.location, message: "the collection has no request `\(draft.id)`")
        }
        if let problem = stored.problems.first { throw problem }
        let path = stored.location.path
        let bytes = try FileContents.read(path, limit: YAMLDocument.Limits.size)
        guard files[path] == FileFingerprint(bytes) else { throw CollectionChange.changedOnDisk(path) }
        return try change(to: draft, from: stored, in: bytes)
    }

    /// The same from the bytes of the file in which the request stands.
    func change(to draft: RequestDefinition, from stored: RequestDefinition, in bytes: [UInt8]) throws -> CollectionChange {
        let path = stored.location.path
        let document = try YAMLDocument(path: path, bytes: bytes)
        guard let node = requestNode(draft.id, in: document) else { throw CollectionChange.changedOnDisk(path) }
        var difference = DefinitionDifference(from: stored, to: draft, node: node, path: path)
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

    /// Everything but one request, and but the places, which move when lines are added.
    ///
    /// - Parameter id: `nil`: every request counts.
    func others(than id: RequestID?) -> Others {
        func strip(_ nodes: [Node]) -> [Node] {
            nodes.compactMap { node in
                switch node {
                case .request(let request): return request.id == id ? nil : .request(request.wrappedValue.withoutPlaces)
                case .folder(var folder):
                    folder.nodes = strip(folder.nodes)
                    folder.location = .none
                    folder.defaults = folder.defaults.withoutPlaces
                    folder.variables = folder.variables.withoutLocations
                    folder.when = folder.when?.withoutLocations
                    folder.forEach = folder.forEach?.mappingLocations { _ in nil }
                    folder.steps = folder.steps.withoutLocations
                    return .folder(folder)
                }
            }
        }
        return Others(
            name: name, description: description, variables: variables.withoutLocations,
            environments: environments.values.map {
                EnvironmentDefinition(name: $0.name, extends: $0.extends, variables: $0.variables.withoutLocations, location: .none)
            }, defaults: defaults.withoutPlaces, steps: steps.withoutLocations, nodes: strip(nodes),
            problems: problems.map(\.message))
    }

    struct Others: Equatable {
        var name: String
        var description: String?
        var variables: [VariableDefinition]
        var environments: [EnvironmentDefinition]
        var defaults: FolderDefaults
        var steps: FolderSteps
        var nodes: [Node]
        var problems: [String]
    }
}

extension FolderDefaults {
    fileprivate var withoutPlaces: FolderDefaults {
        var defaults = self
        for rows in [\FolderDefaults.headers, \.query, \.cookies] {
            for index in defaults[keyPath: rows].indices { defaults[keyPath: rows][index].location = .none }
        }
        defaults.places = KeyPlaces()
        return defaults
    }
}

extension RequestDefinition {
    /// What counts when two are compared: without places, with rows of one name together, and JSON without its layout.
    var withoutPlaces: RequestDefinition {
        var definition = withoutLocations
        func plain(_ rows: [Row]) -> [Row] {
            DefinitionDifference.grouped(rows).flatMap { $0 }.map {
                Row(name: $0.name, value: $0.value, isEnabled: $0.isEnabled)
            }
        }
        definition.path = plain(path)
        definition.query = plain(query)
        definition.headers = plain(headers)
        definition.cookies = plain(cookies)
        if let mock { definition.mock?.headers = plain(mock.headers) }
        switch body {
        case .form(let rows): definition.body = .form(plain(rows))
        case .json(let text): definition.body = .json(JSONParser.parse(text)?.text(pretty: true) ?? text)
        case .multipart(let parts):
            var names: [String] = []
            for part in parts where !names.contains(part.name) { names.append(part.name) }
            definition.body = .multipart(names.flatMap { name in parts.filter { $0.name == name } })
        default: break
        }
        return definition
    }
}
