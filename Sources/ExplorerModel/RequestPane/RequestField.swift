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
    /// Anything else of a kind of authentication.
    case auth(AuthField)
    /// How it is sent.
    case policy(SettingField)
    /// How it is answered without the network.
    case mock(MockField)
    /// Of a GraphQL body.
    case graphql(GraphQLField)
    /// When it is sent and how often, and what it is about: a line of YAML.
    case typed(TypedKey)

    /// What is typed here is masked, and gets into no clipboard.
    package var isSecret: Bool {
        switch self {
        case .authSecret: true
        case .auth(let field): field.isSecret
        default: false
        }
    }

    /// A list of named values.
    package enum Rows: Hashable, Sendable, CaseIterable {
        case path, query, headers, cookies, form
        /// Of a multipart body.
        case parts
        /// The parameters that stand in the URL itself.
        case inURL
        /// What runs before it, what is expected of its response, and which variables that gives.
        case needs, expectations, captures
        /// Of the answer that stands in for the server's.
        case mockHeaders

        /// Its rows can't be switched off, only deleted.
        package var isAboutResponse: Bool { [.needs, .expectations, .captures].contains(self) }

        /// Whether a value of this name is a credential.
        package func isCredential(_ name: String) -> Bool {
            switch self {
            case .headers, .mockHeaders: Redaction.standard.redacts(name)
            case .query, .inURL, .cookies, .form, .parts: Redaction.standard.redacts(parameter: name)
            case .path, .needs, .expectations, .captures: false
            }
        }
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
            case .parts: partRows
            case .inURL: URLParameters(url).rows
            case .needs: needRows
            case .expectations: expectationRows
            case .captures: captureRows
            case .mockHeaders: mock?.headers ?? []
            }
        }
        set {
            switch rows {
            case .path: path = newValue
            case .query: query = newValue
            case .headers: headers = newValue
            case .cookies: cookies = newValue
            case .form: body = .form(newValue)
            case .parts: partRows = newValue
            case .inURL:
                var parameters = URLParameters(url)
                // What is switched off can't stand in a URL.
                query += newValue.filter { !$0.isEnabled }
                parameters.set(newValue.filter(\.isEnabled))
                url = parameters.url
            case .needs: needRows = newValue
            case .expectations: expectationRows = newValue
            case .captures: captureRows = newValue
            case .mockHeaders:
                var mock = mock ?? MockDefinition(location: location)
                mock.headers = newValue
                self.mock = mock.saysNothing ? nil : mock
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
        case .auth(let field): field.choices == nil ? auth?.text(of: field) : nil
        case .policy(let setting): setting.choices == nil ? setting.typed(in: settings) ?? "" : nil
        case .mock(let field): field.choices == nil ? text(ofMock: field) : nil
        case .graphql(let field): text(ofGraphQL: field)
        case .typed(let key): typed(key)
        case .bodyKind, .authKind: nil
        }
    }

    /// - Throws: ``InvalidFieldText``, when the field can't be that.
    package mutating func setText(_ text: String, of field: RequestField) throws(InvalidFieldText) {
        switch field {
        case .method: method = text.uppercased()
        case .url: url = text
        case .name(let rows, let index): try change(rows, index) { $0.name = text }
        case .value(let rows, let index): try change(rows, index) { $0.value = text }
        case .body: body = body?.with(text: text) ?? .text(text)
        case .authUser: auth = auth?.with(user: text)
        case .authSecret: auth = auth?.with(secret: text)
        case .auth(let field): auth = auth?.setting(text, of: field)
        case .policy(let setting): try setting.set(text, in: &settings)
        case .mock(let field): try setText(text, ofMock: field)
        case .graphql(let field): try setText(text, ofGraphQL: field)
        case .typed(let key): try setTyped(text, of: key)
        case .bodyKind, .authKind: break
        }
    }
}

extension RequestDefinition {
    private mutating func change(
        _ rows: RequestField.Rows, _ index: Int, _ change: (inout Row) -> Void
    ) throws(InvalidFieldText) {
        guard self[rows].indices.contains(index) else { return }
        var row = self[rows][index]
        change(&row)
        do throws(CollectionProblem) {
            switch rows {
            case .needs: try Self.checkNeed(row)
            case .expectations: try Self.checkExpectation(row)
            case .captures: try Self.checkCapture(row)
            case .parts: try checkPart(row)
            case .path, .query, .headers, .cookies, .form, .inURL, .mockHeaders: break
            }
        } catch {
            throw InvalidFieldText(message: error.message)
        }
        self[rows][index] = row
    }
}

