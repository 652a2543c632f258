import NetworkLayer
import RequestCollections

/// A collection as Postman keeps it beside code: `NAME.request.yaml` for each request, and `.resources/definition.yaml` for what the
/// collection, or a folder, says of itself. All of it becomes the document that ``PostmanImport`` reads.
struct PostmanFiles {
    private var notes: [ImportNote] = []
    /// By the directory of the folder, with a slash at its end; the collection's is empty.
    private var definitions: [String: JSONValue] = [:]
    private var requests: [(directory: String, order: Double, item: JSONValue)] = []

    static func isPart(_ path: String) -> Bool { path.hasSuffix(".request.yaml") || path.hasSuffix(".resources/definition.yaml") }

    /// - Parameter files: with their paths from the collection's directory.
    static func read(_ source: ImportSource, _ files: [ImportSource]) throws(CollectionProblem) -> ImportedCollection {
        var reader = PostmanFiles()
        for file in files {
            do throws(CollectionProblem) {
                reader.read(file, try file.document())
            } catch {
                reader.notes.append(ImportNote(file.path, "the file: \(error.message)"))
            }
        }
        let (name, members) = reader.folder("", named: source.name)
        var collection = try PostmanImport.read(
            source,
            JSONValue.map([("info", JSONValue.map([("name", .string(name))])), ("item", .array(reader.items(in: "")))] + members))
        collection.notes += reader.notes
        return collection
    }

    private mutating func read(_ file: ImportSource, _ value: JSONValue) {
        let end = ".resources/definition.yaml"
        if file.path.hasSuffix(end) {
            noteOthers(file, value, ["$kind", "name", "description", "variables", "auth", "scripts", "order", "id"])
            definitions[String(file.path.dropLast(end.count))] = value
            return
        }
        let kind = value["$kind"]?.string ?? "http-request"
        guard kind == "http-request" || kind == "graphql-request" else {
            return notes.append(
                ImportNote(
                    file.path, "it is a request of \(kind.replacing(scalars: "-request", with: "")), and Turnstone speaks HTTP"))
        }
        noteOthers(
            file, value,
            [
                "$kind", "name", "description", "method", "url", "order", "headers", "queryParams", "pathVariables", "body", "auth",
                "scripts",
                "settings", "query", "variables", "operationName", "schema", "id",
            ])
        let name = file.path.split(separator: "/").last.map { String($0.dropLast(".request.yaml".count)) } ?? ""
        var url: [(String, JSONValue)] = [("raw", .string(value["url"]?.scalar ?? ""))]
        if let query = value["queryParams"] { url.append(("query", Self.rows(query))) }
        url.append(("variable", Self.rows(value["pathVariables"])))
        let isGraphQL = kind == "graphql-request"
        var request: [(String, JSONValue)] = [
            ("method", .string(value["method"]?.nonEmpty ?? (isGraphQL ? "POST" : "GET"))), ("url", JSONValue.map(url)),
            ("header", Self.rows(value["headers"])),
        ]
        if let auth = Self.auth(value["auth"]) { request.append(("auth", auth)) }
        if let body = isGraphQL ? Self.graphQL(value) : body(value["body"], file) { request.append(("body", body)) }
        var item: [(String, JSONValue)] =
            [("name", value["name"] ?? .string(name)), ("request", JSONValue.map(request))] + Self.shared(value)
        if let settings = value["settings"] { item.append(("protocolProfileBehavior", settings)) }
        if let id = value["id"] { item.append(("id", id)) }
        let directory = String(file.path.dropLast(file.path.split(separator: "/").last?.count ?? 0))
        requests.append((directory, Self.order(value), JSONValue.map(item)))
    }

    private mutating func noteOthers(_ file: ImportSource, _ value: JSONValue, _ known: Set<String>) {
        for member in value.members where !known.contains(member.name) { notes.append(ImportNote(file.path, "`\(member.name)`")) }
    }

    private static func order(_ value: JSONValue?) -> Double { value?["order"]?.scalar.flatMap(Double.init) ?? .infinity }

    // MARK: The tree

