import NetworkLayer
import RequestCollections

/// `.http` and `.rest` files, as Visual Studio Code's REST Client, Visual Studio and JetBrains' HTTP Client read them.
struct HTTPFileImport {
    private var collection: ImportedCollection
    private var requests: Set<String> = []
    /// `@host`, which httpYac puts in front of a path.
    private var hasHost = false

    /// Whether a text begins as such a file does.
    static func isFile(_ text: some StringProtocol) -> Bool {
        for line in text.split(whereSeparator: \.isNewline).prefix(50) {
            let line = line.trimmingSpace
            if line.hasPrefix("###") || line.wholeMatch(of: /@[^\s=]+\s*=.*/) != nil { return true }
            if line.isEmpty || line.hasPrefix("#") || line.hasPrefix("//") || line.hasPrefix("/*") { continue }
            return line.hasPrefix("{{") || line.firstMatch(of: /^[A-Z]+\s+(https?:\/\/|\{\{|\/|[\w.-]+(:\d+)?\/)/) != nil
                || line.firstMatch(of: /^https?:\/\//) != nil
        }
        return false
    }

    static func read(_ source: ImportSource, _ text: String) throws(CollectionProblem) -> ImportedCollection {
        let start = text.drop(while: \.isWhitespace)
        // `{{` begins a script, or a URL.
        if start.hasPrefix("{"), !start.hasPrefix("{{") {
            return try HTTPEnvironments.read(source, try JSONParser.document(Array(text.utf8), path: source.path))
        }
        var reader = HTTPFileImport(collection: ImportedCollection(name: source.name))
        let blocks = HTTPFileReader(text).blocks
        reader.requests = Set(blocks.compactMap { block in block.tags.last { $0.name == "name" }?.value })
        reader.hasHost = blocks.contains { $0.variables.contains { $0.name == "host" } }
        for block in blocks { try reader.read(block, of: source) }
        guard !reader.collection.nodes.isEmpty || !reader.collection.variables.isEmpty else {
            throw source.problem("has no request in it")
        }
        return reader.collection
    }

    // MARK: Texts and notes

    private mutating func note(_ place: String, _ text: String, isLoss: Bool = true) {
        collection.notes.append(ImportNote(place, text, isLoss: isLoss))
    }

    private mutating func text(_ text: String, at place: String) -> String { template(text, at: place).text }

    private mutating func template(_ text: String, at place: String) -> TemplateText {
        var unknown: [(String, String)] = []
        let result = TemplateText(ForeignTemplate(text)) { inside, _ in
            switch HTTPFileTemplates.translate(inside, requests: requests) {
            case .expression(let expression): return expression
            case .text: return nil
            case .unknown(let variable):
                unknown.append((inside, variable))
                return variable
            }
        }
        for (inside, variable) in unknown { note(place, "{{\(inside)}} has no equivalent; it is the variable `\(variable)` now") }
        return result
    }

    // MARK: Requests

    private mutating func read(_ block: HTTPFileBlock, of source: ImportSource) throws(CollectionProblem) {
        for variable in block.variables {
            let name = VariableName.make(variable.name)
            let value = ImportedVariable.Value.text(text(variable.value, at: ""))
            if let known = collection.variables.first(where: { $0.name == name }) {
                if known.value != value {
                    note("line \(variable.line)", "the variable \(variable.name) gets another value; here it has one")
                }
            } else {
                collection.variables.append(ImportedVariable(name, value))
            }
        }
        let tag = block.tags.last { $0.name == "name" }?.value
        guard !block.target.isEmpty else {
            note(block.losses + block.testScripts.map { ("a response script without a request", $0.line) }, of: block.title)
            return
        }
        if block.target.hasPrefix("curl ") {
            let lines = [block.target] + block.headers.map(\.text) + block.body
            var commands = try CurlImport.read(source, lines.joined(separator: "\n"))
            // The program that reads these files does as a browser.
            commands.nodes.forEachRequest { request, _ in request.definition.settings.dropCurlDefaults() }
            collection.nodes += commands.nodes
            collection.variables += commands.variables
            collection.notes += commands.notes
            return
        }
        var (method, url) = Self.target(block.target)
        guard !Self.otherProtocols.contains(method), !url.hasPrefix("ws://"), !url.hasPrefix("wss://") else {
            return note(
                block.title.isEmpty ? "line \(block.line)" : block.title, "it is a request of \(method), and Turnstone speaks HTTP")
        }
        let isGraphQL = method == "GRAPHQL"
        if isGraphQL { method = "POST" }
        let version = Self.version(block.target)
        let path = url
        if url.hasPrefix("/") { url = self.base(of: block) + url }
        let title = block.title.isEmpty ? tag : block.title
        var request = ImportedRequest(name: title ?? "\(method) \(Self.path(of: path))", method: method)
        request.key = tag
        request.reference = tag
        let place = request.name
        request.definition.url = text(url, at: place)
        request.definition.description = block.comments.isEmpty ? nil : block.comments.joined(separator: "\n")
        request.definition.settings.httpVersion = version
        readHeaders(block.headers, into: &request.definition, at: place)
        readTags(block.tags, into: &request.definition, at: place)
        readBody(block, isGraphQL: isGraphQL, into: &request.definition, at: place)
        note(block.losses, of: place)
        if let first = block.testScripts.first {
            let text = request.adopt(testScript: block.testScripts.map(\.text).joined(separator: "\n"))
            if let text { note("\(place), line \(first.line)", text) }
        }
        collection.nodes.append(.request(request))
    }

    private mutating func note(_ losses: [(text: String, line: Int)], of request: String) {
        for loss in losses { note((request.isEmpty ? "" : "\(request), ") + "line \(loss.line)", loss.text) }
    }

    private static let otherProtocols: Set<String> = [
        "GRPC", "WEBSOCKET", "WS", "WSS", "RSOCKET", "SSE", "EVENTSOURCE", "MQTT", "AMQP",
    ]

    /// A path alone goes to the host of the field of that name; else, with httpYac, to what `@host` says.
    private func base(of block: HTTPFileBlock) -> String {
        let field = block.headers.first { $0.isEnabled && $0.text.lowercased().hasPrefix("host:") }
        if !hasHost, let host = field?.text.dropFirst(5).trimmingSpace {
            if Self.hasScheme(host) { return host.hasSuffix("/") ? String(host.dropLast()) : host }
            let isSecure = host.hasSuffix(":443") || host.hasSuffix(":8443")
            return "\(isSecure ? "https" : "http")://\(host)"
        }
        return "{{host}}"
    }

    private static func hasScheme(_ host: String) -> Bool {
        ["http://", "https://"].contains { host.lowercased().hasPrefix($0) }
    }

    /// `HTTP/2` behind a URL; version 1.1 is written there without meaning it.
    private static func version(_ line: String) -> HTTPVersionPreference? {
        guard let match = line.firstMatch(of: /\sHTTP\/2(\.0)?(\s*\(Prior Knowledge\))?$/) else { return nil }
        return match.2 == nil ? .http2 : .http2PriorKnowledge
    }

    /// `GET http://h/ HTTP/1.1`; the method and the version may be missing.
    private static func target(_ line: String) -> (method: String, url: String) {
        var line = line.replacing(/\s+HTTP\/[0-9.]+(\s*\(Prior Knowledge\))?$/, with: "").trimmingSpace
        guard let match = line.prefixMatch(of: /([A-Za-z-]+)\s+/), !line.hasPrefix("http") else { return ("GET", line) }
        line = String(line[match.range.upperBound...])
        return (match.1.uppercased(), line)
    }

    /// What names a request that has no name.
    private static func path(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...].drop { $0 != "/" } } ?? url[...]
        let path = String(rest.prefix { $0 != "?" }).replacing(/^\{\{[^}]*\}\}/, with: "")
        return path.isEmpty || path == "/" ? url : path
    }

