import RequestCollections

/// OpenAPI 3.0 to 3.2, and Swagger 2.0 (https://spec.openapis.org).
struct OpenAPIImport {
    var collection: ImportedCollection
    let document: JSONValue
    /// Version 2, which has other names for much.
    let isSwagger: Bool
    let references: OpenAPIReferences
    /// The same, as what judges made-up values; `nil`: it can't be read as such.
    let schemas: JSONSchema?
    /// Requests that the server sends.
    private var callbacks = 0
    /// Examples of responses that no request has room for.
    var exampleCount = 0
    /// What ``security(_:at:)`` calls its variables: no parameter takes a secret by having its name.
    private var securityNames: Set<String> = []

    static func read(
        _ source: ImportSource, _ document: JSONValue, beside files: NeighbouringFiles = .none
    ) throws(CollectionProblem) -> ImportedCollection {
        let version = document["openapi"]?.scalar ?? document["swagger"]?.scalar ?? ""
        guard version.hasPrefix("3.") || version.hasPrefix("2") else {
            throw source.problem(
                "is no OpenAPI document that can be read: its version is `\(version)`, and there are 3.0 to 3.2 and Swagger's 2.0")
        }
        let references = OpenAPIReferences(document, of: source, beside: files)
        var reader = OpenAPIImport(
            collection: ImportedCollection(name: references[document, "info", "title"]?.nonEmpty ?? source.name),
            document: document, isSwagger: document["swagger"] != nil, references: references,
            schemas: schemas(document, isThreeZero: !version.hasPrefix("3.1") && !version.hasPrefix("3.2")))
        reader.collection.description = references[document, "info", "description"]?.nonEmpty?.trimmingSpace
        reader.collection.notes = OpenAPIShape.document.misfits(in: document)
        reader.collection.hasExampleBodies = true
        reader.securityNames = Set(reader.schemes.flatMap { scheme in reader.variableNames(of: scheme.value, named: scheme.name) })
        reader.readServers(source)
        let security = reader.security(references[document, "security"], at: "")
        reader.collection.auth = security.auth
        reader.collection.headers = security.headers
        reader.readPaths()
        reader.note()
        guard !reader.collection.nodes.isEmpty else {
            let reason = reader.collection.notes.first(where: \.isLoss).map { ": " + $0.text } ?? ""
            throw source.problem("has no request in it, under `paths`\(reason)")
        }
        return reader.collection
    }

    private static func schemas(_ document: JSONValue, isThreeZero: Bool) -> JSONSchema? {
        try? JSONSchema(document, at: "document", as: .openAPI(isThreeZero: isThreeZero)) { (_: String) throws(JSONSchemaError) in
            throw JSONSchemaError("only the document itself judges")
        }
    }

    mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, text, isLoss: isLoss))
    }

    private mutating func note() {
        collection.notes += references.notes
        collection.noteExamples(exampleCount)
        let webhooks = references[document, "webhooks"]?.members.count ?? 0
        if webhooks + callbacks > 0 {
            note("", "webhooks and callbacks, \(webhooks + callbacks) of them: those requests the server sends")
        }
    }

    // MARK: What stands in a document

    /// The items of a list, with what they refer to.
    func items(_ value: JSONValue, _ name: String) -> [JSONValue] {
        references[value, name]?.items.map { references.resolve($0) } ?? []
    }

    /// A text of the document, which has no templates.
    static func text(_ text: String) -> String { TemplateText(text).text }

    /// The variable of a parameter, or of a part of a server's URL.
    func variableName(_ name: String, in place: String) -> String {
        let variable = VariableName.make(name)
        return securityNames.contains(variable) ? "\(variable)_\(place)" : variable
    }

    // MARK: Servers

    private mutating func readServers(_ source: ImportSource) {
        let servers = isSwagger ? swaggerServers : items(document, "servers")
        var urls = servers.compactMap { server($0) }
        if urls.isEmpty { urls = [("", nil)] }
        for index in urls.indices where !urls[index].url.contains("://") && !urls[index].url.hasPrefix("{{") {
            let path = urls[index].url.hasPrefix("/") ? urls[index].url : urls[index].url.isEmpty ? "" : "/" + urls[index].url
            urls[index].url = "http://localhost" + path
            note("", "the document doesn't say which host it is about; `host` is http://localhost\(path)", isLoss: false)
        }
        collection.variables.insert(ImportedVariable("host", .text(urls[0].url)), at: 0)
        guard urls.count > 1 else { return }
        for (number, (url, name)) in urls.enumerated() {
            let name = TreeKey.make(name ?? URLUserinfo.removed(from: url), fallback: "server-\(number + 1)")
            collection.environments.append(
                ImportedEnvironment(name: name, variables: number == 0 ? [] : [ImportedVariable("host", .text(url))]))
        }
    }

    private var swaggerServers: [JSONValue] {
        guard let host = document["host"]?.nonEmpty else {
            return document["basePath"]?.nonEmpty.map { [.object([.init(name: "url", value: .string($0))])] } ?? []
        }
        let schemes = document["schemes"]?.items.compactMap(\.string).filter { $0.hasPrefix("http") } ?? []
        let scheme = schemes.contains("https") ? "https" : schemes.first ?? "https"
        return [.object([.init(name: "url", value: .string("\(scheme)://\(host)\(document["basePath"]?.string ?? "")"))])]
    }

    /// Its URL, with `{name}` as variables, which get their defaults.
    mutating func server(_ server: JSONValue) -> (url: String, name: String?)? {
        guard let url = server["url"]?.string else { return nil }
        var result = ""
        var rest = Substring(url)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += Self.text(String(rest[..<open]))
            let name = String(rest[rest.index(after: open)..<close])
            let variable = variableName(name, in: "server")
            result += "{{\(variable)}}"
            let value = references[server, "variables", name, "default"]?.scalar ?? ""
            if !value.isEmpty, !collection.variables.contains(where: { $0.name == variable }) {
                collection.variables.append(ImportedVariable(variable, .text(Self.text(value))))
            }
            rest = rest[rest.index(after: close)...]
        }
        result += Self.text(String(rest))
        while result.hasSuffix("/") { result.removeLast() }
        return (result, server["name"]?.nonEmpty ?? server["description"]?.nonEmpty)
    }

    // MARK: Paths

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private mutating func readPaths() {
        var folders: [String: Int] = [:]
        var untagged: [(path: String, request: ImportedRequest)] = []
        // Folders in the order of the document's own list; those that nothing is in are left out below.
        for tag in items(document, "tags") {
            guard let name = tag["name"]?.nonEmpty, folders[name] == nil else { continue }
            folders[name] = collection.nodes.count
            var folder = ImportedFolder(name: name)
            folder.description = references[tag, "description"]?.nonEmpty?.trimmingSpace
            collection.nodes.append(.folder(folder))
        }
        for entry in references[document, "paths"]?.members ?? [] {
            guard entry.name.hasPrefix("/") else {
                if !entry.name.hasPrefix("x-") { note(entry.name, "a path begins with a slash") }
                continue
            }
            references.place = entry.name
            let path = references.resolve(entry.value)
            for (method, operation) in operations(path, at: entry.name) {
                let request = self.operation(operation, method: method, path: entry.name, around: path)
                callbacks += references[operation, "callbacks"]?.members.count ?? 0
                guard let tag = references[operation, "tags"]?.items.first?.nonEmpty else {
                    untagged.append((entry.name, request))
                    continue
                }
                let index = folders[tag] ?? collection.nodes.count
                if folders[tag] == nil {
                    folders[tag] = index
                    collection.nodes.append(.folder(ImportedFolder(name: tag)))
                }
                if case .folder(var folder) = collection.nodes[index] {
                    folder.nodes.append(.request(request))
                    collection.nodes[index] = .folder(folder)
                }
            }
        }
        references.place = ""
        nestFolders()
        collection.nodes.removeAll { node in
            if case .folder(let folder) = node { folder.nodes.isEmpty } else { false }
        }
        collection.nodes += collection.nodes.isEmpty ? PathFolders.nodes(untagged) : untagged.map { .request($0.request) }
    }

    /// Folders of tags that have a parent (OpenAPI 3.2, section 4.21) go into its folder, the last of the document's first: most documents name
    /// what is around before what is in it.
    private mutating func nestFolders() {
        func index(_ name: String) -> Int? {
            collection.nodes.firstIndex { if case .folder(let folder) = $0 { folder.name == name } else { false } }
        }
        for tag in items(document, "tags").reversed() {
            guard let name = tag["name"]?.nonEmpty, let parent = tag["parent"]?.nonEmpty, name != parent, let inner = index(name),
                index(parent) != nil, case .folder(let folder) = collection.nodes[inner], !folder.nodes.isEmpty
            else { continue }
            collection.nodes.remove(at: inner)
            guard let outer = index(parent), case .folder(var around) = collection.nodes[outer] else { continue }
            around.nodes.append(.folder(folder))
            collection.nodes[outer] = .folder(around)
        }
    }

    /// The operations of a path by their methods, with what they refer to; what isn't one is said.
    private mutating func operations(_ path: JSONValue, at place: String) -> [(method: String, operation: JSONValue)] {
        guard case .object(let members) = path else {
            if !path.isNull || !references.notes.contains(where: { $0.place == place }) { note(place, "this path is no map") }
            return []
        }
        var operations: [(String, JSONValue)] = []
        for member in members {
            let name = member.name.lowercased()
            if Self.methods.contains(name) {
                operations.append((name.uppercased(), member.value))
            } else if name == "additionaloperations" {
                operations += references.resolve(member.value).members.map { ($0.name, $0.value) }
            } else if !name.hasPrefix("x-"), !["parameters", "servers", "summary", "description", "$ref"].contains(name) {
                note(place, "`\(member.name)`, which no path has")
            }
        }
        return operations.compactMap { method, value in
            references.place = "\(method) \(place)"
            let operation = references.resolve(value)
            if case .object = operation {
                collection.notes += OpenAPIShape.operation.misfits(in: operation)
                    .map { ImportNote("\(method) \(place), \($0.place)", $0.text) }
                return (method, operation)
            }
            if value["$ref"] == nil { note("\(method) \(place)", "this operation is no map") }
            return nil
        }
    }
}
