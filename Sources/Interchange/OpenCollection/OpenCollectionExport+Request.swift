import NetworkLayer
import RequestCollections

extension OpenCollectionExport {
    mutating func item(_ request: MergedRequest, around: [Level], sequence: Int) -> JSONValue {
        let definition = request.definition
        templates.request = definition
        templates.notes.request = definition.id
        plan.noteFlow(of: request, saysSession: true, in: &templates.notes)
        let body = body(request)
        let isGraphQL = body.kind == "graphql"
        let isSocket = definition.isWebSocket
        let kind = isSocket ? "websocket" : isGraphQL ? "graphql" : "http"
        var info: [(String, JSONValue)] = [
            ("name", .string(definition.name ?? definition.id.rawValue.split(separator: "/").last.map(String.init) ?? "")),
            ("type", .string(kind)), ("seq", .number("\(sequence)")),
        ]
        if !definition.tags.isEmpty { info.append(("tags", .array(definition.tags.map(JSONValue.string)))) }
        let url = url(request)
        var http: [(String, JSONValue)] = (isSocket ? [] : [("method", .string(definition.method))]) + [("url", .string(url.text))]
        let headers = headers(request, around: around, type: body.type)
        if !headers.isEmpty { http.append(("headers", .array(headers))) }
        if isSocket {
            if let messages = messages(definition) { http.append(("message", messages)) }
        } else if !url.parameters.isEmpty {
            http.append(("params", .array(url.parameters)))
        }
        if let value = body.value, !isSocket { http.append(("body", value)) }
        if let auth = auth(request, around: around) { http.append(("auth", auth)) }
        var members: [(String, JSONValue)] = [("info", JSONValue.map(info)), (kind, JSONValue.map(http))]
        let runtime = runtime(definition)
        if !runtime.isEmpty { members.append(("runtime", JSONValue.map(runtime))) }
        members.append(("settings", JSONValue.map(settings(request, encodesURL: url.isEncodedThere))))
        if let description = definition.description { members.append(("docs", .string(description))) }
        return JSONValue.map(members)
    }

    // MARK: The URL

    /// What Bruno sends is the URL with its query; parameters beside it are what is shown.
    private mutating func url(_ request: MergedRequest) -> (text: String, parameters: [JSONValue], isEncodedThere: Bool) {
        let definition = request.definition
        var base = ""
        for piece in templates.pieces(definition.url) {
            switch piece {
            case .expression(let inside): base += "{{\(inside)}}"
            case .text(let text): base += URLCoding.encodedBetweenSeparators(url: String(text.prefix { $0 != "#" }))
            }
        }
        func parameter(_ name: String, _ value: String, _ kind: String, isEnabled: Bool) -> JSONValue {
            JSONValue.map(
                [("name", .string(templates.text(name))), ("value", .string(templates.text(value))), ("type", .string(kind))]
                    + (isEnabled ? [] : [("disabled", .boolean(true))]))
        }
        let names = PathParameters.names(in: definition.url)
        var parameters = definition.path.filter { names.contains($0.name) }.map {
            parameter($0.name, $0.value, "path", isEnabled: $0.isEnabled)
        }
        let isPlain =
            !base.contains("?") && !base.contains("%")
            && request.query.allSatisfy { row in
                !row.name.trimmingSpace.isEmpty && !row.name.contains { "&=#".contains($0) }
                    && !row.value.contains { "&#".contains($0) }
            }
        let off = definition.query.filter { !$0.isEnabled && !$0.value.isEmpty }
        guard isPlain else {
            if !off.isEmpty { templates.notes.add("parameters that are off") }
            templates.add(request.query, to: &base)
            return (base, parameters, false)
        }
        parameters += request.query.map { parameter($0.name, $0.value, "query", isEnabled: true) }
        parameters += off.map { parameter($0.name, $0.value, "query", isEnabled: false) }
        let query = request.query.map { "\(templates.text($0.name))=\(templates.text($0.value))" }.joined(separator: "&")
        return (query.isEmpty ? base : "\(base)?\(query)", parameters, true)
    }

    // MARK: Messages

