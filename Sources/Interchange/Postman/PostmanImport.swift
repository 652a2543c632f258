import NetworkLayer
import OrderedCollections
import RequestCollections

/// Postman's collections, version 2.0 and 2.1 (https://schema.postman.com), environments and globals.
///
/// What people have is often not what the schema asks for: names, methods and whole objects are missing, numbers stand for texts. What
/// isn't there is left out or has its usual value.
struct PostmanImport: ForeignImport {
    var collection: ImportedCollection
    /// Examples of responses that no request has room for.
    var exampleCount = 0
    /// Whether a folder around, or the collection, has authentication.
    var isBelowAuth = false
    /// The authentication of the nearest folder around, or of the collection.
    var authAround: AuthDefinition?
    /// The `protocolProfileBehavior` of the folders around and of the collection, the nearest last.
    private(set) var behaviors: [JSONValue] = []
    /// Whether it is Postman's own document, and not one of another program in the same form.
    var isOwn = false
    /// Whether `{{?Question}}` asks a person.
    var asksQuestions = false
    /// What people are asked, by the names of the variables that stand for the answers.
    private(set) var questions: OrderedDictionary<String, String> = [:]

    static func isDocument(_ value: JSONValue) -> Bool {
        let value = value["collection"] ?? value
        return value["item"] != nil || value["info"]?["schema"]?.string?.contains("postman") == true
            || value["_postman_variable_scope"] != nil || value["values"] != nil && value["name"] != nil
            || value["requests"] != nil && value["order"] != nil
    }

    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        let document = document["collection"] ?? document
        guard !document.members.isEmpty else { throw source.problem("is not a collection of Postman: it takes a map") }
        let misfits = PostmanShape.document.misfits(in: document)
        if document["values"] != nil, document["item"] == nil {
            var environment = environment(source, document)
            environment.notes += misfits
            return environment
        }
        guard document["item"] != nil || document["info"] != nil else {
            throw source.problem(
                "is a collection of Postman's version 1; export it as version 2.1 (in Postman: Export, Collection v2.1)")
        }
        let info = document["info"]
        var reader = PostmanImport(collection: ImportedCollection(name: info?["name"]?.nonEmpty ?? source.name))
        reader.collection.notes = misfits
        reader.collection.description = description(info?["description"])
        reader.collection.variables = reader.variables(document["variable"] ?? document["variables"], of: "")
        reader.collection.auth = reader.auth(document["auth"], at: "")
        reader.isBelowAuth = reader.collection.auth != nil
        (reader.authAround, reader.isOwn) = (reader.collection.auth, true)
        var scripts: [String: String] = [:]
        reader.keepScripts(document, in: &scripts, at: "")
        reader.collection.scripts = scripts
        reader.enter(document["protocolProfileBehavior"], at: "")
        reader.collection.nodes = reader.nodes(document["item"], path: [], depth: 0)
        reader.collection.noteExamples(reader.exampleCount)
        return reader.collection
    }

    // MARK: Environments

    /// An environment, or globals, which are the collection's variables.
    private static func environment(_ source: ImportSource, _ document: JSONValue) -> ImportedCollection {
        var reader = PostmanImport(collection: ImportedCollection(name: document["name"]?.nonEmpty ?? source.name))
        let name = reader.collection.name
        let variables = reader.variables(document["values"], of: name)
        if document["_postman_variable_scope"]?.string == "globals" || source.path.hasSuffix(".globals.yaml") {
            reader.collection.variables = variables
        } else {
            reader.collection.environments = [
                ImportedEnvironment(titled: name, variables: variables)
            ]
        }
        return reader.collection
    }

    private mutating func variables(_ value: JSONValue?, of place: String) -> [ImportedVariable] {
        var variables: [ImportedVariable] = []
        for item in value?.items ?? [] {
            guard let key = item["key"]?.nonEmpty ?? item["id"]?.nonEmpty else { continue }
            let isOff = item["disabled"]?.boolean == true || item["enabled"]?.boolean == false
            if isOff {
                note(place, "the variable \(key) is off, and variables here have no switch", isLoss: false)
                continue
            }
            let content: ImportedVariable.Value =
                switch item["value"] {
                case .array, .object: .json((item["value"] ?? .null).mapTexts { text($0, at: place) })
                case let value: .text(text(value?.scalar ?? "", at: place))
                }
            variables.append(
                ImportedVariable(
                    VariableName.make(key), content, isSecret: item["type"]?.string == "secret",
                    comment: Self.description(item["description"])))
        }
        return variables
    }

    // MARK: Texts and notes

    mutating func template(_ text: String, at place: String) -> TemplateText {
        var unknown: [String] = []
        var vault: [String] = []
        var asked: [String] = []
        let asks = asksQuestions
        let result = TemplateText(ForeignTemplate(text)) { inside, _ in
            if inside.hasPrefix("vault:") { vault.append(inside) }
            if asks, inside.hasPrefix("?"), !inside.contains(where: \.isNewline) {
                asked.append(inside)
                return VariableName.make(inside)
            }
            return PostmanTemplates.translate(inside) { unknown.append($0) }
        }
        for name in unknown {
            note(place, "{{\(name)}} has no equivalent; it is the variable `\(VariableName.make(name.dropFirst()))` now")
        }
        for question in asked where questions[VariableName.make(question)] == nil {
            questions[VariableName.make(question)] = question.dropFirst().trimmingSpace
        }
        for name in vault where !collection.variables.contains(where: { $0.name == VariableName.make(name) }) {
            let variable = "\(EnvironmentName.make(collection.name))_\(EnvironmentName.make(String(name.dropFirst(6))))"
            collection.variables.append(ImportedVariable(VariableName.make(name), .environment(variable)))
        }
        return result
    }

    /// A text, or an object with it.
    static func description(_ value: JSONValue?) -> String? {
        let text = value?.string ?? value?["content"]?.string
        return text?.trimmingSpace.isEmpty == false ? text?.trimmingSpace : nil
    }

    // MARK: The tree

    private mutating func nodes(_ value: JSONValue?, path: [String], depth: Int) -> [ImportedNode] {
        var nodes: [ImportedNode] = []
        for item in value?.items ?? [] {
            if item["item"] != nil, depth <= ImportSource.Limits.folders {
                nodes.append(.folder(folder(item, path: path, depth: depth)))
            } else if item["request"] != nil {
                nodes.append(.request(request(item, path: path)))
            } else if case .object = item {
                note((path + [item["name"]?.nonEmpty ?? ""]).place, "an item with neither a request nor items of its own")
            }
        }
        return nodes
    }

    private static func identity(_ item: JSONValue) -> String? { item["id"]?.nonEmpty ?? item["_postman_id"]?.nonEmpty }

    private mutating func folder(_ item: JSONValue, path: [String], depth: Int) -> ImportedFolder {
        var folder = ImportedFolder(name: item["name"]?.nonEmpty ?? "Folder")
        folder.identity = Self.identity(item)
        let path = path + [folder.name]
        folder.description = Self.description(item["description"])
        folder.auth = auth(item["auth"], at: path.place)
        let around = (isBelowAuth, authAround, behaviors)
        isBelowAuth = folder.auth.map { $0 != .none } ?? isBelowAuth
        authAround = folder.auth ?? authAround
        enter(item["protocolProfileBehavior"], at: path.place)
        defer { (isBelowAuth, authAround, behaviors) = around }
        folder.variables = variables(item["variable"], of: path.place)
        keepScripts(item, in: &folder.scripts, at: path.place)
        folder.nodes = nodes(item["item"], path: path, depth: depth + 1)
        return folder
    }

    /// Those that are on, by their event.
    private mutating func scripts(_ item: JSONValue, at place: String) -> [(event: String, text: String)] {
        var scripts: [(event: String, text: String)] = []
        for event in item["event"]?.items ?? [] {
            let name = event["listen"]?.nonEmpty ?? "other"
            let script = event["script"]
            let exec = script?["exec"]
            let text = exec?.string ?? exec?.items.compactMap(\.string).joined(separator: "\n") ?? script?.string ?? ""
            if event["disabled"]?.boolean == true {
                note(place, "the script for `\(name)` is off, and scripts here have no switch", isLoss: false)
            } else if !text.trimmingSpace.isEmpty {
                scripts.append((name, text))
            } else if let source = script?["src"] {
                note(place, "the script for `\(name)` in the file \(source.scalar ?? source.text(pretty: false))")
            }
        }
        return scripts
    }

    private mutating func keepScripts(_ item: JSONValue, in scripts: inout [String: String], at place: String) {
        for script in self.scripts(item, at: place) {
            note(place, scripts.keep(sharedScript: script.text, isTest: script.event == "test"))
        }
    }

    private mutating func readScripts(_ item: JSONValue, into request: inout ImportedRequest, at place: String) {
        let scripts = scripts(item, at: place)
        for script in scripts where script.event != "test" {
            note(
                place,
                script.event == "prerequest"
                    ? request.keep(preRequestScript: script.text) : request.keep(otherScript: script.text, for: script.event))
        }
        let test = scripts.filter { $0.event == "test" }.map(\.text).joined(separator: "\n")
        if let text = request.adopt(testScript: test) { note(place, text) }
    }

    mutating func request(_ item: JSONValue, path: [String]) -> ImportedRequest {
        let source = item["request"] ?? .null
        let url = source.string.map(JSONValue.string) ?? source["url"]
        let method = source["method"]?.nonEmpty?.trimmingSpace.uppercased() ?? "GET"
        var request = ImportedRequest(name: item["name"]?.nonEmpty ?? "", method: method.isEmpty ? "GET" : method)
        if request.name.isEmpty { request.name = "\(method) \(Self.raw(url))" }
        request.identity = Self.identity(item)
        let place = (path + [request.name]).place
        request.definition.description = Self.description(source["description"]) ?? Self.description(item["description"])
        readURL(url, into: &request, at: place)
        let isSocket = ImportedSession.isURL(request.definition.url)
        if isSocket {
            request.definition.open(sending: [])
            if method != "GET" { note(place, "the method \(method): a WebSocket opens with a GET") }
        }
        request.definition.headers = headers(source["header"], of: &request, at: place)
        request.definition.auth = auth(source["auth"], at: place)
        dropSignedHeader(of: &request.definition, at: place)
        let behaviors = behaviors + [item["protocolProfileBehavior"] ?? .null]
        if let body = source["body"], !body.isNull {
            if isSocket {
                let content = body[body["mode"]?.string ?? "raw"] ?? .null
                if content.nonEmpty != nil || !content.items.isEmpty || !content.members.isEmpty {
                    note(place, "the body: a WebSocket opens without one")
                }
            } else if body["disabled"]?.boolean == true {
                note(place, "the body is off, and bodies here have no switch")
            } else if isOwn, Self.bodyless.contains(method),
                !behaviors.contains(where: { $0["disableBodyPruning"]?.boolean == true })
            {
                let content = body[body["mode"]?.string ?? "raw"] ?? .null
                if content.nonEmpty != nil || !content.items.isEmpty || !content.members.isEmpty {
                    note(place, "the body, which Postman doesn't send with \(method)", isLoss: false)
                }
            } else {
                readBody(body, into: &request, at: place)
                ImportedBody.keepingQuery(inBodyOf: &request.definition)
            }
        }
        for behavior in behaviors { Self.apply(behavior, to: &request.definition.settings) }
        noteUnknown(item["protocolProfileBehavior"], at: place)
        readScripts(item, into: &request, at: place)
        readResponses(item["response"]?.items ?? [], into: &request.definition)
        for key in ["proxy", "certificate"] where source[key]?.members.isEmpty == false {
            note(place, "its own \(key): give it by `\(key == "proxy" ? "proxy" : "tls")`")
        }
        return request
    }

    /// Postman takes the header away before it signs.
    private mutating func dropSignedHeader(of definition: inout RequestDefinition, at place: String) {
        guard isOwn, let auth = definition.auth ?? authAround, auth.setsAuthorization else { return }
        let count = definition.headers.count
        definition.headers.removeAll { $0.isEnabled && $0.name.trimmingSpace.lowercased() == "authorization" }
        guard definition.headers.count < count else { return }
        note(place, "the header Authorization, which Postman replaces by its authentication", isLoss: false)
    }

    private static let bodyless: Set<String> = ["GET", "HEAD", "COPY", "PURGE", "UNLOCK"]

    /// What a folder or the collection says for all requests in it.
    private mutating func enter(_ behavior: JSONValue?, at place: String) {
        noteUnknown(behavior, at: place)
        if let behavior { behaviors.append(behavior) }
    }

    private mutating func noteUnknown(_ value: JSONValue?, at place: String) {
        let known: Set<String> = ["followRedirects", "strictSSL", "maxRedirects", "disableBodyPruning"]
        for member in value?.members ?? [] where !known.contains(member.name) {
            note(place, "the setting `\(member.name)`")
        }
    }

    private static func apply(_ value: JSONValue, to settings: inout RequestSettings) {
        if let follows = value["followRedirects"]?.boolean { settings.followRedirects = follows ? nil : .never }
        if let verifies = value["strictSSL"]?.boolean { settings.verifiesTLS = verifies ? nil : false }
        if case .number(let digits)? = value["maxRedirects"], let count = Int(digits), count >= 0 { settings.maxRedirects = count }
    }

    // MARK: Rows

    /// - Parameter key: what the comments of the rows are under, such as `query`.
    mutating func rows(
        _ value: JSONValue?, _ key: String, of request: inout ImportedRequest, at place: String
    ) -> [RequestDefinition.Row] {
        var rows: [RequestDefinition.Row] = []
        for item in value?.items ?? [] {
            guard let name = item["key"]?.scalar ?? item["id"]?.scalar, !name.isEmpty else {
                if item["value"]?.nonEmpty != nil { note(place, "a value without a name in `\(key)`") }
                continue
            }
            let row = RequestDefinition.Row(
                name: text(name, at: place), value: text(item["value"]?.scalar ?? "", at: place),
                isEnabled: item["disabled"]?.boolean != true)
            if let comment = Self.description(item["description"]) { request.comments["\(key).\(row.name)"] = comment }
            rows.append(row)
        }
        return rows
    }

    /// A list, or lines of text.
    private mutating func headers(
        _ value: JSONValue?, of request: inout ImportedRequest, at place: String
    ) -> [RequestDefinition.Row] {
        guard let lines = value?.string else { return rows(value, "headers", of: &request, at: place) }
        return lines.split(whereSeparator: \.isNewline).compactMap { line in
            let (name, value) = line.split(at: ":")
            guard let value, !name.isEmpty else {
                note(place, "`\(line)`, which is no header")
                return nil
            }
            return .init(name: text(name.trimmingSpace, at: place), value: text(value.trimmingSpace, at: place))
        }
    }

    // MARK: The URL

    private static func raw(_ url: JSONValue?) -> String {
        url?.string ?? url?["raw"]?.string ?? ""
    }

    private mutating func readURL(_ url: JSONValue?, into request: inout ImportedRequest, at place: String) {
        request.hasPathParameters = true
        var raw = Self.raw(url)
        if raw.isEmpty, let url { raw = Self.composed(url) }
        if let query = url?["query"], !query.items.isEmpty {
            request.definition.query = rows(query, "query", of: &request, at: place)
            // A parameter without `=` can't be a row, which has a value.
            if query.items.contains(where: { $0["disabled"]?.boolean != true && $0["value"]?.isNull ?? true }),
                raw.firstIndexOutsideTemplates(of: "?") != nil
            {
                request.definition.query.removeAll(where: \.isEnabled)
            } else {
                raw = String(raw[..<(raw.firstIndexOutsideTemplates(of: "?") ?? raw.endIndex)])
            }
            request.definition.query = decoded(request.definition.query, plusIsSpace: true, at: place)
        }
        var path = rows(url?["variable"], "path", of: &request, at: place)
        for index in path.indices where isOwn {
            // A whole segment is the name there, also `:id.json`.
            let name = PathParameters.name(path[index].name)
            guard name != path[index].name else { continue }
            raw = raw.split(separator: "/", omittingEmptySubsequences: false)
                .map { $0 == ":\(path[index].name)" ? ":\(name)" : String($0) }.joined(separator: "/")
            path[index].name = name
        }
        request.definition.url = text(raw, at: place)
        request.definition.path = PathParameters.complete(decoded(path, at: place), in: raw)
    }

    /// What is percent-encoded there already, Postman doesn't encode again.
    ///
    /// - Parameter plusIsSpace: as servers read it in a query, where Postman sends the sign itself.
    private mutating func decoded(
        _ rows: [RequestDefinition.Row], plusIsSpace: Bool = false, at place: String
    ) -> [RequestDefinition.Row] {
        guard isOwn else { return rows }
        if plusIsSpace {
            for row in rows.withPlus {
                note(place, "a `+` in `\(row.name)`, which servers read as a space, is one here", isLoss: false)
            }
        }
        return percentDecoded(rows, plusIsSpace: plusIsSpace, at: place)
    }

    private static func composed(_ url: JSONValue) -> String {
        func joined(_ value: JSONValue?, _ separator: String) -> String {
            value?.string ?? value?.items.map { $0.scalar ?? $0["value"]?.scalar ?? "" }.joined(separator: separator) ?? ""
        }
        let host = joined(url["host"], ".")
        let scheme = url["protocol"]?.nonEmpty.map { "\($0)://" } ?? ""
        let port = url["port"]?.nonEmpty.map { ":\($0)" } ?? ""
        let path = joined(url["path"], "/")
        return scheme + host + port + (path.isEmpty || path.hasPrefix("/") ? path : "/\(path)")
    }
}

extension AuthDefinition {
    /// Whether it is sent in the field Authorization.
    fileprivate var setsAuthorization: Bool {
        switch self {
        case .none, .inherit, .netrc: false
        case .apiKey(let key): key.place == .header && key.name.lowercased() == "authorization"
        default: true
        }
    }
}
