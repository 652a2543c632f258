import HTTPTypes
import RequestCollections

extension PostmanImport {
    /// - Returns: `nil` where the folder around decides.
    mutating func auth(_ value: JSONValue?, at place: String) -> AuthDefinition? {
        guard let value, let kind = value["type"]?.string else { return nil }
        // A list of keys and values in 2.1, a map in 2.0.
        let given = value[kind]
        let listed = given?.items.map { ($0["key"]?.string ?? "", $0["value"] ?? .null) } ?? []
        let named = given?.members.map { ($0.name, $0.value) } ?? []
        let values = Dictionary(listed + named) { first, _ in first }
        func scalar(_ key: String) -> String? { values[key]?.nonEmpty }
        switch kind {
        case "noauth": return AuthDefinition.none
        case "basic":
            return .basic(user: text(scalar("username") ?? "", at: place), password: text(scalar("password") ?? "", at: place))
        case "digest":
            return .digest(user: text(scalar("username") ?? "", at: place), password: text(scalar("password") ?? "", at: place))
        case "ntlm":
            let domain = scalar("domain").map { "\($0)\\" } ?? ""
            return .ntlm(
                user: text(domain + (scalar("username") ?? ""), at: place), password: text(scalar("password") ?? "", at: place))
        case "bearer": return .bearer(text(scalar("token") ?? "", at: place))
        case "apikey":
            guard let key = scalar("key") else { break }
            return .apiKey(
                APIKeyDefinition(
                    name: text(key, at: place), value: text(scalar("value") ?? "", at: place),
                    place: scalar("in") == "query" ? .query : .header))
        case "awsv4":
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: text(scalar("accessKey") ?? "", at: place), secretKey: text(scalar("secretKey") ?? "", at: place),
                    sessionToken: scalar("sessionToken").map { text($0, at: place) },
                    region: scalar("region").map { text($0, at: place) },
                    service: scalar("service").map { text($0, at: place) },
                    // As long as Postman's own hold.
                    expires: scalar("addAuthDataToQuery") == "true" ? .seconds(86_400) : nil))
        case "oauth2":
            let sending = OAuth2Sending(
                prefix: values["headerPrefix"]?.string, queryName: scalar("queryKey"),
                isInQuery: ["queryParams", "url"].contains(scalar("addTokenTo")))
            let token = scalar("accessToken").map { text($0, at: place) }
            if scalar("clientId") == nil, let token { return sending.auth(token) }
            if let oauth2 = oauth2(scalar, at: place) {
                let others = ["resource", "tokenRequestParams", "authRequestParams", "refreshRequestParams"]
                    .filter { values[$0]?.nonEmpty != nil || values[$0]?.items.isEmpty == false }
                for loss in sending.losses + others.map({ "`\($0)` of OAuth 2" }) { note(place, loss) }
                return .oauth2(oauth2)
            }
            if let token { return sending.auth(token) }
        default: break
        }
        note(place, "its authentication, `\(kind)`: there is no equivalent")
        // Otherwise the folder or collection around it would send its own credentials.
        return isBelowAuth ? AuthDefinition.none : nil
    }

    private mutating func oauth2(_ scalar: (String) -> String?, at place: String) -> OAuth2Definition? {
        guard let tokenURL = scalar("accessTokenUrl") ?? scalar("tokenUrl") else { return nil }
        let client = scalar("clientId") ?? "{{client_id}}"
        let user = text(scalar("username") ?? "", at: place)
        let password = text(scalar("password") ?? "", at: place)
        var grant = OAuth2Definition.Grant.clientCredentials
        switch scalar("grant_type") ?? scalar("grantType") ?? "authorization_code" {
        case "client_credentials": break
        case "password_credentials", "password": grant = .password(user: user, password: password)
        case "implicit": return nil
        default:
            guard let url = scalar("authUrl") else { return nil }
            let redirect = scalar("redirect_uri") ?? scalar("redirectUri")
            let isLocal = redirect.map { $0.contains("//localhost") || $0.contains("//127.0.0.1") } ?? false
            if let redirect, !isLocal {
                note(place, "the redirect address of OAuth 2, \(redirect): the answer is awaited on this machine", isLoss: false)
            }
            grant = .authorizationCode(
                authorizationURL: text(url, at: place), redirect: isLocal ? redirect.map { text($0, at: place) } : nil)
        }
        // Client credentials without a secret can't be asked for.
        let secret = scalar("clientSecret") ?? (grant == .clientCredentials ? "" : nil)
        return OAuth2Definition(
            grant: grant, tokenURL: text(tokenURL, at: place), clientID: text(client, at: place),
            clientSecret: secret.map { text($0, at: place) },
            clientAuthentication: scalar("client_authentication") == "body" ? .body : .header,
            scope: scalar("scope").map { text($0, at: place) }, audience: scalar("audience").map { text($0, at: place) })
    }
}