    /// - Returns: one message, or a list with titles; `nil`: none.
    private mutating func messages(_ definition: RequestDefinition) -> JSONValue? {
        if definition.session != nil { templates.notes.add("`session`: Bruno can't say it") }
        var messages: [JSONValue] = []
        for step in definition.steps {
            let (type, data): (String, String)
            switch step.action {
            case .send(.text(let text)): (type, data) = ("text", templates.text(text))
            case .send(.json(let text)): (type, data) = ("json", templates.json(text))
            default:
                templates.notes.add("`messages`: \(step), which Bruno can't say")
                continue
            }
            messages.append(JSONValue.map([("type", .string(type)), ("data", .string(data))]))
        }
        guard messages.count > 1 else { return messages.first }
        return .array(
            messages.enumerated().map { number, message in
                JSONValue.map([("title", .string("message \(number + 1)")), ("message", message)])
            })
    }

    // MARK: Headers

    private mutating func headers(_ request: MergedRequest, around: [Level], type: String?) -> [JSONValue] {
        let inherited = around.flatMap(\.headers).map { "\($0.name.lowercased()): \($0.value)" }
        var rows = request.headers.filter { !inherited.contains("\($0.name.lowercased()): \($0.value)") }
        let hasType = request.headers.contains { $0.name.lowercased() == "content-type" }
        if let type, !hasType { rows.append(.init(name: "Content-Type", value: type)) }
        var cookies = request.cookies.map { "\($0.name)=\($0.value)" }
        if case .apiKey(let key) = request.auth, key.place == .cookie { cookies.append("\(key.name)=\(key.value)") }
        rows.add(cookies: cookies)
        rows += request.definition.subprotocolRows
        let off = request.definition.headers.filter { !$0.isEnabled && !$0.value.isEmpty }
        func value(_ name: String, _ value: String, _ more: [(String, JSONValue)]) -> JSONValue {
            JSONValue.map([("name", .string(templates.text(name))), ("value", .string(templates.text(value)))] + more)
        }
        return rows.map { value($0.name, $0.value, []) } + off.map { value($0.name, $0.value, [("disabled", .boolean(true))]) }
    }

    // MARK: Authentication

    /// - Returns: `nil`: none.
    private mutating func auth(_ request: MergedRequest, around: [Level]) -> JSONValue? {
        if request.headers.contains(where: { $0.name.lowercased() == "authorization" }) {
            switch request.auth {
            case .apiKey: break
            // Ours goes before it.
            default: return nil
            }
        }
        let own = request.definition.auth
        if own == nil || own == .inherit, let nearest = around.last(where: { $0.auth != nil })?.auth, nearest == request.auth {
            return .string("inherit")
        }
        return auth(request.auth)
    }

    /// - Returns: `nil` for none, and for what Bruno hasn't, which is said.
    mutating func auth(_ auth: AuthDefinition) -> JSONValue? {
        func map(_ kind: String, _ members: [(String, String?)]) -> JSONValue {
            JSONValue.map(
                [("type", .string(kind))]
                    + members.compactMap { member in
                        member.1.map { (member.0, .string(templates.text($0))) }
                    })
        }
        switch auth {
        case .none, .inherit: return nil
        case .basic(let user, let password): return map("basic", [("username", user), ("password", password)])
        case .digest(let user, let password): return map("digest", [("username", user), ("password", password)])
        case .bearer(let token): return map("bearer", [("token", token)])
        case .ntlm(let user, let password):
            let halves = user.halves(at: "\\")
            let domain = halves.map { String($0.before) }
            return map(
                "ntlm", [("username", halves.map { String($0.behind) } ?? user), ("password", password), ("domain", domain ?? "")])
        case .apiKey(let key):
            if key.place == .cookie { return nil }
            return map("apikey", [("key", key.name), ("value", key.value), ("placement", key.place.rawValue)])
        case .awsSigV4(let keys):
            if keys.expires != nil { templates.notes.add("`auth`: the signature stands in header fields, and not in the query") }
            if let provider = keys.provider, provider != "aws:amz" { templates.notes.add("`auth`: the provider \(provider)") }
            return map(
                "awsv4",
                [
                    ("accessKeyId", keys.accessKey), ("secretAccessKey", keys.secretKey), ("sessionToken", keys.sessionToken ?? ""),
                    ("service", keys.service ?? ""), ("region", keys.region ?? ""),
                ])
        case .oauth2(let oauth2): return self.oauth2(oauth2)
        default:
            templates.notes.add("`auth`: \(auth.kindName), which Bruno hasn't")
            return nil
        }
    }

