import RequestCollections

extension OpenAPIImport {
    mutating func operation(_ operation: JSONValue, method: String, path: String, around item: JSONValue) -> ImportedRequest {
        let title =
            references[operation, "summary"]?.nonEmpty?.trimmingSpace ?? operation["operationId"]?.nonEmpty ?? "\(method) \(path)"
        var request = ImportedRequest(name: title, method: method)
        request.key = operation["operationId"]?.nonEmpty ?? (title == "\(method) \(path)" ? "\(method.lowercased()) \(path)" : nil)
        request.identity = operation["operationId"]?.nonEmpty ?? "\(method) \(path)"
        let tags = items(operation, "tags").compactMap(\.nonEmpty)
        let place = [tags.first, title].compactMap(\.self).place
        references.place = place
        request.definition.description = references[operation, "description"]?.nonEmpty?.trimmingSpace
        request.definition.tags = Array(tags.dropFirst()) + (operation["deprecated"]?.boolean == true ? ["deprecated"] : [])
        let parameters = self.parameters(operation, item, at: place)
        readURL(path, operation, item, into: &request, parameters: parameters)
        for parameter in parameters { read(parameter, into: &request, at: place) }
        readAccept(operation, into: &request.definition)
        readBody(operation, parameters: parameters, into: &request, at: place)
        readMock(operation, into: &request.definition)
        readSecurity(operation, into: &request.definition, at: place)
        return request
    }

    private mutating func readSecurity(_ operation: JSONValue, into definition: inout RequestDefinition, at place: String) {
        let security = security(references[operation, "security"] ?? references[document, "security"], at: place)
        definition.query += security.query
        definition.cookies += security.cookies
        guard references[operation, "security"] != nil else { return }
        definition.headers += security.headers.filter { !collection.headers.contains($0) }
        definition.auth =
            security.auth == collection.auth || security.auth == AuthDefinition.none && collection.auth == nil ? nil : security.auth
    }

    /// Those of the operation go before those of its path, by place and name.
    private mutating func parameters(_ operation: JSONValue, _ item: JSONValue, at title: String) -> [JSONValue] {
        var parameters: [JSONValue] = []
        for parameter in items(operation, "parameters") + items(item, "parameters") where !parameter.isNull {
            guard let name = parameter["name"]?.nonEmpty, let place = parameter["in"]?.string else {
                note(title, "the parameter `\(parameter["name"]?.scalar ?? "")`: it needs a `name` and an `in`")
                continue
            }
            let isKnown = parameters.contains { $0["name"]?.nonEmpty == name && $0["in"]?.string == place }
            if !isKnown { parameters.append(parameter) }
        }
        return parameters
    }

    // MARK: The URL

    private mutating func readURL(
        _ path: String, _ operation: JSONValue, _ item: JSONValue, into request: inout ImportedRequest, parameters: [JSONValue]
    ) {
        request.hasPathParameters = true
        var base = "{{host}}"
        let own = references[operation, "servers"]?.items.first ?? references[item, "servers"]?.items.first
        if let own, let server = server(references.resolve(own)), server.url.contains("://") { base = server.url }
        var url = ""
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            url += "/" + self.segment(String(segment), into: &request, parameters: parameters)
        }
        request.definition.url = base + url
    }

    /// `{id}` becomes `:id`; where that can't be told from what is around, `{{id}}`.
    private mutating func segment(_ segment: String, into request: inout ImportedRequest, parameters: [JSONValue]) -> String {
        func parameter(_ name: String) -> JSONValue? {
            parameters.first { $0["in"]?.string == "path" && $0["name"]?.nonEmpty == name }
        }
        func value(_ name: String) -> String {
            let parameter = parameter(name)
            return parameter.flatMap { pathValue($0) } ?? variable(for: parameter, named: name, in: "path")
        }
        func isStyled(_ name: String) -> Bool { parameter(name).map { pathStyle(of: $0) != nil } ?? false }
        if segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") {
            let name = String(segment[segment.index(after: segment.startIndex)..<close])
            let rest = segment[segment.index(after: close)...]
            func isPart(_ character: Character) -> Bool {
                character.isLetter || character.isNumber || character == "_" || character == "-"
            }
            if !isStyled(name), !rest.contains("{"), rest.first.map({ !isPart($0) }) ?? true, name.allSatisfy(isPart),
                name.first?.isNumber == false
            {
                if !request.definition.path.contains(where: { $0.name == name }) {
                    request.definition.path.append(.init(name: name, value: value(name)))
                    request.comments["path.\(name)"] = parameter(name).flatMap { description($0) }
                }
                return ":\(name)\(rest)"
            }
        }
        var result = ""
        var rest = Substring(segment)
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            let variable = variableName(name, in: "path")
            result += rest[..<open]
            if let parameter = parameter(name), let style = pathStyle(of: parameter) {
                if let list = pathList(parameter, style) {
                    result += list
                    rest = rest[rest.index(after: close)...]
                    continue
                }
                result += style.prefix
            }
            result += "{{\(variable)}}"
            let text = value(name)
            if text != "{{\(variable)}}", !collection.variables.contains(where: { $0.name == variable }) {
                collection.variables.append(ImportedVariable(variable, .text(text)))
            }
            rest = rest[rest.index(after: close)...]
        }
        result += Self.text(String(rest))
        return result.hasPrefix(":") ? "%3A" + result.dropFirst() : result
    }

    /// Where the server can answer in several types, the one that is asked for.
    private mutating func readAccept(_ operation: JSONValue, into definition: inout RequestDefinition) {
        var types = references[operation, "produces"]?.items.compactMap(\.string) ?? []
        if isSwagger, types.isEmpty { types = references[document, "produces"]?.items.compactMap(\.string) ?? [] }
        if let response = references[operation, "responses"]?.members.first(where: { $0.name.hasPrefix("2") }) {
            types += references[response.value, "content"]?.members.map(\.name) ?? []
        }
        guard types.count > 1, let type = types.first(where: { MediaType.isJSON(MediaType.essence($0)) }) ?? types.first,
            !definition.headers.contains(where: { $0.name.lowercased() == "accept" })
        else { return }
        definition.headers.append(.init(name: "accept", value: Self.text(type)))
    }
}

