import NetworkLayer
import RequestCollections

extension OpenAPIImport {
    /// What security requirements become.
    struct Security {
        var auth: AuthDefinition?
        /// Keys that are needed beside it.
        var headers: [RequestDefinition.Row] = []
        var query: [RequestDefinition.Row] = []
        var cookies: [RequestDefinition.Row] = []
    }

    /// The first of the alternatives that can be met; what it asks for together is one `auth`, and keys beside it.
    mutating func security(_ requirements: JSONValue?, at place: String) -> Security {
        var security = Security()
        guard case .array(let alternatives)? = requirements else { return security }
        let schemes = JSONValue.object(schemes)
        guard let requirement = alternatives.first(where: { !$0.members.isEmpty }) else {
            // An empty list takes back what the document says.
            security.auth = AuthDefinition.none
            return security
        }
        for entry in requirement.members {
            // Since OpenAPI 3.2 by its URI as well.
            let isURI = entry.name.hasPrefix("#/") && references[schemes, entry.name] == nil
            let name = isURI ? entry.name.split(separator: "/").last.map(String.init) ?? entry.name : entry.name
            guard let scheme = references[schemes, name], !scheme.isNull else {
                note(place, "its authentication, `\(entry.name)`: the document doesn't describe it")
                continue
            }
            guard let auth = auth(scheme, named: name, scopes: entry.value.items.compactMap(\.string), at: place) else {
                continue
            }
            guard security.auth != nil else {
                security.auth = auth
                continue
            }
            guard case .apiKey(let key) = auth else {
                note(place, "its authentication, `\(entry.name)`, which is asked for beside another")
                continue
            }
            let row = RequestDefinition.Row(name: key.name, value: key.value)
            switch key.place {
            case .header: security.headers.append(row)
            case .query: security.query.append(row)
            case .cookie: security.cookies.append(row)
            }
        }
        return security
    }

    var schemes: [JSONValue.Member] {
        (references[document, "components", "securitySchemes"] ?? references[document, "securityDefinitions"])?.members ?? []
    }

    /// Whether a parameter is the very key that a scheme sends.
    func isKey(_ name: String, in place: String) -> Bool {
        schemes.contains {
            $0.name == name && references[$0.value, "name"]?.string == name && references[$0.value, "in"]?.string == place
        }
    }

    /// The variables that ``auth(_:named:scopes:at:)`` makes of a scheme.
    func variableNames(of scheme: JSONValue, named name: String) -> [String] {
        let own = VariableName.make(name.replacing(scalars: "-", with: "_"))
        switch references[scheme, "type"]?.string {
        case "basic": return ["username", "\(own)_password"]
        case "http": return [own, "username", "\(own)_password"]
        case "oauth2": return ["\(own)_token", "username", "password", "client_id", "client_secret"]
        default: return [own]
        }
    }

    private mutating func auth(_ scheme: JSONValue, named name: String, scopes: [String], at place: String) -> AuthDefinition? {
        let own = VariableName.make(name.replacing(scalars: "-", with: "_"))
        switch scheme["type"]?.string {
        case "basic": return .basic(user: variable("username", "user"), password: secret("\(own)_password"))
        case "apiKey":
            let places: [String: APIKeyDefinition.Place] = ["query": .query, "cookie": .cookie]
            return .apiKey(
                APIKeyDefinition(
                    name: Self.text(scheme["name"]?.string ?? name), value: secret(own),
                    place: places[scheme["in"]?.string ?? ""] ?? .header))
        case "http":
            switch scheme["scheme"]?.string?.lowercased() {
            case "basic": return .basic(user: variable("username", "user"), password: secret("\(own)_password"))
            case "digest": return .digest(user: variable("username", "user"), password: secret("\(own)_password"))
            case "bearer": return .bearer(secret(own))
            case "negotiate": return .negotiate
            default: break
            }
        case "oauth2":
            // Version 2 has one flow in the scheme itself.
            let flows = references[scheme, "flows"] ?? .object([.init(name: scheme["flow"]?.string ?? "", value: scheme)])
            return oauth2(flows, named: own, scopes: scopes)
        case "openIdConnect":
            note(place, "OpenID Connect: its token is the variable `\(own)`, and isn't fetched", isLoss: false)
            return .bearer(secret(own))
        default: break
        }
        note(place, "its authentication, `\(name)`: there is no equivalent")
        return nil
    }

    private mutating func oauth2(_ flows: JSONValue, named name: String, scopes: [String]) -> AuthDefinition {
        func flow(_ names: String...) -> JSONValue? { names.lazy.compactMap { flows[$0] }.first }
        func definition(_ grant: OAuth2Definition.Grant, _ flow: JSONValue, secret: String?) -> AuthDefinition {
            .oauth2(
                OAuth2Definition(
                    grant: grant, tokenURL: Self.text(flow["tokenUrl"]?.string ?? ""), clientID: variable("client_id", ""),
                    clientSecret: secret,
                    scope: scopes.isEmpty ? nil : Self.text(scopes.joined(separator: " "))))
        }
        if let flow = flow("clientCredentials", "application"), flow["tokenUrl"]?.nonEmpty != nil {
            return definition(.clientCredentials, flow, secret: secret("client_secret"))
        }
        if let flow = flow("password"), flow["tokenUrl"]?.nonEmpty != nil {
            return definition(.password(user: variable("username", "user"), password: secret("password")), flow, secret: nil)
        }
        let token = "\(name)_token"
        if let flow = flow("authorizationCode", "accessCode"), let url = flow["authorizationUrl"]?.nonEmpty,
            let tokenURL = flow["tokenUrl"]?.nonEmpty
        {
            // A person has to sign in, with a client of their own: neither a run nor a mock can.
            note(
                "",
                "OAuth 2 by a person who signs in: its token is the variable `\(token)`; to have it fetched, write `auth: { oauth2: { grant: authorization-code, authorization-url: \(url), token-url: \(tokenURL), client-id: … } }`",
                isLoss: false)
        }
        // The implicit flow gives its token to a browser.
        return .bearer(secret(token))
    }

    /// A variable that people fill in; without a value they are asked for it.
    private mutating func variable(_ name: String, _ value: String) -> String {
        if !value.isEmpty, !collection.variables.contains(where: { $0.name == name }) {
            collection.variables.append(ImportedVariable(name, .text(value)))
        }
        return "{{\(name)}}"
    }

    private mutating func secret(_ name: String) -> String {
        if !collection.variables.contains(where: { $0.name == name }) {
            let variable = "\(EnvironmentName.make(collection.name))_\(EnvironmentName.make(name))"
            collection.variables.append(ImportedVariable(name, .environment(variable)))
        }
        return "{{\(name)}}"
    }
}
