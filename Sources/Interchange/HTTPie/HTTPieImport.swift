import NetworkLayer
import RequestCollections

/// Exports of HTTPie's app for desktop and web (https://httpie.io/docs/desktop/export-json-format): a workspace, a collection, a
/// request or an environment. A request says what one of Postman's says, and is given to ``PostmanImport`` as such.
struct HTTPieImport {
    private var postman: PostmanImport

    static func isDocument(_ value: JSONValue) -> Bool {
        value["meta"]?["format"]?.string?.lowercased() == "httpie" && value["entry"] != nil
    }

    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        guard isDocument(document), let entry = document["entry"], case .object = entry else {
            throw source.problem("is no export of HTTPie: it takes `meta` with the format `httpie`, and an `entry`")
        }
        let name = entry["name"]?.nonEmpty ?? source.name
        var reader = HTTPieImport(postman: PostmanImport(collection: ImportedCollection(name: name)))
        reader.postman.collection.notes = shape.misfits(in: document)
        switch document["meta"]?["contentType"]?.string ?? (entry["collections"] != nil ? "workspace" : "collection") {
        case "environment": reader.readEnvironment(entry)
        case "request": reader.postman.collection.nodes = [.request(reader.request(entry, path: []))]
        case "workspace":
            for collection in entry["collections"]?.items ?? [] {
                var folder = ImportedFolder(name: collection["name"]?.nonEmpty ?? "Collection")
                folder.auth = reader.auth(collection["auth"], at: folder.name)
                reader.postman.isBelowAuth = folder.auth.map { $0 != .none } ?? false
                // There is no folder around it.
                if folder.auth == AuthDefinition.none { folder.auth = nil }
                folder.nodes = reader.requests(collection["requests"], path: [folder.name])
                reader.postman.collection.nodes.append(.folder(folder))
            }
            reader.postman.isBelowAuth = false
            reader.postman.collection.nodes += reader.requests(entry["drafts"] ?? entry["requests"], path: [])
            for environment in entry["environments"]?.items ?? [] { reader.readEnvironment(environment) }
        default:
            reader.postman.collection.auth = reader.auth(entry["auth"], at: "")
            if reader.postman.collection.auth == AuthDefinition.none { reader.postman.collection.auth = nil }
            reader.postman.isBelowAuth = reader.postman.collection.auth != nil
            reader.postman.collection.nodes = reader.requests(entry["requests"], path: [])
        }
        return reader.postman.collection
    }

    private static let rows = ForeignShape.list(.map(["name": .scalar, "value": .scalar, "enabled": .scalar]))
    private static let auth = ForeignShape.map(["type": .scalar, "target": .scalar, "credentials": .map([:])])
    private static let request = ForeignShape.map([
        "name": .scalar, "url": .scalar, "method": .scalar, "headers": rows, "queryParams": rows, "pathParams": rows, "auth": auth,
        "body": .map([
            "type": .scalar, "text": .map(["value": .scalar, "format": .scalar]), "file": .map(["name": .scalar]),
            "graphql": .map(["query": .scalar, "variables": .scalar]),
            "form": .map(["fields": .list(.map(["name": .scalar, "type": .scalar, "value": .scalar]))]),
        ]),
    ])
    private static let environment = ForeignShape.map([
        "name": .scalar, "variables": .list(.map(["name": .scalar, "value": .scalar])),
    ])
    private static let shape = ForeignShape.map([
        "entry": .map([
            "name": .scalar, "auth": auth, "requests": .list(request), "drafts": .list(request), "environments": .list(environment),
            "variables": .list(.map(["name": .scalar, "value": .scalar])),
            "collections": .list(.map(["name": .scalar, "auth": auth, "requests": .list(request)])),
        ])
    ])

    // MARK: Environments

    /// The one that holds unless another is chosen is the collection's variables, too.
    private mutating func readEnvironment(_ environment: JSONValue) {
        let name = environment["name"]?.nonEmpty ?? "Environment"
        var variables: [ImportedVariable] = []
        for item in environment["variables"]?.items ?? [] {
            guard let key = item["name"]?.nonEmpty else { continue }
            variables.append(
                ImportedVariable(
                    VariableName.make(key), .text(postman.text(item["value"]?.scalar ?? "", at: name)),
                    isSecret: item["isSecret"]?.boolean == true))
        }
        postman.collection.environments.append(
            ImportedEnvironment(titled: name, variables: variables))
        if environment["isDefault"]?.boolean == true { postman.collection.variables = variables }
    }

    // MARK: Requests

    private mutating func requests(_ list: JSONValue?, path: [String]) -> [ImportedNode] {
        (list?.items ?? []).compactMap { item in
            guard case .object = item else { return nil }
            return .request(request(item, path: path))
        }
    }

    private mutating func request(_ item: JSONValue, path: [String]) -> ImportedRequest {
        let url = item["url"]?.scalar ?? ""
        let place = (path + [item["name"]?.nonEmpty ?? url]).place
        var members: [(String, JSONValue)] = [
            ("method", .string(item["method"]?.nonEmpty ?? "GET")),
            (
                "url",
                JSONValue.map([
                    ("raw", .string(Self.whole(url))), ("query", Self.rows(item["queryParams"])),
                    ("variable", Self.rows(item["pathParams"])),
                ])
            ),
            ("header", Self.rows(item["headers"])),
        ]
        if let body = body(item["body"], at: place) { members.append(("body", body)) }
        var request = postman.request(
            JSONValue.map([("name", item["name"] ?? .null), ("request", JSONValue.map(members))]), path: path)
        if let auth = auth(item["auth"], at: place) {
            // Nothing is around it that would send any.
            request.definition.auth = auth == .none && !postman.isBelowAuth ? nil : auth
        }
        return request
    }

    /// HTTPie's own: what has no scheme goes by `http`, and `:8080/a` to this machine.
    private static func whole(_ url: String) -> String {
        if url.isEmpty || url.hasPrefix("{{") || url.firstRange(of: "://") != nil { return url }
        if url.hasPrefix(":") { return "http://localhost" + (url.hasPrefix(":/") ? String(url.dropFirst()) : url) }
        return "http://\(url)"
    }

    private static func rows(_ list: JSONValue?) -> JSONValue {
        .array(
            (list?.items ?? []).map { item in
                JSONValue.map([
                    ("key", item["name"] ?? .null), ("value", .string(item["value"]?.scalar ?? "")),
                    ("disabled", .boolean(item["enabled"]?.boolean == false)),
                ])
            })
    }

    /// - Returns: `nil` where what is around decides.
    private mutating func auth(_ auth: JSONValue?, at place: String) -> AuthDefinition? {
        let user = auth?["credentials"]?["username"]?.scalar ?? ""
        let password = auth?["credentials"]?["password"]?.scalar ?? ""
        switch auth?["type"]?.string ?? "inherited" {
        case "inherited", "inherit": return nil
        case "none": return AuthDefinition.none
        case "basic": return .basic(user: postman.text(user, at: place), password: postman.text(password, at: place))
        case "digest": return .digest(user: postman.text(user, at: place), password: postman.text(password, at: place))
        case "bearer": return .bearer(postman.text(password, at: place))
        case "apiKey":
            return .apiKey(
                APIKeyDefinition(
                    name: postman.text(user, at: place), value: postman.text(password, at: place),
                    place: auth?["target"]?.string == "params" ? .query : .header))
        case let kind:
            postman.note(place, "its authentication, `\(kind)`: there is no equivalent")
            return postman.isBelowAuth ? AuthDefinition.none : nil
        }
    }

    // MARK: Bodies

    private mutating func body(_ body: JSONValue?, at place: String) -> JSONValue? {
        switch body?["type"]?.string ?? "none" {
        case "none": return nil
        case "text":
            let languages = ["application/json": "json", "application/xml": "xml", "text/plain": "text", "text/html": "html"]
            let format = body?["text"]?["format"]?.string ?? "text/plain"
            if languages[format] == nil { postman.note(place, "the type of its body, `\(format)`: give it as a header") }
            let options = JSONValue.map([("raw", JSONValue.map([("language", .string(languages[format] ?? "text"))]))])
            return JSONValue.map([("mode", .string("raw")), ("raw", body?["text"]?["value"] ?? .string("")), ("options", options)])
        case "graphql":
            return JSONValue.map([
                ("mode", .string("graphql")),
                (
                    "graphql",
                    JSONValue.map([
                        ("query", body?["graphql"]?["query"] ?? .string("")),
                        ("variables", .string(body?["graphql"]?["variables"]?.scalar ?? "")),
                    ])
                ),
            ])
        case "file":
            postman.note(
                place, "the file of its body: an export has its name alone, and where it lies is for you to say", isLoss: false)
            return JSONValue.map([("mode", .string("file")), ("file", JSONValue.map([("src", body?["file"]?["name"] ?? .null)]))])
        case "form":
            let isMultipart = body?["form"]?["isMultipart"]?.boolean == true
            let fields = (body?["form"]?["fields"]?.items ?? []).map { field -> JSONValue in
                var members: [(String, JSONValue)] = [
                    ("key", field["name"] ?? .null), ("disabled", .boolean(field["enabled"]?.boolean == false)),
                ]
                if field["type"]?.string == "file" {
                    members += [("type", .string("file")), ("src", field["file"]?["name"] ?? .null)]
                } else {
                    members.append(("value", .string(field["value"]?.scalar ?? "")))
                }
                return JSONValue.map(members)
            }
            let mode = isMultipart ? "formdata" : "urlencoded"
            return JSONValue.map([("mode", .string(mode)), (mode, .array(fields))])
        case let kind:
            postman.note(place, "the body: there is no kind of body `\(kind)`")
            return nil
        }
    }
}
