import NetworkLayer
import RequestCollections

/// OpenCollection (https://www.opencollection.com), as Bruno writes it: a YAML file for each request, `folder.yml`, `environments/*.yml`
/// and `opencollection.yml`, or a bundle: all of that in one file. What a file says is put into the blocks that a `.bru` file has.
extension BrunoFile {
    static let collectionPath = "opencollection.yml"

    /// The files in a source, with their paths in the collection; of a bundle several.
    static func all(in source: ImportSource) throws(CollectionProblem) -> [(path: String, bru: BrunoFile)] {
        guard isYAML(source.path) else { return [(source.path, BrunoFile(try source.text()))] }
        let value = try source.document()
        guard value["opencollection"] != nil else { return [(source.path, BrunoFile(value))] }
        var files = [(collectionPath, BrunoFile(value))]
        for environment in value["config"]?["environments"]?.items ?? [] {
            files.append(("environments/\(component(environment["name"]?.scalar)).yml", BrunoFile(environment)))
        }
        addItems(of: value, in: "", to: &files)
        return files
    }

    static func isYAML(_ path: String) -> Bool { path.hasSuffix(".yml") || path.hasSuffix(".yaml") }

    /// Whether it is an OpenCollection, or one file of one.
    static func isOpenCollection(_ value: JSONValue) -> Bool {
        value["opencollection"] != nil || value["info"]?["type"]?.scalar.map(kinds.contains) == true
    }

    private static let kinds: Set = ["http", "graphql", "grpc", "websocket", "folder"]

