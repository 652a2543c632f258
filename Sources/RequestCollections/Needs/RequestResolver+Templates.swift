import NetworkLayer

extension RequestResolver {
    /// Every text that is filled in before the request is sent, wherever it stands: in the request, or in what folders give it.
    var templates: [(text: String, location: SourceLocation?)] {
        var texts: [(String, SourceLocation?)] = []
        func add(_ text: String?, _ location: SourceLocation?) {
            if let text { texts.append((text, location)) }
        }
        func place(_ key: String) -> SourceLocation { definition.places[key] ?? definition.location }
        for (condition, _) in conditions {
            add("{{\(condition.variable)}}", condition.location)
            for text in condition.matcher.templates { add(text, condition.location) }
        }
        if case .list(let name)? = definition.forEach?.source { add("{{\(name)}}", definition.forEach?.location) }
        add(definition.url, place("url"))
        for row in definition.path where row.isEnabled { add(row.value, row.location) }
        for (row, _) in merged(\.query, ignoringCase: false) + merged(\.headers, ignoringCase: true)
            + merged(\.cookies, ignoringCase: false)
        {
            add(row.name, row.location)
            add(row.value, row.location)
        }
        // An `authorization` header that stands in the file wins.
        let isHeader = merged(\.headers, ignoringCase: true).contains { $0.row.name.lowercased() == "authorization" }
        if !isHeader, let (auth, level) = effectiveAuth {
            for text in auth.templates { add(text, level.places["auth"]) }
        }
        for text in definition.body?.templates ?? [] { add(text, place("body")) }
        for field in levelsWithSettings.isEmpty ? [] : SettingField.all {
            guard let level = level(saying: field) else { continue }
            for text in field.texts(in: level.settings) { add(text, level.places[field.key]) }
        }
        for word in definition.hydrate?.words ?? [] { add(word, definition.hydrate?.location) }
        for expectation in definition.allExpectations {
            for text in expectation.matcher.templates { add(text, expectation.location) }
        }
        for text in definition.mock?.templates ?? [] { add(text, definition.mock?.location) }
        return texts.filter { Template.isIn($0.0) }
    }
}

extension AuthDefinition {
    fileprivate var templates: [String] {
        switch self {
        case .none, .inherit, .negotiate: []
        case .basic(let user, let password), .digest(let user, let password), .ntlm(let user, let password): [user, password]
        case .bearer(let token): [token]
        case .apiKey(let key): [key.name, key.value]
        case .awsSigV4(let keys):
            [keys.accessKey, keys.secretKey] + [keys.sessionToken, keys.region, keys.service].compactMap(\.self)
        case .netrc(let path): [path].compactMap(\.self)
        case .oauth2(let oauth2):
            [oauth2.tokenURL, oauth2.clientID] + [oauth2.clientSecret, oauth2.scope, oauth2.audience].compactMap(\.self)
                + oauth2.grant.templates
        }
    }
}

extension OAuth2Definition.Grant {
    fileprivate var templates: [String] {
        switch self {
        case .clientCredentials: []
        case .password(let user, let password): [user, password]
        case .authorizationCode(let url, let redirect): [url] + [redirect].compactMap(\.self)
        case .deviceCode(let url): [url]
        case .refreshToken(let token): [token]
        }
    }
}

extension BodyDefinition {
    fileprivate var templates: [String] {
        switch self {
        case .none: return []
        case .text(let text), .json(let text), .file(let text): return [text]
        case .form(let rows): return rows.filter(\.isEnabled).flatMap { [$0.name, $0.value] }
        case .multipart(let parts):
            return parts.filter(\.isEnabled).flatMap { part in
                let content =
                    switch part.content {
                    case .text(let text), .file(let text): text
                    }
                return [part.name, content] + [part.fileName, part.contentType].compactMap(\.self)
            }
        case .graphql(let graphql):
            let query =
                switch graphql.query {
                case .text(let text), .file(let text): text
                }
            return [query] + [graphql.operation, graphql.variables].compactMap(\.self)
        }
    }
}

extension Matcher {
    fileprivate var templates: [String] {
        switch self {
        case .equals(let value), .contains(let value): value.texts
        case .matches(let text, _), .startsWith(let text), .endsWith(let text): [text]
        case .compares(_, let operand): [operand.text]
        case .range(let low, let high): [low.text, high.text]
        case .length(let matcher), .not(let matcher), .each(let matcher), .some(let matcher): matcher.templates
        case .any(let matchers), .all(let matchers): matchers.flatMap(\.templates)
        case .schema(let schema): [schema.path]
        case .exists, .missing, .empty, .type, .statusClass: []
        }
    }
}

extension JSONValue {
    /// Those in it, names of members aside.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        case .null, .boolean, .number: []
        }
    }
}

extension MockDefinition {
    fileprivate var templates: [String] {
        let body: [String] =
            switch self.body {
            case nil: []
            case .text(let text), .json(let text), .file(let text): [text]
            }
        return headers.filter(\.isEnabled).flatMap { [$0.name, $0.value] } + body
    }
}
