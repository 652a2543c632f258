import Base
import NetworkLayer
import RequestCollections

/// HAR 1.2: each recorded request becomes one of the collection.
struct HARImport {
    private var collection: ImportedCollection
    private let files: NeighbouringFiles
    private var dropped: [String] = []
    private var cookies = 0
    private var skipped = 0
    private var preflights = 0
    /// Redirects that were followed, and retries.
    private var repetitions = 0
    private var unanswered: [String] = []
    private var hosts: [(name: String, nodes: [ImportedNode])] = []

    /// - Parameters:
    ///   - files: those beside the recording, where some programs put bodies.
    ///   - keepsStatic: images, fonts, styles, scripts and films are requests, too; they are in any case where nothing else is.
    static func read(
        _ source: ImportSource, _ document: JSONValue, beside files: NeighbouringFiles = .none, keepsStatic: Bool = false
    ) throws(CollectionProblem) -> ImportedCollection {
        guard case .array(let all)? = document["log"]?["entries"] else {
            throw source.problem("is no HAR: it has no `log.entries`")
        }
        var reader = HARImport(collection: ImportedCollection(name: source.name), files: files)
        let entries = reader.own(Self.inOrder(all))
        let dynamic = keepsStatic ? entries : entries.filter { !StaticEntry.isOne($0) }
        for entry in dynamic.isEmpty ? entries : dynamic { reader.read(entry) }
        if !dynamic.isEmpty, dynamic.count < entries.count {
            reader.note(
                "", "\(entries.count - dynamic.count) static files, such as images and scripts, aren't kept; --static keeps them")
        }
        reader.putIntoFolders()
        guard !reader.collection.nodes.isEmpty else { throw source.problem("has no request in it") }
        reader.noteCounts()
        return reader.collection
    }

    private mutating func noteCounts() {
        func count(_ number: Int, _ one: String, _ many: String) -> String { number == 1 ? "1 \(one)" : "\(number) \(many)" }
        if !dropped.isEmpty {
            note("", "headers that the browser adds by itself aren't kept: \(dropped.sorted().joined(separator: ", "))")
        }
        if cookies > 0 {
            note("", "cookies of \(count(cookies, "request", "requests")) aren't kept; `cookie-jar` keeps those of a session")
        }
        if repetitions > 0 {
            note("", "\(count(repetitions, "redirect or retry", "redirects and retries")), which a request makes by itself")
        }
        if preflights > 0 { note("", "\(count(preflights, "preflight", "preflights")), which only browsers send") }
        if !unanswered.isEmpty {
            let names = unanswered.joined(separator: ", ")
            note("", "\(count(unanswered.count, "request", "requests")) got no answer when they were recorded: \(names)")
        }
        if skipped > 0 { note("", "\(count(skipped, "entry that is no request", "entries that are no requests")) over HTTP") }
    }

    // MARK: Which entries are requests

    /// By the time at which they began (HAR 1.2, `entries`); one without a time stays behind the one in front of it.
    private static func inOrder(_ entries: [JSONValue]) -> [JSONValue] {
        var last = -Double.infinity
        let moments = entries.map { entry in
            last = entry["startedDateTime"]?.string.flatMap(moment) ?? last
            return last
        }
        return entries.indices.sorted { (moments[$0], $0) < (moments[$1], $1) }.map { entries[$0] }
    }

