import RequestCollections

extension InsomniaImport {
    mutating func readBody(_ body: JSONValue, into definition: inout RequestDefinition, at place: String) {
        let type = body["mimeType"]?.nonEmpty
        switch MediaType.essence(type) {
        case "multipart/form-data": definition.body = .multipart(parts(body["params"], at: place))
        case "application/x-www-form-urlencoded" where body["params"] != nil:
            definition.body = .form(rows(body["params"], at: place))
        case "application/graphql":
            let graphql = body["text"]?.string.flatMap(JSONParser.parse) ?? .null
            let variables = graphql["variables"]
            definition.body = ImportedBody.graphql(
                query: graphql["query"]?.string ?? body["text"]?.string ?? "", operation: graphql["operationName"]?.nonEmpty,
                variables: variables?.string.flatMap(JSONParser.parse) ?? variables
            ) { template($0, at: place) }
            // What is sent is JSON.
            definition.headers.removeAll { $0.name.lowercased() == "content-type" && $0.value == "application/graphql" }
        default:
            if let path = body["fileName"]?.nonEmpty {
                definition.body = .file(text(path, at: place))
            } else if let raw = body["text"]?.nonEmpty {
                let header = definition.headers.first { $0.isEnabled && $0.name.lowercased() == "content-type" }?.value
                definition.body = ImportedBody.make(raw, type: header ?? type) { template($0, at: place) }
                if header == nil, let type, type != "application/json", type != "text/plain" {
                    definition.headers.append(.init(name: "content-type", value: type))
                }
            }
        }
    }

    private mutating func parts(_ value: JSONValue?, at place: String) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for item in value?.items ?? [] {
            guard let name = item["name"]?.nonEmpty else { continue }
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
