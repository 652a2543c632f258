import Base
import NetworkLayer
import RequestCollections

/// HAR 1.2: each recorded request becomes one of the collection.
struct HARImport {
    private var collection: ImportedCollection
    private var dropped: [String] = []
    private var cookies = 0
    private var skipped = 0
    private var hosts: [(name: String, nodes: [ImportedNode])] = []

    /// - Parameter keepsStatic: images, fonts, styles, scripts and films are requests, too; they are in any case where nothing else is.
    static func read(
        _ source: ImportSource, _ document: JSONValue, keepsStatic: Bool = false
    ) throws(CollectionProblem) -> ImportedCollection {
        guard case .array(let entries)? = document["log"]?["entries"] else {
            throw source.problem("is no HAR: it has no `log.entries`")
        }
        var reader = HARImport(collection: ImportedCollection(name: source.name))
        let dynamic = keepsStatic ? entries : entries.filter { !StaticEntry.isOne($0) }
        for entry in dynamic.isEmpty ? entries : dynamic { reader.read(entry) }
        if !dynamic.isEmpty, dynamic.count < entries.count {
            reader.note(
                "", "\(entries.count - dynamic.count) static files, such as images and scripts, aren't kept; --static keeps them")
        }
        reader.putIntoFolders()
        guard !reader.collection.nodes.isEmpty else { throw source.problem("has no request in it") }
        if !reader.dropped.isEmpty {
            reader.note(
                "", "headers that the browser adds by itself aren't kept: \(reader.dropped.sorted().joined(separator: ", "))")
        }
        if reader.cookies > 0 {
            reader.note(
                "",
                "cookies of \(reader.cookies == 1 ? "1 request" : "\(reader.cookies) requests") aren't kept; `cookie-jar` keeps those of a session"
            )
        }
        if reader.skipped > 0 {
            let what = reader.skipped == 1 ? "1 entry that is no request" : "\(reader.skipped) entries that are no requests"
            reader.note("", "\(what) over HTTP")
        }
        return reader.collection
    }

    /// A folder for each host, where there are several.
    private mutating func putIntoFolders() {
        guard hosts.count > 1 else {
            collection.nodes = hosts.first?.nodes ?? []
            return
        }
        collection.nodes = hosts.map { host in
            var folder = ImportedFolder(name: host.name)
            folder.nodes = host.nodes
            return .folder(folder)
        }
    }

    private mutating func append(_ request: ImportedRequest, of url: String) {
        let url = URLUserinfo.removed(from: url)
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let name = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        let index = hosts.firstIndex { $0.name == name } ?? hosts.count
        if index == hosts.count { hosts.append((name, [])) }
        hosts[index].nodes.append(.request(request))
    }

    private mutating func note(_ place: String, _ text: String) { collection.notes.append(ImportNote(place, text, isLoss: false)) }

    private static func text(_ text: String) -> String { TemplateText(text).text }

    private mutating func read(_ entry: JSONValue) {
        let source = entry["request"] ?? .null
        guard let url = source["url"]?.nonEmpty, url.lowercased().hasPrefix("http"), entry["_kind"]?.string != "redirect" else {
            skipped += 1
            return
        }
        let method = source["method"]?.nonEmpty?.uppercased() ?? "GET"
        var request = ImportedRequest(
            name: "\(method) \(RequestName.path(of: url))", method: method, url: Self.text(String(url.prefix { $0 != "#" })))
        request.definition.description = entry["comment"]?.nonEmpty
        collection.notes += Self.shape.misfits(in: source).map { ImportNote("\(request.name), \($0.place)", $0.text) }
        readHeaders(source, into: &request.definition)
        readBody(source["postData"], into: &request.definition, at: request.name)
        append(request, of: url)
    }

    private static let shape = ForeignShape.map([
        "method": .scalar, "headers": .list(.map(["name": .scalar, "value": .scalar])),
        "postData": .map([
            "mimeType": .scalar, "text": .scalar, "params": .list(.map(["name": .scalar, "value": .scalar, "fileName": .scalar])),
        ]),
    ])

    /// Hop by hop (RFC 9110, section 7.6.1), of HTTP/2, and what a browser says about itself.
    private static func isNoise(_ name: String) -> Bool {
        [
            "host", "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
            "content-length",
            "accept-encoding", "accept-language", "cache-control", "pragma", "dnt", "origin", "priority", "referer", "user-agent",
            "upgrade-insecure-requests", "if-none-match", "if-modified-since", "cookie",
        ].contains(name) || name.hasPrefix("sec-") || name.hasPrefix(":")
    }

    private mutating func readHeaders(_ source: JSONValue, into definition: inout RequestDefinition) {
        for header in source["headers"]?.items ?? [] {
            guard let name = header["name"]?.nonEmpty else { continue }
            let lower = name.lowercased()
            guard Self.isNoise(lower) else {
                definition.headers.append(.init(name: Self.text(name), value: Self.text(header["value"]?.scalar ?? "")))
                continue
            }
            if lower == "cookie" {
                cookies += 1
            } else if !lower.hasPrefix(":"), lower != "host", lower != "content-length", !dropped.contains(lower) {
                dropped.append(lower)
            }
        }
    }

