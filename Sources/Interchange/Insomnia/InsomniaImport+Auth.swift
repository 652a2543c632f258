import RequestCollections

extension InsomniaImport {
    /// - Returns: `nil` where the folder around decides.
    mutating func auth(_ value: JSONValue?, at place: String) -> AuthDefinition? {
        guard let value, let kind = value["type"]?.nonEmpty else { return nil }
        if kind == "none" || value["disabled"]?.boolean == true { return AuthDefinition.none }
        var texts: [String: String] = [:]
        for member in value.members { texts[member.name] = member.value.nonEmpty.map { text($0, at: place) } }
        func given(_ key: String) -> String? { texts[key] }
        switch kind {
        case "basic": return .basic(user: given("username") ?? "", password: given("password") ?? "")
        case "digest": return .digest(user: given("username") ?? "", password: given("password") ?? "")
        case "ntlm": return .ntlm(user: given("username") ?? "", password: given("password") ?? "")
        case "netrc": return .netrc(path: nil)
        case "bearer":
            if let prefix = given("prefix"), prefix.lowercased() != "bearer" {
                return .apiKey(APIKeyDefinition(name: "Authorization", value: "\(prefix) \(given("token") ?? "")"))
            }
            return .bearer(given("token") ?? "")
        case "apikey":
            let places: [String: APIKeyDefinition.Place] = ["queryParams": .query, "cookie": .cookie]
            return .apiKey(
                APIKeyDefinition(
                    name: given("key") ?? "x-api-key", value: given("value") ?? "",
                    place: places[value["addTo"]?.string ?? ""] ?? .header))
        case "iam":
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: given("accessKeyId") ?? "", secretKey: given("secretAccessKey") ?? "",
                    sessionToken: given("sessionToken"),
                    region: given("region"), service: given("service")))
        case "oauth2":
            if let oauth2 = Self.oauth2(value, given) { return .oauth2(oauth2) }
        default: break
        }
        note(place, "its authentication, `\(kind)`: there is no equivalent")
        return nil
    }

    private static func oauth2(_ value: JSONValue, _ given: (String) -> String?) -> OAuth2Definition? {
        guard let tokenURL = given("accessTokenUrl") else { return nil }
        let client = given("clientId") ?? "{{client_id}}"
        var grant = OAuth2Definition.Grant.clientCredentials
        switch value["grantType"]?.string {
        case "client_credentials": break
        case "password": grant = .password(user: given("username") ?? "", password: given("password") ?? "")
        case "authorization_code":
            guard let url = given("authorizationUrl") else { return nil }
            let redirect = given("redirectUrl")
            let isLocal = redirect.map { $0.contains("//localhost") || $0.contains("//127.0.0.1") } ?? false
            grant = .authorizationCode(authorizationURL: url, redirect: isLocal ? redirect : nil)
        default: return nil
        }
        let secret = given("clientSecret") ?? (grant == .clientCredentials ? "" : nil)
        return OAuth2Definition(
            grant: grant, tokenURL: tokenURL, clientID: client, clientSecret: secret,
            clientAuthentication: value["credentialsInBody"]?.boolean == true ? .body : .header, scope: given("scope"),
            audience: given("audience"))
    }
}
