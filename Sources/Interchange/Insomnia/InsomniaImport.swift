import NetworkLayer
import RequestCollections

/// Insomnia's exports: version 4, a list of resources in JSON, and version 5, a tree in YAML.
struct InsomniaImport: ForeignImport {
    var collection: ImportedCollection
    /// What templates name.
    private(set) var used: Set<String> = []
    /// The messages of WebSockets, by the request's id. Version 5 has none.
    private(set) var payloads: [String: [JSONValue]] = [:]

    static func read(_ source: ImportSource, _ document: JSONValue) throws(CollectionProblem) -> ImportedCollection {
        let misfits = InsomniaShape.document.misfits(in: document)
        if document["resources"] != nil {
            var reader = InsomniaImport(collection: ImportedCollection(name: source.name))
            reader.collection.notes = misfits
            reader.readResources(document["resources"]?.items ?? [])
            reader.declareItems()
            return reader.collection
        }
        guard document["type"]?.string?.contains("insomnia.rest/5") == true else {
            throw source.problem("is an export of Insomnia that isn't known; there are version 4 in JSON and version 5 in YAML")
        }
        var reader = InsomniaImport(collection: ImportedCollection(name: document["name"]?.nonEmpty ?? source.name))
        reader.collection.notes = misfits
        reader.collection.description = document["meta"]?["description"]?.nonEmpty ?? document["description"]?.nonEmpty
        reader.readEnvironments(document["environments"] ?? .null)
        reader.collection.nodes = reader.nodes(document["collection"]?.items ?? [], path: []) { $0["children"]?.items }
        reader.declareItems()
        return reader.collection
    }

    // MARK: Version 4

    private mutating func readResources(_ resources: [JSONValue]) {
        let children = Dictionary(grouping: resources) { $0["parentId"]?.string ?? "" }
        func sorted(_ parent: String) -> [JSONValue] {
            (children[parent] ?? []).enumerated().sorted { left, right in
                let (a, b) = (Self.sortKey(left.element), Self.sortKey(right.element))
                return a == b ? left.offset < right.offset : a < b
            }.map(\.element)
        }
        payloads = Dictionary(grouping: resources.filter { $0["_type"]?.string == "websocket_payload" }) {
            $0["parentId"]?.string ?? ""
        }
        let known = Set(resources.compactMap { $0["_id"]?.string })
        var workspaces = resources.filter { $0["_type"]?.string == "workspace" }
        // An export of some requests may lack what they lie in, and programs write some that lie in nothing.
        let orphans = Set(resources.compactMap { $0["parentId"]?.string ?? (Self.isNode($0) ? "" : nil) }).subtracting(known)
            .sorted()
        workspaces += orphans.map { .object([.init(name: "_id", value: .string($0))]) }
        for workspace in workspaces {
            let inside = sorted(workspace["_id"]?.string ?? "")
            let nodes = nodes(inside.filter(Self.isNode), path: []) { item in
                item["_type"]?.string == "request_group" ? sorted(item["_id"]?.string ?? "").filter(Self.isNode) : nil
            }
            for base in inside where base["_type"]?.string == "environment" {
                readEnvironment(base, below: sorted(base["_id"]?.string ?? ""))
            }
            if workspaces.count == 1 || collection.nodes.isEmpty, let name = workspace["name"]?.nonEmpty {
                collection.name = name
                collection.description = workspace["description"]?.nonEmpty
            }
            collection.nodes += nodes
        }
        let tests = resources.count { $0["_type"]?.string == "unit_test" }
        if tests > 0 { note("", "unit tests, \(tests) of them: `expect` says what a response must be") }
        let untyped = resources.count { $0["_type"]?.string == nil }
        if untyped > 0 { note("", "resources that don't say in `_type` what they are, \(untyped) of them") }
    }

    private static func sortKey(_ item: JSONValue) -> Double { item["metaSortKey"]?.scalar.flatMap(Double.init) ?? 0 }

    private static func isNode(_ item: JSONValue) -> Bool {
        let type = item["_type"]?.string ?? ""
        return type == "request" || type == "request_group" || type.hasSuffix("_request")
    }

    // MARK: Environments

    private mutating func readEnvironments(_ base: JSONValue) { readEnvironment(base, below: base["subEnvironments"]?.items ?? []) }

    private mutating func readEnvironment(_ base: JSONValue, below: [JSONValue]) {
        collection.variables += variables(base["data"], at: "")
        for environment in below {
            let name = environment["name"]?.nonEmpty ?? "environment"
            collection.environments.append(
                ImportedEnvironment(titled: name, variables: variables(environment["data"], at: name)))
        }
    }

