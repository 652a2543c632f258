import Base
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
            headers[.authorization] = try field("authorization", "Bearer " + token, at: place).value
            return (nil, nil)
        case .basic(let user, let password):
            let value = try basic(scope.text(user, at: place), scope.text(password, at: place), at: place)
            headers[.authorization] = try field("authorization", value, at: place).value
            return (nil, nil)
        case .apiKey(let key):
            guard key.place == .header else { return (nil, nil) }
            let name = try headerName(key.name, at: place)
            let value = literal(try scope.text(key.value, at: place), "api-key")
            guard headers[try field(name, value.text, at: place).name] == nil else { return (nil, nil) }
            headers.append(try field(name, value, at: place))
            return (nil, nil)
        case .digest(let user, let password): return (.digest(try credential(user, password, of: auth, at: place)), nil)
        case .ntlm(let user, let password): return (.ntlm(try credential(user, password, of: auth, at: place)), nil)
        case .negotiate: return (.negotiate, nil)
        case .netrc(let path):
            let path = try optional(path, in: .authentication(auth.kindName), at: place)
            guard let path else { return (.netrc(file: nil), nil) }
            let whole = joined(level.directory, path)
            let file = scope.file(whole, as: .netrc, for: "netrc", at: place)
            return (.netrc(file: scope.sources.showsPlaceholders ? whole : file?.path ?? whole), nil)
        case .awsSigV4(let keys): return (.awsSigV4(try filledIn(keys, at: place)), nil)
        case .oauth2(let oauth2): return (nil, try filledIn(oauth2, at: place))
        }
    }

    private mutating func credential(
        _ user: String, _ password: String, of auth: AuthDefinition, at place: SourceLocation?
    ) throws(ResolutionError) -> Credential {
        let part = SecretUse.Part.authentication(auth.kindName)
        return Credential(
            user: try text(user, in: part, at: place), password: try text(password, in: part, at: place))
    }

    /// A credential's text that doesn't stand in the request itself.
    private mutating func text(
        _ template: String, in part: SecretUse.Part, to origin: Origin? = nil, at place: SourceLocation?
    ) throws(ResolutionError) -> String {
        let text = try scope.text(template, at: place)
        secrets.note(text.labels, in: part, to: origin)
        return text.text
    }

    /// A credential that stands in the file as it is doesn't go elsewhere either.
    private func literal(_ text: LabelledText, _ name: String) -> LabelledText {
        text.labels.isEmpty ? LabelledText(text.text, labels: [SecretLabel(name, .literal)]) : text
    }

    private mutating func basic(
        _ user: LabelledText, _ password: LabelledText, at place: SourceLocation?
    ) throws(ResolutionError) -> LabelledText {
        guard !user.text.contains(":") else {
            throw ResolutionError(.authentication, "the user of basic authentication can't contain a `:` (RFC 7617)", at: place)
        }
        let pair = user + LabelledText(":") + password
        // A short secret can't be found in the middle of base64.
        return "Basic " + scope.derived(Data(pair.text.utf8).base64EncodedString(), from: pair.labels)
    }

    /// An api-key that is a parameter or a cookie.
    mutating func apiKey(
        in wanted: APIKeyDefinition.Place
    ) throws(ResolutionError) -> (name: LabelledText, value: LabelledText)? {
        guard let (auth, level) = effectiveAuth, case .apiKey(let key) = auth, key.place == wanted else { return nil }
        let place = level.places["auth"]
        return (try scope.text(key.name, at: place), literal(try scope.text(key.value, at: place), "api-key"))
    }

    /// `inherit` passes the question on to the next level.
    var effectiveAuth: (AuthDefinition, Level)? {
        for level in levels.reversed() {
            if let auth = level.auth, auth != .inherit { return (auth, level) }
        }
        return nil
    }

    private mutating func optional(
        _ template: String?, in part: SecretUse.Part, to origin: Origin? = nil, at place: SourceLocation?
    ) throws(ResolutionError) -> String? {
        guard let template else { return nil }
        return try text(template, in: part, to: origin, at: place)
    }

    private mutating func filledIn(
        _ keys: AWSSigV4Definition, at place: SourceLocation?
    ) throws(ResolutionError) -> AWSSignature {
        let part = SecretUse.Part.authentication(AuthDefinition.awsSigV4(keys).kindName)
        return AWSSignature(
            accessKey: try text(keys.accessKey, in: part, at: place), secretKey: try text(keys.secretKey, in: part, at: place),
            sessionToken: try optional(keys.sessionToken, in: part, at: place),
            region: try optional(keys.region, in: part, at: place), service: try optional(keys.service, in: part, at: place),
            provider: try optional(keys.provider, in: part, at: place) ?? "aws:amz", expires: keys.expires)
    }

    private mutating func filledIn(_ oauth2: OAuth2Definition, at place: SourceLocation?) throws(ResolutionError)
        -> OAuth2Definition
    {
        let tokenURL = try scope.text(oauth2.tokenURL, at: place).text
        let server = URL(international: tokenURL).flatMap { Origin($0) }
        let grant: OAuth2Definition.Grant
        switch oauth2.grant {
        case .clientCredentials: grant = .clientCredentials
        case .password(let user, let password):
            grant = .password(
                user: try text(user, in: .token, to: server, at: place),
                password: try text(password, in: .token, to: server, at: place))
        case .authorizationCode(let url, let redirect):
            grant = .authorizationCode(
                authorizationURL: try scope.text(url, at: place).text,
                redirect: try optional(redirect, in: .token, to: server, at: place))
        case .deviceCode(let url): grant = .deviceCode(deviceURL: try scope.text(url, at: place).text)
        case .refreshToken(let token): grant = .refreshToken(try text(token, in: .token, to: server, at: place))
        }
        return OAuth2Definition(
            grant: grant, tokenURL: tokenURL, clientID: try text(oauth2.clientID, in: .token, to: server, at: place),
            clientSecret: try optional(oauth2.clientSecret, in: .token, to: server, at: place),
            clientAuthentication: oauth2.clientAuthentication,
            scope: try optional(oauth2.scope, in: .token, to: server, at: place),
            audience: try optional(oauth2.audience, in: .token, to: server, at: place))
    }
}