/// How a token is sent, which is always `Authorization: Bearer` where it is fetched.
struct OAuth2Sending {
    private let prefix: String
    private let queryName: String
    private let isInQuery: Bool

    init(prefix: String?, queryName: String? = nil, isInQuery: Bool = false) {
        self.prefix = prefix?.trimmingSpace ?? "Bearer"
        self.queryName = queryName ?? "access_token"
        self.isInQuery = isInQuery
    }

    /// A token that is there already.
    func auth(_ token: String) -> AuthDefinition {
        if isInQuery { return .apiKey(APIKeyDefinition(name: queryName, value: token, place: .query)) }
        if prefix.lowercased() == "bearer" { return .bearer(token) }
        return .apiKey(APIKeyDefinition(name: "Authorization", value: prefix.isEmpty ? token : "\(prefix) \(token)"))
    }

    /// What of it a token that is fetched hasn't.
    var losses: [String] {
        if isInQuery { return ["the token of OAuth 2 goes into `Authorization` here, and not into the query, as `\(queryName)`"] }
        return prefix.lowercased() == "bearer" ? [] : ["the token of OAuth 2 has `Bearer` in front of it here, and not `\(prefix)`"]
    }
}

extension PostmanImport {
    mutating func readBody(_ body: JSONValue, into request: inout ImportedRequest, at place: String) {
        let mode = body["mode"]?.string ?? "raw"
        switch mode {
        case "raw": readRaw(body, into: &request.definition, at: place)
        case "urlencoded":
            if let lines = body["urlencoded"]?.string {
                request.definition.body = ImportedBody.make(lines, type: "application/x-www-form-urlencoded") {
                    template($0, at: place)
                }
            } else {
                let rows = rows(body["urlencoded"], "body.form", of: &request, at: place)
                if !rows.isEmpty { request.definition.body = .form(rows) }
            }
        case "formdata": readParts(body["formdata"], into: &request, at: place)
        case "file":
            if let path = body["file"]?["src"]?.nonEmpty {
                request.definition.body = .file(text(path, at: place))
            } else if let content = body["file"]?["content"]?.nonEmpty {
                request.definition.body = .text(text(content, at: place))
            } else {
                note(place, "the body: its file isn't named")
            }
        case "graphql":
            let graphql = body["graphql"]
            let (query, operation) = (graphql?["query"]?.string ?? "", graphql?["operationName"]?.nonEmpty)
            if let given = graphql?["variables"]?.string {
                let text = ImportedBody.withoutComments(given) ?? given
                request.definition.body = ImportedBody.graphql(query: query, operation: operation, variables: text) {
                    template($0, at: place)
                }
                if request.definition.body != nil { return }
                note(place, "the variables of the GraphQL query: they aren't JSON")
            }
            request.definition.body = ImportedBody.graphql(
                query: query, operation: operation, variables: graphql?["variables"].flatMap { $0.string == nil ? $0 : nil }
            ) { template($0, at: place) }
        default:
            note(place, "the body: there is no kind of body `\(mode)`")
        }
    }