    private func folder(_ directory: String, named name: String) -> (name: String, members: [(String, JSONValue)]) {
        guard let value = definitions[directory] else { return (name, []) }
        var members = Self.shared(value)
        if let auth = Self.auth(value["auth"]) { members.append(("auth", auth)) }
        if let variables = value["variables"] { members.append(("variable", Self.rows(variables))) }
        return (value["name"]?.nonEmpty ?? name, members)
    }

    /// Requests and folders in their order.
    private func items(in directory: String) -> [JSONValue] {
        var entries = requests.filter { $0.directory == directory }.map { (order: $0.order, item: $0.item) }
        let below = Set(requests.map(\.directory) + definitions.keys).filter { $0.hasPrefix(directory) && $0 != directory }
        for name in Set(below.compactMap { $0.dropFirst(directory.count).split(separator: "/").first.map(String.init) }).sorted() {
            let inner = "\(directory)\(name)/"
            let (title, members) = folder(inner, named: name)
            let item = JSONValue.map([("name", .string(title)), ("item", .array(items(in: inner)))] + members)
            entries.append((Self.order(definitions[inner]), item))
        }
        return entries.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }.map(\.element.item)
    }

    // MARK: Parts

    /// The description and the scripts.
    private static func shared(_ value: JSONValue) -> [(String, JSONValue)] {
        let events = (value["scripts"]?.items ?? []).map { script in
            let type = script["type"]?.scalar ?? ""
            let event = ["afterResponse": "test", "beforeRequest": "prerequest"].first { type.hasSuffix($0.key) }?.value ?? type
            return JSONValue.map([
                ("listen", .string(event)), ("script", JSONValue.map([("exec", .string(script["code"]?.scalar ?? ""))])),
            ])
        }
        return [("event", .array(events))] + (value["description"].map { [("description", $0)] } ?? [])
    }

    /// A list of keys and values, or a map.
    private static func rows(_ value: JSONValue?) -> JSONValue {
        .array(
            (value?.items ?? []) + (value?.members ?? []).map { JSONValue.map([("key", .string($0.name)), ("value", $0.value)]) })
    }

    private static func auth(_ value: JSONValue?) -> JSONValue? {
        guard let kind = value?["type"]?.nonEmpty, kind != "inherit" else { return nil }
        return JSONValue.map([("type", .string(kind)), (kind, rows(value?["credentials"]))])
    }

    private static func graphQL(_ value: JSONValue) -> JSONValue {
        let members = ["query", "operationName", "variables"].compactMap { name in value[name].map { (name, $0) } }
        return JSONValue.map([("mode", .string("graphql")), ("graphql", JSONValue.map(members))])
    }

    private mutating func body(_ body: JSONValue?, _ file: ImportSource) -> JSONValue? {
        let content = body?["content"] ?? .null
        switch body?["type"]?.nonEmpty ?? "none" {
        case "none": return nil
        case "json", "xml", "html", "javascript", "text", "raw":
            let language = body?["type"]?.string == "raw" ? "text" : body?["type"]?.string ?? "text"
            let text = content.scalar ?? (content.isNull ? "" : content.text(pretty: true))
            return JSONValue.map([
                ("mode", .string("raw")), ("raw", .string(text)),
                ("options", JSONValue.map([("raw", JSONValue.map([("language", .string(language))]))])),
            ])
        case "urlencoded", "x-www-form-urlencoded", "form-urlencoded":
            return JSONValue.map([("mode", .string("urlencoded")), ("urlencoded", Self.rows(content))])
        case "formdata", "form-data", "multipart":
            return JSONValue.map([("mode", .string("formdata")), ("formdata", Self.rows(content))])
        case "file", "binary":
            let path = content.scalar ?? content["src"]?.scalar ?? body?["src"]?.scalar ?? ""
            return JSONValue.map([("mode", .string("file")), ("file", JSONValue.map([("src", .string(path))]))])
        case "graphql": return Self.graphQL(content.members.isEmpty ? body ?? .null : content)
        case let kind:
            notes.append(ImportNote(file.path, "the body: there is no kind of body `\(kind)`"))
            return nil
        }
    }
}
