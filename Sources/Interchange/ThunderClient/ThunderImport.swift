import NetworkLayer
import RequestCollections

/// Thunder Client's collections (https://github.com/thunderclient/thunder-client-support) as it exports them, with `client` in older
/// files and `clientName` in newer ones, as it keeps them in a project (`thunder-tests/`), and its environments. A request says what one
/// of Postman's says, and is given to ``PostmanImport`` as such.
struct ThunderImport {
    private var postman: PostmanImport

    static func isDocument(_ value: JSONValue) -> Bool {
        if let first = value.items.first { return isRequest(first) || isEnvironment(first) || isCollection(first) }
        return isCollection(value) || isEnvironment(value)
    }

    private static func isOwn(_ value: JSONValue) -> Bool {
        value["client"]?.string == "Thunder Client" || value["clientName"]?.string == "Thunder Client"
    }

    private static func isRequest(_ value: JSONValue) -> Bool {
        value["colId"] != nil && value["url"] != nil && value["method"] != nil
    }

    private static func isCollection(_ value: JSONValue) -> Bool {
        isOwn(value) && value["data"] == nil || value["colName"] != nil && value["url"] == nil
    }

    private static func isEnvironment(_ value: JSONValue) -> Bool {
        guard case .array? = value["data"] else { return false }
        return isOwn(value) || value["_id"] != nil && value["name"] != nil
    }

