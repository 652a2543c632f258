import Base
import NetworkLayer
import RequestCollections

/// One request as statements of Python: what it needs, how it is sent, what its response must be, and what is kept of it.
struct LocustRequest {
    let request: MergedRequest
    let python: PythonTemplate
    /// Entries of a dictionary: those of its folders, too.
    let variables: [String]
    /// What can't be said.
    var notes: [String] = []

    init(_ request: MergedRequest, variables: [String] = [], python: PythonTemplate) {
        self.request = request
        self.variables = variables
        self.python = python
    }

    /// Whether it has limits that Python's `requests` doesn't support.
    var hasWholeTimeouts: Bool { request.settings.timeouts.attempt != nil || request.settings.timeouts.operation != nil }

    var definition: RequestDefinition { request.definition }

    mutating func lines() throws -> [String] {
        if definition.isWebSocket { throw Inexpressible("it opens a WebSocket, and Locust's users speak HTTP") }
        if definition.hydrate != nil { throw Inexpressible("a command hydrates it just before it is sent") }
        if definition.until != nil { throw Inexpressible("it is sent again until its answer is as it should be") }
        var lines = variables.isEmpty ? ["v = self.values"] : ["v = self.values.near({"] + variables + ["})"]
        for need in request.needs {
            let name = PythonText.string(need.request.rawValue)
            let age = need.maxAge.map { ", max_age=\(PythonTemplate.seconds($0))" } ?? ""
            lines.append("need(self, \(name), self.\(python.methods[need.request] ?? "")\(age))")
        }
        let body = try body()
        var options = [
            PythonText.string(definition.id.rawValue), PythonText.string(definition.method), try url(),
        ]
        let headers = try headers(contentType: body.type)
        options += try headersOption(headers)
        options += try credentials()
        options += body.options
        options += try transport()
        notes += unsaidSettings()
        lines.append("with send(")
        lines.append("    self,")
        for option in options { lines += "\(option),".lines.map { "    \($0)" } }
        lines.append(") as reply:")
        let checks = try statements()
        // A comment alone is no block.
        let isEmpty = !checks.contains { !$0.function.hasPrefix("#") }
        lines += (checks.flatMap(\.lines) + (isEmpty ? ["pass"] : [])).map { "    \($0)" }
        return lines
    }
}

extension LocustRequest {
    func url() throws -> String {
        var pieces: [PythonTemplate.Piece] = []
        let template = try python.parse(definition.url)
        var hasQuery = false
        for segment in template.segments {
            switch segment {
            case .text(let text):
                pieces += try path(text)
                if text.contains("#") { throw Inexpressible("its URL has a fragment, which is never sent") }
                hasQuery = hasQuery || text.contains("?")
            case .expression(let node): pieces.append(.expression(node))
            }
        }
        var rows = request.query
        if case .apiKey(let key) = request.auth, key.place == .query { rows.append(.init(name: key.name, value: key.value)) }
        for row in rows {
            pieces.append(.text(hasQuery ? "&" : "?"))
            pieces += try encoded(row.name) + [.text("=")] + encoded(row.value)
            hasQuery = true
        }
        return try python.text(Self.joined(pieces))
    }