    private mutating func oauth2(_ oauth2: OAuth2Definition) -> JSONValue? {
        func text(_ text: String) -> JSONValue { .string(templates.text(text)) }
        let placement = oauth2.clientAuthentication == .body ? "body" : "basic_auth_header"
        let credentials = JSONValue.map([
            ("clientId", text(oauth2.clientID)), ("clientSecret", text(oauth2.clientSecret ?? "")),
            ("placement", .string(placement)),
        ])
        var members: [(String, JSONValue)] = [("type", .string("oauth2"))]
        switch oauth2.grant {
        case .clientCredentials: members.append(("flow", .string("client_credentials")))
        case .password(let user, let password):
            members.append(("flow", .string("resource_owner_password_credentials")))
            members.append(("resourceOwner", JSONValue.map([("username", text(user)), ("password", text(password))])))
        case .authorizationCode(let url, let redirect):
            members += [("flow", .string("authorization_code")), ("authorizationUrl", text(url))]
            if let redirect { members.append(("callbackUrl", text(redirect))) }
            members.append(("pkce", JSONValue.map([("method", .string("S256"))])))
        case .deviceCode, .refreshToken:
            templates.notes.add("`auth`: oauth2 \(oauth2.grant.name), which Bruno hasn't")
            return nil
        }
        members += [("accessTokenUrl", text(oauth2.tokenURL)), ("credentials", credentials)]
        if let scope = oauth2.scope { members.append(("scope", text(scope))) }
        if oauth2.audience != nil { templates.notes.add("`auth`: the audience of OAuth 2") }
        return JSONValue.map(members)
    }

    // MARK: Bodies

    /// - Returns: with its value, and the content type that Bruno doesn't give it by itself.
    private mutating func body(_ request: MergedRequest) -> (kind: String, value: JSONValue?, type: String?) {
        func typed(_ kind: String, _ data: JSONValue) -> JSONValue { JSONValue.map([("type", .string(kind)), ("data", data)]) }
        guard let body = request.definition.body else { return ("none", nil, nil) }
        switch body {
        case .none: return ("none", nil, nil)
        case .text(let text): return ("text", typed("text", .string(templates.text(text))), body.contentType)
        case .json(let text): return ("json", typed("json", .string(templates.json(text))), nil)
        case .form(let rows):
            let values = rows.map { row in
                JSONValue.map(
                    [("name", .string(templates.text(row.name))), ("value", .string(templates.text(row.value)))]
                        + (row.isEnabled ? [] : [("disabled", .boolean(true))]))
            }
            return ("form", typed("form-urlencoded", .array(values)), nil)
        case .multipart(let parts): return ("multipart", typed("multipart-form", .array(parts.map { part($0, of: request) })), nil)
        case .file(let path):
            let type = ContentType.forFile(path).rawValue
            let file = JSONValue.map([
                ("filePath", .string(self.path(path, of: request))), ("contentType", .string(type)), ("selected", .boolean(true)),
            ])
            return ("file", typed("file", .array([file])), type)
        case let body:
            guard case .graphql(let graphql) = body else {
                templates.notes.add("`body`: \(body.kind.name), which Bruno hasn't")
                return ("none", nil, nil)
            }
            do throws(Inexpressible) {
                try templates.check(graphql, of: request.definition.method)
            } catch {
                templates.notes.add("`body`: \(error.reason)")
                return ("none", nil, nil)
            }
            guard case .text(let query) = graphql.query else {
                templates.notes.add("`body`: its GraphQL query stands in a file, and isn't in it")
                return ("none", nil, nil)
            }
            if graphql.operation != nil { return ("json", typed("json", .string(templates.json(graphql, query))), nil) }
            let variables = graphql.variables.map { templates.json($0) } ?? ""
            return (
                "graphql", JSONValue.map([("query", .string(templates.text(query))), ("variables", .string(variables))]), nil
            )
        }
    }

