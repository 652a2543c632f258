package import RequestCollections

/// The formats that can be imported.
package enum ImportKind: String, Hashable, Sendable, CaseIterable {
    case postman, openapi, insomnia, http, hurl, bruno, httpie, thunder, har, curl

    /// As a sentence names it.
    package var title: String {
        switch self {
        case .postman: "Postman"
        case .openapi: "OpenAPI"
        case .insomnia: "Insomnia"
        case .http: ".http"
        case .hurl: "Hurl"
        case .bruno: "Bruno"
        case .httpie: "HTTPie"
        case .thunder: "Thunder Client"
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
        if ending == "hurl" { return .hurl }
        if ending == "bru" { return .bruno }
        if CurlImport.isCommand(start) { return .curl }
        if ending != "json", ending != "har", ending != "yaml", ending != "yml" {
            if HurlReader.isFile(start) { return .hurl }
            if HTTPFileImport.isFile(start) { return .http }
        }
        let value =
            start.hasPrefix("[") || ending == "json" || ending == "har"
            ? try JSONParser.document(source.bytes, path: source.path) : try source.document()
        if HTTPEnvironments.isNamed(source.path) { return .http }
        if let kind = ofMembers(value) { return kind }
        guard value["turnstone"] == nil else { throw source.problem("is a collection of Turnstone's; there is nothing to import") }
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw source.problem("is of no kind that can be imported. There are \(names); --from says which one it is")
    }

    private static func ofMembers(_ value: JSONValue) -> ImportKind? {
        if value["openapi"] != nil || value["swagger"] != nil { return .openapi }
        if value["_type"]?.string == "export" || value["type"]?.string?.contains("insomnia.rest/") == true { return .insomnia }
        if value["log"]?["entries"] != nil { return .har }
        if HTTPieImport.isDocument(value) { return .httpie }
        if ThunderImport.isDocument(value) { return .thunder }
        // Bruno's files are maps of maps too, as environments of `.http` files are.
        if value["opencollection"] != nil || value["info"]?["type"] != nil {
            return BrunoFile.isOpenCollection(value) ? .bruno : nil
        }
        if PostmanImport.isDocument(value) { return .postman }
        if HTTPEnvironments.isDocument(value) { return .http }
        return nil
    }

    /// The collection in a source.
    ///
    /// - Parameters:
    ///   - files: those that the source may name.
    ///   - keepsStatic: the static files of a recording are requests, too.
    package func read(
        _ source: ImportSource, beside files: NeighbouringFiles = .none, keepsStatic: Bool = false
    ) throws(CollectionProblem) -> ImportedCollection {
        let collection =
            switch self {
            case .postman: try PostmanImport.read(source, try source.document())
            case .openapi: try OpenAPIImport.read(source, try source.document(), beside: files)
            case .insomnia: try InsomniaImport.read(source, try source.document())
            case .http: try HTTPFileImport.read(source, try source.text())
            case .hurl: HurlImport.read(source, try source.text())
            case .bruno: try BrunoImport.read(source.name, [source])
            case .httpie: try HTTPieImport.read(source, try JSONParser.document(source.bytes, path: source.path))
            case .thunder: try ThunderImport.read(source, try JSONParser.document(source.bytes, path: source.path))
            case .har:
                try HARImport.read(
                    source, try JSONParser.document(source.bytes, path: source.path), beside: files, keepsStatic: keepsStatic)
            case .curl: try CurlImport.read(source, try source.script())
            }
        return try collection.checked(source)
    }
}

extension ImportedCollection {
    func checked(_ source: ImportSource) throws(CollectionProblem) -> ImportedCollection {
        guard !nodes.isEmpty || !variables.isEmpty || !environments.isEmpty || !tokens.isEmpty else {
            let reason = notes.first(where: \.isLoss).map { ": \($0.text)" } ?? ""
            throw source.problem("has no request in it\(reason)")
        }
        return self
    }
}

extension ImportSource {
    /// JSON, or YAML.
    func document() throws(CollectionProblem) -> JSONValue {
        if isJSON { return try JSONParser.document(bytes, path: path) }
        do throws(CollectionProblem) {
            return try ForeignYAML.parse(bytes, path: path)
        } catch {
            // YAML in one line begins as JSON does, and JSON has what not every reader of YAML takes.
            if beginsWithBrace, let value = try? JSONParser.document(bytes, path: path) { return value }
            throw error
        }
    }

    /// JSON, unless the file's name or its contents say that it is YAML in one line, such as `{type: a}`.
    private var isJSON: Bool {
        guard beginsWithBrace, !path.hasSuffix(".yaml"), !path.hasSuffix(".yml") else { return false }
        let inside = bytes.drop { $0 != UInt8(ascii: "{") }.dropFirst().first { $0 > 0x20 }
        return path.hasSuffix(".json") || inside == nil || inside == UInt8(ascii: "\"") || inside == UInt8(ascii: "}")
    }

    private var beginsWithBrace: Bool { bytes.first { $0 > 0x20 && $0 < 0x7F } == UInt8(ascii: "{") }
}
