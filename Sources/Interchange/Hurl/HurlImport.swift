import NetworkLayer
import RequestCollections

/// Hurl files (https://hurl.dev): each entry becomes a request, in their order. What can't be said here is named with its line.
struct HurlImport {
    var collection: ImportedCollection
    /// By line; the parts of an entry aren't read in the order in which they stand.
    private var notes: [(line: Int, text: String)] = []
    /// Variables that options have given another value by now.
    var changed: [ImportedVariable] = []
    /// Those of the entry alone.
    var own: [ImportedVariable] = []
    /// The entry that has captured a variable last, by its name.
    private var captors: [String: String] = [:]

    /// Headers whose value is compared as a whole.
    var comparedHeaders: [String] = []

    private init(_ collection: ImportedCollection) { self.collection = collection }

    static func read(_ source: ImportSource, _ text: String) -> ImportedCollection {
        var reader = HurlImport(ImportedCollection(name: source.name))
        let file = HurlReader(text)
        for loss in file.losses { reader.note(loss.line, loss.text) }
        for entry in file.entries { reader.read(entry) }
        if !reader.comparedHeaders.isEmpty {
            let names = reader.comparedHeaders.joined(separator: ", ")
            let text = "where an answer has a header several times, one of its values is enough here, and none is there: \(names)"
            reader.collection.notes.append(ImportNote("", text, isLoss: false))
        }
        reader.collection.notes += reader.notes.sorted { $0.line < $1.line }.map { ImportNote("line \($0.line)", $0.text) }
        return reader.collection
    }

    mutating func note(_ line: Int, _ text: String) { notes.append((line, text)) }

    // MARK: Texts

    mutating func template(_ text: String, _ line: Int) -> TemplateText {
        for case .template(let inside, _) in ForeignTemplate(text).pieces where HurlTemplates.translate(inside) == nil {
            note(line, "{{\(inside)}} has no equivalent; it is the variable `\(VariableName.make(inside))` now")
        }
        return Self.template(text)
    }

    static func template(_ text: String) -> TemplateText {
        TemplateText(ForeignTemplate(text)) { inside, _ in HurlTemplates.translate(inside) ?? VariableName.make(inside) }
    }

    /// - Parameter isEncoded: of a query or form, where Hurl sends a name as it stands.
    private mutating func rows(_ pairs: [HurlEntry.Pair], isEncoded: Bool = false) -> [RequestDefinition.Row] {
        pairs.map { pair in
            let given = template(pair.name, pair.line)
            let name = isEncoded ? given.percentDecoded() ?? given : given
            return .init(name: name.text, value: template(pair.value, pair.line).text)
        }
    }

    // MARK: Requests

