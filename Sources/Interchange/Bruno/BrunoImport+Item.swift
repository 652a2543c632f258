import RequestCollections

extension BrunoImport {
    /// A request as Postman would write it.
    mutating func item(_ name: String, _ method: BrunoFile.Block, _ file: inout BrunoFile, _ path: String) -> JSONValue {
        let http = file.rows(method.name)
        for row in http where !["url", "body", "auth", "method"].contains(row.name) {
            note(path, row.line, "`\(row.name)`")
        }
        var url: [(String, JSONValue)] = [("raw", .string(http.value("url") ?? ""))]
        let query = file.rows("params:query") + file.rows("query")
        if !query.isEmpty { url.append(("query", Self.list(query))) }
        url.append(("variable", Self.list(file.rows("params:path"))))
        var request: [(String, JSONValue)] = [
            ("method", .string(method.name == "http" ? http.value("method") ?? "GET" : method.name.uppercased())),
            ("url", Self.map(url)), ("header", Self.list(file.rows("headers"))),
        ]
        if let docs = file.block("docs")?.outdented { request.append(("description", .string(docs))) }
        // Without this, Bruno sends no credentials, even where a folder around it has some.
        if let auth = auth(&file, mode: http.value("auth") ?? "none", path) { request.append(("auth", auth)) }
        let mode = http.value("body") ?? (file.block("body") == nil ? "none" : "json")
        if let body = body(&file, mode: mode, path) { request.append(("body", body)) }
        var events: [JSONValue] = []
        for (block, event) in [("script:pre-request", "prerequest"), ("script:post-response", "test"), ("tests", "test")] {
            guard let text = file.block(block)?.outdented else { continue }
            events.append(
                Self.map([("listen", .string(event)), ("script", Self.map([("exec", .string(text))]))]))
        }
        return Self.map([("name", .string(name)), ("request", Self.map(request)), ("event", .array(events))])
    }

    static func map(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { JSONValue.Member(name: $0.0, value: $0.1) })
    }

    private static func list(_ rows: [BrunoFile.Row]) -> JSONValue {
        .array(
            rows.map { map(members($0) + [("value", .string($0.value))]) })
    }

    private static func members(_ row: BrunoFile.Row) -> [(String, JSONValue)] {
        [("key", .string(row.name)), ("disabled", .boolean(!row.isEnabled))]
            + (row.description.map { [("description", .string($0))] } ?? [])
    }

    // MARK: Authentication

    /// What Bruno calls otherwise than Postman.
    private static let renamed = [
        "accessKeyId": "accessKey", "secretAccessKey": "secretKey", "access_token_url": "accessTokenUrl",
        "authorization_url": "authUrl", "callback_url": "redirect_uri", "client_id": "clientId", "client_secret": "clientSecret",
        "credentials_placement": "client_authentication", "placement": "in",
    ]

    mutating func auth(_ file: inout BrunoFile, mode: String?, _ path: String) -> JSONValue? {
        guard let mode, mode != "inherit" else { return nil }
        if mode == "none" { return Self.map([("type", .string("noauth"))]) }
        let rows = file.rows("auth:\(mode)")
        for row in rows where row.name == "profileName" && !row.value.isEmpty {
            note(path, row.line, "the profile `\(row.value)` of AWS: `auth` takes the keys themselves")
        }
        let members = rows.map { row in
            (Self.renamed[row.name] ?? row.name, JSONValue.string(row.value == "queryparams" ? "query" : row.value))
        }
        return Self.map([("type", .string(mode)), (mode, Self.map(members))])
    }

    // MARK: Bodies

    private mutating func body(_ file: inout BrunoFile, mode: String, _ path: String) -> JSONValue? {
        func raw(_ text: String, _ language: String) -> JSONValue {
            let options = Self.map([("raw", Self.map([("language", .string(language))]))])
            return Self.map([("mode", .string("raw")), ("raw", .string(text)), ("options", options)])
        }
        func text(_ name: String) -> String { file.block(name)?.outdented ?? "" }
        switch mode {
        case "none": return nil
        case "json": return raw(file.block("body:json") == nil ? text("body") : text("body:json"), "json")
        case "xml", "text": return raw(text("body:\(mode)"), mode)
        case "graphql":
            let variables = text("body:graphql:vars").trimmingSpace
            var members: [(String, JSONValue)] = [("query", .string(text("body:graphql")))]
            if !variables.isEmpty { members.append(("variables", .string(variables))) }
            return Self.map([("mode", .string("graphql")), ("graphql", Self.map(members))])
        case "formUrlEncoded", "form-urlencoded":
            return Self.map([("mode", .string("urlencoded")), ("urlencoded", Self.list(file.rows("body:form-urlencoded")))])
        case "multipartForm", "multipart-form":
            return Self.map([
                ("mode", .string("formdata")), ("formdata", .array(file.rows("body:multipart-form").map(Self.part))),
            ])
        case "file":
            let rows = file.rows("body:file").filter(\.isEnabled)
            for row in rows.dropFirst() { note(path, row.line, "`\(row.value)`: a body is one file") }
            let source = rows.first?.files?.first ?? ""
            return Self.map([("mode", .string("file")), ("file", Self.map([("src", .string(source))]))])
        default:
            if mode == "sparql" { return raw(text("body:sparql"), "text") }
            note(path, file.blocks.first { $0.name.hasPrefix("body") }?.line ?? 1, "the body: there is no kind of body `\(mode)`")
            return nil
        }
    }

    private static func part(_ row: BrunoFile.Row) -> JSONValue {
        var members = members(row)
        if let type = row.contentType { members.append(("contentType", .string(type))) }
        if let files = row.files {
            members += [("type", .string("file")), ("src", .array(files.map(JSONValue.string)))]
        } else {
            members.append(("value", .string(row.value)))
        }
        return map(members)
    }
}
