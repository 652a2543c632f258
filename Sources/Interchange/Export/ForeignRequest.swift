import NetworkLayer
import RequestCollections

/// A request as programs take it that have no folders, no parameters in paths and no kinds of authentication but fields: in their
/// templates.
struct ForeignRequest {
    var method: String
    /// With its path, and with the query only as far as that stands in the URL itself.
    var url: String
    var query: [Row]
    var headers: [Row]
    var cookies: [Row]
    /// What isn't said by a field already.
    var auth = AuthDefinition.none

    typealias Row = MergedRequest.Row

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// - Parameters:
    ///   - encodesQuery: the program encodes the rows of a query.
    ///   - own: kinds of authentication, by ``AuthDefinition/kindName``, that the program has itself.
    init(_ request: MergedRequest, own: Set<String>, encodesQuery: Bool, _ templates: inout ForeignTemplates) {
        let definition = request.definition
        method = definition.method
        url = Self.url(of: definition, &templates)
        func rows(_ rows: [Row], _ templates: inout ForeignTemplates) -> [Row] {
            rows.map { Row(name: templates.text($0.name), value: templates.text($0.value)) }
        }
        headers = rows(request.headers, &templates)
        cookies = rows(request.cookies, &templates)
        query = encodesQuery ? rows(request.query, &templates) : request.query
        if !definition.isWebSocket { addType(of: definition.body) }
        let hasAuthorization = header("authorization") != nil
        switch request.auth {
        case .none, .inherit: break
        case .apiKey(let key):
            let row = Row(name: templates.text(key.name), value: templates.text(key.value))
            switch key.place {
            case .header: if header(row.name.lowercased()) == nil { headers.append(row) }
            case .cookie: cookies.append(row)
            case .query: query.append(encodesQuery ? row : Row(name: key.name, value: key.value))
            }
        case _ where hasAuthorization: break
        case .bearer(let token): headers.append(Row(name: "Authorization", value: "Bearer \(templates.text(token))"))
        case .oauth2:
            let name = templates.language.name("access_token")
            headers.append(Row(name: "Authorization", value: "Bearer {{\(name)}}"))
            templates.notes.add("`auth`: `\(name)` is a token of OAuth 2, to be set")
        case let auth where own.contains(auth.kindName): self.auth = auth
        case let auth: templates.notes.add("`auth`: \(auth.kindName), which \(templates.language.program) hasn't")
        }
        if !encodesQuery {
            templates.add(query, to: &url)
            query = []
        }
        if definition.hasRowsThatAreOff { templates.notes.addOfAll("rows that are off") }
    }

    /// What a request of ours says by itself of its body.
    private mutating func addType(of body: BodyDefinition?) {
        guard let body, header("content-type") == nil else { return }
        var type = body.contentType
        if case .file(let path) = body { type = ContentType.forFile(path).rawValue }
        if let type { headers.append(Row(name: "Content-Type", value: type)) }
    }

    private static func url(of definition: RequestDefinition, _ templates: inout ForeignTemplates) -> String {
        var url = ""
        for piece in templates.pieces(definition.url) {
            switch piece {
            case .expression(let inside):
                // What a URL begins with says where it goes.
                if !url.isEmpty, !url.hasSuffix("://") { templates.noteEncoding(inside, isKnown: true) }
                url += "{{\(inside)}}"
            case .text(let text):
                // A fragment is never sent.
                let (sent, fragment) = text.halves(at: "#").map { ($0.before, true) } ?? (text[...], false)
                url += filledPath(String(sent), of: definition, &templates)
                if fragment { return url.trimmingSpace }
            }
        }
        return url.trimmingSpace
    }

