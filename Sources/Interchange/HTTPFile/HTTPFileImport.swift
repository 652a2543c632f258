import NetworkLayer
import RequestCollections

/// `.http` and `.rest` files, as Visual Studio Code's REST Client, Visual Studio and JetBrains' HTTP Client read them.
struct HTTPFileImport: ForeignImport {
    var collection: ImportedCollection
    private var requests: Set<String> = []
    /// `@host`, which httpYac puts in front of a path.
    private var hasHost = false
    /// httpYac's files count in milliseconds.
    private var isOfHTTPYac = false
    /// The fields of answers that other requests take, by the names of requests.
    private var fields: [String: [CaptureDefinition]] = [:]

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
        reader.isOfHTTPYac = blocks.contains { block in
            !block.assertions.isEmpty || block.tags.contains { ["ref", "forceRef", "disabled", "loop", "sleep"].contains($0.name) }
        }
        for block in blocks { try reader.read(block, of: source) }
        let fields = reader.fields
        reader.collection.nodes.forEachRequest { request, _ in
            request.definition.captures += request.reference.flatMap { fields[$0] } ?? []
        }
        guard !reader.collection.nodes.isEmpty || !reader.collection.variables.isEmpty else {
            throw source.problem("has no request in it")
        }
        return reader.collection
    }

    // MARK: Texts and notes

    mutating func template(_ text: String, at place: String) -> TemplateText {
        var unknown: [(String, String)] = []
        let result = TemplateText(ForeignTemplate(text)) { inside, _ in
            switch HTTPFileTemplates.translate(inside, requests: requests) {
            case .expression(let expression): return expression
            case .text: return nil
            case .field(let name, let request, let variable):
                let isKnown = fields[request]?.contains { $0.name == variable } == true
                if !isKnown { fields[request, default: []].append(.init(name: variable, source: .header(name), location: .none)) }
                return variable
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
        let isSocket = ["WEBSOCKET", "WS", "WSS"].contains(method) || ImportedSession.isURL(url)
        guard !Self.otherProtocols.contains(method) else {
            return note(
                block.title.isEmpty ? "line \(block.line)" : block.title, "it is a request of \(method), and Turnstone speaks HTTP")
        }
        let isGraphQL = method == "GRAPHQL"
        if isGraphQL { method = "POST" }
        if isSocket { method = RequestDefinition.webSocketMethod }
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
        if isSocket {
            if let wait = request.definition.open(sending: steps(block, at: place)) { note(place, wait, isLoss: false) }
        } else {
            readBody(block, isGraphQL: isGraphQL, into: &request.definition, at: place)
        }
        request.definition.settings.savesResponse = block.output.map { self.text($0, at: place) }
        note(block.losses, of: place)
        for assertion in block.assertions {
            guard let row = Self.row(assertion.text), request.definition.adopt(assertion: row) else {
                note("\(place), line \(assertion.line)", "the assertion `\(assertion.text)`: no `expect` can say it")
                continue
            }
        }
        if let first = block.testScripts.first {
            let text = request.adopt(testScript: block.testScripts.map(\.text).joined(separator: "\n"))
            if let text { note("\(place), line \(first.line)", text) }
        }
        collection.nodes.append(.request(request))
    }

    /// An assertion of httpYac, `header content-type includes json`, as Bruno has it.
    private static func row(_ text: String) -> BrunoFile.Row? {
        let operators = [
            "==": "eq", "===": "eq", "!=": "neq", "!==": "neq", ">": "gt", ">=": "gte", "<": "lt", "<=": "lte",
            "includes": "contains",
            "contains": "contains", "startsWith": "startsWith", "endsWith": "endsWith", "matches": "matches", "exists": "isDefined",
            "isTrue": "eq true", "isFalse": "eq false", "isNumber": "isNumber", "isString": "isString", "isArray": "isArray",
        ]
        var words = text.split(separator: " ").map(String.init)[...]
        var name = ["status": "res.status", "duration": "res.responseTime", "body": "res.body"][words.popFirst() ?? ""] ?? ""
        if text.hasPrefix("header "), let header = words.popFirst() { name = "res.headers['\(header)']" }
        if name == "res.body", let path = words.first, operators[path] == nil {
            words.removeFirst()
            name += path.hasPrefix("[") ? path : ".\(path)"
        }
        guard !name.isEmpty, let sign = words.popFirst().flatMap({ operators[$0] }) else { return nil }
        return BrunoFile.Row(name: name, value: ([sign] + words).joined(separator: " "))
    }

    private mutating func note(_ losses: [(text: String, line: Int)], of request: String) {
        for loss in losses { note((request.isEmpty ? "" : "\(request), ") + "line \(loss.line)", loss.text) }
    }

    private static let otherProtocols: Set<String> = [
        "GRPC", "RSOCKET", "SSE", "EVENTSOURCE", "MQTT", "AMQP",
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
            if name.trimmingSpace.lowercased() == "authorization", header.isEnabled,
                let token = value.trimmingSpace.wholeMatch(of: /(?i)bearer\s+(\{\{\$auth\.(?:token|idToken)\("[^"]*"\)\}\})/)
            {
                definition.auth = .bearer(String(token.1))
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
        let words = value.split(separator: " ").map(String.init)
        if words.count > 2, words[0].uppercased() == "AWS", !words[2].contains(":") || words.count > 3 {
            func named(_ name: String) -> String? {
                words.dropFirst(3).first { $0.hasPrefix("\(name):") }.map { String($0.dropFirst(name.count + 1)) }
            }
            return .awsSigV4(
                AWSSigV4Definition(
                    accessKey: words[1], secretKey: words[2], sessionToken: named("token"), region: named("region"),
                    service: named("service")))
        }
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
            case "loop":
                guard let match = tag.value.wholeMatch(of: /for\s+(\d+)/), let count = Int(match.1), count > 0 else { fallthrough }
                definition.repeats = count
            case "disabled": note(place, "it is off there (`@disabled`), and requests here have no switch")
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
                if let limit = Self.limit(tag.value + (isOfHTTPYac && tag.value.allSatisfy(\.isNumber) ? "ms" : "")) {
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
}