    private mutating func readRaw(_ body: JSONValue, into definition: inout RequestDefinition, at place: String) {
        guard let raw = body["raw"]?.nonEmpty else { return }
        let header = definition.headers.first { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
        let language = body["options"]?["raw"]?["language"]?.string
        let types = [
            "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript",
            "text": "text/plain",
        ]
        // Without a language it is text to Postman.
        let type = header ?? types[language ?? (isOwn ? "text" : "")]
        let isJSON = MediaType.isJSON(MediaType.essence(type))
        definition.body = ImportedBody.make(isJSON ? ImportedBody.withoutComments(raw) ?? raw : raw, type: type) {
            template($0, at: place)
        }
        // Postman sends the type of the language; ours follows from the body.
        if header == nil, let type, type != "application/json", type != "text/plain" {
            definition.headers.append(.init(name: "content-type", value: type))
        }
    }

    private mutating func readParts(_ value: JSONValue?, into request: inout ImportedRequest, at place: String) {
        var parts: [BodyDefinition.Part] = []
        for item in value?.items ?? [] {
            guard let key = item["key"]?.nonEmpty else {
                if item["value"]?.nonEmpty != nil || item["src"]?.isNull == false {
                    note(place, "a part of the body without a name")
                }
                continue
            }
            let name = text(key, at: place)
            if let comment = Self.description(item["description"]) { request.comments["body.multipart.\(name)"] = comment }
            let type = item["contentType"]?.nonEmpty.map { text($0, at: place) }
            let isEnabled = item["disabled"]?.boolean != true
            guard item["type"]?.string == "file" else {
                let content = text(item["value"]?.scalar ?? "", at: place)
                parts.append(.init(name: name, content: .text(content), contentType: type, isEnabled: isEnabled))
                continue
            }
            let source = item["src"]
            let paths = source?.string.map { [$0] } ?? source?.items.compactMap(\.string) ?? []
            if paths.isEmpty {
                note(place, "the file of the part \(key) isn't named; name one in the collection")
                parts.append(.init(name: name, content: .text(""), contentType: type, isEnabled: false))
            }
            for path in paths {
                parts.append(
                    .init(
                        name: name, content: .file(text(path, at: place)),
                        fileName: item["fileName"]?.nonEmpty.map { self.text($0, at: place) }, contentType: type,
                        isEnabled: isEnabled))
            }
        }
        if !parts.isEmpty { request.definition.body = .multipart(parts) }
    }
}

extension PostmanImport {
    /// The first saved example that tells of a success, else the first: what a request is answered with when mocks are on.
    mutating func readResponses(_ responses: [JSONValue], into definition: inout RequestDefinition) {
        let succeeding = responses.first { Self.status($0).map { (200...299).contains($0) } ?? false }
        guard let response = succeeding ?? responses.first else { return }
        exampleCount += responses.count - 1
        var mock = MockDefinition(location: .none)
        mock.status = Self.status(response)
        for header in response["header"]?.items ?? [] {
            guard let name = header["key"]?.nonEmpty, let value = header["value"]?.scalar, HTTPField.Name(name) != nil,
                !Self.isOfConnection(name), !value.contains(where: \.isNewline)
            else { continue }
            mock.headers.append(.init(name: name, value: TemplateText(value).text))
        }
        if let body = response["body"]?.nonEmpty {
            let type = mock.headers.first { $0.name.lowercased() == "content-type" }?.value
            let language = response["_postman_previewlanguage"]?.string == "json" ? "application/json" : nil
            mock.readBody(.string(body), type: type ?? language)
        }
        // Some exports have the names of examples only.
        if mock != MockDefinition(location: .none) { definition.mock = mock }
    }

    private static func status(_ response: JSONValue) -> Int? {
        response["code"]?.scalar.flatMap { Int($0) }.flatMap { (200...599).contains($0) ? $0 : nil }
    }

