import NetworkLayer
import RequestCollections

/// Takes literal secrets out of a tree: each becomes a variable that an environment variable gives.
struct SecretExtractor {
    /// What the names of environment variables begin with: `SHOP`.
    let prefix: String
    private(set) var secrets: [ImportedSecret] = []
    /// The variables that stand for them.
    private(set) var variables: [ImportedVariable] = []
    /// What variables stood for before, by their names.
    private(set) var values: [String: String] = [:]
    /// The same texts, to be found wherever else they stand.
    private(set) var known = KnownSecrets()
    private var names: [String: String] = [:]
    /// Names that mean something already, with a value or without.
    private var taken: Set<String>
    /// The last number that a name got, so that the next is found at once.
    private var numbers: [String: Int] = [:]
    private var indices: [String: Int] = [:]
    /// The environment variables of variables, and whose each is: two never share one.
    private var environments: [String: String] = [:]
    private var owners: [String: String] = [:]
    /// Variables that stand where a secret belongs.
    private var uses: Set<String> = []

    init(_ collection: ImportedCollection) {
        prefix = EnvironmentName.make(collection.name)
        taken = collection.variableNames
    }

    /// - Parameters:
    ///   - known: texts that variables stand for already.
    ///   - taken: more names that mean something where the collection goes.
    init(_ collection: ImportedCollection, known: [String: String], taken: Set<String>) {
        self.init(collection)
        names = known
        self.taken.formUnion(taken)
    }

    /// The collection without its literal secrets.
    mutating func extract(_ collection: inout ImportedCollection) {
        uses = SecretUses(collection).names
        collection.forEachVariable { extract(&$0, of: $1) }
        extract(&collection.auth, at: "the collection")
        extract(&collection.headers, at: "the collection")
        let hasExampleBodies = collection.hasExampleBodies
        collection.nodes.forEachFolder(path: []) { folder, path in
            extract(&folder.auth, at: path.place)
            extract(&folder.headers, at: path.place)
        }
        collection.nodes.forEachRequest(path: []) { request, path in
            extract(&request.definition, at: path.place, includesBody: !hasExampleBodies)
        }
        extractSecrets(of: &collection)
        collection.variables += variables
        secrets = secrets.map { secret in
            var secret = secret
            secret.uses = secret.uses.map(untold)
            return secret
        }
    }

    // MARK: What may hold one

    private mutating func extract(_ variable: inout ImportedVariable, of owner: String) {
        if case .environment(let name) = variable.value {
            let name = environment(name, of: "\(owner)\n\(variable.name)")
            variable.value = .environment(name)
            return add(ImportedSecret(variable: name, use: "the variable \(variable.name)"))
        }
        if case .json(let json) = variable.value {
            let isSecret = variable.isSecret || SecretName.matches(variable.name) || uses.contains(variable.name)
            let place = "the variable \(variable.name)"
            variable.value = .json(isSecret ? extractAll(json, variable.name, at: place) : extract(json, at: place))
        }
        guard case .text(let text) = variable.value, !text.isEmpty else { return }
        let isSecret =
            variable.isSecret || SecretName.matches(variable.name) || SecretScanner.isShape(text)
            || uses.contains(variable.name) && !SecretScanner.schemes.contains(text.lowercased())
        guard !Template.isIn(text), isSecret else {
            var url = text
            replaceUserinfo(in: &url, variable.name, "the variable \(variable.name)")
            if url != text { variable.value = .text(url) }
            return
        }
        values[variable.name] = text
        known.insert(text)
        let names = [prefix] + [owner, variable.name].filter { !$0.isEmpty }.map(EnvironmentName.make)
        let name = environment(names.joined(separator: "_"), of: "\(owner)\n\(variable.name)")
        variable.value = .environment(name)
        add(ImportedSecret(variable: name, use: "the variable \(variable.name)" + (owner.isEmpty ? "" : " of \(owner)")))
    }