/// Folders for requests that no tag sorts: by the first segment that tells their paths apart.
enum PathFolders {
    /// - Parameter requests: each with its path, `/v1/orders/{id}`.
    static func nodes(_ requests: [(path: String, request: ImportedRequest)]) -> [ImportedNode] {
        let segments = requests.map { $0.path.split(separator: "/").map(String.init) }
        let shared = sharedCount(segments)
        let names = segments.map { folder(of: $0.dropFirst(shared)) }
        let counts = Dictionary(names.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
        // A single folder with everything in it sorts nothing.
        guard counts.count > 1, counts.values.contains(where: { $0 > 1 }) else { return requests.map { .request($0.request) } }
        let flat = zip(requests, segments).map { pair, segments in
            var request = pair.request
            let method = request.definition.method.lowercased()
            // Nor does a key that is made of the path need what all paths begin with.
            if request.key == "\(method) \(pair.path)" {
                request.key = "\(method) \(segments.dropFirst(shared).joined(separator: "/"))"
            }
            return ImportedNode.request(request)
        }
        var nodes: [ImportedNode] = []
        var indices: [String: Int] = [:]
        for (node, name) in zip(flat, names) {
            guard let name, counts[name] ?? 0 > 1 else {
                nodes.append(node)
                continue
            }
            let index = indices[name] ?? nodes.count
            if indices[name] == nil {
                indices[name] = index
                nodes.append(.folder(ImportedFolder(name: name)))
            }
            if case .folder(var folder) = nodes[index] {
                folder.nodes.append(node)
                nodes[index] = .folder(folder)
            }
        }
        return nodes
    }

    /// How many segments all paths begin with, and none ends with.
    private static func sharedCount(_ paths: [[String]]) -> Int {
        guard let first = paths.first else { return 0 }
        return first.indices.prefix { index in paths.allSatisfy { $0.count > index + 1 && $0[index] == first[index] } }.count
    }

    /// `nil` for a path that begins with a parameter, or has nothing of its own.
    private static func folder(of segments: ArraySlice<String>) -> String? {
        // A version says how old a path is, not what it is about.
        let name = segments.first { $0.wholeMatch(of: /v\d[\d.]*|api/) == nil }
        return name.flatMap { $0.contains("{") ? nil : $0 }
    }
}

/// What is read of an OpenAPI document, but for what references lead to.
enum OpenAPIShape {
    static let document = ForeignShape.map([
        "info": .map(["title": .scalar, "description": .scalar]), "servers": servers,
        "tags": .list(.map(["name": .scalar, "description": .scalar])), "host": .scalar, "basePath": .scalar,
        "schemes": .list(.scalar), "consumes": .list(.scalar), "produces": .list(.scalar), "paths": .map([:]),
        "components": .map(["securitySchemes": .map([:])]), "security": .list(.map([:])),
    ])

    static let operation = ForeignShape.map([
        "summary": .scalar, "description": .scalar, "operationId": .scalar, "deprecated": .scalar, "tags": .list(.scalar),
        "parameters": .list(parameter), "requestBody": .map(["content": content]), "responses": .map([:]),
        "security": .list(.map([:])), "servers": servers, "consumes": .list(.scalar), "produces": .list(.scalar),
        "callbacks": .map([:]),
    ])

    private static let servers = ForeignShape.list(
        .map(["url": .scalar, "description": .scalar, "variables": .map([:])]))
    private static let parameter = ForeignShape.map([
        "name": .scalar, "in": .scalar, "required": .scalar, "description": .scalar, "style": .scalar, "explode": .scalar,
        "collectionFormat": .scalar, "schema": schema, "content": .map([:]), "examples": .map([:]),
    ])
    private static let content = ForeignShape.map([
        "application/json": media, "application/x-www-form-urlencoded": media, "multipart/form-data": media,
        "application/xml": media, "*/*": media,
    ])
    private static let media = ForeignShape.map(["schema": schema, "examples": .map([:]), "encoding": .map([:])])
    /// A boolean is a schema too (OpenAPI 3.1).
    private static let schema = ForeignShape.either([
        .map(["properties": .map([:]), "required": .either([.scalar, .list(.scalar)])]), .scalar,
    ])
}
