import NetworkLayer
package import RequestCollections

/// A part of a request definition that can be edited.
package enum RequestField: Hashable, Sendable {
    case method, url
    case name(Rows, Int)
    case value(Rows, Int)
    /// The text of a text or JSON body, or the path of a file.
    case body
    case bodyKind
    case authKind
    /// The user or, for bearer, nothing.
    case authUser
    /// The password, or the token.
    case authSecret
    case policy(Policy)

    /// A list of named values.
    package enum Rows: Hashable, Sendable, CaseIterable {
        case path, query, headers, cookies, form

        /// Whether a value of this name is a credential.
        package func isCredential(_ name: String) -> Bool {
            switch self {
            case .headers: Redaction.standard.redacts(name)
            case .query, .cookies, .form: Redaction.standard.redacts(parameter: name)
            case .path: false
            }
        }
    }

    /// How a request is sent.
    package enum Policy: String, Hashable, Sendable, CaseIterable {
        case connectTimeout = "connect"
        case idleTimeout = "idle"
        case attemptTimeout = "attempt"
        case operationTimeout = "operation"
        case followRedirects = "follow"
        case maxRedirects = "at most"
        case keepAuth = "keep auth"
        case httpVersion = "version"
        case compression
        case priority
        case verifiesTLS = "verify"
        case authorities
        case certificate
        case key
        case passphrase = "pass phrase"
        case minimumTLS = "oldest"
        case maximumTLS = "newest"
        case ciphers
    }
}

extension RequestDefinition {
    package subscript(rows: RequestField.Rows) -> [Row] {
        get {
            switch rows {
            case .path: path
            case .query: query
            case .headers: headers
            case .cookies: cookies
            case .form: if case .form(let rows) = body { rows } else { [] }
            }
        }
        set {
            switch rows {
            case .path: path = newValue
            case .query: query = newValue
            case .headers: headers = newValue
            case .cookies: cookies = newValue
            case .form: body = .form(newValue)
            }
        }
    }

    /// The text of a field, as an editor starts with it; `nil`: there is no such field, or it is chosen from a list.
    package func text(of field: RequestField) -> String? {
        switch field {
        case .method: method
        case .url: url
        case .name(let rows, let index): self[rows].indices.contains(index) ? self[rows][index].name : nil
        case .value(let rows, let index): self[rows].indices.contains(index) ? self[rows][index].value : nil
        case .body: body?.text
        case .authUser: auth?.user
        case .authSecret: auth?.secret
        case .policy(let policy): policy.choices == nil ? policy.text(in: settings) ?? "" : nil
        case .bodyKind, .authKind: nil
        }
    }

    /// - Throws: ``InvalidFieldText``, when the field can't be that.
    package mutating func setText(_ text: String, of field: RequestField) throws(InvalidFieldText) {
        switch field {
        case .method: method = text.uppercased()
        case .url: url = text
        case .name(let rows, let index): if self[rows].indices.contains(index) { self[rows][index].name = text }
        case .value(let rows, let index): if self[rows].indices.contains(index) { self[rows][index].value = text }
        case .body: body = body?.with(text: text) ?? .text(text)
        case .authUser: auth = auth?.with(user: text)
        case .authSecret: auth = auth?.with(secret: text)
        case .policy(let policy): try policy.set(text, in: &settings)
        case .bodyKind, .authKind: break
        }
    }
}

/// Why a field can't have a text: one sentence with the way out.
package struct InvalidFieldText: Error, Hashable, Sendable {
    package var message: String
}

// MARK: Bodies

extension BodyDefinition {
    /// The kinds that can be chosen, in order.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case none, json, text, form, multipart, file
        /// Is edited in the file.
        case other

        package static let allCases: [Kind] = [.none, .json, .text, .form, .multipart, .file]
    }

    package var kind: Kind {
        switch self {
        case .none: .none
        case .text: .text
        case .json: .json
        case .form: .form
        case .multipart: .multipart
        case .file: .file
        case .graphql: .other
        }
    }

    package var text: String? {
        switch self {
        case .text(let text), .json(let text): text
        case .file(let path): path
        case .none, .form, .multipart, .graphql: nil
        }
    }

    func with(text: String) -> BodyDefinition {
        switch self {
        case .json: .json(text)
        case .file: .file(text)
        case .none, .text: .text(text)
        case .form, .multipart, .graphql: self
        }
    }

    /// The same contents as another kind, as far as they fit.
    func converted(to kind: Kind) -> BodyDefinition {
        switch kind {
        case self.kind, .other: self
        case .none: .none
        case .json: .json(text ?? "{}")
        case .text: .text(text ?? "")
        case .file: .file("")
        case .form: .form([])
        case .multipart: .multipart([])
        }
    }
}

// MARK: Auth

extension AuthDefinition {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case inherit, none, basic, bearer, digest
        /// Is edited in the file.
        case other

        package static let allCases: [Kind] = [.inherit, .none, .basic, .bearer, .digest]
    }

    package var kind: Kind {
        switch self {
        case .none: .none
        case .inherit: .inherit
        case .basic: .basic
        case .bearer: .bearer
        case .digest: .digest
        case .ntlm, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: .other
        }
    }

    package var user: String? {
        switch self {
        case .basic(let user, _), .digest(let user, _): user
        case .none, .inherit, .bearer, .ntlm, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: nil
        }
    }

    package var secret: String? {
        switch self {
        case .basic(_, let password), .digest(_, let password): password
        case .bearer(let token): token
        case .none, .inherit, .ntlm, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: nil
        }
    }

    func with(user: String) -> AuthDefinition {
        switch self {
        case .basic(_, let password): .basic(user: user, password: password)
        case .digest(_, let password): .digest(user: user, password: password)
        case .none, .inherit, .bearer, .ntlm, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: self
        }
    }

    func with(secret: String) -> AuthDefinition {
        switch self {
        case .basic(let user, _): .basic(user: user, password: secret)
        case .digest(let user, _): .digest(user: user, password: secret)
        case .bearer: .bearer(secret)
        case .none, .inherit, .ntlm, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: self
        }
    }

    func converted(to kind: Kind) -> AuthDefinition {
        switch kind {
        case .inherit: .inherit
        case .none: .none
        case .basic: .basic(user: user ?? "", password: secret ?? "")
        case .digest: .digest(user: user ?? "", password: secret ?? "")
        case .bearer: .bearer(secret ?? "")
        case .other: self
        }
    }
}