    /// `/:name` becomes the value of `path.name`.
    private static func filledPath(
        _ text: String, of definition: RequestDefinition, _ templates: inout ForeignTemplates
    ) -> String {
        var result = ""
        var rest = text[...]
        while let slash = rest.firstRange(of: "/:") {
            let name = rest[slash.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            let row = definition.path.last { $0.name == name && $0.isEnabled }
            guard let first = name.first, !first.isNumber, let row else {
                result += URLCoding.encodedBetweenSeparators(url: String(rest[..<slash.upperBound]))
                rest = rest[slash.upperBound...]
                continue
            }
            result += URLCoding.encodedBetweenSeparators(url: String(rest[..<slash.lowerBound])) + "/"
            result += templates.text(row.value, isEncoded: true, URLCoding.percentEncoded)
            rest = rest[slash.upperBound...].dropFirst(name.count)
        }
        return result + URLCoding.encodedBetweenSeparators(url: String(rest))
    }
}

extension RequestDefinition {
    /// Rows with a value, which somebody may want to switch on.
    fileprivate var hasRowsThatAreOff: Bool {
        var rows = path + query + headers + cookies
        if case .form(let form)? = body { rows += form }
        if case .multipart(let parts)? = body, parts.contains(where: { !$0.isEnabled }) { return true }
        return rows.contains { !$0.isEnabled && !$0.value.isEmpty }
    }
}

extension RequestDefinition {
    /// Programs that have no other word for them take them as a field.
    var subprotocolRows: [MergedRequest.Row] {
        let offered = offeredSubprotocols
        return offered.isEmpty ? [] : [.init(name: "Sec-WebSocket-Protocol", value: offered.joined(separator: ", "))]
    }
}

extension [MergedRequest.Row] {
    /// Adds them to the header `Cookie`, behind what it has.
    mutating func add(cookies: [String]) {
        guard !cookies.isEmpty else { return }
        let own = filter { $0.name.lowercased() == "cookie" }.map(\.value)
        removeAll { $0.name.lowercased() == "cookie" }
        append(.init(name: "Cookie", value: (own + cookies).joined(separator: "; ")))
    }
}

extension ForeignTemplates {
    /// Writes parameters behind the URL, encoded.
    mutating func add(_ query: [MergedRequest.Row], to url: inout String) {
        for row in query {
            url += url.contains("?") ? (url.hasSuffix("?") || url.hasSuffix("&") ? "" : "&") : "?"
            url += text(row.name, isEncoded: true, URLCoding.percentEncoded) + "="
            url += text(row.value, isEncoded: true, URLCoding.percentEncoded)
        }
    }

    /// Says what of a query other programs don't send.
    ///
    /// - Throws: for what can't be sent without it.
    mutating func check(_ graphql: BodyDefinition.GraphQL, of method: String) throws(Inexpressible) {
        if !graphql.files.isEmpty { throw Inexpressible("its GraphQL query uploads files") }
        if method.uppercased() == "GET" { throw Inexpressible("its GraphQL query stands in the URL") }
        if graphql.isPersisted == true { notes.add("`body`: the whole query is sent each time, although it is `persisted`") }
    }

    /// A query of GraphQL as the JSON that is sent.
    mutating func json(_ graphql: BodyDefinition.GraphQL, _ query: String) -> String {
        var members = ["\"query\": \(json(JSONText.quoted(query)))"]
        if let operation = graphql.operation { members.append("\"operationName\": \(json(JSONText.quoted(operation)))") }
        if let variables = graphql.variables { members.append("\"variables\": \(json(variables))") }
        return "{\(members.joined(separator: ", "))}"
    }
}

extension TemplateCall {
    /// An argument that is a text.
    func text(_ parameter: String) -> String? { if case .string(let text)? = self[parameter]?.expression { text } else { nil } }
}

extension RequestCollection {
    /// A path below the collection's directory, from there.
    func pathInside(_ path: String) -> String {
        let root = directory.isEmpty || directory.hasSuffix("/") ? directory : directory + "/"
        return !root.isEmpty && path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
    }
}

extension MergedRequest {
    /// A path that its body names, from the collection's directory.
    func path(_ path: String, in collection: RequestCollection) -> String {
        collection.pathInside(self.path(path))
    }
}