    private mutating func readBody(_ data: JSONValue?, into definition: inout RequestDefinition, at place: String) {
        let type = data?["mimeType"]?.nonEmpty
        let parameters = data?["params"]?.items ?? []
        if let text = data?["text"]?.nonEmpty, MediaType.essence(type) != "multipart/form-data" {
            // Some recorders write down bytes so, though the format has it for responses only.
            if data?["encoding"]?.string == "base64" {
                guard let bytes = Data(base64Encoded: text), let decoded = String(validating: bytes, as: UTF8.self) else {
                    return collection.notes.append(ImportNote(place, "the body: it isn't text"))
                }
                definition.body = ImportedBody.make(decoded, type: type) { TemplateText($0) }
                return
            }
            definition.body = ImportedBody.make(text, type: type) { TemplateText($0) }
        } else if MediaType.essence(type) == "multipart/form-data" {
            guard !parameters.isEmpty else {
                guard let text = data?["text"]?.nonEmpty, let parts = HARParts(text, type: type ?? "") else {
                    return collection.notes.append(ImportNote(place, "the parts of the body: the recording hasn't got them"))
                }
                definition.body = .multipart(parts.parts)
                collection.notes += parts.losses.map { ImportNote(place, $0) }
                return
            }
            definition.body = .multipart(
                parameters.map { item in
                    let file = item["fileName"]?.nonEmpty.map(Self.text)
                    let value = item["value"]?.scalar ?? ""
                    // Browsers write the first of these in place of a file's content.
                    let isRecorded = file == nil || !["(binary)", ""].contains(value)
                    return .init(
                        name: Self.text(item["name"]?.scalar ?? ""),
                        content: isRecorded ? .text(Self.text(value)) : .file(file ?? ""), fileName: isRecorded ? file : nil,
                        contentType: item["contentType"]?.nonEmpty.map(Self.text))
                })
        } else if !parameters.isEmpty {
            definition.body = .form(
                parameters.map { item in
                    func decoded(_ key: String) -> String {
                        let text = item[key]?.scalar ?? ""
                        return Self.text(PercentText.decoded(text, plusIsSpace: true) ?? text)
                    }
                    return .init(name: decoded("name"), value: decoded("value"))
                })
        }
        if definition.body != nil, let type, !definition.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            definition.headers.append(.init(name: "content-type", value: Self.text(type)))
        }
    }
}

/// The parts of a form that a recording has as one text.
struct HARParts {
    private(set) var parts: [BodyDefinition.Part] = []
    private(set) var losses: [String] = []

    /// - Returns: `nil` for a text that isn't what its type says.
    init?(_ text: String, type: String) {
        guard let match = type.firstMatch(of: /(?i)boundary=(?:"([^"]+)"|([^";\s]+))/),
            let boundary = match.1 ?? match.2, let start = text.firstRange(ofScalars: "--\(boundary)")
        else { return nil }
        var rest = text[start.upperBound...]
        while !rest.begins(with: "--") {
            guard let end = rest.firstRange(ofScalars: "\r\n--\(boundary)") else { return nil }
            guard let part = part(rest[..<end.lowerBound]) else { return nil }
            parts.append(part)
            rest = rest[end.upperBound...]
        }
    }

    /// - Parameter text: from the line break in front of its fields to its end.
    private mutating func part(_ text: Substring) -> BodyDefinition.Part? {
        guard text.begins(with: "\r\n"), let head = text.firstRange(ofScalars: "\r\n\r\n") else { return nil }
        let value = String(text[head.upperBound...])
        var part = BodyDefinition.Part(name: "", content: .text(TemplateText(value).text))
        var hasName = false
        for line in text[..<head.lowerBound].lines where !line.isEmpty {
            guard let (name, value) = line.halves(at: ":") else { return nil }
            switch name.lowercased() {
            case "content-disposition":
                guard let found = Self.parameter("name", of: value) else { return nil }
                part.name = TemplateText(found).text
                part.fileName = Self.parameter("filename", of: value).map { TemplateText($0).text }
                hasName = true
            case "content-type": part.contentType = TemplateText(value.trimmingSpace).text
            default: losses.append("the field `\(line)` of the part `\(part.name)`")
            }
        }
        // Browsers leave out what is in a file.
        if value.isEmpty, let file = part.fileName, !file.isEmpty { part.content = .file(file) }
        return hasName ? part : nil
    }

    /// As browsers write it (HTML, section 4.10.21.8): only line breaks and quotes are encoded.
    private static func parameter(_ name: String, of field: Substring) -> String? {
        for piece in [";\(name)=\"", "; \(name)=\""] {
            guard let start = field.firstRange(ofScalars: piece) else { continue }
            let text = field[start.upperBound...].unicodeScalars.prefix { $0 != "\"" }
            return String(text).replacing(scalars: "%22", with: "\"").replacing(scalars: "%0D%0A", with: "\r\n")
        }
        return nil
    }
}

/// What a page is decorated with: no request that somebody explores.
enum StaticEntry {
    /// By what the browser says it was for, else by what came; a page and its data never are.
    static func isOne(_ entry: JSONValue) -> Bool {
        guard ["GET", "HEAD"].contains(entry["request"]?["method"]?.string?.uppercased() ?? "GET") else { return false }
        switch entry["_resourceType"]?.string {
        case "image", "font", "stylesheet", "script", "media", "manifest", "texttrack": return true
        case "xhr", "fetch", "document", "websocket", "eventsource": return false
        default: break
        }
        let type = MediaType.essence(entry["response"]?["content"]?["mimeType"]?.string) ?? ""
        return ["image/", "font/", "audio/", "video/"].contains { type.hasPrefix($0) }
            || ["text/css", "text/javascript", "application/javascript", "application/x-javascript", "application/font-woff"]
                .contains(type)
    }
}