    /// The name of a file without its ending.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        let ending = [".bru", ".yml", ".yaml"].first { name.hasSuffix($0) } ?? ""
        return String(name.dropLast(ending.count))
    }

    var isEnvironment: Bool { block("vars") != nil || block("vars:secret") != nil }

    // MARK: A bundle

    private static func addItems(of value: JSONValue, in directory: String, to files: inout [(String, BrunoFile)]) {
        // What these names mean in a directory, they don't mean in a bundle.
        var names: Set<String> = ["environments", "folder", "opencollection"]
        for (index, item) in (value["items"]?.items ?? []).enumerated() {
            var name = component(item["info"]?["name"]?.scalar)
            while !names.insert(name).inserted { name += " \(index + 1)" }
            // Where nothing else is said, they are in the order of the file.
            let file = BrunoFile(item, sequence: index + 1)
            if item["info"]?["type"]?.scalar == "folder" || item["items"] != nil {
                files.append(("\(directory)\(name)/folder.yml", file))
                addItems(of: item, in: "\(directory)\(name)/", to: &files)
            } else {
                files.append(("\(directory)\(name).yml", file))
            }
        }
    }

    /// A name as that of a file.
    private static func component(_ name: String?) -> String {
        let name = name?.replacing(scalars: "/", with: "-") ?? ""
        return name.isEmpty ? "untitled" : name
    }

    // MARK: A file

    /// - Parameters:
    ///   - value: a request, a folder, a collection or an environment.
    ///   - sequence: its place among its like, unless it says so.
    init(_ value: JSONValue, sequence: Int? = nil) {
        self.init()
        addInfo(value["info"], sequence)
        if let http = value["http"] { addHTTP(http, isGraphQL: false) }
        if let graphQL = value["graphql"] { addHTTP(graphQL, isGraphQL: true) }
        if let socket = value["websocket"] { addWebSocket(socket) }
        if let runtime = value["runtime"] {
            addRuntime(runtime)
            noteOthers(of: runtime, ["variables", "scripts", "assertions", "actions"], in: "runtime.")
        }
        if let shared = value["request"] { addShared(shared) }
        if !["opencollection", "info", "items", "http", "graphql", "websocket"].contains(where: { value[$0] != nil }) {
            addEnvironment(value)
        }
        add("settings", (value["settings"]?.members ?? []).map { Row(name: $0.name, value: $0.value.scalar ?? "") })
        if let docs = Self.text(value["docs"]) { add("docs", docs) }
        for (index, example) in (value["examples"]?.items ?? []).enumerated() {
            losses.append((0, "the saved example `\(example["name"]?.scalar ?? "\(index + 1)")`"))
        }
        noteConfiguration(value["config"])
        noteOthers(
            of: value,
            [
                "opencollection", "bundled", "extensions", "info", "http", "graphql", "runtime", "request", "settings", "docs",
                "grpc",
                "websocket", "examples", "config", "items", "name", "variables", "color",
            ])
    }

    private mutating func add(_ name: String, _ rows: [Row]) {
        if !rows.isEmpty { blocks.append(Block(name: name, line: 0, content: .rows(rows))) }
    }

    private mutating func add(_ name: String, _ text: String) { blocks.append(Block(name: name, line: 0, content: .text(text))) }

    private mutating func noteOthers(of value: JSONValue, _ known: Set<String>, in place: String = "") {
        for member in value.members where !known.contains(member.name) { losses.append((0, "`\(place)\(member.name)`")) }
    }

    private mutating func addInfo(_ info: JSONValue?, _ sequence: Int?) {
        var rows = ["name", "type"].compactMap { name in info?[name]?.scalar.map { Row(name: name, value: $0) } }
        if let sequence = info?["seq"]?.scalar ?? sequence.map({ "\($0)" }) { rows.append(Row(name: "seq", value: sequence)) }
        let tags = info?["tags"]?.items.compactMap(\.scalar) ?? []
        if !tags.isEmpty { rows.append(Row(name: "tags", value: tags.joined(separator: "\n"))) }
        add("meta", rows)
    }

    private mutating func addHTTP(_ http: JSONValue, isGraphQL: Bool) {
        var rows = [
            Row(name: "method", value: http["method"]?.nonEmpty ?? (isGraphQL ? "POST" : "GET")),
            Row(name: "url", value: http["url"]?.scalar ?? ""),
        ]
        // Without this, Bruno sends no credentials, even where a folder around it has some.
        rows.append(Row(name: "auth", value: addAuth(http["auth"]) ?? "none"))
        add("headers", Self.rows(http["headers"]))
        for kind in ["query", "path"] {
            add("params:\(kind)", Self.rows(http["params"]) { $0["type"]?.scalar ?? "query" == kind })
        }
        var body = http["body"]
        if let variants = body?.items, !variants.isEmpty {
            let chosen = variants.firstIndex { $0["selected"]?.boolean == true } ?? 0
            body = variants[chosen]["body"]
            for (index, variant) in variants.enumerated() where index != chosen {
                losses.append((0, "the body `\(variant["title"]?.scalar ?? "\(index + 1)")`, which isn't the one that is selected"))
            }
        }
        if let body, !body.isNull { rows.append(Row(name: "body", value: addBody(body, isGraphQL: isGraphQL))) }
        add("http", rows)
        noteOthers(of: http, ["method", "url", "auth", "headers", "params", "body"])
    }

    /// Its messages: one, or several with titles.
    private mutating func addWebSocket(_ socket: JSONValue) {
        add("headers", Self.rows(socket["headers"]))
        add(
            "ws",
            [Row(name: "url", value: socket["url"]?.scalar ?? ""), Row(name: "auth", value: addAuth(socket["auth"]) ?? "none")])
        let variants = socket["message"]?.items ?? []
        for message in variants.isEmpty ? [socket["message"]].compactMap(\.self) : variants.map({ $0["message"] ?? $0 }) {
            guard let content = Self.text(message["data"]) else { continue }
            add("body:ws", [Row(name: "type", value: message["type"]?.scalar ?? "text"), Row(name: "content", value: content)])
        }
        noteOthers(of: socket, ["url", "auth", "headers", "message"])
    }

    /// - Returns: which kind it is.
    private mutating func addBody(_ body: JSONValue, isGraphQL: Bool) -> String {
        if isGraphQL {
            add("body:graphql", body["query"]?.scalar ?? "")
            if let variables = Self.text(body["variables"]) { add("body:graphql:vars", variables) }
            return "graphql"
        }
        let kind = body["type"]?.scalar ?? "text"
        switch kind {
        case "form-urlencoded": add("body:form-urlencoded", Self.rows(body["data"]))
        case "multipart-form":
            add(
                "body:multipart-form",
                (body["data"]?.items ?? []).map { item in
                    var row = Self.row(item)
                    row.contentType = item["contentType"]?.nonEmpty
                    let files = item["value"]?.items.compactMap(\.scalar) ?? []
                    if item["type"]?.scalar == "file" { row.files = files.isEmpty ? [row.value] : files }
                    return row
                })
        case "file":
            add(
                "body:file",
                (body["data"]?.items ?? []).map { item in
                    let path = item["filePath"]?.scalar ?? ""
                    return Row(
                        name: "file", value: path, isEnabled: item["selected"]?.boolean != false, files: [path],
                        contentType: item["contentType"]?.nonEmpty)
                })
        default: add("body:\(kind)", Self.text(body["data"]) ?? "")
        }
        return kind
    }

    private static func rows(_ list: JSONValue?, where isMeant: (JSONValue) -> Bool = { _ in true }) -> [Row] {
        (list?.items ?? []).filter(isMeant).map(row)
    }

    /// A value may have its type beside it: `{ type: number, data: "42" }`.
    private static func row(_ item: JSONValue) -> Row {
        // Of several values, that which is selected.
        let variants = item["value"]?.items.filter { $0["title"] != nil } ?? []
        let given = variants.first { $0["selected"]?.boolean == true }?["value"] ?? variants.first?["value"] ?? item["value"]
        let value = given?["data"] ?? given
        return Row(
            name: item["name"]?.scalar ?? "", value: text(value) ?? "", isEnabled: item["disabled"]?.boolean != true,
            description: text(item["description"]))
    }

    /// A text, also one with its type beside it; lists and maps as JSON.
    private static func text(_ value: JSONValue?) -> String? {
        guard let value, !value.isNull else { return nil }
        return value.scalar ?? value["content"]?.scalar ?? value.text(pretty: false)
    }

    // MARK: Authentication

    /// What OpenCollection calls otherwise than ``BrunoImport/auth(_:mode:_:)``.
    private static let renamed = [
        "flow": "grant_type", "authorizationUrl": "authUrl", "callbackUrl": "redirect_uri",
        "credentials.placement": "client_authentication",
    ]

    /// - Returns: which kind it is; `nil` when nothing is said.
    private mutating func addAuth(_ auth: JSONValue?) -> String? {
        guard let auth, !auth.isNull else { return nil }
        guard let kind = auth["type"]?.scalar else { return auth.scalar }
        var rows: [Row] = []
        for member in auth.members where member.name != "type" {
            switch (member.name, member.value) {
            // The password grant's names are in a map of their own.
            case ("credentials", .object(let members)), ("resourceOwner", .object(let members)):
                for inner in members {
                    let name = Self.renamed["\(member.name).\(inner.name)"] ?? inner.name
                    rows.append(Row(name: name, value: inner.value.scalar ?? ""))
                }
            case ("pkce", let pkce): rows.append(Row(name: "pkce", value: pkce["disabled"]?.boolean == true ? "false" : "true"))
            case ("tokenConfig", let sending):
                if let name = sending["placement"]?["query"]?.scalar {
                    rows += [Row(name: "token_placement", value: "url"), Row(name: "token_query_key", value: name)]
                } else if let prefix = sending["placement"]?["header"]?.scalar {
                    rows.append(Row(name: "token_header_prefix", value: prefix))
                }
            // How Bruno keeps and refreshes a token; here that is always so.
            case ("settings", _): break
            case (_, .object), (_, .array): losses.append((0, "`auth.\(member.name)`"))
            default: rows.append(Row(name: Self.renamed[member.name] ?? member.name, value: member.value.scalar ?? ""))
            }
        }
        add("auth:\(kind)", rows)
        return kind
    }

    // MARK: What is around a request

    private mutating func addShared(_ shared: JSONValue) {
        add("headers", Self.rows(shared["headers"]))
        if let mode = addAuth(shared["auth"]) { add("auth", [Row(name: "mode", value: mode)]) }
        addRuntime(shared)
        noteOthers(of: shared, ["headers", "auth", "variables", "scripts", "actions"], in: "request.")
    }

    private mutating func addRuntime(_ runtime: JSONValue) {
        noteVariants(of: runtime["variables"])
        add("vars:pre-request", Self.rows(runtime["variables"]))
        let scripts = ["before-request": "script:pre-request", "after-response": "script:post-response", "tests": "tests"]
        for script in runtime["scripts"]?.items ?? [] {
            guard let name = script["type"]?.scalar.flatMap({ scripts[$0] }), let code = script["code"]?.scalar else {
                losses.append((0, "a script of the kind `\(script["type"]?.scalar ?? "")`"))
                continue
            }
            add(name, code)
        }
        add(
            "assert",
            (runtime["assertions"]?.items ?? []).map { item in
                let claim = [item["operator"]?.scalar, Self.text(item["value"])].compactMap(\.self).filter { !$0.isEmpty }
                return Row(
                    name: item["expression"]?.scalar ?? "", value: claim.joined(separator: " "),
                    isEnabled: item["disabled"]?.boolean != true)
            })
        var captures: [Row] = []
        for action in runtime["actions"]?.items ?? [] {
            guard action["type"]?.scalar == "set-variable", action["phase"]?.scalar == "after-response",
                let name = action["variable"]?["name"]?.nonEmpty
            else {
                losses.append((0, "the action `\(action["type"]?.scalar ?? "")` \(action["phase"]?.scalar ?? "")"))
                continue
            }
            captures.append(
                Row(
                    name: name, value: action["selector"]?["expression"]?.scalar ?? "",
                    isEnabled: action["disabled"]?.boolean != true))
        }
        add("vars:post-response", captures)
    }

    private mutating func noteVariants(of variables: JSONValue?) {
        for item in variables?.items ?? [] {
            let count = item["value"]?.items.count { $0["title"] != nil } ?? 0
            if count > 1 {
                losses.append((0, "the values of `\(item["name"]?.scalar ?? "")` that aren't selected: \(count - 1) of \(count)"))
            }
        }
    }

    private mutating func addEnvironment(_ environment: JSONValue) {
        add("meta", [Row(name: "name", value: environment["name"]?.scalar ?? "")])
        let variables = environment["variables"]?.items ?? []
        noteVariants(of: environment["variables"])
        add("vars", variables.filter { $0["secret"]?.boolean != true }.map(Self.row))
        let secrets = variables.filter { $0["secret"]?.boolean == true }.map { variable in
            (variable["disabled"]?.boolean == true ? "~" : "") + (variable["name"]?.scalar ?? "")
        }
        if !secrets.isEmpty || variables.isEmpty { blocks.append(Block(name: "vars:secret", line: 0, content: .lines(secrets))) }
    }

    /// How Bruno reaches servers; what it leaves to the machine is none to name.
    mutating func noteConfiguration(_ configuration: JSONValue?) {
        for member in configuration?.members ?? [] where member.name != "environments" {
            let isOff = member.value["inherit"]?.boolean == true || member.value["disabled"]?.boolean == true
            if isOff || member.value["enabled"]?.boolean == false || member.value["certs"]?.items.isEmpty == true { continue }
            guard !member.value.items.isEmpty || !member.value.members.isEmpty else { continue }
            losses.append((0, "`\(member.name)`: give it by `\(member.name == "proxy" ? "proxy" : "tls")`"))
        }
    }
}
