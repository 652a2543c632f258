import NetworkLayer
import RequestCollections

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
