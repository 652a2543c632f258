import NetworkLayer
import OrderedCollections

/// Writes a collection that has no bytes yet, as a person would: short maps in one line, quotes where they are needed, nothing that
/// says what goes without saying.
struct CollectionWriter {
    private let collection: RequestCollection
    private let renderer = ValueRenderer(step: 2)

    init(_ collection: RequestCollection) {
        self.collection = collection
    }

    enum Entry: Hashable {
        case directory(String)
        case file(String, String)
    }

    func file() throws(CollectionProblem) -> String {
        text(try head() + [("requests", try nodes(collection.nodes))])
    }

    /// The files, in an order in which each directory comes before what is in it.
    func directory() throws(CollectionProblem) -> [Entry] {
        var entries: [Entry] = [
            .directory(collection.path),
            .file(joined(collection.path, "_collection.yaml"), text(try head() + Self.order(collection.nodes))),
        ]
        try add(collection.nodes, below: collection.path, to: &entries)
        return entries
    }

    private func add(_ nodes: [RequestCollection.Node], below path: String, to entries: inout [Entry]) throws(CollectionProblem) {
        for node in nodes {
            switch node {
            case .request(let request):
                entries.append(.file(joined(path, "\(request.id.name).yaml"), text(try writer(of: request.wrappedValue).entries())))
            case .folder(let folder):
                let inside = joined(path, String(folder.id.name))
                entries.append(.directory(inside))
                let head = try self.head(of: folder) + Self.order(folder.nodes)
                // A directory is a folder by its requests, or by this file.
                if !head.isEmpty || folder.nodes.isEmpty {
                    let name = [("name", DesiredValue.scalar(folder.name ?? String(folder.id.name), .text))]
                    entries.append(.file(joined(inside, "_folder.yaml"), text(head.isEmpty ? name : head)))
                }
                try add(folder.nodes, below: inside, to: &entries)
            }
        }
    }

    /// What a directory can't say by its files: they are listed by name.
    private static func order(_ nodes: [RequestCollection.Node]) -> Entries {
        let files = nodes.map(\.fileName)
        return files == files.sorted() ? [] : [("order", .texts(nodes.map { String($0.id.name) }))]
    }

    func writer(of request: RequestDefinition) -> RequestWriter {
        RequestWriter(request, comments: collection.comments[request.id] ?? [:])
    }

    typealias Entries = [(key: String, value: DesiredValue)]

    func text(_ entries: Entries) -> String {
        entries.flatMap { renderer.lines(DesiredEntry(source: nil, key: $0.key, value: $0.value), isMap: true, indent: 0) }
            .joined(separator: "\n") + "\n"
    }

    // MARK: Around the requests

    func head() throws(CollectionProblem) -> Entries {
        var entries: Entries = [("turnstone", .scalar("1", .literal)), ("name", .scalar(collection.name, .text))]
        if let description = collection.description { entries.append(("description", .scalar(description, .text))) }
        if !collection.variables.isEmpty {
            let variables = Self.entries(collection.variables).map {
                DesiredEntry(source: nil, key: $0.key, value: $0.value, comment: collection.comments[nil]?["variables.\($0.key)"])
            }
            entries.append(("variables", .map(variables, .block)))
        }
        if !collection.environments.isEmpty {
            let environments = collection.environments.values.map { environment in
                var entries = Self.entries(environment.variables)
                if let extends = environment.extends { entries.insert(("extends", .scalar(extends, .text)), at: 0) }
                return (key: environment.name, value: DesiredValue.map(entries))
            }
            entries.append(("environments", .map(environments, layout: .block)))
        }
        let defaults = try self.defaults(collection.defaults, of: nil)
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        return entries + Self.entries(collection.steps) + others(of: nil)
    }

    /// What an import didn't understand: it means nothing here.
    private func others(of id: RequestID?) -> Entries {
        (collection.comments[id] ?? [:]).filter { $0.key.hasPrefix("x-") }.sorted { $0.key < $1.key }
            .map { ($0.key, .scalar($0.value, .text)) }
    }

    func folder(_ id: RequestID) -> RequestCollection.Folder? {
        if case .folder(let folder)? = collection.node(id) { folder } else { nil }
    }