    private mutating func path(_ path: String, of request: MergedRequest) -> String {
        templates.notes.addOfAll("files are named from the collection's directory: put the export there")
        return templates.text(request.path(path, in: plan.collection))
    }

    private mutating func part(_ part: BodyDefinition.Part, of request: MergedRequest) -> JSONValue {
        if part.fileName != nil { templates.notes.add("the file name of the part `\(part.name)`") }
        var members: [(String, JSONValue)] = [("name", .string(templates.text(part.name)))]
        switch part.content {
        case .text(let text): members += [("type", .string("text")), ("value", .string(templates.text(text)))]
        case .file(let path): members += [("type", .string("file")), ("value", .array([.string(self.path(path, of: request))]))]
        }
        if let type = part.contentType { members.append(("contentType", .string(templates.text(type)))) }
        if !part.isEnabled { members.append(("disabled", .boolean(true))) }
        return JSONValue.map(members)
    }

    // MARK: Settings

    private static let taken: Set = ["redirects.follow", "redirects.max", "timeouts.operation"]

    private mutating func settings(_ request: MergedRequest, encodesURL: Bool) -> [(String, JSONValue)] {
        let settings = request.settings
        var members: [(String, JSONValue)] = [("encodeUrl", .boolean(encodesURL))]
        switch settings.followRedirects {
        case .never?: members.append(("followRedirects", .boolean(false)))
        case .sameHost?: templates.notes.add("`redirects.follow`: Bruno follows to other hosts, too")
        case nil, .always?, .delegate?: break
        }
        if let count = settings.maxRedirects { members.append(("maxRedirects", .number("\(count)"))) }
        if case .after(let time)? = settings.timeouts.operation {
            members.append(("timeout", .number("\(max(1, Int64((time / .milliseconds(1)).rounded())))")))
        }
        for field in settings.unfollowed(taking: Self.taken, doing: .library) {
            templates.notes.add("`\(field.key)`: Bruno isn't told of it by the request")
        }
        return members
    }

    // MARK: Responses

    private mutating func runtime(_ definition: RequestDefinition) -> [(String, JSONValue)] {
        let writer = ClaimWriter(style: .chai)
        var members: [(String, JSONValue)] = []
        let variables = variables(definition.variables)
        if !variables.isEmpty { members.append(("variables", .array(variables))) }
        var assertions: [JSONValue] = []
        var statements: [String] = []
        for expectation in definition.expectations {
            if let row = writer.row(expectation) {
                assertions.append(
                    JSONValue.map([
                        ("expression", .string(row.expression)), ("operator", .string(row.operator)), ("value", .string(row.value)),
                    ]))
            } else if let statement = writer.statement(expectation) {
                let what = JSONText.quoted("\(expectation.subject) \(expectation.matcher)")
                statements.append("test(\(what), function() {\n  \(statement)\n});")
            } else {
                templates.notes.add("`expect`: \(expectation.subject) \(expectation.matcher), which Bruno can't say exactly")
            }
        }
        if !statements.isEmpty {
            let script = JSONValue.map([("type", .string("tests")), ("code", .string(statements.joined(separator: "\n")))])
            members.append(("scripts", .array([script])))
        }
        if !assertions.isEmpty { members.append(("assertions", .array(assertions))) }
        var actions: [JSONValue] = []
        for capture in definition.captures {
            guard let expression = writer.expression(capture) else {
                templates.notes.add("`capture`: \(capture.name) from \(capture.source), which Bruno can't say exactly")
                continue
            }
            if let exposure = capture.exposure { templates.notes.add(exposure) }
            actions.append(
                JSONValue.map([
                    ("type", .string("set-variable")), ("phase", .string("after-response")),
                    ("selector", JSONValue.map([("expression", .string(expression)), ("method", .string("jsonq"))])),
                    ("variable", JSONValue.map([("name", .string(capture.name)), ("scope", .string("runtime"))])),
                ]))
        }
        if !actions.isEmpty { members.append(("actions", .array(actions))) }
        return members
    }
}