// MARK: Bodies

extension BodyDefinition {
    /// The kinds that can be chosen, in order.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case none, json, text, form, multipart, file, graphql
    }

    package var kind: Kind {
        switch self {
        case .none: .none
        case .text: .text
        case .json: .json
        case .form: .form
        case .multipart: .multipart
        case .file: .file
        case .graphql: .graphql
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
        case self.kind: self
        case .none: .none
        case .graphql: .graphql(.init(query: .text("")))
        case .json: .json(textContent ?? "{}")
        case .text: .text(textContent ?? "")
        case .file: .file("")
        case .form: .form(rows)
        case .multipart: .multipart(parts)
        }
    }
}

extension BodyDefinition {
    fileprivate var textContent: String? {
        switch self {
        case .text(let text), .json(let text): text
        case .none, .form, .multipart, .file, .graphql: nil
        }
    }

    /// A file can't be a row.
    fileprivate var rows: [RequestDefinition.Row] {
        switch self {
        case .form(let rows): rows
        case .multipart(let parts):
            parts.compactMap { part in
                guard case .text(let text) = part.content else { return nil }
                return .init(name: part.name, value: text, isEnabled: part.isEnabled)
            }
        case .none, .text, .json, .file, .graphql: []
        }
    }

    fileprivate var parts: [Part] {
        switch self {
        case .multipart(let parts): parts
        case .form(let rows): rows.map { .init(name: $0.name, content: .text($0.value), isEnabled: $0.isEnabled) }
        case .none, .text, .json, .file, .graphql: []
        }
    }
}

// MARK: Auth

extension AuthDefinition {
    /// In the order in which they are offered; the raw value is the key in the file.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case inherit, none, basic, bearer, digest
        case apiKey = "api-key"
        case oauth2
        case awsSigV4 = "aws-sigv4"
        case ntlm, negotiate, netrc
    }

    package var kind: Kind {
        switch self {
        case .none: .none
        case .inherit: .inherit
        case .basic: .basic
        case .bearer: .bearer
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        case .apiKey: .apiKey
        case .awsSigV4: .awsSigV4
        case .oauth2: .oauth2
        case .netrc: .netrc
        }
    }

    package var user: String? {
        switch self {
        case .basic(let user, _), .digest(let user, _), .ntlm(let user, _): user
        case .none, .inherit, .bearer, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: nil
        }
    }

    package var secret: String? {
        switch self {
        case .basic(_, let password), .digest(_, let password), .ntlm(_, let password): password
        case .bearer(let token): token
        case .none, .inherit, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: nil
        }
    }

    func with(user: String) -> AuthDefinition {
        switch self {
        case .basic(_, let password): .basic(user: user, password: password)
        case .digest(_, let password): .digest(user: user, password: password)
        case .ntlm(_, let password): .ntlm(user: user, password: password)
        case .none, .inherit, .bearer, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: self
        }
    }

    func with(secret: String) -> AuthDefinition {
        switch self {
        case .basic(let user, _): .basic(user: user, password: secret)
        case .digest(let user, _): .digest(user: user, password: secret)
        case .ntlm(let user, _): .ntlm(user: user, password: secret)
        case .bearer: .bearer(secret)
        case .none, .inherit, .negotiate, .apiKey, .awsSigV4, .oauth2, .netrc: self
        }
    }

    /// The same as another kind, as far as it fits.
    func converted(to kind: Kind) -> AuthDefinition {
        if kind == self.kind { return self }
        return switch kind {
        case .inherit: .inherit
        case .none: .none
        case .basic: .basic(user: user ?? "", password: secret ?? "")
        case .digest: .digest(user: user ?? "", password: secret ?? "")
        case .ntlm: .ntlm(user: user ?? "", password: secret ?? "")
        case .bearer: .bearer(secret ?? "")
        case .negotiate: .negotiate
        case .apiKey: .apiKey(APIKeyDefinition(name: "X-Api-Key", value: secret ?? ""))
        case .awsSigV4: .awsSigV4(AWSSigV4Definition(accessKey: "", secretKey: ""))
        case .oauth2: .oauth2(OAuth2Definition(grant: .clientCredentials, tokenURL: "", clientID: ""))
        case .netrc: .netrc(path: nil)
        }
    }
}