    private mutating func readHeaders(
        _ headers: [HTTPFileBlock.Header], into definition: inout RequestDefinition, at place: String
    ) {
        for header in headers {
            let (name, value) = header.text.split(at: ":")
            guard let value else {
                note("\(place), line \(header.line)", "`\(header.text)`, which is no header")
                continue
            }
            let row = RequestDefinition.Row(
                name: text(name.trimmingSpace, at: place), value: text(value.trimmingSpace, at: place), isEnabled: header.isEnabled)
            if !row.isEnabled {
                definition.headers.append(row)
            } else if row.name.lowercased() == "host", Self.hasScheme(row.value) {
                // It is the start of the URL.
                if !definition.url.hasPrefix(row.value) {
                    note("\(place), line \(header.line)", "`\(header.text)`, which is no host")
                }
            } else if row.name.lowercased() == "authorization", let auth = Self.auth(row.value) {
                definition.auth = auth
            } else {
                definition.headers.append(row)
            }
        }
    }

    /// `Basic user password`, `Basic user:password` and `Digest user password` are encoded by those programs.
    private static func auth(_ value: String) -> AuthDefinition? {
        guard let match = value.wholeMatch(of: /(?i)(basic|digest)\s+([^\s:]+)(?:\s+|:\s*)(\S.*)/) else { return nil }
        let (user, password) = (String(match.2), String(match.3))
        return match.1.lowercased() == "basic" ? .basic(user: user, password: password) : .digest(user: user, password: password)
    }