    /// What was true of the bytes that came then (RFC 9110, section 7.6.1).
    private static func isOfConnection(_ name: String) -> Bool {
        ["content-length", "content-encoding", "transfer-encoding", "connection", "keep-alive", "date", "trailer", "upgrade"]
            .contains(name.lowercased())
    }
}

/// Postman's dynamic variables (https://learning.postman.com/docs/tests-and-scripts/write-scripts/variables-list/).
enum PostmanTemplates {
    /// What stands between the braces here.
    ///
    /// - Parameter unknown: is told the name of a dynamic variable that has no equivalent; it becomes a variable of its name.
    static func translate(_ inside: String, unknown: (String) -> Void) -> String? {
        // What has these in it is some other language's: Handlebars, JSON.
        guard let first = inside.first, !"#/^>!&".contains(first),
            !inside.contains(where: { $0.isNewline || "\"'{}()<>=;".contains($0) })
        else { return nil }
        guard inside.hasPrefix("$") else { return VariableName.make(inside) }
        if let expression = known[inside] { return expression }
        unknown(inside)
        return VariableName.make(inside.dropFirst())
    }

    private static let known = [
        "$guid": "uuid()", "$randomUUID": "uuid()", "$timestamp": "timestamp()", "$isoTimestamp": "now(\"iso8601-ms\")",
        "$randomInt": "random(0..1000)", "$randomAlphaNumeric": "random(length: 1)", "$randomPassword": "random(length: 15)",
        "$randomDigit": "random(0..9)",
    ]
}

/// What is read of Postman's collections and environments.
enum PostmanShape {
    static let document = ForeignShape.map([
        "info": .map(["name": .scalar, "description": description]),
        "item": items, "auth": auth, "event": events, "variable": rows, "variables": rows, "values": rows, "name": .scalar,
    ])

    private static let description = ForeignShape.either([.scalar, .map(["content": .scalar])])
    private static let rows = ForeignShape.list(
        .map(["key": .scalar, "id": .scalar, "name": .scalar, "type": .scalar, "disabled": .scalar, "description": description]))
    private static let fields = ForeignShape.list(
        .map(["key": .scalar, "value": .scalar, "type": .scalar, "disabled": .scalar, "description": description]))
    private static let events = ForeignShape.list(
        .map(["listen": .scalar, "script": .either([.scalar, .map(["exec": .either([.scalar, .list(.scalar)])])])]))
    private static let auth = ForeignShape.map(["type": .scalar])

    private static let items: ForeignShape = .later {
        .list(
            .map([
                "name": .scalar, "description": description, "item": items, "request": .either([.scalar, request]), "auth": auth,
                "event": events, "variable": rows, "protocolProfileBehavior": .map([:]),
                "response": .list(.map(["code": .scalar, "body": .scalar, "header": .either([.list(.map([:])), .scalar])])),
            ]))
    }

    private static let request = ForeignShape.map([
        "method": .scalar, "url": .either([.scalar, url]), "header": .either([.scalar, fields]), "body": body, "auth": auth,
        "description": description,
    ])

    private static let url = ForeignShape.map([
        "raw": .scalar, "query": fields, "variable": fields, "protocol": .scalar, "port": .scalar,
        "host": .either([.scalar, .list(.scalar)]), "path": .either([.scalar, .list(.either([.scalar, .map([:])]))]),
    ])

    private static let body = ForeignShape.map([
        "mode": .scalar, "raw": .scalar, "urlencoded": .either([.scalar, fields]), "graphql": .map(["query": .scalar]),
        "file": .either([.map(["src": .scalar, "content": .scalar]), .scalar]), "disabled": .scalar,
        "formdata": .list(
            .map([
                "key": .scalar, "value": .scalar, "type": .scalar, "disabled": .scalar, "description": description,
                "contentType": .scalar, "fileName": .scalar, "src": .either([.scalar, .list(.scalar)]),
            ])),
    ])
}