    private static func moment(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /([^.]+?)(\.\d+)?(Z|[+-]\d\d:?\d\d)?/),
            let date = try? Date("\(match.1)\(match.3 ?? "Z")", strategy: .iso8601)
        else { return nil }
        return date.timeIntervalSince1970 + (match.2.flatMap { Double("0\($0)") } ?? 0)
    }

    /// Without what a browser sends by itself: preflights, and what a redirect leads to, which a run follows as well.
    private mutating func own(_ entries: [JSONValue]) -> [JSONValue] {
        var awaited: Set<String> = []
        return entries.filter { entry in
            let (request, response) = (entry["request"] ?? .null, entry["response"] ?? .null)
            let url = String((request["url"]?.string ?? "").prefix { $0 != "#" })
            let isRepeated = awaited.remove(url) != nil || entry["_kind"]?.string != nil
            if ["301", "302", "303", "307", "308"].contains(response["status"]?.scalar),
                let location = response["redirectURL"]?.nonEmpty,
                let target = URL(string: location, relativeTo: URL(string: url))
            {
                awaited.insert(String(target.absoluteString.prefix { $0 != "#" }))
            }
            let isPreflight =
                request["method"]?.string?.uppercased() == "OPTIONS"
                && request["headers"]?.items.contains { $0["name"]?.string?.lowercased() == "access-control-request-method" }
                    == true
            repetitions += isRepeated ? 1 : 0
            preflights += isPreflight && !isRepeated ? 1 : 0
            return !isRepeated && !isPreflight
        }
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
        guard let url = source["url"]?.nonEmpty, url.lowercased().hasPrefix("http") else {
            skipped += 1
            return
        }
        let method = source["method"]?.nonEmpty?.uppercased() ?? "GET"
        var request = ImportedRequest(
            name: "\(method) \(RequestName.path(of: url))", method: method, url: Self.text(String(url.prefix { $0 != "#" })))
        request.definition.description = entry["comment"]?.nonEmpty
        collection.notes += Self.shape.misfits(in: source).map { ImportNote("\(request.name), \($0.place)", $0.text) }
        readHeaders(source, into: &request.definition)
        readBody(source, into: &request.definition, at: request.name)
        if let status = entry["response"]?["status"]?.scalar.flatMap({ Int($0) }), status <= 0 { unanswered.append(request.name) }
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

    // MARK: The body

    private mutating func lose(_ text: String, at place: String) { collection.notes.append(ImportNote(place, text)) }

    private mutating func readBody(_ request: JSONValue, into definition: inout RequestDefinition, at place: String) {
        let data = request["postData"]
        let type = data?["mimeType"]?.nonEmpty
        let fields = request["headers"]?.items ?? []
        func field(_ name: String) -> String? { fields.first { $0["name"]?.string?.lowercased() == name }?["value"]?.scalar }
        var length = field("content-length").flatMap { Int($0) }
        var text = data?["text"]?.nonEmpty
        if let file = data?["_file"]?.nonEmpty {
            guard let bytes = attached(file, at: place) else { return }
            text = String(validating: bytes, as: UTF8.self)
            guard text != nil else { return definition.body = .file(Self.text(file)) }
            length = nil
        } else if [data?["encoding"], data?["_encoding"]].contains(.string("base64")), let given = text {
            guard let bytes = Data(base64Encoded: given), let decoded = String(validating: bytes, as: UTF8.self) else {
                return lose("the body: it isn't text; put it into a file, which `body: { file: … }` names", at: place)
            }
            (text, length) = (decoded, nil)
        }
        if let text {
            var body = RecordedText(text)
            if field("content-encoding") != nil {
                definition.headers.removeAll { $0.name.lowercased() == "content-encoding" }
                note(place, "the body is recorded without its content-encoding, and sent without it")
            } else if let length, length != text.utf8.count {
                body = RecordedText(text, length: length)
            }
            read(body, type, data?["params"]?.items ?? [], into: &definition, at: place)
        } else {
            readParameters(data?["params"]?.items ?? [], type, into: &definition)
            // What isn't there is named where all formats' bodies are.
            let size = length ?? request["bodySize"]?.scalar.flatMap { Int($0) } ?? 0
            if definition.body == nil, size == 0, MediaType.essence(type) == "multipart/form-data" {
                lose("the parts of the body: the recording hasn't got them", at: place)
            }
            if definition.body == nil, size > 0 { definition.headers.append(.init(name: "content-length", value: "\(size)")) }
        }
        if definition.body != nil, let type, !definition.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            definition.headers.append(.init(name: "content-type", value: Self.text(type)))
        }
    }

    /// A body that Playwright has put into a file beside the recording.
    private mutating func attached(_ file: String, at place: String) -> [UInt8]? {
        do throws(CollectionProblem) {
            guard !file.contains("/") else { throw ImportSource(path: file, bytes: []).problem("it isn't beside the recording") }
            return try files.read(file).bytes
        } catch {
            lose("the body, which is the file \(file): \(error.message)", at: place)
            return nil
        }
    }

    private mutating func read(
        _ recorded: RecordedText, _ type: String?, _ parameters: [JSONValue], into definition: inout RequestDefinition,
        at place: String
    ) {
        if MediaType.essence(type) == "multipart/form-data" {
            guard let parts = HARParts(recorded, type: type ?? "") else {
                readParameters(parameters, type, into: &definition)
                if definition.body == nil { lose("the parts of the body: the recording hasn't got them", at: place) }
                return
            }
            definition.body = .multipart(parts.parts)
            for loss in parts.losses { lose(loss, at: place) }
            // A browser leaves out what is in files.
            if parts.parts.contains(where: { if case .file = $0.content { true } else { false } }) { return }
        } else if let text = recorded.decoded(recorded.text[...]) {
            definition.body = ImportedBody.recorded(text, type: type)
        } else {
            return lose("the body: it isn't text; put it into a file, which `body: { file: … }` names", at: place)
        }
        if recorded.isChanged {
            lose("the body: the recording has another length of it than was sent, so some of its characters are others", at: place)
        }
    }

    private func readParameters(_ parameters: [JSONValue], _ type: String?, into definition: inout RequestDefinition) {
        guard !parameters.isEmpty else { return }
        guard MediaType.essence(type) == "multipart/form-data" else {
            definition.body = .form(
                parameters.map { item in
                    func decoded(_ key: String) -> String {
                        let text = item[key]?.scalar ?? ""
                        return Self.text(PercentText.decoded(text, plusIsSpace: true) ?? text)
                    }
                    return .init(name: decoded("name"), value: decoded("value"))
                })
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
    }
}