    /// `/:name` becomes the value of `path.name`, encoded as one segment.
    private func path(_ text: String) throws -> [PythonTemplate.Piece] {
        var pieces: [PythonTemplate.Piece] = []
        var rest = Substring(text)
        while let slash = rest.firstRange(of: "/:") {
            let name = rest[slash.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard let first = name.first, !first.isNumber else {
                pieces.append(.text(String(rest[..<slash.upperBound])))
                rest = rest[slash.upperBound...]
                continue
            }
            guard let row = definition.path.first(where: { $0.name == name && $0.isEnabled }) else {
                throw Inexpressible("`:\(name)` in its URL has no value")
            }
            pieces.append(.text(String(rest[..<slash.lowerBound]) + "/"))
            pieces += try encoded(row.value)
            rest = rest[slash.upperBound...].dropFirst(name.count)
        }
        return pieces + [.text(String(rest))]
    }

    /// Percent-encoded, now or when it is sent.
    private func encoded(_ template: String) throws -> [PythonTemplate.Piece] {
        guard Template.isIn(template) else { return [.text(URLCoding.percentEncoded(template))] }
        return [.python("quote(\(try python.text(template)), safe=\"\")")]
    }

    private static func joined(_ pieces: [PythonTemplate.Piece]) -> [PythonTemplate.Piece] {
        var joined: [PythonTemplate.Piece] = []
        for piece in pieces {
            if case .text(let more) = piece {
                if more.isEmpty { continue }
                if case .text(let text)? = joined.last {
                    joined[joined.count - 1] = .text(text + more)
                    continue
                }
            }
            joined.append(piece)
        }
        return joined
    }
}

extension LocustRequest {
    func headers(contentType: String?) throws -> [(name: String, value: String)] {
        var headers: [(key: String, name: String, value: String)] = []
        for row in request.headers {
            let value = try python.text(row.value)
            if Template.isIn(row.name) { throw Inexpressible("the name of a header is a template") }
            let key = row.name.lowercased()
            if let index = headers.firstIndex(where: { $0.key == key }) {
                // RFC 9110, section 5.3: a list, however it is sent.
                headers[index].value = "\", \".join([\(headers[index].value), \(value)])"
            } else {
                headers.append((key, row.name, value))
            }
        }
        // Nothing takes the place of `requests`' own field.
        for name in request.omittedHeaders where !Template.isIn(name) { headers.append((name.lowercased(), name, "None")) }
        if let contentType, !headers.contains(where: { $0.key == "content-type" }) {
            headers.append(("content-type", "content-type", contentType))
        }
        if request.settings.compression == false, !headers.contains(where: { $0.key == "accept-encoding" }) {
            headers.append(("accept-encoding", "accept-encoding", PythonText.string("identity")))
        }
        var cookies = try request.cookies.map { "\(try python.text($0.name)) + \"=\" + \(try python.text($0.value))" }
        if case .apiKey(let key) = request.auth, key.place == .cookie {
            cookies.append("\(try python.text(key.name)) + \"=\" + \(try python.text(key.value))")
        }
        if !cookies.isEmpty {
            if let index = headers.firstIndex(where: { $0.key == "cookie" }) {
                cookies.insert(headers.remove(at: index).value, at: 0)
            }
            headers.append(
                ("cookie", "cookie", cookies.count == 1 ? cookies[0] : "\"; \".join([\(cookies.joined(separator: ", "))])"))
        }
        if let field = try authorization(),
            !headers.contains(where: { $0.key == "authorization" || $0.key == field.name.lowercased() })
        {
            headers.append((field.name.lowercased(), field.name, field.value))
        }
        return headers.map { ($0.name, $0.value) }
    }

    private func authorization() throws -> (name: String, value: String)? {
        switch request.auth {
        case .bearer(let token): return ("authorization", "\"Bearer \" + \(try python.text(token))")
        case .basic(let user, let password):
            return ("authorization", "basic(\(try python.text(user)), \(try python.text(password)))")
        case .apiKey(let key) where key.place == .header:
            if Template.isIn(key.name) { throw Inexpressible("the name of its key's header is a template") }
            return (key.name, try python.text(key.value))
        case .oauth2(let oauth2): return ("authorization", "\"Bearer \" + \(try token(oauth2))")
        default: return nil
        }
    }

    private func token(_ oauth2: OAuth2Definition) throws -> String {
        var fields: [(String, String)]
        switch oauth2.grant {
        case .clientCredentials: fields = [("grant_type", "client_credentials")]
        case .password(let user, let password): fields = [("grant_type", "password"), ("username", user), ("password", password)]
        case .refreshToken(let token): fields = [("grant_type", "refresh_token"), ("refresh_token", token)]
        case .authorizationCode, .deviceCode:
            throw Inexpressible("its token takes a person who signs in (oauth2 \(oauth2.grant.name))")
        }
        if let scope = oauth2.scope { fields.append(("scope", scope)) }
        if let audience = oauth2.audience { fields.append(("audience", audience)) }
        var words = [
            try python.text(oauth2.tokenURL), try python.text(oauth2.clientID), try python.text(oauth2.clientSecret ?? ""),
        ]
        if oauth2.clientAuthentication == .body { words.append("in_body=True") }
        words += try fields.map { "\($0.0)=\(try python.text($0.1))" }
        return "oauth2_token(\(words.joined(separator: ", ")))"
    }

