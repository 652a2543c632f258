import RequestCollections

/// OpenAPI 3.0 and 3.1, and Swagger 2.0 (https://spec.openapis.org).
struct OpenAPIImport {
    var collection: ImportedCollection
    let document: JSONValue
    /// Version 2, which has other names for much.
    let isSwagger: Bool
    var references: OpenAPIReferences
    /// Requests that the server sends.
    private var callbacks = 0

    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        let version = document["openapi"]?.scalar ?? document["swagger"]?.scalar ?? ""
        guard version.hasPrefix("3.") || version.hasPrefix("2") else {
            throw source.problem(
                "is no OpenAPI document that can be read: its version is `\(version)`, and there are 3.0, 3.1 and Swagger's 2.0")
        }
        var reader = OpenAPIImport(
            collection: ImportedCollection(name: document["info"]?["title"]?.nonEmpty ?? source.name), document: document,
            isSwagger: document["swagger"] != nil, references: OpenAPIReferences(document))
        reader.collection.description = document["info"]?["description"]?.nonEmpty?.trimmingSpace
        reader.collection.hasExampleBodies = true
        reader.readServers(source)
        let security = reader.security(document["security"], at: "")
        reader.collection.auth = security.auth
        reader.collection.headers = security.headers
        reader.readPaths()
        reader.note()
        return reader.collection
    }

    mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, text, isLoss: isLoss))
    }

    private mutating func note() {
        for reference in references.unresolved {
            let why =
                reference.hasPrefix("#")
                ? "there is no such part of the document" : "it is outside of the document; bundle it into one file first"
            note("", "the reference \(reference): \(why)")
        }
        let webhooks = document["webhooks"]?.members.count ?? 0
        if webhooks + callbacks > 0 {
            note("", "webhooks and callbacks, \(webhooks + callbacks) of them: those requests the server sends")
        }
    }

    /// A text of the document, which has no templates.
    static func text(_ text: String) -> String { TemplateText(text).text }

    // MARK: Servers

    private mutating func readServers(_ source: ImportSource) {
        let servers = isSwagger ? swaggerServers : document["servers"]?.items ?? []
        var urls = servers.compactMap { server(references.resolve($0)) }
        if urls.isEmpty { urls = [("", nil)] }
        for index in urls.indices where !urls[index].url.contains("://") && !urls[index].url.hasPrefix("{{") {
            let path = urls[index].url.hasPrefix("/") ? urls[index].url : urls[index].url.isEmpty ? "" : "/" + urls[index].url
            urls[index].url = "http://localhost" + path
            note("", "the document doesn't say which host it is about; `host` is http://localhost\(path)", isLoss: false)
        }
        collection.variables.insert(ImportedVariable("host", .text(urls[0].url)), at: 0)
        guard urls.count > 1 else { return }
        for (number, (url, name)) in urls.enumerated() {
            let name = TreeKey.make(name ?? url, fallback: "server-\(number + 1)")
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
            result += "{{\(VariableName.make(name))}}"
            let value = server["variables"]?[name]?["default"]?.scalar ?? ""
            if !collection.variables.contains(where: { $0.name == VariableName.make(name) }) {
                collection.variables.append(ImportedVariable(VariableName.make(name), .text(Self.text(value))))
            }
            rest = rest[rest.index(after: close)...]
        }
        result += Self.text(String(rest))
        while result.hasSuffix("/") { result.removeLast() }
        return (result, server["description"]?.nonEmpty)
    }

    // MARK: Paths

    private static let methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]

    private mutating func readPaths() {
        var folders: [String: Int] = [:]
        // Folders in the order of the document's own list; those that nothing is in are left out below.
        for tag in document["tags"]?.items ?? [] {
            guard let name = tag["name"]?.nonEmpty, folders[name] == nil else { continue }
            folders[name] = collection.nodes.count
            var folder = ImportedFolder(name: name)
            folder.description = tag["description"]?.nonEmpty?.trimmingSpace
            collection.nodes.append(.folder(folder))
        }
        for entry in document["paths"]?.members ?? [] where entry.name.hasPrefix("/") {
            let path = references.resolve(entry.value)
            for member in path.members where Self.methods.contains(member.name) {
                let request = operation(member.value, method: member.name.uppercased(), path: entry.name, around: path)
                callbacks += member.value["callbacks"]?.members.count ?? 0
                guard let tag = member.value["tags"]?.items.first?.nonEmpty else {
                    collection.nodes.append(.request(request))
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
        collection.nodes.removeAll { node in
            if case .folder(let folder) = node { folder.nodes.isEmpty } else { false }
        }
    }
}