    /// What an entry, which has no name, is called.
    static func name(method: String, url: String) -> String {
        let path = url.replacing(/^(\{\{[^}]*\}\}|[A-Za-z]+:\/\/[^\/?]*)/, with: "").prefix { $0 != "?" }
        return "\(method) \(path.isEmpty ? "/" : String(path))"
    }

    /// Hurl sends `/a/../b` as `/b`, unless `path-as-is` says otherwise; here a path is sent as it stands.
    private static func withoutDots(_ url: String) -> String {
        guard let start = url.prefixMatch(of: /\{\{[^}]*\}\}|[A-Za-z]+:\/\/[^\/?#]*/) else { return url }
        let rest = url[start.range.upperBound...]
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let pieces = path.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.contains("..") || pieces.contains("."), pieces.first == "" else { return url }
        var kept: [Substring] = []
        for (index, piece) in pieces.dropFirst().enumerated() {
            let isLast = index == pieces.count - 2
            switch piece {
            case ".", "..":
                if piece == "..", !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(piece)
            }
        }
        return "\(start.output)/\(kept.joined(separator: "/"))\(rest[path.endIndex...])"
    }

    private mutating func read(_ entry: HurlEntry) {
        own = []
        let isAsIs = entry.options.contains { $0.name == "path-as-is" && $0.value == "true" }
        let url = isAsIs ? entry.url : Self.withoutDots(entry.url)
        var request = ImportedRequest(
            name: Self.name(method: entry.method, url: url), method: entry.method, url: template(url, entry.line).text)
        if !entry.comments.isEmpty { request.definition.description = entry.comments.joined(separator: "\n") }
        request.definition.headers = rows(entry.headers)
        request.definition.query = rows(entry.query, isEncoded: true)
        request.definition.cookies = rows(entry.cookies)
        if let pair = entry.basicAuth.first {
            request.definition.auth = .basic(
                user: template(pair.name, pair.line).text, password: template(pair.value, pair.line).text)
        }
        readBody(of: entry, into: &request.definition)
        if let response = entry.response { read(response, into: &request.definition) }
        for option in entry.options { read(option, into: &request.definition) }
        readAuth(entry.options, into: &request.definition)
        func isOn(_ names: String...) -> Bool { entry.options.contains { names.contains($0.name) && $0.value == "true" } }
        request.definition.settings.applyCurlDefaults(
            followsRedirects: isOn("location", "location-trusted"), isCompressed: isOn("compressed"))
        readRetries(entry.options, into: &request.definition)
        request.variables = changed + own
        request.reference = "\(collection.name) \(entry.line)"
        for name in entry.texts.flatMap(HurlTemplates.variables) { request.captors[name] = captors[name] }
        for capture in request.definition.captures { captors[capture.name] = request.reference }
        for line in entry.commentLines { note(line, "the comment inside an entry") }
        collection.nodes.append(.request(request))
    }

    private mutating func readBody(of entry: HurlEntry, into definition: inout RequestDefinition) {
        if !entry.form.isEmpty { definition.body = .form(rows(entry.form, isEncoded: true)) }
        if !entry.multipart.isEmpty { definition.body = .multipart(entry.multipart.map { part($0) }) }
        guard let body = entry.body else { return }
        guard definition.body == nil else { return note(body.line, "the body: the request has a form already") }
        let type = definition.headers.first { $0.name.lowercased() == "content-type" }?.value
        switch body.content {
        case .json(let text):
            // Braces that begin no template are written as escapes, which must not become those of one.
            let marked = text.replacing(scalars: #"\u007b\u007b"#, with: "\u{F8FF}")
            // Hurl gives it the type, whatever is filled in.
            definition.body = ImportedBody.make(marked, type: type ?? "application/json") {
                template($0, body.line).filling("\u{F8FF}", with: "{{")
            }
        case .xml(let text):
            definition.body = .text(template(text, body.line).text)
            if type == nil { definition.headers.append(.init(name: "Content-Type", value: "application/xml")) }
        case .text(let text, language: "graphql"):
            let halves = text.split(separator: /\n\s*variables\s*(?=\{)/, maxSplits: 1).map(String.init)
            let variables = halves.count > 1 ? halves[1] : ""
            definition.body = ImportedBody.graphql(query: halves.first ?? text, operation: nil, variables: variables) {
                template($0, body.line)
            }
            guard definition.body == nil else { return }
            note(body.line, "the variables of the GraphQL query: they aren't JSON")
            definition.body = ImportedBody.graphql(query: halves.first ?? text, operation: nil, variables: "") {
                template($0, body.line)
            }
        case .text(let text, language: "json"):
            definition.body = ImportedBody.make(text, type: type ?? "application/json") { template($0, body.line) }
        case .text(let text, _): definition.body = .text(template(text, body.line).text)
        case .literal(let text, _): definition.body = .text(TemplateText(text).text)
        case .bytes(let bytes):
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return note(body.line, "the body: its bytes aren't text; put them into a file")
            }
            definition.body = .text(TemplateText(text).text)
        case .file(let path): definition.body = .file(template(path, body.line).text)
        }
    }

    private mutating func part(_ pair: HurlEntry.Pair) -> BodyDefinition.Part {
        let name = template(pair.name, pair.line).text
        guard let match = pair.value.wholeMatch(of: /file,([^;]*);\s*(.*)/) else {
            return .init(name: name, content: .text(template(pair.value, pair.line).text))
        }
        let type = match.2.isEmpty ? nil : template(String(match.2), pair.line).text
        return .init(name: name, content: .file(template(match.1.trimmingSpace, pair.line).text), contentType: type)
    }
}
