import RequestCollections

extension PostmanImport {
    mutating func readBody(_ body: JSONValue, into request: inout ImportedRequest, at place: String) {
        let mode = body["mode"]?.string ?? "raw"
        switch mode {
        case "raw": readRaw(body, into: &request.definition, at: place)
        case "urlencoded":
            if let lines = body["urlencoded"]?.string {
                request.definition.body = ImportedBody.make(lines, type: "application/x-www-form-urlencoded") {
                    template($0, at: place)
                }
            } else {
                let rows = rows(body["urlencoded"], "body.form", of: &request, at: place)
                if !rows.isEmpty { request.definition.body = .form(rows) }
            }
        case "formdata": readParts(body["formdata"], into: &request, at: place)
        case "file":
            if let path = body["file"]?["src"]?.nonEmpty {
                request.definition.body = .file(text(path, at: place))
            } else if let content = body["file"]?["content"]?.nonEmpty {
                request.definition.body = .text(text(content, at: place))
            } else {
                note(place, "the body: its file isn't named")
            }
        case "graphql":
            let graphql = body["graphql"]
            let (query, operation) = (graphql?["query"]?.string ?? "", graphql?["operationName"]?.nonEmpty)
            if let text = graphql?["variables"]?.string {
                request.definition.body = ImportedBody.graphql(query: query, operation: operation, variables: text) {
                    template($0, at: place)
                }
                if request.definition.body != nil { return }
                note(place, "the variables of the GraphQL query: they aren't JSON")
            }
            request.definition.body = ImportedBody.graphql(
                query: query, operation: operation, variables: graphql?["variables"].flatMap { $0.string == nil ? $0 : nil }
            ) { template($0, at: place) }
        default:
            note(place, "the body: there is no kind of body `\(mode)`")
        }
    }

    private mutating func readRaw(_ body: JSONValue, into definition: inout RequestDefinition, at place: String) {
        guard let raw = body["raw"]?.nonEmpty else { return }
        let header = definition.headers.first { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
        let language = body["options"]?["raw"]?["language"]?.string
        let types = [
            "json": "application/json", "xml": "application/xml", "html": "text/html", "javascript": "application/javascript",
            "text": "text/plain",
        ]
        let type = header ?? language.flatMap { types[$0] }
        definition.body = ImportedBody.make(raw, type: type) { template($0, at: place) }
        // Postman sends the type of the language; ours follows from the body.
        if header == nil, let type, type != "application/json", type != "text/plain" {
            definition.headers.append(.init(name: "content-type", value: type))
        }
    }

    private mutating func readParts(_ value: JSONValue?, into request: inout ImportedRequest, at place: String) {
        var parts: [BodyDefinition.Part] = []
        for item in value?.items ?? [] {
            guard let key = item["key"]?.nonEmpty else {
                if item["value"]?.nonEmpty != nil || item["src"]?.isNull == false {
                    note(place, "a part of the body without a name")
                }
                continue
            }
            let name = text(key, at: place)
            if let comment = Self.description(item["description"]) { request.comments["body.multipart.\(name)"] = comment }
            let type = item["contentType"]?.nonEmpty.map { text($0, at: place) }
            let isEnabled = item["disabled"]?.boolean != true
            guard item["type"]?.string == "file" else {
                let content = text(item["value"]?.scalar ?? "", at: place)
                parts.append(.init(name: name, content: .text(content), contentType: type, isEnabled: isEnabled))
                continue
            }
            let source = item["src"]
            let paths = source?.string.map { [$0] } ?? source?.items.compactMap(\.string) ?? []
            if paths.isEmpty {
                note(place, "the file of the part \(key) isn't named; name one in the collection")
                parts.append(.init(name: name, content: .text(""), contentType: type, isEnabled: false))
            }
            for path in paths {
                parts.append(
                    .init(
                        name: name, content: .file(text(path, at: place)),
                        fileName: item["fileName"]?.nonEmpty.map { self.text($0, at: place) }, contentType: type,
                        isEnabled: isEnabled))
            }
        }
        if !parts.isEmpty { request.definition.body = .multipart(parts) }
    }
}
