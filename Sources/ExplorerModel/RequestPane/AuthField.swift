package import RequestCollections

/// A setting of a kind of authentication, as the format names it. Users, passwords and tokens that stand alone have fields of
/// their own: ``RequestField/authUser`` and ``RequestField/authSecret``.
package enum AuthField: String, Hashable, Sendable, CaseIterable {
    case name, value
    case place = "in"
    case accessKey = "access-key"
    case secretKey = "secret-key"
    case sessionToken = "session-token"
    case region, service, provider
    case grant
    case authorizationURL = "authorization-url"
    case deviceURL = "device-url"
    case tokenURL = "token-url"
    case clientID = "client-id"
    case clientSecret = "client-secret"
    case clientAuthentication = "client-auth"
    case user, password
    case redirect
    case refreshToken = "refresh-token"
    case scope, audience
    case path

    package var isSecret: Bool {
        switch self {
        case .value, .secretKey, .sessionToken, .clientSecret, .password, .refreshToken: true
        default: false
        }
    }

    /// The texts to choose from; `nil`: a text to type.
    package var choices: [String]? {
        switch self {
        case .place: APIKeyDefinition.Place.allCases.map(\.rawValue)
        case .grant: OAuth2Definition.Grant.empty.map(\.name)
        case .clientAuthentication: OAuth2Definition.ClientAuthentication.allCases.map(\.rawValue)
        default: nil
        }
    }
}

extension AuthDefinition {
    /// What there is to set, in the format's order.
    package var fields: [AuthField] {
        switch self {
        case .none, .inherit, .basic, .bearer, .digest, .ntlm, .negotiate: []
        case .apiKey: [.name, .value, .place]
        case .awsSigV4: [.accessKey, .secretKey, .sessionToken, .region, .service, .provider]
        case .oauth2(let oauth2):
            [.grant] + oauth2.grant.fieldsBefore + [.tokenURL, .clientID, .clientSecret, .clientAuthentication]
                + oauth2.grant.fieldsAfter + [.scope, .audience]
        case .netrc: [.path]
        }
    }

    /// `""`: nothing is said. `nil`: there is no such field.
    package func text(of field: AuthField) -> String? {
        guard fields.contains(field) else { return nil }
        return switch self {
        case .apiKey(let key): key.text(of: field)
        case .awsSigV4(let keys): keys.text(of: field)
        case .oauth2(let oauth2): oauth2.text(of: field)
        case .netrc(let path): path ?? ""
        case .none, .inherit, .basic, .bearer, .digest, .ntlm, .negotiate: nil
        }
    }

    func setting(_ text: String, of field: AuthField) -> AuthDefinition {
        switch self {
        case .apiKey(var key):
            key.set(text, of: field)
            return .apiKey(key)
        case .awsSigV4(var keys):
            keys.set(text, of: field)
            return .awsSigV4(keys)
        case .oauth2(var oauth2):
            oauth2.set(text, of: field)
            return .oauth2(oauth2)
        case .netrc: return .netrc(path: text.isEmpty ? nil : text)
        case .none, .inherit, .basic, .bearer, .digest, .ntlm, .negotiate: return self
        }
    }
}

extension String {
    fileprivate var orNil: String? { isEmpty ? nil : self }
}

extension APIKeyDefinition {
    fileprivate func text(of field: AuthField) -> String? {
        switch field {
        case .name: name
        case .value: value
        case .place: place.rawValue
        default: nil
        }
    }

    fileprivate mutating func set(_ text: String, of field: AuthField) {
        switch field {
        case .name: name = text
        case .value: value = text
        case .place: place = Place(rawValue: text) ?? place
        default: break
        }
    }
}

extension AWSSigV4Definition {
    fileprivate func text(of field: AuthField) -> String? {
        switch field {
        case .accessKey: accessKey
        case .secretKey: secretKey
        case .sessionToken: sessionToken ?? ""
        case .region: region ?? ""
        case .service: service ?? ""
        case .provider: provider ?? ""
        default: nil
        }
    }

    fileprivate mutating func set(_ text: String, of field: AuthField) {
        switch field {
        case .accessKey: accessKey = text
        case .secretKey: secretKey = text
        case .sessionToken: sessionToken = text.orNil
        case .region: region = text.orNil
        case .service: service = text.orNil
        case .provider: provider = text.orNil
        default: break
        }
    }
}

extension OAuth2Definition {
    fileprivate func text(of field: AuthField) -> String? {
        switch (field, grant) {
        case (.grant, _): grant.name
        case (.tokenURL, _): tokenURL
        case (.clientID, _): clientID
        case (.clientSecret, _): clientSecret ?? ""
        case (.clientAuthentication, _): clientAuthentication.rawValue
        case (.scope, _): scope ?? ""
        case (.audience, _): audience ?? ""
        case (.authorizationURL, .authorizationCode(let url, _)): url
        case (.redirect, .authorizationCode(_, let redirect)): redirect ?? ""
        case (.deviceURL, .deviceCode(let url)): url
        case (.user, .password(let user, _)): user
        case (.password, .password(_, let password)): password
        case (.refreshToken, .refreshToken(let token)): token
        default: nil
        }
    }

    fileprivate mutating func set(_ text: String, of field: AuthField) {
        switch (field, grant) {
        case (.grant, _): if text != grant.name { grant = Grant.empty.first { $0.name == text } ?? grant }
        case (.tokenURL, _): tokenURL = text
        case (.clientID, _): clientID = text
        case (.clientSecret, _): clientSecret = text.orNil
        case (.clientAuthentication, _): clientAuthentication = ClientAuthentication(rawValue: text) ?? clientAuthentication
        case (.scope, _): scope = text.orNil
        case (.audience, _): audience = text.orNil
        case (.authorizationURL, .authorizationCode(_, let redirect)):
            grant = .authorizationCode(authorizationURL: text, redirect: redirect)
        case (.redirect, .authorizationCode(let url, _)): grant = .authorizationCode(authorizationURL: url, redirect: text.orNil)
        case (.deviceURL, .deviceCode): grant = .deviceCode(deviceURL: text)
        case (.user, .password(_, let password)): grant = .password(user: text, password: password)
        case (.password, .password(let user, _)): grant = .password(user: user, password: text)
        case (.refreshToken, .refreshToken): grant = .refreshToken(text)
        default: break
        }
    }
}

extension OAuth2Definition.Grant {
    /// Each, with nothing filled in.
    fileprivate static let empty: [Self] = [
        .clientCredentials, .password(user: "", password: ""), .authorizationCode(authorizationURL: "", redirect: nil),
        .deviceCode(deviceURL: ""), .refreshToken(""),
    ]

    fileprivate var fieldsBefore: [AuthField] {
        switch self {
        case .authorizationCode: [.authorizationURL]
        case .deviceCode: [.deviceURL]
        case .clientCredentials, .password, .refreshToken: []
        }
    }

    fileprivate var fieldsAfter: [AuthField] {
        switch self {
        case .password: [.user, .password]
        case .authorizationCode: [.redirect]
        case .refreshToken: [.refreshToken]
        case .clientCredentials, .deviceCode: []
        }
    }
}
