import NetworkLayer
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
        let isSocket = method.name == "ws"
        let mode = isSocket ? "none" : http.value("body") ?? (file.block("body") == nil ? "none" : "json")
        var headers = file.rows("headers")
        if let type = Self.type(of: mode, &file),
            !headers.contains(where: { $0.isEnabled && $0.name.lowercased() == "content-type" })
        {
            headers.append(BrunoFile.Row(name: "content-type", value: type))
        }
        var request: [(String, JSONValue)] = [
            (
                "method",
                .string(method.name == "http" ? http.value("method") ?? "GET" : isSocket ? "GET" : method.name.uppercased())
            ),
            ("url", JSONValue.map(url)), ("header", Self.list(headers)),
        ]
        if let docs = file.block("docs")?.outdented { request.append(("description", .string(docs))) }
        // Without this, Bruno sends no credentials, even where a folder around it has some.
        if let auth = auth(&file, mode: http.value("auth") ?? "none", path) { request.append(("auth", auth)) }
        if let body = body(&file, mode: mode, path) { request.append(("body", body)) }
        var events: [JSONValue] = []
        for (block, event) in [("script:pre-request", "prerequest"), ("script:post-response", "test"), ("tests", "test")] {
            guard let text = file.block(block)?.outdented else { continue }
            events.append(
                JSONValue.map([("listen", .string(event)), ("script", JSONValue.map([("exec", .string(text))]))]))
        }
        return JSONValue.map([("name", .string(name)), ("request", JSONValue.map(request)), ("event", .array(events))])
    }

    /// The type that Bruno sends with a body of a kind that doesn't say it here.
    private static func type(of mode: String, _ file: inout BrunoFile) -> String? {
        mode == "sparql"
            ? "application/sparql-query" : mode == "file" ? file.rows("body:file").first(where: \.isEnabled)?.contentType : nil
    }

    private static func list(_ rows: [BrunoFile.Row]) -> JSONValue {
        .array(
            rows.map { JSONValue.map(members($0) + [("value", .string($0.value))]) })
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
        "credentials_placement": "client_authentication", "placement": "in", "token_placement": "addTokenTo",
        "token_header_prefix": "headerPrefix", "token_query_key": "queryKey",
    ]

    mutating func auth(_ file: inout BrunoFile, mode: String?, _ path: String) -> JSONValue? {
        guard let mode, mode != "inherit" else { return nil }
        if mode == "none" { return JSONValue.map([("type", .string("noauth"))]) }
        let rows = file.rows("auth:\(mode)")
        for row in rows where row.name == "profileName" && !row.value.isEmpty {
            note(path, row.line, "the profile `\(row.value)` of AWS: `auth` takes the keys themselves")
        }
        let members = rows.map { row in
            (Self.renamed[row.name] ?? row.name, JSONValue.string(row.value == "queryparams" ? "query" : row.value))
        }
        return JSONValue.map([("type", .string(mode)), (mode, JSONValue.map(members))])
    }

    // MARK: Bodies

    private mutating func body(_ file: inout BrunoFile, mode: String, _ path: String) -> JSONValue? {
        func raw(_ text: String, _ language: String) -> JSONValue {
            let options = JSONValue.map([("raw", JSONValue.map([("language", .string(language))]))])
            return JSONValue.map([("mode", .string("raw")), ("raw", .string(text)), ("options", options)])
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
            return JSONValue.map([("mode", .string("graphql")), ("graphql", JSONValue.map(members))])
        case "formUrlEncoded", "form-urlencoded":
            return JSONValue.map([("mode", .string("urlencoded")), ("urlencoded", Self.list(file.rows("body:form-urlencoded")))])
        case "multipartForm", "multipart-form":
            return JSONValue.map([
                ("mode", .string("formdata")), ("formdata", .array(file.rows("body:multipart-form").map(Self.part))),
            ])
        case "file":
            let rows = file.rows("body:file").filter(\.isEnabled)
            for row in rows.dropFirst() { note(path, row.line, "`\(row.value)`: a body is one file") }
            let source = rows.first?.files?.first ?? ""
            return JSONValue.map([("mode", .string("file")), ("file", JSONValue.map([("src", .string(source))]))])
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
        return JSONValue.map(members)
    }
}

