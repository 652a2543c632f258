package import RequestCollections

/// The formats that can be imported.
package enum ImportKind: String, Hashable, Sendable, CaseIterable {
    case postman, openapi, insomnia, http, har, curl

    /// As a sentence names it.
    package var title: String {
        switch self {
        case .postman: "Postman"
        case .openapi: "OpenAPI"
        case .insomnia: "Insomnia"
        case .http: ".http"
        case .har: "HAR"
        case .curl: "curl"
        }
    }
}

extension ImportKind {
    /// What is in a source; for a file of no known kind, which kinds there are.
    package static func detect(_ source: ImportSource) throws(CollectionProblem) -> ImportKind {
        let ending = source.path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let text = try source.text()
        let start = text.drop(while: \.isWhitespace)
        guard !start.isEmpty else { throw source.problem("is empty") }
        if ending == "http" || ending == "rest" { return .http }
        if CurlImport.isCommand(start) { return .curl }
        if start.hasPrefix("{") || start.hasPrefix("[") || ending == "json" || ending == "har" {
            if let kind = ofMembers(try JSONParser.document(source.bytes, path: source.path)) { return kind }
        } else if ending != "yaml", ending != "yml", HTTPFileImport.isFile(start) {
            return .http
        } else if let kind = ofMembers(try ForeignYAML.parse(source.bytes, path: source.path)) {
            return kind
        }
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw source.problem("is of no kind that can be imported. There are \(names); --from says which one it is")
    }

    private static func ofMembers(_ value: JSONValue) -> ImportKind? {
        if value["openapi"] != nil || value["swagger"] != nil { return .openapi }
        if value["_type"]?.string == "export" || value["type"]?.string?.contains("insomnia.rest/") == true { return .insomnia }
        if value["log"]?["entries"] != nil { return .har }
        if PostmanImport.isDocument(value) { return .postman }
        if HTTPEnvironments.isDocument(value) { return .http }
        return nil
    }

    /// The collection in a source.
    package func read(_ source: ImportSource) throws(CollectionProblem) -> ImportedCollection {
        switch self {
        case .postman: return try PostmanImport.read(source, try JSONParser.document(source.bytes, path: source.path))
        case .openapi: return try OpenAPIImport.read(source, try source.document())
        case .insomnia: return try InsomniaImport.read(source, try source.document())
        case .http: return try HTTPFileImport.read(source, try source.text())
        case .har: return try HARImport.read(source, try JSONParser.document(source.bytes, path: source.path))
        case .curl: return try CurlImport.read(source, try source.text())
        }
    }
}

extension ImportSource {
    /// JSON, or YAML.
    fileprivate func document() throws(CollectionProblem) -> JSONValue {
        let first = bytes.first { $0 > 0x20 && $0 < 0x7F }
        return first == UInt8(ascii: "{") && !path.hasSuffix(".yaml") && !path.hasSuffix(".yml")
            ? try JSONParser.document(bytes, path: path) : try ForeignYAML.parse(bytes, path: path)
    }
}
