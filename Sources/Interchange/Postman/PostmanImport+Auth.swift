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
            if scalar("clientId") == nil, let token = scalar("accessToken") { return .bearer(text(token, at: place)) }
            if let oauth2 = oauth2(scalar, at: place) { return .oauth2(oauth2) }
            if let token = scalar("accessToken") { return .bearer(text(token, at: place)) }
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