/// The text of a body in a recording, which has no place for bytes.
struct RecordedText {
    let text: String
    /// Each character stands for a byte: Firefox, Chromium and mitmproxy write so what they don't take for text.
    private(set) var isBytes = false
    /// It isn't what was sent.
    private(set) var isChanged = false

    /// - Parameter length: the bytes that were sent, where the text has another number of them.
    init(_ text: String, length: Int? = nil) {
        self.text = text
        isChanged = text.unicodeScalars.contains("\u{FFFD}")
        guard let length else { return }
        isBytes = text.unicodeScalars.count == length && text.unicodeScalars.allSatisfy { $0.value <= 0xFF }
        isChanged = !isBytes
    }

    /// A part as text; `nil`: it is none.
    func decoded(_ part: Substring) -> String? {
        guard isBytes else { return String(part) }
        return String(validating: part.unicodeScalars.map { UInt8($0.value) }, as: UTF8.self)
    }
}

/// The parts of a form that a recording has as one text.
struct HARParts {
    private(set) var parts: [BodyDefinition.Part] = []
    private(set) var losses: [String] = []
    private let recorded: RecordedText

    /// - Returns: `nil` for a text that isn't what its type says.
    init?(_ recorded: RecordedText, type: String) {
        self.recorded = recorded
        let text = recorded.text
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
        guard text.begins(with: "\r\n"), let head = text.firstRange(ofScalars: "\r\n\r\n"),
            let fields = recorded.decoded(text[..<head.lowerBound])
        else { return nil }
        let value = recorded.decoded(text[head.upperBound...])
        var part = BodyDefinition.Part(name: "", content: .text(TemplateText(value ?? "").text))
        var hasName = false
        for line in fields.lines where !line.isEmpty {
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
        let file = part.fileName.flatMap { $0.isEmpty ? nil : $0 }
        if value == nil {
            losses.append("what is in the part `\(part.name)`: it isn't text; put it into the file that the part names")
        }
        if value?.isEmpty ?? true, value == nil || file != nil { part.content = .file(file ?? part.name) }
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