/// A row of `assert`, such as `res.body.id: gt 3`, or of `vars:post-response`, as the script that says the same: what scripts say of a
/// response is understood already.
enum BrunoAssertion {
    /// - Returns: `nil` for an operator that there isn't.
    static func script(_ row: BrunoFile.Row) -> String? {
        let (word, rest) = row.value.split(at: " ")
        let operand = (rest ?? "").trimmingSpace
        let subject = expression(row.name)
        func claim(_ words: String, _ argument: String? = nil) -> String {
            "expect(\(subject)).to.\(words)" + (argument.map { "(\($0))" } ?? "")
        }
        func pattern(_ text: String) -> String { "/\(text.replacing(scalars: "/", with: "\\/"))/" }
        switch word {
        case "eq": return claim("equal", literal(operand))
        case "neq": return claim("not.equal", literal(operand))
        case "gt": return claim("be.above", literal(operand))
        case "gte": return claim("be.at.least", literal(operand))
        case "lt": return claim("be.below", literal(operand))
        case "lte": return claim("be.at.most", literal(operand))
        case "contains": return claim("include", literal(operand))
        case "notContains": return claim("not.include", literal(operand))
        case "length": return claim("have.lengthOf", literal(operand))
        case "matches": return claim("match", pattern(operand))
        case "notMatches": return claim("not.match", pattern(operand))
        case "startsWith": return claim("match", pattern("^" + escaped(operand)))
        case "endsWith": return claim("match", pattern(escaped(operand) + "$"))
        case "in": return claim("be.oneOf", list(operand))
        case "notIn": return claim("not.be.oneOf", list(operand))
        case "between":
            let ends = operand.split(separator: ",").map(\.trimmingSpace)
            return ends.count == 2 ? claim("be.within", "\(literal(ends[0])), \(literal(ends[1]))") : nil
        case "isEmpty": return claim("be.empty")
        case "isNotEmpty": return claim("not.be.empty")
        case "isNull": return claim("be.null")
        case "isUndefined": return claim("be.undefined")
        case "isDefined": return claim("not.be.undefined")
        case "isTruthy": return claim("be.ok")
        case "isNumber": return claim("be.a", "'number'")
        case "isString": return claim("be.a", "'string'")
        case "isBoolean": return claim("be.a", "'boolean'")
        case "isArray": return claim("be.an", "'array'")
        case "isFalsy", "isJson": return nil
        default: return claim("equal", literal(row.value))
        }
    }

    static func capture(_ row: BrunoFile.Row) -> String {
        let name = row.name.hasPrefix("@") ? String(row.name.dropFirst()) : row.name
        return "bru.setVar(\(JSONText.quoted(name)), \(expression(row.value)))"
    }

    /// Older files have `$res`.
    private static func expression(_ text: String) -> String {
        let text = text.hasPrefix("$res") ? String(text.dropFirst()) : text
        guard let match = text.wholeMatch(of: /res\.headers(?:\.([\w-]+)|\[['"]([^'"]+)['"]\])/) else { return text }
        return "res.getHeader(\(JSONText.quoted(String(match.1 ?? match.2 ?? ""))))"
    }

    /// What a row says that a script couldn't be sure of: there, a value has any type.
    static func expectation(_ row: BrunoFile.Row) -> ExpectationDefinition? {
        let (word, rest) = row.value.split(at: " ")
        let operand = (rest ?? "").trimmingSpace
        let json: JSONValue? =
            switch literal(operand) {
            case let text where text.hasPrefix("bru."): nil
            case let text: JSONParser.parse(text)?.mapTexts { TemplateText($0).text }
            }
        let comparisons: [String: Matcher.Comparison] = ["gt": .greater, "gte": .atLeast, "lt": .less, "lte": .atMost]
        let matcher: Matcher? =
            switch word {
            case "eq": json.map(Matcher.equals)
            case "neq": json.map { .not(.equals($0)) }
            case "gt", "gte", "lt", "lte":
                if case .number(let digits)? = json, let sign = comparisons[word] { .compares(sign, .init(digits)) } else { nil }
            case "contains": json.map(Matcher.contains)
            case "notContains": json.map { .not(.contains($0)) }
            case "matches": ScriptPattern.translated(operand, flags: "").map { .matches($0, ignoringCase: false) }
            case "notMatches": ScriptPattern.translated(operand, flags: "").map { .not(.matches($0, ignoringCase: false)) }
            case "isDefined", "isNotNull": .exists
            case "isUndefined": .missing
            case "isTruthy": .isTruthy
            case "isEmpty": .empty
            case "isNotEmpty": .not(.empty)
            default: nil
            }
        return matcher.flatMap { TestScript.value(of: expression(row.name))?.expectation($0) }
    }

    private static func list(_ text: String) -> String {
        let inside = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        return "[" + inside.split(separator: ",").map { literal($0.trimmingSpace) }.joined(separator: ", ") + "]"
    }

    private static func literal(_ text: String) -> String {
        if ["true", "false", "null", "undefined"].contains(text) { return text }
        if text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil { return text }
        if let match = text.wholeMatch(of: /\{\{\s*([A-Za-z_][A-Za-z0-9_.-]*)\s*\}\}/) {
            return "bru.getVar(\(JSONText.quoted(String(match.1))))"
        }
        let isQuoted = text.count > 1 && ["\"", "'"].contains { text.hasPrefix($0) && text.hasSuffix($0) }
        return JSONText.quoted(isQuoted ? String(text.dropFirst().dropLast()) : text)
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { "\\^$.|?*+()[]{}".unicodeScalars.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