    /// Maps in maps are named as templates reach into them: `user.name`.
    private mutating func variables(_ data: JSONValue?, at place: String, prefix: String = "") -> [ImportedVariable] {
        var variables: [ImportedVariable] = []
        for member in data?.members ?? [] {
            let name = prefix + member.name
            switch member.value {
            case .object where !member.value.members.isEmpty:
                variables += self.variables(member.value, at: place, prefix: name + ".")
            case .array, .object:
                variables.append(ImportedVariable(VariableName.make(name), .json(member.value.mapTexts { text($0, at: place) })))
            default: variables.append(ImportedVariable(VariableName.make(name), .text(text(member.value.scalar ?? "", at: place))))
            }
        }
        return variables
    }

    /// What templates take out of lists has variables of its own: `ids.0`.
    private mutating func declareItems() {
        let names = used.filter { $0.contains(".") }.sorted()
        func items(of variables: [ImportedVariable]) -> [ImportedVariable] {
            variables.flatMap { variable -> [ImportedVariable] in
                guard case .json(let list) = variable.value else { return [] }
                return names.filter { $0.hasPrefix(variable.name + ".") }.compactMap { name in
                    let steps = name.dropFirst(variable.name.count + 1).split(separator: ".")
                    let item = steps.reduce(Optional(list)) { value, step in
                        guard let index = Int(step), let items = value?.items, items.indices.contains(index) else {
                            return value?[String(step)]
                        }
                        return items[index]
                    }
                    return item?.scalar.map { ImportedVariable(name, .text($0)) }
                }
            }
        }
        collection.variables += items(of: collection.variables)
        for index in collection.environments.indices {
            collection.environments[index].variables += items(of: collection.environments[index].variables)
        }
    }

    // MARK: Texts and notes

    mutating func template(_ text: String, at place: String) -> TemplateText {
        var unknown: [(String, String)] = []
        let result = TemplateText(ForeignTemplate(text, InsomniaTemplates.delimiters)) { inside, opening in
            switch InsomniaTemplates.translate(inside, opening) {
            case .expression(let expression):
                used.insert(expression)
                return expression
            case .text: return nil
            case .unknown(let variable):
                unknown.append((opening == "{%" ? "{% \(inside) %}" : "{{ \(inside) }}", variable))
                return variable
            }
        }
        for (tag, variable) in unknown { note(place, "\(tag) has no equivalent; it is the variable `\(variable)` now") }
        return result
    }

    // MARK: The tree

    private mutating func nodes(_ items: [JSONValue], path: [String], children: (JSONValue) -> [JSONValue]?) -> [ImportedNode] {
        var nodes: [ImportedNode] = []
        for item in items {
            let name = item["name"]?.nonEmpty
            if let inside = children(item), path.count <= ImportSource.Limits.folders {
                var folder = ImportedFolder(name: name ?? "Folder")
                folder.identity = item["_id"]?.string ?? item["meta"]?["id"]?.string
                let path = path + [folder.name]
                folder.description = item["description"]?.nonEmpty ?? item["meta"]?["description"]?.nonEmpty
                folder.auth = auth(item["authentication"], at: path.place)
                folder.headers = rows(item["headers"], "", comments: &folder.comments, at: path.place)
                folder.variables = variables(item["environment"], at: path.place)
                keepScripts(item, in: &folder.scripts, at: path.place)
                folder.nodes = self.nodes(inside, path: path, children: children)
                nodes.append(.folder(folder))
            } else if let kind = Self.foreignKind(item) {
                note((path + [name ?? ""]).place, "it is a request of \(kind), and Turnstone speaks HTTP")
            } else {
                nodes.append(.request(request(item, path: path)))
            }
        }
        return nodes
    }

    private static func isWebSocket(_ item: JSONValue) -> Bool {
        let id = item["meta"]?["id"]?.string ?? item["_id"]?.string ?? ""
        return item["_type"]?.string == "websocket_request" || id.hasPrefix("ws-req")
    }

    private static func foreignKind(_ item: JSONValue) -> String? {
        let id = item["meta"]?["id"]?.string ?? item["_id"]?.string ?? ""
        let type = item["_type"]?.string ?? ""
        if type == "grpc_request" || id.hasPrefix("greq_") { return "gRPC" }
        if type == "socketio_request" || id.hasPrefix("socketio-req_") { return "Socket.IO" }
        return nil
    }

    private static func script(_ item: JSONValue, _ old: String, _ new: String) -> String? {
        let text = (item[old] ?? item["scripts"]?[new])?.string
        return text?.trimmingSpace.isEmpty == false ? text : nil
    }

    private mutating func keepScripts(_ item: JSONValue, in scripts: inout [String: String], at place: String) {
        if let script = Self.script(item, "preRequestScript", "preRequest") {
            note(place, scripts.keep(sharedScript: script, isTest: false))
        }
        if let script = Self.script(item, "afterResponseScript", "afterResponse") {
            note(place, scripts.keep(sharedScript: script, isTest: true))
        }
    }