    private mutating func extract(_ definition: inout RequestDefinition, at place: String, includesBody: Bool) {
        extract(&definition.auth, at: place)
        if var passphrase = definition.settings.passphrase {
            replace(&passphrase, "passphrase", "the pass phrase of \(place)")
            definition.settings.passphrase = passphrase
        }
        if var proxy = definition.settings.proxy {
            replaceUserinfo(in: &proxy, "proxy", "the proxy of \(place)")
            definition.settings.proxy = proxy
        }
        if var proxy = definition.settings.connection.preProxy {
            replaceUserinfo(in: &proxy, "proxy", "the pre-proxy of \(place)")
            definition.settings.connection.preProxy = proxy
        }
        replaceUserinfo(in: &definition.url, "url", "the URL of \(place)")
        extract(&definition.headers, at: place)
        extract(&definition.query, at: place)
        for index in definition.cookies.indices where definition.cookies[index].value.count >= 16 {
            replace(
                &definition.cookies[index].value, "cookie_\(definition.cookies[index].name)",
                "the cookie \(definition.cookies[index].name) of \(place)")
        }
        extract(&definition.cookies, at: place)
        guard includesBody else { return }
        definition.mock?.hideSecrets()
        func hide(_ part: BodyPart, _ text: inout String) {
            switch part {
            case .field(let name): extract(&text, of: name, at: place)
            case .part(let name) where SecretName.matches(name): replace(&text, name, "\(name) of \(place)")
            case .json:
                guard let value = JSONValue.standingAsYAML(text) else {
                    text = extract(json: text, at: place)
                    return
                }
                let extracted = extract(value, at: place)
                if extracted != value { text = extracted.text(pretty: true) }
            // JSON that goes out as it was recorded.
            case .text where ["{", "["].contains(text.trimmingSpace.first): text = extract(json: text, at: place)
            default: break
            }
        }
        definition.body = definition.body?.mapTexts(hide)
        definition.mapMessages(hide)
    }

    private mutating func extract(_ rows: inout [RequestDefinition.Row], at place: String) {
        for index in rows.indices { extract(&rows[index].value, of: rows[index].name, at: place) }
    }

    /// The value of a row.
    private mutating func extract(_ value: inout String, of name: String, at place: String) {
        guard SecretName.matches(name) else { return }
        let what = "\(name) of \(place)"
        // `Token x`, `ApiKey x`: what says how it is meant stays.
        let (scheme, rest) = value.split(at: " ")
        if name.lowercased().hasSuffix("authorization"), var rest, !rest.isEmpty, !scheme.contains("{{") {
            replace(&rest, "authorization", what)
            value = "\(scheme) \(rest)"
        } else {
            replace(&value, name, what)
        }
    }

    /// Every text in a list or map that is a secret as a whole.
    private mutating func extractAll(_ value: JSONValue, _ name: String, at place: String) -> JSONValue {
        switch value {
        case .string(var text):
            replace(&text, name, "\(name) of \(place)")
            return .string(text)
        case .array(let values): return .array(values.map { extractAll($0, name, at: place) })
        case .object(let members):
            return .object(members.map { .init(name: $0.name, value: extractAll($0.value, $0.name, at: place)) })
        default: return value
        }
    }

    private mutating func extract(_ value: JSONValue, at place: String) -> JSONValue {
        switch value {
        case .array(let values): return .array(values.map { extract($0, at: place) })
        case .object(let members):
            return .object(
                members.map { member in
                    guard case .string(var text) = member.value, SecretName.matches(member.name) else {
                        return .init(name: member.name, value: extract(member.value, at: place))
                    }
                    replace(&text, member.name, "\(member.name) of \(place)")
                    return .init(name: member.name, value: .string(text))
                })
        default: return value
        }
    }

    /// Extracts the secrets of a text that is JSON once its templates are filled in.
    private mutating func extract(json text: String, at place: String) -> String {
        var result = ""
        var rest = Substring(text)
        while let match = rest.firstMatch(of: /"([^"\\]*)"\s*:\s*"([^"\\]+)"/) {
            result += rest[..<match.2.startIndex]
            var value = String(match.2)
            if SecretName.matches(String(match.1)) { replace(&value, String(match.1), "\(match.1) of \(place)") }
            result += value
            rest = rest[match.2.endIndex...]
        }
        return result + rest
    }