    func headersOption(_ headers: [(name: String, value: String)]) throws -> [String] {
        guard !headers.isEmpty else { return [] }
        if headers.count == 1 { return ["headers={\(PythonText.string(headers[0].name)): \(headers[0].value)}"] }
        let rows = headers.map { "    \(PythonText.string($0.name)): \($0.value)," }
        return ["headers={\n" + rows.joined(separator: "\n") + "\n}"]
    }

    func credentials() throws -> [String] {
        switch request.auth {
        case .none, .inherit, .basic, .bearer, .apiKey, .oauth2: return []
        case .digest(let user, let password): return ["auth=HTTPDigestAuth(\(try python.text(user)), \(try python.text(password)))"]
        case .netrc(nil) where !python.runsCommands:
            throw Inexpressible("its credentials stand in ~/.netrc, and the collection isn't trusted")
        case .netrc(nil): return ["auth=requests.utils.get_netrc_auth(\(try url()))"]
        default: throw Inexpressible("its auth is \(request.auth.kindName)")
        }
    }
}

extension LocustRequest {
    /// Options of `send`, and the content type unless a header gives another.
    func body() throws -> (options: [String], type: String?) {
        switch definition.body {
        case nil, .some(.none): return ([], nil)
        case .text(let text)?: return (["data=\(try python.text(text)).encode()"], PythonText.string("text/plain; charset=utf-8"))
        case .json(let text)?: return (["data=\(try python.json(text)).encode()"], PythonText.string("application/json"))
        case .form(let rows)?:
            let pairs = try rows.filter(\.isEnabled).map { "(\(try python.text($0.name)), \(try python.text($0.value)))" }
            return (["data=urlencode([\(pairs.joined(separator: ", "))])"], PythonText.string("application/x-www-form-urlencoded"))
        case .file(let path)?:
            return (["data=read(\(try file(path)))"], PythonText.string(ContentType.forFile(path).rawValue))
        case .multipart(let parts)?:
            let rows = try parts.filter(\.isEnabled).map { "    \(try part($0)),\n" }
            return (["files=[\n\(rows.joined())]"], nil)
        case let body?:
            guard case .graphql(let graphql) = body else { throw Inexpressible("its body is \(body.kind.name)") }
            if !graphql.files.isEmpty { throw Inexpressible("its GraphQL query uploads files") }
            if definition.method.uppercased() == "GET" { throw Inexpressible("its GraphQL query stands in the URL") }
            var members: [String] = []
            switch graphql.query {
            case .text(let text): members.append("\"query\": \(try python.text(text))")
            case .file(let path): members.append("\"query\": read(\(try file(path))).decode()")
            }
            if let operation = graphql.operation { members.append("\"operationName\": \(try python.text(operation))") }
            if let variables = graphql.variables {
                guard let value = JSONParser.parse(variables) else {
                    throw Inexpressible("the variables of its query aren't JSON yet")
                }
                members.append("\"variables\": \(try python.value(value))")
            }
            return (["data=json_text({\(members.joined(separator: ", "))}).encode()"], PythonText.string("application/json"))
        }
    }

    private func file(_ path: String) throws -> String {
        if Template.isIn(path) { throw Inexpressible("the path of a file is a template") }
        return try python.file(path)
    }