    /// `thunderCollection.json` and `thunderclient.json`, in which a project has had collections and their requests, and the files beside them.
    static func read(_ source: ImportSource, files: [ImportSource]) throws(CollectionProblem) -> ImportedCollection {
        var parts: [JSONValue] = []
        var notes: [ImportNote] = []
        for file in files {
            do throws(CollectionProblem) {
                let document = try JSONParser.document(file.bytes, path: file.path)
                if case .array(let items) = document { parts += items } else { parts.append(document) }
            } catch {
                notes.append(ImportNote(file.path, "the file: \(error.message)"))
            }
        }
        var collection = try read(source, .array(parts))
        collection.notes += notes
        return collection
    }

    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        let parts = document.items.isEmpty ? [document] : document.items
        guard parts.contains(where: isDocument) || isDocument(document) else {
            throw source.problem("is neither a collection nor an environment of Thunder Client")
        }
        let collections = parts.filter(isCollection)
        func name(_ value: JSONValue?) -> String? { value?["collectionName"]?.nonEmpty ?? value?["colName"]?.nonEmpty }
        let title = collections.count == 1 ? name(collections.first) : nil
        var reader = ThunderImport(postman: PostmanImport(collection: ImportedCollection(name: title ?? source.name)))
        for environment in parts where isEnvironment(environment) { reader.readEnvironment(environment) }
        var loose = parts.filter(isRequest)
        for collection in collections {
            reader.postman.collection.notes += shape.misfits(in: collection)
            let id = collection["_id"]?.nonEmpty
            let own = id == nil ? [] : loose.filter { $0["colId"]?.scalar == id }
            if id != nil { loose.removeAll { $0["colId"]?.scalar == id } }
            var folder = ImportedFolder(name: name(collection) ?? "Collection")
            reader.readTree(collection, own, path: collections.count == 1 ? [] : [folder.name], into: &folder)
            if collections.count == 1 {
                (reader.postman.collection.auth, reader.postman.collection.headers) = (folder.auth, folder.headers)
                reader.postman.collection.nodes += folder.nodes
            } else {
                reader.postman.collection.nodes.append(.folder(folder))
            }
        }
        if !loose.isEmpty {
            var folder = ImportedFolder(name: "")
            reader.readTree(.null, loose, path: [], into: &folder)
            reader.postman.collection.nodes += folder.nodes
        }
        return reader.postman.collection
    }

    private static let rows = ForeignShape.list(
        .map(["name": .scalar, "value": .scalar, "isDisabled": .scalar, "isPath": .scalar]))
    private static let shape = ForeignShape.map([
        "collectionName": .scalar, "folders": .list(.map(["_id": .scalar, "name": .scalar, "containerId": .scalar])),
        "settings": .map(["headers": rows]),
        "requests": .list(
            .map([
                "name": .scalar, "url": .scalar, "method": .scalar, "headers": rows, "params": rows, "containerId": .scalar,
                "tests": .list(.map(["type": .scalar])),
                "body": .map(["type": .scalar, "raw": .scalar, "form": rows, "files": rows]),
            ])),
    ])

    // MARK: Environments

    private mutating func readEnvironment(_ environment: JSONValue) {
        let name = environment["environmentName"]?.nonEmpty ?? environment["name"]?.nonEmpty ?? postman.collection.name
        var variables: [ImportedVariable] = []
        for item in environment["data"]?.items ?? [] {
            guard let key = item["name"]?.nonEmpty else { continue }
            let variable = VariableName.make(key)
            guard item["isDisabled"]?.boolean != true else {
                postman.note(name, "the variable \(variable) is off, and variables here have no switch")
                continue
            }
            variables.append(ImportedVariable(variable, .text(text(item["value"]?.scalar ?? "", at: name))))
        }
        if environment["globalEnv"]?.boolean == true || name == "(Global Env)" || name == "(Local Env)" {
            postman.collection.variables += variables
        } else {
            postman.collection.environments.append(
                ImportedEnvironment(titled: name, variables: variables))
            // What is chosen there when nobody chooses.
            if environment["default"]?.boolean == true {
                for variable in variables where !postman.collection.variables.contains(where: { $0.name == variable.name }) {
                    postman.collection.variables.append(variable)
                }
            }
        }
    }

    // MARK: Texts

    /// System variables become those of Postman or variables of ours; the rest is Postman's affair.
    private mutating func rewritten(_ text: String) -> String {
        guard text.contains("{{#") else { return text }
        var result = ""
        for piece in ForeignTemplate(text).pieces {
            switch piece {
            case .text(let text): result += text
            case .template(let inside, _): result += "{{\(rewritten(inside: inside))}}"
            }
        }
        return result
    }

    private mutating func rewritten(inside: String) -> String {
        guard inside.hasPrefix("#") else { return inside }
        switch inside {
        case "#guid", "#uuid": return "$guid"
        case "#dateISO": return "$isoTimestamp"
        case "#number": return variable("number", "random(1..1000000)")
        case "#string": return variable("string", "random(length: 10)")
        default:
            if let match = inside.wholeMatch(of: /#number,\s*(\d{1,9})\s*,\s*(\d{1,9})/), let low = Int(match.1),
                let high = Int(match.2),
                low < high
            {
                return variable("number_\(low)_\(high)", "random(\(low)..\(high))")
            }
            // It is told as one that Postman hasn't.
            return "$\(VariableName.make(inside.dropFirst()))"
        }
    }

    private mutating func variable(_ name: String, _ expression: String) -> String {
        if !postman.collection.variables.contains(where: { $0.name == name }) {
            postman.collection.variables.append(ImportedVariable(name, .text("{{\(expression)}}")))
        }
        return name
    }

    private mutating func text(_ text: String, at place: String) -> String { postman.text(rewritten(text), at: place) }

    // MARK: The tree

    /// - Parameter loose: requests that say themselves in which collection they are.
    private mutating func readTree(
        _ collection: JSONValue, _ loose: [JSONValue], path: [String], into folder: inout ImportedFolder
    ) {
        let requests = (collection["requests"]?.items ?? []) + loose
        readSettings(collection["settings"], into: &folder, at: path.place)
        postman.isBelowAuth = folder.auth.map { $0 != .none } ?? false
        var taken: Set<String> = []
        folder.nodes = nodes(in: "", collection["folders"]?.items ?? [], requests, path: path, &taken)
        // A folder that isn't there, or one in a circle.
        let lost = requests.enumerated().filter { !taken.contains("request \($0.offset)") }.map(\.element)
        for request in lost {
            postman.note(request["name"]?.scalar ?? "", "its folder isn't in the file", isLoss: false)
            folder.nodes.append(.request(self.request(request, path: path)))
        }
        postman.isBelowAuth = false
    }

    private mutating func readSettings(_ settings: JSONValue?, into folder: inout ImportedFolder, at place: String) {
        folder.auth = auth(settings?["auth"], at: place)
        for header in settings?["headers"]?.items ?? [] {
            guard let name = header["name"]?.nonEmpty else { continue }
            folder.headers.append(
                .init(
                    name: text(name, at: place), value: text(header["value"]?.scalar ?? "", at: place),
                    isEnabled: header["isDisabled"]?.boolean != true))
        }
        noteSettings(settings, at: place)
    }

    private func id(of item: JSONValue) -> String { item["_id"]?.scalar ?? item.text(pretty: false) }

    private mutating func nodes(
        in container: String, _ folders: [JSONValue], _ requests: [JSONValue], path: [String], _ taken: inout Set<String>
    ) -> [ImportedNode] {
        guard path.count <= ImportSource.Limits.folders else { return [] }
        var entries: [(order: Double, node: ImportedNode)] = []
        func order(_ item: JSONValue, _ index: Int) -> Double {
            item["sortNum"]?.scalar.flatMap(Double.init) ?? Double(1_000_000_000 + index)
        }
        for (index, item) in folders.enumerated() where item["containerId"]?.scalar ?? "" == container {
            guard taken.insert("folder \(id(of: item))").inserted else { continue }
            var folder = ImportedFolder(name: item["name"]?.nonEmpty ?? "Folder")
            let inner = path + [folder.name]
            readSettings(item["settings"], into: &folder, at: inner.place)
            let wasBelowAuth = postman.isBelowAuth
            postman.isBelowAuth = folder.auth.map { $0 != .none } ?? wasBelowAuth
            if let own = item["_id"]?.nonEmpty {
                folder.nodes = nodes(in: own, folders, requests, path: inner, &taken)
            }
            postman.isBelowAuth = wasBelowAuth
            entries.append((order(item, index), .folder(folder)))
        }
        for (index, item) in requests.enumerated() where item["containerId"]?.scalar ?? "" == container {
            taken.insert("request \(index)")
            entries.append((order(item, index), .request(request(item, path: path))))
        }
        // Folders stand before requests there.
        return entries.enumerated().sorted { one, other in
            let (a, b) = (one.element, other.element)
            if a.node.isFolder != b.node.isFolder { return a.node.isFolder }
            return (a.order, one.offset) < (b.order, other.offset)
        }
        .map(\.element.node)
    }

    private mutating func noteSettings(_ settings: JSONValue?, at place: String) {
        for member in settings?.members ?? [] where !["auth", "headers", "_id", "envId", "runOptions"].contains(member.name) {
            let isEmpty =
                member.value.isNull
                || member.value.members.isEmpty && member.value.items.isEmpty && (member.value.scalar ?? "").isEmpty
            if !isEmpty { postman.note(place, "its setting `\(member.name)`, which is about each request in it") }
        }
    }

    // MARK: Requests

    private mutating func request(_ item: JSONValue, path: [String]) -> ImportedRequest {
        let url = item["url"]?.scalar ?? ""
        let place = (path + [item["name"]?.nonEmpty ?? url]).place
        let parameters = item["params"]?.items ?? []
        let inPath = parameters.filter { $0["isPath"]?.boolean == true }
        let query = parameters.filter { $0["isPath"]?.boolean != true }
        var raw = url
        for parameter in inPath {
            // `{id}` in older files.
            if let name = parameter["name"]?.nonEmpty { raw = raw.replacing(scalars: "/{\(name)}", with: "/:\(name)") }
        }
        if !raw.isEmpty, !raw.hasPrefix("{{"), raw.firstRange(of: "://") == nil { raw = "http://\(raw)" }
        var address: [(String, JSONValue)] = [("raw", .string(rewritten(raw)))]
        if !query.isEmpty { address.append(("query", rows(query))) }
        address.append(("variable", rows(inPath)))
        var members: [(String, JSONValue)] = [
            ("method", .string(item["method"]?.nonEmpty ?? "GET")), ("url", JSONValue.map(address)),
            ("header", rows(item["headers"]?.items ?? [])),
        ]
        if let body = body(item["body"], at: place) { members.append(("body", body)) }
        if let docs = item["docs"]?.nonEmpty { members.append(("description", .string(docs))) }
        var request = postman.request(
            JSONValue.map([("name", item["name"] ?? .null), ("request", JSONValue.map(members))]), path: path)
        if let auth = auth(item["auth"], at: place) {
            request.definition.auth = auth == .none && !postman.isBelowAuth ? nil : auth
        }
        for test in item["tests"]?.items ?? [] {
            if let reason = ThunderTest(test).read(into: &request.definition, { text($0, at: place) }) {
                postman.note(place, reason)
            }
        }
        for (key, what) in [("preReq", "the pre-request filter"), ("postReq", "the post-request filter")] {
            let hasAny = item[key]?.members.contains { !$0.value.items.isEmpty || $0.value.nonEmpty != nil } == true
            if hasAny { postman.note(place, "\(what): JavaScript isn't run, and `hydrate` can do what it does") }
        }
        return request
    }

    private mutating func rows(_ items: [JSONValue]) -> JSONValue {
        .array(
            items.map { item in
                JSONValue.map([
                    ("key", .string(rewritten(item["name"]?.scalar ?? ""))),
                    ("value", .string(rewritten(item["value"]?.scalar ?? ""))),
                    ("disabled", .boolean(item["isDisabled"]?.boolean == true)),
                ])
            })
    }

    /// - Returns: `nil` where what is around decides.
    private mutating func auth(_ auth: JSONValue?, at place: String) -> AuthDefinition? {
        guard let auth, let kind = auth["type"]?.nonEmpty else { return nil }
        let own = auth[kind]
        func value(_ names: String...) -> String { names.lazy.compactMap { own?[$0]?.scalar }.first ?? "" }
        switch kind {
        case "inherit": return nil
        case "none": return AuthDefinition.none
        case "bearer": return .bearer(text(own?.scalar ?? value("token"), at: place))
        case "basic": return .basic(user: text(value("username"), at: place), password: text(value("password"), at: place))
        case "digest": return .digest(user: text(value("username"), at: place), password: text(value("password"), at: place))
        case "ntlm", "oauth2", "aws", "awsv4":
            let names = ["access_token_url": "accessTokenUrl", "secretAccessKey": "secretKey", "accessKeyId": "accessKey"]
            let members = (own?.members ?? []).map {
                (names[$0.name] ?? $0.name, JSONValue.string(rewritten($0.value.scalar ?? "")))
            }
            let type = kind == "aws" ? "awsv4" : kind
            return postman.auth(JSONValue.map([("type", .string(type)), (type, JSONValue.map(members))]), at: place)
        default:
            postman.note(place, "its authentication, `\(kind)`: there is no equivalent")
            return postman.isBelowAuth ? AuthDefinition.none : nil
        }
    }

    // MARK: Bodies

    private mutating func body(_ body: JSONValue?, at place: String) -> JSONValue? {
        let kind = body?["type"]?.string ?? "none"
        switch kind {
        case "none": return nil
        case "json", "xml", "text":
            let raw = rewritten(body?["raw"]?.scalar ?? "")
            guard !raw.isEmpty else { return nil }
            let options = JSONValue.map([("raw", JSONValue.map([("language", .string(kind))]))])
            return JSONValue.map([("mode", .string("raw")), ("raw", .string(raw)), ("options", options)])
        case "formencoded":
            return JSONValue.map([("mode", .string("urlencoded")), ("urlencoded", rows(body?["form"]?.items ?? []))])
        case "formdata":
            var parts = rows(body?["form"]?.items ?? []).items
            for file in body?["files"]?.items ?? [] {
                parts.append(
                    JSONValue.map([
                        ("key", file["name"] ?? .null), ("type", .string("file")), ("src", .string(file["value"]?.scalar ?? "")),
                        ("disabled", .boolean(file["isDisabled"]?.boolean == true)),
                    ]))
            }
            return JSONValue.map([("mode", .string("formdata")), ("formdata", .array(parts))])
        case "graphql":
            let graphql = JSONValue.map([
                ("query", .string(rewritten(body?["graphql"]?["query"]?.scalar ?? ""))),
                ("variables", .string(rewritten(body?["graphql"]?["variables"]?.scalar ?? ""))),
            ])
            return JSONValue.map([("mode", .string("graphql")), ("graphql", graphql)])
        case "binary":
            return JSONValue.map([
                ("mode", .string("file")), ("file", JSONValue.map([("src", body?["binary"] ?? .null)])),
            ])
        default:
            postman.note(place, "the body: there is no kind of body `\(kind)`")
            return nil
        }
    }
}

extension ImportedNode {
    fileprivate var isFolder: Bool { if case .folder = self { true } else { false } }
}