    private mutating func readScripts(_ item: JSONValue, into request: inout ImportedRequest, at place: String) {
        if let script = Self.script(item, "preRequestScript", "preRequest") {
            note(place, request.keep(preRequestScript: script))
        }
        if let script = Self.script(item, "afterResponseScript", "afterResponse"), let text = request.adopt(testScript: script) {
            note(place, text)
        }
    }

    private mutating func request(_ item: JSONValue, path: [String]) -> ImportedRequest {
        let given = item["method"]?.nonEmpty?.trimmingSpace.uppercased() ?? ""
        let method = given.isEmpty ? "GET" : given
        var request = ImportedRequest(name: item["name"]?.nonEmpty ?? "\(method) \(item["url"]?.string ?? "")", method: method)
        request.reference = item["_id"]?.string ?? item["meta"]?["id"]?.string
        request.identity = request.reference
        request.hasPathParameters = true
        let place = (path + [request.name]).place
        let url = item["url"]?.string ?? ""
        request.definition.url = text(url, at: place)
        request.definition.description = item["description"]?.nonEmpty ?? item["meta"]?["description"]?.nonEmpty
        let path = rows(item["pathParameters"], "path.", comments: &request.comments, at: place)
        request.definition.path = PathParameters.complete(path, in: url)
        let query = rows(item["parameters"], "query.", comments: &request.comments, at: place)
        request.definition.query = percentDecoded(query, at: place)
        if item["settingEncodeUrl"]?.boolean == false || item["settings"]?["encodeUrl"]?.boolean == false {
            note(place, "its URL isn't encoded there (`settingEncodeUrl: false`); here it is, as far as it has to be")
        }
        let cookies = item["settings"]?["cookies"]
        if [item["settingSendCookies"], item["settingStoreCookies"], cookies?["send"], cookies?["store"]].contains(.boolean(false))
        {
            note(place, "that it sends or keeps no cookies: `cookie-jar` says so")
        }
        request.definition.headers = rows(item["headers"], "headers.", comments: &request.comments, at: place)
        request.definition.headers.removeAll { row in
            let isOwn = row.name.lowercased() == "user-agent" && row.value.hasPrefix("insomnia/")
            if isOwn { note("", "the header User-Agent with Insomnia's name", isLoss: false) }
            return isOwn
        }
        request.definition.auth = auth(item["authentication"], at: place)
        if Self.isWebSocket(item) {
            let steps = (payloads[item["_id"]?.string ?? ""] ?? []).map { payload in
                ImportedSession.message(payload["value"]?.scalar ?? "", type: payload["mode"]?.string) {
                    template($0, at: place)
                }
            }
            if let wait = request.definition.open(sending: steps) { note(place, wait, isLoss: false) }
        } else {
            readBody(item["body"] ?? .null, into: &request, at: place)
        }
        let follows = item["settingFollowRedirects"]?.string ?? item["settings"]?["followRedirects"]?.string
        if follows == "off" { request.definition.settings.followRedirects = .never }
        readScripts(item, into: &request, at: place)
        return request
    }

    /// - Parameter prefix: what the names of the rows' comments begin with, such as `query.`.
    mutating func rows(
        _ value: JSONValue?, _ prefix: String, comments: inout [String: String], at place: String
    ) -> [RequestDefinition.Row] {
        var rows: [RequestDefinition.Row] = []
        for item in value?.items ?? [] {
            guard let name = item["name"]?.nonEmpty else {
                if item["value"]?.nonEmpty != nil { note(place, "the value `\(item["value"]?.scalar ?? "")`, which has no name") }
                continue
            }
            let row = RequestDefinition.Row(
                name: text(name, at: place), value: text(item["value"]?.scalar ?? "", at: place),
                isEnabled: item["disabled"]?.boolean != true)
            if let comment = item["description"]?.nonEmpty { comments[prefix + row.name] = comment }
            rows.append(row)
        }
        return rows
    }
}