    private mutating func readTags(
        _ tags: [HTTPFileBlock.Tag], into definition: inout RequestDefinition, at place: String
    ) {
        for tag in tags {
            let place = "\(place), line \(tag.line)"
            switch tag.name {
            case "name", "note", "no-log", "no-auto-encoding", "title", "description": break
            case "no-redirect": definition.settings.followRedirects = .never
            case "no-cookie-jar": break
            case "ref", "forceRef":
                definition.needs.append(NeedDefinition(name: ImportedRequest.reference(to: tag.value), location: .none))
            case "prompt":
                let (name, message) = tag.value.split(at: " ")
                let variable = VariableName.make(name)
                if !collection.variables.contains(where: { $0.name == variable }) {
                    collection.variables.append(
                        ImportedVariable(
                            variable, .text("{{prompt(\"\((message ?? name).filter { $0 != "\"" && $0 != "\\" })\")}}")))
                }
            case "timeout", "connection-timeout":
                if let limit = Self.limit(tag.value) {
                    if tag.name == "timeout" {
                        definition.settings.timeouts.idle = limit
                    } else {
                        definition.settings.timeouts.connect = limit
                    }
                } else {
                    note(place, "`@\(tag.name) \(tag.value)`")
                }
            default: note(place, "`@\(tag.name)\(tag.value.isEmpty ? "" : " \(tag.value)")`: it means nothing here")
            }
        }
    }

    /// Seconds unless there is a unit.
    private static func limit(_ text: String) -> RequestSettings.Limit? {
        guard let match = text.wholeMatch(of: /(\d+)\s*(ms|s|m)?/), let number = Int64(match.1), number < 1_000_000 else {
            return nil
        }
        let duration: Duration = match.2 == "ms" ? .milliseconds(number) : match.2 == "m" ? .seconds(number * 60) : .seconds(number)
        return duration < .milliseconds(100) ? .never : .after(duration)
    }

    // MARK: The body

    private mutating func readBody(
        _ block: HTTPFileBlock, isGraphQL: Bool, into definition: inout RequestDefinition, at place: String
    ) {
        var lines = block.body
        while lines.first?.trimmingSpace.isEmpty == true { lines.removeFirst() }
        guard !lines.isEmpty else { return }
        let type = definition.headers.first { $0.name.lowercased() == "content-type" }?.value
        let marker = definition.headers.firstIndex {
            $0.name.lowercased() == "x-request-type" && $0.value.lowercased() == "graphql"
        }
        if let marker { definition.headers.remove(at: marker) }
        if isGraphQL || marker != nil {
            let text = lines.joined(separator: "\n")
            let halves = text.split(separator: /\n\s*\n(?=\s*\{\s*("|\}))/, maxSplits: 1).map(String.init)
            let query = halves.first ?? text
            definition.body = ImportedBody.graphql(query: query, operation: nil, variables: halves.count > 1 ? halves[1] : "") {
                template($0, at: place)
            }
            guard definition.body == nil else { return }
            note(place, "the variables of the GraphQL query: they aren't JSON")
            definition.body = ImportedBody.graphql(query: query, operation: nil, variables: "") { template($0, at: place) }
            return
        }
        if MediaType.essence(type) == "multipart/form-data", let boundary = type?.firstMatch(of: /boundary="?([^";]+)/) {
            definition.body = .multipart(parts(lines, boundary: String(boundary.1), at: place))
            return
        }
        let files = lines.filter { $0.hasPrefix("< ") || $0.hasPrefix("<@") }
        if let first = files.first {
            if files.count == 1, lines.count == 1 {
                noteTemplates(ofFile: first, at: place)
                definition.body = .file(text(Self.file(first), at: place))
            } else {
                note(place, "the body, which is put together from files and text")
            }
            return
        }
        if MediaType.essence(type) == "application/x-www-form-urlencoded" {
            let joined = lines.map(\.trimmingSpace).joined()
            definition.body = ImportedBody.make(joined, type: type) { template($0, at: place) }
            return
        }
        let text = Self.withoutComments(lines, type: type) ?? lines.joined(separator: "\n")
        definition.body = ImportedBody.make(text, type: type) { template($0, at: place) }
    }

    /// The text without the lines that Visual Studio Code's REST Client takes for comments, if that makes it JSON; `nil` otherwise.
    private static func withoutComments(_ lines: [String], type: String?) -> String? {
        let essence = MediaType.essence(type)
        guard essence == nil || MediaType.isJSON(essence), JSONParser.parse(lines.joined(separator: "\n")) == nil else {
            return nil
        }
        let rest = lines.filter { HTTPFileReader.comment($0.trimmingSpace) == nil }.joined(separator: "\n")
        return rest.count < lines.joined(separator: "\n").count && JSONParser.parse(rest) != nil ? rest : nil
    }

    /// `< path`, `<@ path` and `<@latin1 path`.
    private static func file(_ line: String) -> String {
        String(line.dropFirst().drop { !$0.isWhitespace }).trimmingSpace
    }

    /// `<@` fills in variables in the file itself, in an encoding that may stand behind it.
    private mutating func noteTemplates(ofFile line: String, at place: String) {
        guard line.hasPrefix("<@") else { return }
        note(place, "`\(line)`: variables in that file aren't filled in here, and its bytes are sent as they are")
    }

    /// RFC 7578, as people type it.
    private mutating func parts(_ lines: [String], boundary: String, at place: String) -> [BodyDefinition.Part] {
        var parts: [BodyDefinition.Part] = []
        for section in lines.split(whereSeparator: { $0.hasPrefix("--\(boundary)") }) {
            let head = section.prefix { !$0.trimmingSpace.isEmpty }
            var content = Array(section[head.endIndex...].dropFirst())
            while content.last?.trimmingSpace.isEmpty == true { content.removeLast() }
            func field(_ name: String) -> String? {
                head.first { $0.lowercased().hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)).trimmingSpace }
            }
            guard let disposition = field("content-disposition"),
                let name = disposition.firstMatch(of: /[; ]name="?([^";]+)/).map({ String($0.1) })
            else { continue }
            let fileName = disposition.firstMatch(of: /filename="?([^";]+)/).map { String($0.1) }
            let file =
                content.count == 1 && (content[0].hasPrefix("< ") || content[0].hasPrefix("<@")) ? Self.file(content[0]) : nil
            if file != nil { noteTemplates(ofFile: content[0], at: place) }
            let body: BodyDefinition.Part.Content =
                file.map { .file(text($0, at: place)) } ?? .text(text(content.joined(separator: "\n"), at: place))
            // The name of the file itself goes without saying.
            let ownName = file?.split(separator: "/").last.map(String.init)
            parts.append(
                .init(
                    name: text(name, at: place), content: body,
                    fileName: fileName == ownName ? nil : fileName.map { text($0, at: place) },
                    contentType: field("content-type").map { text($0, at: place) }))
        }
        return parts
    }
}