    /// As `requests` takes it: (name, (file name, content, type)).
    private func part(_ part: BodyDefinition.Part) throws -> String {
        let type = try part.contentType.map { try python.text($0) }
        switch part.content {
        case .text(let text):
            let name = try part.fileName.map { try python.text($0) } ?? "None"
            return "(\(try python.text(part.name)), (\(name), \(try python.text(text))\(type.map { ", \($0)" } ?? "")))"
        case .file(let path):
            let name = part.fileName ?? path.split(separator: "/").last.map(String.init) ?? path
            return "(\(try python.text(part.name)), (\(try python.text(name)), read(\(try file(path))), "
                + "\(type ?? PythonText.string(ContentType.forFile(path).rawValue))))"
        }
    }
}

extension LocustRequest {
    func transport() throws -> [String] {
        let settings = request.settings
        var options = [
            "timeout=(\(Self.limit(settings.timeouts.connect, or: "None")), \(Self.limit(settings.timeouts.idle, or: "30")))"
        ]
        if settings.followRedirects == .never { options.append("allow_redirects=False") }
        if let max = settings.maxRedirects, settings.followRedirects != .never { options.append("max_redirects=\(max)") }
        if settings.verifiesTLS == false {
            options.append("verify=False")
        } else if let authorities = settings.authorities {
            options.append("verify=\(try python.file(python.plain(authorities, "the path of `tls.ca`"), in: ""))")
        }
        if settings.passphrase != nil { throw Inexpressible("the key of its client certificate has a pass phrase") }
        if let certificate = settings.certificate {
            let path = try python.file(python.plain(certificate, "the path of `tls.certificate`"), in: "")
            let key = try settings.key.map { try python.file(python.plain($0, "the path of `tls.key`"), in: "") }
            options.append("cert=\(key.map { "(\(path), \($0))" } ?? path)")
        }
        if let proxy = settings.proxy, !proxy.isEmpty {
            options.append("proxies=dict.fromkeys((\"http\", \"https\"), \(try python.text(proxy)))")
        }
        if settings.unixSocket != nil { throw Inexpressible("it is sent to a Unix socket") }
        if settings.resolve?.isEmpty == false { throw Inexpressible("`resolve` sends it to another address") }
        return options
    }

    private static func limit(_ limit: RequestSettings.Limit?, or standard: String) -> String {
        switch limit {
        case nil: standard
        case .never: "None"
        case .after(let duration): PythonTemplate.seconds(duration)
        }
    }

    /// What ``transport()`` and the headers say, and the timeouts that the head of the file speaks of.
    private static let taken: Set = [
        "timeouts.connect", "timeouts.idle", "timeouts.attempt", "timeouts.operation", "redirects.follow", "redirects.max",
        "tls.verify", "tls.ca", "tls.certificate", "tls.key", "proxy", "compression",
    ]

    /// What Locust does by itself.
    private static let itself: RequestSettings = {
        var settings = RequestSettings.library
        settings.httpVersion = .http1
        (settings.pins, settings.ciphers, settings.resolve, settings.cookieJar) = ([], [], [], "")
        return settings
    }()

    private static let sentences = [
        "retry": "it isn't retried: each attempt counts",
        "redirects.keep-auth": "credentials follow redirects to the same host only",
        "tls.pins": "the pins of `tls` aren't checked", "http": "it is sent with HTTP/1.1",
        "expect-continue": "it doesn't wait for 100 Continue",
    ]

    /// What is left out of how it is sent, as far as somebody asked for it.
    func unsaidSettings() -> [String] {
        var settings = request.settings
        if settings.httpVersion == .automatic { settings.httpVersion = .http1 }
        // A key without a certificate opens nothing.
        let taken = settings.certificate == nil ? Self.taken.subtracting(["tls.key"]) : Self.taken
        var notes = settings.unfollowed(taking: taken, doing: Self.itself).map {
            Self.sentences[$0.key] ?? "`\($0.key)` doesn't hold"
        }
        if settings.followRedirects == .sameHost { notes.append("it follows redirects to other hosts, too") }
        return notes
    }
}

extension PythonTemplate {
    /// A text that has no template.
    func plain(_ text: String, _ what: String) throws -> String {
        if Template.isIn(text) { throw Inexpressible("\(what) is a template") }
        return text
    }
}
