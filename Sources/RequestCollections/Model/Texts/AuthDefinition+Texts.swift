/// What one text of an auth is. Its raw value names it to people.
package enum AuthPart: String, Hashable, Sendable {
    case user, password, token, path
    case keyName = "key name"
    case apiKey = "API key"
    case accessKey = "access key"
    case secretKey = "secret key"
    case sessionToken = "session token"
    case region, service, provider
    case tokenURL = "token URL"
    case authorizationURL = "authorization URL"
    case deviceURL = "device URL"
    case redirect
    case clientID = "client id"
    case clientSecret = "client secret"
    case scope, audience
    case refreshToken = "refresh token"

    /// Nobody else may know it.
    package var isSecret: Bool {
        switch self {
        case .password, .token, .apiKey, .secretKey, .sessionToken, .clientSecret, .refreshToken: true
        case .user, .path, .keyName, .accessKey, .region, .service, .provider, .tokenURL, .authorizationURL, .deviceURL, .redirect,
            .clientID, .scope, .audience:
            false
        }
    }
}

extension AuthDefinition {
    /// Changes every text: each of them may have templates. Whatever reads or changes texts of an auth goes this way.
    package func mapTexts(_ change: (AuthPart, inout String) -> Void) -> AuthDefinition {
        func changed(_ text: String, _ part: AuthPart) -> String {
            var text = text
            change(part, &text)
            return text
        }
        func changed(_ text: inout String?, _ part: AuthPart) { text = text.map { changed($0, part) } }
        switch self {
        case .none, .inherit, .negotiate: return self
        case .basic(let user, let password): return .basic(user: changed(user, .user), password: changed(password, .password))
        case .digest(let user, let password): return .digest(user: changed(user, .user), password: changed(password, .password))
        case .ntlm(let user, let password): return .ntlm(user: changed(user, .user), password: changed(password, .password))
        case .bearer(let token): return .bearer(changed(token, .token))
        case .netrc(let path): return .netrc(path: path.map { changed($0, .path) })
        case .apiKey(var key):
            change(.keyName, &key.name)
            change(.apiKey, &key.value)
            return .apiKey(key)
        case .awsSigV4(var keys):
            change(.accessKey, &keys.accessKey)
            change(.secretKey, &keys.secretKey)
            changed(&keys.sessionToken, .sessionToken)
            changed(&keys.region, .region)
            changed(&keys.service, .service)
            changed(&keys.provider, .provider)
            return .awsSigV4(keys)
        case .oauth2(var oauth2):
            change(.tokenURL, &oauth2.tokenURL)
            change(.clientID, &oauth2.clientID)
            changed(&oauth2.clientSecret, .clientSecret)
            changed(&oauth2.scope, .scope)
            changed(&oauth2.audience, .audience)
            switch oauth2.grant {
            case .clientCredentials: break
            case .password(let user, let password):
                oauth2.grant = .password(user: changed(user, .user), password: changed(password, .password))
            case .authorizationCode(let url, let redirect):
                oauth2.grant = .authorizationCode(
                    authorizationURL: changed(url, .authorizationURL), redirect: redirect.map { changed($0, .redirect) })
            case .deviceCode(let url): oauth2.grant = .deviceCode(deviceURL: changed(url, .deviceURL))
            case .refreshToken(let token): oauth2.grant = .refreshToken(changed(token, .refreshToken))
            }
            return .oauth2(oauth2)
        }
    }

    var texts: [String] {
        var texts: [String] = []
        _ = mapTexts { texts.append($1) }
        return texts
    }
}
