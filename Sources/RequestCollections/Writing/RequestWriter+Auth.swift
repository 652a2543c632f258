import NetworkLayer

extension RequestWriter {
    static func auth(_ auth: AuthDefinition) -> DesiredValue {
        switch auth {
        case .none: .scalar("none", .text)
        case .inherit: .scalar("inherit", .text)
        case .negotiate: .scalar("negotiate", .text)
        case .netrc(nil): .scalar("netrc", .text)
        case .netrc(let path?): .map([("netrc", .scalar(path, .text))])
        case .bearer(let token): .map([("bearer", .scalar(token, .text))])
        case .basic(let user, let password): credentials("basic", user, password)
        case .digest(let user, let password): credentials("digest", user, password)
        case .ntlm(let user, let password): credentials("ntlm", user, password)
        case .apiKey(let key): .map([("api-key", apiKey(key))])
        case .awsSigV4(let keys): .map([("aws-sigv4", awsSigV4(keys))])
        case .oauth2(let oauth2): .map([("oauth2", .map(entries(oauth2)))])
        }
    }

    private static func credentials(_ kind: String, _ user: String, _ password: String) -> DesiredValue {
        .map([(kind, .map([("user", .scalar(user, .text)), ("password", .scalar(password, .text))]))])
    }

    private static func apiKey(_ key: APIKeyDefinition) -> DesiredValue {
        var entries: Entries = [("name", .scalar(key.name, .text)), ("value", .scalar(key.value, .text))]
        if key.place != .header { entries.append(("in", .scalar(key.place.rawValue, .text))) }
        return .map(entries)
    }

    private static func awsSigV4(_ keys: AWSSigV4Definition) -> DesiredValue {
        var entries: Entries = [("access-key", .scalar(keys.accessKey, .text)), ("secret-key", .scalar(keys.secretKey, .text))]
        let others = [
            ("session-token", keys.sessionToken), ("region", keys.region), ("service", keys.service),
            ("expires", keys.expires.map(DurationText.format)), ("provider", keys.provider),
        ]
        entries += others.compactMap { key, text in text.map { (key, .scalar($0, .text)) } }
        return .map(entries)
    }

    private static func entries(_ oauth2: OAuth2Definition) -> Entries {
        var texts: [(String, String?)] = []
        if oauth2.grant != .clientCredentials { texts.append(("grant", oauth2.grant.name)) }
        switch oauth2.grant {
        case .authorizationCode(let url, _): texts.append(("authorization-url", url))
        case .deviceCode(let url): texts.append(("device-url", url))
        default: break
        }
        texts += [("token-url", oauth2.tokenURL), ("client-id", oauth2.clientID), ("client-secret", oauth2.clientSecret)]
        if oauth2.clientAuthentication != .header { texts.append(("client-auth", oauth2.clientAuthentication.rawValue)) }
        switch oauth2.grant {
        case .password(let user, let password): texts += [("user", user), ("password", password)]
        case .authorizationCode(_, let redirect): texts.append(("redirect", redirect))
        case .refreshToken(let token): texts.append(("refresh-token", token))
        case .clientCredentials, .deviceCode: break
        }
        texts += [("scope", oauth2.scope), ("audience", oauth2.audience)]
        return texts.compactMap { key, text in text.map { (key, .scalar($0, .text)) } }
    }
}
