import NetworkLayer
import RequestCollections

/// `http-client.env.json`, which JetBrains and Visual Studio have beside `.http` files: a map of environments
/// (https://www.jetbrains.com/help/idea/exploring-http-syntax.html, https://learn.microsoft.com/aspnet/core/test/http-files).
struct HTTPEnvironments {
    private var collection: ImportedCollection
    private let isPrivate: Bool

    static func isDocument(_ value: JSONValue) -> Bool {
        !value.members.isEmpty
            && value.members.allSatisfy { member in
                guard case .object(let variables) = member.value else { return false }
                return variables.allSatisfy { $0.value.scalar != nil || $0.value.isNull }
            }
    }

    /// By its name: there it may have more in it than texts.
    static func isNamed(_ path: String) -> Bool {
        [".env.json", ".env.json.user"].contains { path.lowercased().hasSuffix($0) }
    }

    /// What is in the private file is a secret.
    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        guard isDocument(document) || isNamed(source.path), case .object = document else {
            throw source.problem("is no file of environments: it takes a map of maps of texts")
        }
        let isPrivate = source.path.contains(".private.") || source.path.hasSuffix(".user")
        var reader = HTTPEnvironments(collection: ImportedCollection(name: source.name), isPrivate: isPrivate)
        for member in document.members where member.name != "$schema" { reader.read(member) }
        return reader.collection
    }

    private mutating func read(_ environment: JSONValue.Member) {
        guard case .object(let members) = environment.value else {
            return collection.notes.append(ImportNote(environment.name, "it is no map of variables"))
        }
        var variables: [ImportedVariable] = []
        for member in members {
            if member.name == "Security" {
                readSecurity(member.value, in: environment.name)
            } else if member.name != "SSLConfiguration" {
                variables += self.variables(member.name, member.value, in: environment.name)
            } else {
                collection.notes.append(ImportNote(environment.name, "`SSLConfiguration`: give it by `tls`"))
            }
        }
        if environment.name == "$shared" {
            collection.variables += variables
        } else {
            collection.environments.append(ImportedEnvironment(name: environment.name, variables: variables))
        }
    }

    private static func text(_ text: String) -> String {
        TemplateText(ForeignTemplate(text)) { inside, _ in VariableName.make(inside) }.text
    }

    /// Maps in maps are named as templates reach into them: `api.path`.
    private mutating func variables(_ name: String, _ value: JSONValue, in place: String) -> [ImportedVariable] {
        let variable = VariableName.make(name)
        switch value {
        case .object where value["provider"]?.nonEmpty != nil:
            let provider = value["provider"]?.string ?? ""
            collection.notes.append(
                ImportNote(place, "the variable \(name) is kept by \(provider), which isn't asked", isLoss: false))
            return [
                ImportedVariable(
                    variable, .environment(EnvironmentName.make(value["secretName"]?.nonEmpty ?? name)), isSecret: true)
            ]
        case .object(let members): return members.flatMap { variables("\(name).\($0.name)", $0.value, in: place) }
        case .array: return [ImportedVariable(variable, .json(value.mapTexts(Self.text)), isSecret: isPrivate)]
        default: return [ImportedVariable(variable, .text(Self.text(value.scalar ?? "")), isSecret: isPrivate)]
        }
    }

    /// `Security` → `Auth`: what `{{$auth.token("name")}}` fetches.
    private mutating func readSecurity(_ security: JSONValue, in place: String) {
        for member in security["Auth"]?.members ?? [] {
            func given(_ key: String) -> String? { member.value[key]?.nonEmpty.map(Self.text) }
            let definition: OAuth2Definition.Grant? =
                switch given("Grant Type") {
                case "Client Credentials": .clientCredentials
                case "Password": .password(user: given("Username") ?? "", password: given("Password") ?? "")
                case "Authorization Code":
                    given("Auth URL").map { .authorizationCode(authorizationURL: $0, redirect: given("Redirect URL")) }
                case "Device Authorization": given("Device Auth URL").map { .deviceCode(deviceURL: $0) }
                default: nil
                }
            guard let grant = definition, let url = given("Token URL") else {
                collection.notes.append(ImportNote(place, "`Security`, \(member.name): there is no equivalent"))
                continue
            }
            let known: Set = [
                "Type", "Grant Type", "Token URL", "Client ID", "Client Secret", "Client Credentials", "Scope", "Username",
                "Password",
                "Auth URL", "Redirect URL", "Device Auth URL", "PKCE",
            ]
            for other in member.value.members where !known.contains(other.name) {
                collection.notes.append(ImportNote(place, "`Security`, \(member.name): `\(other.name)`"))
            }
            let auth = OAuth2Definition(
                grant: grant, tokenURL: url, clientID: given("Client ID") ?? "{{client_id}}",
                clientSecret: given("Client Secret") ?? (grant == .clientCredentials ? "" : nil),
                clientAuthentication: given("Client Credentials") == "in body" ? .body : .header, scope: given("Scope"))
            if let first = collection.tokens[member.name], first != auth {
                collection.notes.append(
                    ImportNote(place, "`Security`, \(member.name): it is another one in an environment before, which stands"))
            }
            collection.tokens[member.name] = collection.tokens[member.name] ?? auth
        }
    }
}

extension ImportedCollection {
    /// Gives requests the authentication that their files name and another one describes.
    mutating func fetchTokens() {
        let tokens = tokens
        var missing: [ImportNote] = []
        nodes.forEachRequest { request, path in
            guard case .bearer(let text)? = request.definition.auth,
                let match = text.wholeMatch(of: /\{\{\$auth\.(?:token|idToken)\("([^"]*)"\)\}\}/)
            else { return }
            if let auth = tokens[String(match.1)] { return request.definition.auth = .oauth2(auth) }
            let variable = VariableName.make("auth_\(match.1)")
            request.definition.auth = .bearer("{{\(variable)}}")
            missing.append(ImportNote(path.place, "\(text): no environment describes it; it is the variable `\(variable)` now"))
        }
        notes += missing
    }
}