    func head(of folder: RequestCollection.Folder) throws(CollectionProblem) -> Entries {
        var entries: Entries = []
        if let name = folder.name { entries.append(("name", .scalar(name, .text))) }
        if let description = folder.description { entries.append(("description", .scalar(description, .text))) }
        if !folder.variables.isEmpty { entries.append(("variables", Self.value(of: folder.variables))) }
        let defaults = try self.defaults(folder.defaults, of: folder.id)
        if !defaults.isEmpty { entries.append(("defaults", .map(defaults))) }
        if let when = folder.when { entries.append(("when", RequestWriter.when(when))) }
        if let forEach = folder.forEach { entries.append(("for-each", RequestWriter.forEach(forEach))) }
        return entries + Self.entries(folder.steps) + others(of: folder.id)
    }

    private func nodes(_ nodes: [RequestCollection.Node]) throws(CollectionProblem) -> DesiredValue {
        var entries: Entries = []
        for node in nodes {
            switch node {
            case .request(let request):
                entries.append((String(request.id.name), .map(try writer(of: request.wrappedValue).entries(), layout: .block)))
            case .folder(let folder):
                let inside = try head(of: folder) + [("requests", try self.nodes(folder.nodes))]
                entries.append((String(folder.id.name), .map(inside, layout: .block)))
            }
        }
        return .map(entries, layout: .block)
    }

    private static func entries(_ steps: FolderSteps) -> Entries {
        [("set-up", steps.setUp), ("tear-down", steps.tearDown)].filter { !$0.1.isEmpty }.map { ($0, RequestWriter.needs($1)) }
    }

    private static func entries(_ variables: [VariableDefinition]) -> Entries {
        variables.map { ($0.name, value(of: $0)) }
    }

    static func value(of variables: [VariableDefinition]) -> DesiredValue { .map(entries(variables)) }

    static func value(of variable: VariableDefinition) -> DesiredValue {
        switch variable.value {
        case .text(let text): return .scalar(text, .string)
        case .json(let text): return JSONParser.parse(text).map(DesiredValue.init(json:)) ?? .scalar(text, .string)
        case .secret(let reference):
            let source: (String, DesiredValue) =
                switch reference {
                case .environment(let name): ("env", .scalar(name, .text))
                case .file(let path): ("file", .scalar(path, .text))
                case .prompt(let message): ("prompt", .scalar(message, .text))
                case .command(let words): ("command", .texts(words))
                }
            var entries: Entries = [("secret", .map([source]))]
            if let origins = variable.origins?.map(\.description) {
                entries.append(("for", origins.count == 1 ? .scalar(origins[0], .text) : .texts(origins)))
            }
            return .map(entries)
        }
    }

    private func defaults(_ defaults: FolderDefaults, of id: RequestID?) throws(CollectionProblem) -> Entries {
        func rows(_ rows: [FolderDefaults.DefaultRow]) -> [RequestDefinition.Row] {
            rows.map { RequestDefinition.Row(name: $0.name, value: $0.value ?? "", isEnabled: $0.value != nil && $0.isEnabled) }
        }
        var request = RequestDefinition(id: RequestID(rawValue: ""), method: "", url: "", location: .none)
        request.query = rows(defaults.query)
        request.headers = rows(defaults.headers)
        request.cookies = rows(defaults.cookies)
        request.auth = defaults.auth
        request.settings = defaults.settings
        let writer = RequestWriter(request, comments: collection.comments[id] ?? [:])
        return try writer.entries().filter { $0.key != "method" && $0.key != "url" && !$0.key.hasPrefix("x-") }
    }
}

/// What a request says, or a folder beside its requests.
struct SaidNode: Equatable {
    var id: RequestID
    var isFolder: Bool
    var value: DesiredValue
}