    private mutating func extract(_ auth: inout AuthDefinition?, at place: String) {
        if case .apiKey(var key)? = auth, key.name.lowercased() == "authorization", key.value.contains(" ") {
            extract(&key.value, of: key.name, at: place)
            return auth = .apiKey(key)
        }
        auth = auth?.mapTexts { part, text in
            guard part.isSecret else { return }
            replace(&text, part.label.lowercased().replacing(scalars: " ", with: "_"), "the \(part.label) of \(place)")
        }
    }

    // MARK: Replacing

    /// The user and the password in a URL.
    private mutating func replaceUserinfo(in url: inout String, _ name: String, _ place: String) {
        guard let userinfo = URLUserinfo(url) else { return }
        var range = userinfo.range
        // Where the user is a template, the password may still be none.
        if Template.isIn(String(url[range])), let colon = url[range].lastIndex(of: ":") {
            range = url.index(after: colon)..<range.upperBound
        }
        var text = String(url[range])
        replace(&text, "\(name)_credentials", "the user and password in \(place)")
        url.replaceSubrange(range, with: text)
    }

    /// A secret that the source only names, by an environment variable.
    mutating func declare(_ variable: String) -> ImportedVariable {
        let name = environment(of: variable)
        add(ImportedSecret(variable: name, use: "the variable \(variable)"))
        return ImportedVariable(variable, .environment(name))
    }

    /// - Parameters:
    ///   - name: what the variable is called when nothing else is.
    ///   - use: for the report.
    mutating func replace(_ text: inout String, _ name: String, _ use: String) {
        guard !text.isEmpty, !Template.isIn(text) else { return }
        if let known = names[text] {
            add(ImportedSecret(variable: environment(of: known), use: use))
            text = "{{\(known)}}"
            return
        }
        let wanted = VariableName.make(name.lowercased().replacing(scalars: "-", with: "_"))
        var variable = wanted
        while !taken.insert(variable).inserted {
            numbers[wanted, default: 1] += 1
            variable = "\(wanted)_\(numbers[wanted] ?? 2)"
        }
        names[text] = variable
        values[variable] = text
        known.insert(text)
        variables.append(ImportedVariable(variable, .environment(environment(of: variable))))
        add(ImportedSecret(variable: environment(of: variable), use: use))
        text = "{{\(variable)}}"
    }

    /// The environment variable of one of the collection's own variables.
    private mutating func environment(of variable: String) -> String {
        environment("\(prefix)_\(EnvironmentName.make(variable))", of: "\n\(variable)")
    }

    /// - Parameter variable: whose it is, with its owner.
    private mutating func environment(_ wanted: String, of variable: String) -> String {
        if let known = environments[variable] { return known }
        let name = freeName(wanted, "_") { owners[$0] == nil }
        (environments[variable], owners[name]) = (name, variable)
        return name
    }

    private mutating func add(_ secret: ImportedSecret) {
        if let index = indices[secret.variable] {
            secrets[index].uses += secret.uses
        } else {
            indices[secret.variable] = secrets.count
            secrets.append(secret)
        }
    }
}

/// A secret that isn't in the collection.
package struct ImportedSecret: Hashable, Sendable {
    /// The environment variable to set.
    package var variable: String
    /// Where it is used: "the token of Orders / Create".
    package var uses: [String]

    init(variable: String, use: String) {
        self.variable = variable
        uses = [use]
    }
}

/// Names of environment variables, as people write them.
enum EnvironmentName {
    static func make(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            let isKept = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isKept {
                result += scalar.properties.uppercaseMapping
            } else if !result.isEmpty, result.last != "_" {
                result += "_"
            }
        }
        while result.last == "_" { result.removeLast() }
        if result.isEmpty { return "X" }
        return result.first!.isNumber ? "_" + result : result
    }
}
