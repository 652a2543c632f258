extension RequestReader {
    /// What has the wrong form was reported by the table's check; what is missing is reported here.
    func auth(_ node: YAMLNode, problems: inout [CollectionProblem]) -> AuthDefinition? {
        switch node.text {
        case "none": return AuthDefinition.none
        case "inherit": return .inherit
        case "negotiate": return .negotiate
        case "netrc": return .netrc(path: nil)
        default: break
        }
        guard let pairs = node.pairs, let pair = pairs.first, let kind = pair.key.text else {
            if node.pairs != nil { problems.append(problem(node, "`auth` is empty; write `auth: none` for none")) }
            return nil
        }
        if pairs.count > 1, let second = pairs[1].key.text, second != kind {
            problems.append(problem(pairs[1].key, "both `\(kind)` and `\(second)` are there; a request has one kind of `auth`"))
        }
        let value = pair.value
        switch kind {
        case "basic": return .basic(user: text(value, "user"), password: text(value, "password"))
        case "digest": return .digest(user: text(value, "user"), password: text(value, "password"))
        case "ntlm": return .ntlm(user: text(value, "user"), password: text(value, "password"))
        case "bearer": return .bearer(value.text ?? "")
        case "netrc": return .netrc(path: value.text)
        case "api-key":
            require(["name", "value"], of: "api-key", in: pair, problems: &problems)
            return .apiKey(
                APIKeyDefinition(
                    name: text(value, "name"), value: text(value, "value"),
                    place: value["in"]?.text.flatMap(APIKeyDefinition.Place.init) ?? .header))
        case "aws-sigv4":
            require(["access-key", "secret-key"], of: "aws-sigv4", in: pair, problems: &problems)
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: text(value, "access-key"), secretKey: text(value, "secret-key"),
                    sessionToken: value["session-token"]?.text, region: value["region"]?.text, service: value["service"]?.text,
                    provider: value["provider"]?.text, expires: value["expires"]?.text.flatMap(DurationText.parse)))
        case "oauth2": return oauth2(pair, problems: &problems)
        default: return nil
        }
    }

    private func text(_ node: YAMLNode, _ key: String) -> String { node[key]?.text ?? "" }

    private func require(_ keys: [String], of kind: String, in pair: YAMLPair, problems: inout [CollectionProblem]) {
        // A key that isn't known is probably the one that would be missing.
        guard case .keys(let table)? = pair.key.text.flatMap({ FormatTable.auths[$0]?.takes }), table.knowsAllKeys(of: pair.value)
        else { return }
        for key in keys where pair.value[key] == nil {
            problems.append(problem(pair.key, "`\(kind)` lacks `\(key)`"))
        }
    }

    private func oauth2(_ pair: YAMLPair, problems: inout [CollectionProblem]) -> AuthDefinition? {
        let node = pair.value
        guard node.pairs != nil else { return nil }
        let name = node["grant"]?.text ?? "client-credentials"
        let keys = ["token-url", "client-id"] + (Self.keysOfGrants[name] ?? [])
        require(keys, of: "oauth2 with the grant \(name)", in: pair, problems: &problems)
        let grant: OAuth2Definition.Grant
        switch name {
        case "password": grant = .password(user: text(node, "user"), password: text(node, "password"))
        case "authorization-code":
            grant = .authorizationCode(authorizationURL: text(node, "authorization-url"), redirect: node["redirect"]?.text)
        case "device-code": grant = .deviceCode(deviceURL: text(node, "device-url"))
        case "refresh-token": grant = .refreshToken(text(node, "refresh-token"))
        default: grant = .clientCredentials
        }
        return .oauth2(
            OAuth2Definition(
                grant: grant, tokenURL: text(node, "token-url"), clientID: text(node, "client-id"),
                clientSecret: node["client-secret"]?.text,
                clientAuthentication: node["client-auth"]?.text.flatMap(OAuth2Definition.ClientAuthentication.init) ?? .header,
                scope: node["scope"].map { $0.items?.compactMap(\.text).joined(separator: " ") ?? $0.text ?? "" },
                audience: node["audience"]?.text))
    }

    /// By grant; `nil`: none is named.
    static let keysOfGrants: [String?: [String]] = [
        nil: ["client-secret"], "client-credentials": ["client-secret"], "password": ["user", "password"],
        "authorization-code": ["authorization-url"], "device-code": ["device-url"], "refresh-token": ["refresh-token"],
    ]
}