extension InsomniaImport {
    /// - Returns: `nil` where the folder around decides.
    mutating func auth(_ value: JSONValue?, at place: String) -> AuthDefinition? {
        guard let value, let kind = value["type"]?.nonEmpty else { return nil }
        if kind == "none" || value["disabled"]?.boolean == true { return AuthDefinition.none }
        var texts: [String: String] = [:]
        for member in value.members { texts[member.name] = member.value.nonEmpty.map { text($0, at: place) } }
        func given(_ key: String) -> String? { texts[key] }
        switch kind {
        case "basic": return .basic(user: given("username") ?? "", password: given("password") ?? "")
        case "digest": return .digest(user: given("username") ?? "", password: given("password") ?? "")
        case "ntlm": return .ntlm(user: given("username") ?? "", password: given("password") ?? "")
        case "netrc": return .netrc(path: nil)
        case "bearer":
            return OAuth2Sending(prefix: given("prefix")).auth(given("token") ?? "")
        case "apikey":
            let places: [String: APIKeyDefinition.Place] = ["queryParams": .query, "cookie": .cookie]
            return .apiKey(
                APIKeyDefinition(
                    name: given("key") ?? "x-api-key", value: given("value") ?? "",
                    place: places[value["addTo"]?.string ?? ""] ?? .header))
        case "iam":
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: given("accessKeyId") ?? "", secretKey: given("secretAccessKey") ?? "",
                    sessionToken: given("sessionToken"),
                    region: given("region"), service: given("service")))
        case "oauth2":
            if let oauth2 = Self.oauth2(value, given) {
                for loss in OAuth2Sending(prefix: given("tokenPrefix")).losses { note(place, loss) }
                if given("resource") != nil { note(place, "`resource` of OAuth 2") }
                return .oauth2(oauth2)
            }
        default: break
        }
        note(place, "its authentication, `\(kind)`: there is no equivalent")
        return nil
    }

    private static func oauth2(_ value: JSONValue, _ given: (String) -> String?) -> OAuth2Definition? {
        guard let tokenURL = given("accessTokenUrl") else { return nil }
        let client = given("clientId") ?? "{{client_id}}"
        var grant = OAuth2Definition.Grant.clientCredentials
        switch value["grantType"]?.string {
        case "client_credentials": break
        case "password": grant = .password(user: given("username") ?? "", password: given("password") ?? "")
        case "authorization_code":
            guard let url = given("authorizationUrl") else { return nil }
            let redirect = given("redirectUrl")
            let isLocal = redirect.map { $0.contains("//localhost") || $0.contains("//127.0.0.1") } ?? false
            grant = .authorizationCode(authorizationURL: url, redirect: isLocal ? redirect : nil)
        default: return nil
        }
        let secret = given("clientSecret") ?? (grant == .clientCredentials ? "" : nil)
        return OAuth2Definition(
            grant: grant, tokenURL: tokenURL, clientID: client, clientSecret: secret,
            clientAuthentication: value["credentialsInBody"]?.boolean == true ? .body : .header, scope: given("scope"),
            audience: given("audience"))
    }
}

extension InsomniaImport {
    mutating func readBody(_ body: JSONValue, into request: inout ImportedRequest, at place: String) {
        let type = body["mimeType"]?.nonEmpty
        switch MediaType.essence(type) {
        case "multipart/form-data":
            request.definition.body = .multipart(parts(body["params"], comments: &request.comments, at: place))
        case "application/x-www-form-urlencoded" where body["params"] != nil:
            let rows = rows(body["params"], "body.form.", comments: &request.comments, at: place)
            request.definition.body = .form(percentDecoded(rows, at: place))
        case "application/graphql":
            let graphql = body["text"]?.string.flatMap(JSONParser.parse) ?? .null
            let variables = graphql["variables"]
            request.definition.body = ImportedBody.graphql(
                query: graphql["query"]?.string ?? body["text"]?.string ?? "", operation: graphql["operationName"]?.nonEmpty,
                variables: variables?.string.flatMap(JSONParser.parse) ?? variables
            ) { template($0, at: place) }
            ImportedBody.keepingQuery(inBodyOf: &request.definition)
            // What is sent is JSON.
            request.definition.headers.removeAll { $0.name.lowercased() == "content-type" && $0.value == "application/graphql" }
        default:
            if let path = body["fileName"]?.nonEmpty {
                request.definition.body = .file(text(path, at: place))
            } else if let raw = body["text"]?.nonEmpty {
                let header = request.definition.headers.first { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
                request.definition.body = ImportedBody.make(raw, type: header ?? type) { template($0, at: place) }
                if header == nil, let type, type != "application/json", type != "text/plain" {
                    request.definition.headers.append(.init(name: "content-type", value: text(type, at: place)))
                }
            }
        }
    }

    private mutating func parts(
        _ value: JSONValue?, comments: inout [String: String], at place: String
    ) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for item in value?.items ?? [] {
            guard let name = item["name"]?.nonEmpty else {
                if item["value"]?.nonEmpty != nil { note(place, "a part of the body without a name") }
                continue
            }
            if let comment = item["description"]?.nonEmpty { comments["body.multipart.\(text(name, at: place))"] = comment }
            let isFile = item["type"]?.string == "file"
            let content = text((isFile ? item["fileName"] : item["value"])?.scalar ?? "", at: place)
            parts.append(
                .init(
                    name: text(name, at: place), content: isFile ? .file(content) : .text(content),
                    contentType: item["multiline"]?.string.map { text($0, at: place) },
                    isEnabled: item["disabled"]?.boolean != true && !(isFile && content.isEmpty)))
        }
        return parts
    }
}
