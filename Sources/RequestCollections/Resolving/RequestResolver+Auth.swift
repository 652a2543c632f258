import FoundationEssentials
import HTTPTypes
import NetworkLayer

extension RequestResolver {
    /// Puts a kind of `auth` that is a header into the headers, and gives back what the transport or a token's server has to do.
    ///
    /// An `authorization` header that stands in the file wins. An api-key that is a parameter or a cookie was put there by
    /// ``url()`` or ``addCookies(to:)``.
    mutating func addAuth(
        to headers: inout HTTPFields
    ) throws(ResolutionError) -> (transport: Authentication?, oauth2: OAuth2Definition?) {
        guard let (auth, level) = effectiveAuth, auth != .none, headers[.authorization] == nil else { return (nil, nil) }
        let place = level.places["auth"]
        origins.append(ValueOrigin(.auth, from: level.source, at: place))
        switch auth {
        case .none, .inherit: return (nil, nil)
        case .bearer(let template):
            let token = try scope.text(template, at: place)
            headers[.authorization] = try field("authorization", "Bearer \(token)", at: place).value
            return (nil, nil)
        case .basic(let user, let password):
            headers[.authorization] = try basic(scope.text(user, at: place), scope.text(password, at: place), at: place)
            return (nil, nil)
        case .apiKey(let key):
            guard key.place == .header else { return (nil, nil) }
            let name = try scope.text(key.name, at: place)
            let field = try field(name, scope.text(key.value, at: place), at: place)
            if headers[field.name] == nil { headers.append(field) }
            return (nil, nil)
        case .digest(let user, let password): return (.digest(try credential(user, password, at: place)), nil)
        case .ntlm(let user, let password): return (.ntlm(try credential(user, password, at: place)), nil)
        case .negotiate: return (.negotiate, nil)
        case .netrc(let path): return (.netrc(file: try optional(path, at: place).map { joined(level.directory, $0) }), nil)
        case .awsSigV4(let keys): return (.awsSigV4(try filledIn(keys, at: place)), nil)
        case .oauth2(let oauth2): return (nil, try filledIn(oauth2, at: place))
        }
    }

    private mutating func credential(
        _ user: String, _ password: String, at place: SourceLocation?
    ) throws(ResolutionError) -> Credential {
        var credential = Credential("")
        credential.user = try scope.text(user, at: place)
        credential.password = try scope.text(password, at: place)
        return credential
    }

    private mutating func basic(
        _ user: String, _ password: String, at place: SourceLocation?
    ) throws(ResolutionError) -> String {
        guard !user.contains(":") else {
            throw ResolutionError(.authentication, "the user of basic authentication can't contain a `:` (RFC 7617)", at: place)
        }
        let encoded = Data("\(user):\(password)".utf8).base64EncodedString()
        // A short secret can't be found in the middle of base64.
        if Redactor(scope.secretTexts).finds(in: "\(user):\(password)") { scope.secretTexts.insert(encoded) }
        return "Basic \(encoded)"
    }

    /// An api-key that is a parameter or a cookie.
    mutating func apiKey(in wanted: APIKeyDefinition.Place) throws(ResolutionError) -> (name: String, value: String)? {
        guard let (auth, level) = effectiveAuth, case .apiKey(let key) = auth, key.place == wanted else { return nil }
        let place = level.places["auth"]
        return (try scope.text(key.name, at: place), try scope.text(key.value, at: place))
    }

    /// `inherit` passes the question on to the next level.
    var effectiveAuth: (AuthDefinition, Level)? {
        for level in levels.reversed() {
            if let auth = level.auth, auth != .inherit { return (auth, level) }
        }
        return nil
    }

    private mutating func optional(_ template: String?, at place: SourceLocation?) throws(ResolutionError) -> String? {
        guard let template else { return nil }
        return try scope.text(template, at: place)
    }

    private mutating func filledIn(
        _ keys: AWSSigV4Definition, at place: SourceLocation?
    ) throws(ResolutionError) -> AWSSignature {
        AWSSignature(
            accessKey: try scope.text(keys.accessKey, at: place), secretKey: try scope.text(keys.secretKey, at: place),
            sessionToken: try optional(keys.sessionToken, at: place), region: try optional(keys.region, at: place),
            service: try optional(keys.service, at: place), provider: try optional(keys.provider, at: place) ?? "aws:amz",
            expires: keys.expires)
    }

    private mutating func filledIn(_ oauth2: OAuth2Definition, at place: SourceLocation?) throws(ResolutionError)
        -> OAuth2Definition
    {
        let grant: OAuth2Definition.Grant
        switch oauth2.grant {
        case .clientCredentials: grant = .clientCredentials
        case .password(let user, let password):
            grant = .password(user: try scope.text(user, at: place), password: try scope.text(password, at: place))
        case .authorizationCode(let url, let redirect):
            grant = .authorizationCode(
                authorizationURL: try scope.text(url, at: place), redirect: try optional(redirect, at: place))
        case .deviceCode(let url): grant = .deviceCode(deviceURL: try scope.text(url, at: place))
        case .refreshToken(let token): grant = .refreshToken(try scope.text(token, at: place))
        }
        return OAuth2Definition(
            grant: grant, tokenURL: try scope.text(oauth2.tokenURL, at: place),
            clientID: try scope.text(oauth2.clientID, at: place),
            clientSecret: try optional(oauth2.clientSecret, at: place), clientAuthentication: oauth2.clientAuthentication,
            scope: try optional(oauth2.scope, at: place), audience: try optional(oauth2.audience, at: place))
    }
}
