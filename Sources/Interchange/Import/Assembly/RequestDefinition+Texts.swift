import NetworkLayer
import RequestCollections

extension RequestDefinition {
    /// Changes every text that may have templates.
    mutating func mapTexts(_ change: (String) -> String) {
        url = change(url)
        path.mapTexts(change)
        query.mapTexts(change)
        headers.mapTexts(change)
        cookies.mapTexts(change)
        auth = auth?.mapTexts(change)
        body = body?.mapTexts(change)
        for index in expectations.indices { expectations[index].matcher = expectations[index].matcher.mapTexts(change) }
    }

    /// Changes every path of a file.
    mutating func mapFiles(_ change: (String) -> String) {
        switch body {
        case .file(let path): body = .file(change(path))
        case .multipart(var parts):
            for index in parts.indices {
                if case .file(let path) = parts[index].content { parts[index].content = .file(change(path)) }
            }
            body = .multipart(parts)
        case .graphql(var graphql):
            if case .file(let path) = graphql.query { graphql.query = .file(change(path)) }
            body = .graphql(graphql)
        default: break
        }
        settings.mapPaths(change)
    }
}

extension Matcher {
    fileprivate func mapTexts(_ change: (String) -> String) -> Matcher {
        switch self {
        case .equals(let value): .equals(value.mapTexts(change))
        case .contains(let value): .contains(value.mapTexts(change))
        case .startsWith(let text): .startsWith(change(text))
        case .endsWith(let text): .endsWith(change(text))
        case .length(let matcher): .length(matcher.mapTexts(change))
        case .not(let matcher): .not(matcher.mapTexts(change))
        case .each(let matcher): .each(matcher.mapTexts(change))
        case .some(let matcher): .some(matcher.mapTexts(change))
        case .any(let matchers): .any(matchers.map { $0.mapTexts(change) })
        case .all(let matchers): .all(matchers.map { $0.mapTexts(change) })
        case .compares, .range, .matches, .exists, .missing, .empty, .type, .statusClass, .schema: self
        }
    }
}

extension [RequestDefinition.Row] {
    mutating func mapTexts(_ change: (String) -> String) {
        for index in indices {
            self[index].name = change(self[index].name)
            self[index].value = change(self[index].value)
        }
    }
}

extension ImportedVariable {
    mutating func mapTexts(_ change: (String) -> String) {
        switch value {
        case .text(let text): value = .text(change(text))
        case .json(let json): value = .json(json.mapTexts(change))
        case .environment, .prompt: break
        }
    }
}

extension BodyDefinition {
    func mapTexts(_ change: (String) -> String) -> BodyDefinition {
        switch self {
        case .none: return self
        case .text(let text): return .text(change(text))
        case .file(let path): return .file(change(path))
        case .json(let text):
            guard let value = JSONParser.parse(text), value.standsAsYAML else { return .json(change(text)) }
            return .json(value.mapTexts(change).text(pretty: true))
        case .form(var rows):
            rows.mapTexts(change)
            return .form(rows)
        case .multipart(let parts):
            return .multipart(
                parts.map { part in
                    var part = part
                    part.name = change(part.name)
                    part.fileName = part.fileName.map(change)
                    part.contentType = part.contentType.map(change)
                    switch part.content {
                    case .text(let text): part.content = .text(change(text))
                    case .file(let path): part.content = .file(change(path))
                    }
                    return part
                })
        case .graphql(var graphql):
            switch graphql.query {
            case .text(let text): graphql.query = .text(change(text))
            case .file(let path): graphql.query = .file(change(path))
            }
            graphql.operation = graphql.operation.map(change)
            graphql.variables = graphql.variables.flatMap { JSONParser.parse($0)?.mapTexts(change).text(pretty: true) }
            return .graphql(graphql)
        }
    }
}

extension AuthDefinition {
    /// With each part changed that nobody else may know.
    ///
    /// - Parameter change: is told what a variable for it is called, and what it is in a sentence.
    func mapSecrets(_ change: (inout String, _ name: String, _ part: String) -> Void) -> AuthDefinition {
        func changed(_ text: String, _ part: String) -> String {
            var text = text
            change(&text, part.lowercased().replacing(scalars: " ", with: "_"), part)
            return text
        }
        switch self {
        case .none, .inherit, .negotiate, .netrc: return self
        case .basic(let user, let password): return .basic(user: user, password: changed(password, "password"))
        case .digest(let user, let password): return .digest(user: user, password: changed(password, "password"))
        case .ntlm(let user, let password): return .ntlm(user: user, password: changed(password, "password"))
        case .bearer(let token): return .bearer(changed(token, "token"))
        case .apiKey(var key):
            key.value = changed(key.value, "API key")
            return .apiKey(key)
        case .awsSigV4(var keys):
            keys.secretKey = changed(keys.secretKey, "secret key")
            keys.sessionToken = keys.sessionToken.map { changed($0, "session token") }
            return .awsSigV4(keys)
        case .oauth2(var oauth2):
            oauth2.clientSecret = oauth2.clientSecret.map { changed($0, "client secret") }
            switch oauth2.grant {
            case .password(let user, let password):
                oauth2.grant = .password(user: user, password: changed(password, "password"))
            case .refreshToken(let token): oauth2.grant = .refreshToken(changed(token, "refresh token"))
            default: break
            }
            return .oauth2(oauth2)
        }
    }

    func mapTexts(_ change: (String) -> String) -> AuthDefinition {
        switch self {
        case .none, .inherit, .negotiate: return self
        case .basic(let user, let password): return .basic(user: change(user), password: change(password))
        case .digest(let user, let password): return .digest(user: change(user), password: change(password))
        case .ntlm(let user, let password): return .ntlm(user: change(user), password: change(password))
        case .bearer(let token): return .bearer(change(token))
        case .netrc(let path): return .netrc(path: path.map(change))
        case .apiKey(let key):
            return .apiKey(APIKeyDefinition(name: change(key.name), value: change(key.value), place: key.place))
        case .awsSigV4(let keys):
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: change(keys.accessKey), secretKey: change(keys.secretKey),
                    sessionToken: keys.sessionToken.map(change), region: keys.region.map(change), service: keys.service.map(change),
                    provider: keys.provider.map(change), expires: keys.expires))
        case .oauth2(var oauth2):
            switch oauth2.grant {
            case .clientCredentials: break
            case .password(let user, let password): oauth2.grant = .password(user: change(user), password: change(password))
            case .authorizationCode(let url, let redirect):
                oauth2.grant = .authorizationCode(authorizationURL: change(url), redirect: redirect.map(change))
            case .deviceCode(let url): oauth2.grant = .deviceCode(deviceURL: change(url))
            case .refreshToken(let token): oauth2.grant = .refreshToken(change(token))
            }
            oauth2.tokenURL = change(oauth2.tokenURL)
            oauth2.clientID = change(oauth2.clientID)
            oauth2.clientSecret = oauth2.clientSecret.map(change)
            oauth2.scope = oauth2.scope.map(change)
            oauth2.audience = oauth2.audience.map(change)
            return .oauth2(oauth2)
        }
    }
}