extension RequestCollection {
    /// What it says beside its requests, and what they and its folders say, each folder before what is in it. Comments count for nothing.
    func said() throws(CollectionProblem) -> (head: DesiredValue, nodes: [SaidNode]) {
        var plain = self
        plain.comments = [:]
        let writer = CollectionWriter(plain)
        var said: [SaidNode] = []
        func walk(_ nodes: [Node]) throws(CollectionProblem) {
            for node in nodes {
                switch node {
                case .request(let request):
                    said.append(SaidNode(id: node.id, isFolder: false, value: try request.wrappedValue.said()))
                case .folder(let folder):
                    said.append(SaidNode(id: node.id, isFolder: true, value: .map(try writer.head(of: folder), layout: .block)))
                    try walk(folder.nodes)
                }
            }
        }
        try walk(nodes)
        return (.map(try writer.head(), layout: .block), said)
    }
}

extension DesiredValue {
    /// A map of new entries.
    static func map(_ entries: CollectionWriter.Entries, layout: DesiredLayout = .automatic) -> DesiredValue {
        .map(entries.map { DesiredEntry(source: nil, key: $0.key, value: $0.value) }, layout)
    }

    /// A list of texts in one line.
    static func texts(_ texts: [String]) -> DesiredValue {
        .list(texts.map { DesiredEntry(source: nil, key: "", value: .scalar($0, .text)) }, .automatic)
    }

    init(json value: JSONValue) {
        switch value {
        case .null: self = .scalar("null", .literal)
        case .boolean(let flag): self = .scalar(flag ? "true" : "false", .literal)
        case .number(let digits): self = .scalar(digits, .literal)
        case .string(let text): self = .scalar(text, .string)
        case .array(let values):
            self = .list(values.map { DesiredEntry(source: nil, key: "", value: DesiredValue(json: $0)) }, .automatic)
        case .object(let members): self = .map(members.map { ($0.name, DesiredValue(json: $0.value)) })
        }
    }
}

extension RequestCollection {
    /// The text of a collection that is made of values, in one file.
    ///
    /// It is read again before it is handed out: what is read must be what was given.
    ///
    /// - Throws: ``CollectionProblem`` for what the format can't say.
    package func text() throws(CollectionProblem) -> String {
        let text = try CollectionWriter(self).file()
        try check(Self.load(path: path, bytes: Array(text.utf8)))
        return text
    }

    /// What makes it on disk, at its path, and replaces the files of these names that are there.
    ///
    /// - Throws: ``CollectionProblem`` for what the format can't say, ``CollectionFileError`` for what can't be read or written.
    package func writing(as form: Form) throws -> CollectionChange {
        let writer = CollectionWriter(self)
        var steps: [CollectionChange.Step] = []
        switch form {
        case .file:
            let bytes = Array(try text().utf8)
            guard bytes.count <= YAMLDocument.Limits.size else {
                throw CollectionFileError(
                    path: path,
                    message: "would have \(bytes.count) bytes, and one file has at most \(YAMLDocument.Limits.size); "
                        + "make it a directory")
            }
            steps.append(try Self.step(path, bytes))
        case .directory:
            for file in try writer.directory() {
                switch file {
                case .directory(let path): if !FileContents.isDirectory(path) { steps.append(.createDirectory(path)) }
                case .file(let path, let text): steps.append(try Self.step(path, Array(text.utf8)))
                }
            }
        }
        let collection = try Self.load(path: path, from: CollectionFiles(after: steps))
        // What else lies in the directory belongs to the collection from now on.
        if form == .directory, !FileContents.exists(path) { try check(collection) }
        return CollectionChange(steps: steps, collection: collection)
    }

    private static func step(_ path: String, _ bytes: [UInt8]) throws(CollectionFileError) -> CollectionChange.Step {
        guard FileContents.exists(path) else { return .create(path, bytes) }
        return .replace(path, before: try FileContents.read(path, limit: YAMLDocument.Limits.size), after: bytes)
    }

    private func check(_ read: RequestCollection) throws(CollectionProblem) {
        if let problem = read.problems.first { throw problem }
        guard read.others(than: nil) == others(than: nil) else {
            throw CollectionProblem(
                location: SourceLocation(path: path, line: 1, column: 1),
                message: "what was to be written has a form that this format can't hold")
        }
    }
}

extension RequestCollection.Node {
    /// What it is called in a directory.
    var fileName: String {
        switch self {
        case .request: "\(id.name).yaml"
        case .folder: String(id.name)
        }
    }
}
