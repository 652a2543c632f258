import RequestCollections

extension InsomniaImport {
    mutating func readBody(_ body: JSONValue, into request: inout ImportedRequest, at place: String) {
        let type = body["mimeType"]?.nonEmpty
        switch MediaType.essence(type) {
        case "multipart/form-data":
            request.definition.body = .multipart(parts(body["params"], comments: &request.comments, at: place))
        case "application/x-www-form-urlencoded" where body["params"] != nil:
            let rows = rows(body["params"], "body.form.", comments: &request.comments, at: place)
            request.definition.body = .form(decoded(rows, at: place))
        case "application/graphql":
            let graphql = body["text"]?.string.flatMap(JSONParser.parse) ?? .null
            let variables = graphql["variables"]
            request.definition.body = ImportedBody.graphql(
                query: graphql["query"]?.string ?? body["text"]?.string ?? "", operation: graphql["operationName"]?.nonEmpty,
                variables: variables?.string.flatMap(JSONParser.parse) ?? variables
            ) { template($0, at: place) }
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
                    isEnabled: item["disabled"]?.boolean != true && !(isFile && content.isEmpty)))
        }
        return parts
    }
}
