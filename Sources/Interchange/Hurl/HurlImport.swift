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
            guard definition.body == nil else { return ImportedBody.keepingQuery(inBodyOf: &definition) }
            note(body.line, "the variables of the GraphQL query: they aren't JSON")
            definition.body = ImportedBody.graphql(query: halves.first ?? text, operation: nil, variables: "") {
                template($0, body.line)
            }
            ImportedBody.keepingQuery(inBodyOf: &definition)
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

extension HurlImport {
    mutating func read(_ option: HurlEntry.Pair, into definition: inout RequestDefinition) {
        let text = template(option.value, option.line).text
        switch (option.name, option.value) {
        case ("retry", _), ("retry-interval", _), ("verbose", _), ("very-verbose", _), ("verbosity", _), ("path-as-is", _),
            ("location", "true"), ("location", "false"), ("location-trusted", "false"), ("compressed", "true"),
            ("compressed", "false"), ("insecure", "false"), ("skip", "false"), ("repeat", "1"), ("user", _), ("aws-sigv4", _),
            ("ntlm", "true"), ("ntlm", "false"), ("negotiate", "true"), ("negotiate", "false"), ("digest", "true"),
            ("digest", "false"), ("netrc", "true"), ("netrc", "false"), ("netrc-file", _):
            break
        case ("skip", _), ("repeat", "0"): skip(option, &definition)
        case ("repeat", _):
            // What each of many captures is a list here.
            guard let count = Int(option.value), (1...10_000).contains(count), definition.captures.isEmpty else {
                return noteOption(option)
            }
            definition.repeats = count
        case ("output", let path) where path != "-": definition.settings.savesResponse = text
        case ("header", _):
            let (name, value) = text.split(at: ":")
            definition.headers.append(.init(name: name.trimmingSpace, value: value?.trimmingSpace ?? ""))
        case ("location-trusted", "true"): definition.settings.keepAuth = .always
        case ("insecure", "true"): definition.settings.verifiesTLS = false
        case ("http1.0", "true"): definition.settings.httpVersion = .http1_0
        case ("http1.1", "true"): definition.settings.httpVersion = .http1
        case ("http2", "true"): definition.settings.httpVersion = .http2
        case ("http3", "true"): definition.settings.httpVersion = .http3
        case ("proxy", _): definition.settings.proxy = text
        case ("unix-socket", _): definition.settings.unixSocket = text
        case ("connect-to", _): definition.settings.connection.connectTo = (definition.settings.connection.connectTo ?? []) + [text]
        case ("ipv4", "true"): definition.settings.connection.family = .ipv4
        case ("ipv6", "true"): definition.settings.connection.family = .ipv6
        case ("limit-rate", _):
            guard let rate = Int(option.value), rate > 0 else { return noteOption(option) }
            definition.settings.connection.rate = rate
        case ("pinnedpubkey", _): definition.settings.pins = text.split(separator: ";").map(String.init)
        case ("cert", _):
            let parts = CertificateArgument(text)
            (definition.settings.certificate, definition.settings.passphrase) = (parts.file, parts.passphrase)
        case ("cacert", _): definition.settings.authorities = text
        case ("key", _): definition.settings.key = text
        case ("resolve", _): definition.settings.resolve = (definition.settings.resolve ?? []) + [text]
        case ("max-redirs", _):
            guard let count = Int(option.value), count >= 0 else { return noteOption(option) }
            definition.settings.maxRedirects = count
        case ("max-time", _), ("connect-timeout", _), ("delay", _):
            guard let time = Self.duration(option.value, unit: option.name == "delay" ? "ms" : "s") else {
                return noteOption(option)
            }
            switch option.name {
            case "max-time": definition.settings.timeouts.operation = .after(time)
            case "connect-timeout": definition.settings.timeouts.connect = .after(time)
            default: definition.settings.delay = DelaySetting(before: time...time)
            }
        case ("variable", _): read(variable: option)
        default: noteOption(option)
        }
    }

    /// What the options about users say together, in whatever order they stand.
    mutating func readAuth(_ options: [HurlEntry.Pair], into definition: inout RequestDefinition) {
        func text(_ name: String) -> String? {
            options.last { $0.name == name }.map { Self.template($0.value).text }
        }
        func isOn(_ name: String) -> Bool { text(name) == "true" }
        let scheme = ["digest", "ntlm", "negotiate"].first(where: isOn)
        if let user = text("user") {
            let (name, password) = user.split(at: ":")
            definition.auth = .curl(user: name, password: password ?? "", scheme: scheme, provider: text("aws-sigv4")) { $0 }
        } else if isOn("netrc") || text("netrc-file") != nil {
            definition.auth = .netrc(path: text("netrc-file"))
        } else if scheme == "negotiate" {
            definition.auth = .negotiate
        } else if let option = options.last(where: { [scheme, "aws-sigv4"].contains($0.name) }) {
            noteOption(option)
        }
    }

    /// No key means "never send this", but a condition that doesn't hold does the same.
    private mutating func skip(_ option: HurlEntry.Pair, _ definition: inout RequestDefinition) {
        var variable = "skip"
        if let match = option.value.wholeMatch(of: /\{\{\s*([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/) {
            variable = VariableName.make(String(match.1))
        } else if option.value == "true" || option.name == "repeat" {
            own.append(ImportedVariable(variable, .json(.boolean(true))))
        } else {
            return noteOption(option)
        }
        let condition = WhenDefinition.Condition(variable: variable, matcher: .equals(.boolean(false)), location: .none)
        definition.when = WhenDefinition(conditions: [condition], location: .none)
    }

    private mutating func noteOption(_ option: HurlEntry.Pair) {
        note(option.line, "the option `\(option.name): \(option.value)`")
    }

    /// A value counts from its entry on.
    private mutating func read(variable option: HurlEntry.Pair) {
        let (name, value) = option.value.split(at: "=")
        guard let value else { return noteOption(option) }
        let plain = value.hasPrefix("\"") && value.hasSuffix("\"") && value.count > 1 ? String(value.dropFirst().dropLast()) : value
        let isText = plain != value || JSONParser.parse(plain)?.isScalarButText != true
        let text = template(plain, option.line).text
        let variable = ImportedVariable(
            VariableName.make(name.trimmingSpace), isText ? .text(text) : .json(JSONParser.parse(plain) ?? .null))
        guard let known = collection.variables.first(where: { $0.name == variable.name }) else {
            return collection.variables.append(variable)
        }
        changed.removeAll { $0.name == variable.name }
        if known.value != variable.value { changed.append(variable) }
    }

    /// Hurl sends a request again while what it expects doesn't hold.
    mutating func readRetries(_ options: [HurlEntry.Pair], into definition: inout RequestDefinition) {
        guard let retry = options.last(where: { $0.name == "retry" }), retry.value != "0" else { return }
        guard let count = Int(retry.value), count == -1 || (1...10_000).contains(count), !definition.expectations.isEmpty else {
            return noteOption(retry)
        }
        let interval = options.last { $0.name == "retry-interval" }
        let pause = interval.map { Self.duration($0.value, unit: "ms") } ?? .seconds(1)
        guard let pause else { return noteOption(interval ?? retry) }
        // The number of times is what ends it, or nothing: there is a limit of time here, and none there.
        let within = count == -1 ? max(.seconds(86_400), pause * 2) : (pause + .seconds(30)) * (count + 1)
        var until = UntilDefinition(within: within, location: .none)
        (until.every, until.tries) = (.fixed(pause), count == -1 ? nil : count + 1)
        definition.until = until
    }

    private static func duration(_ text: String, unit: String) -> Duration? {
        guard let match = text.wholeMatch(of: /(\d+)\s*(ms|s|m|h)?/), let number = Int64(match.1), number < 1_000_000_000 else {
            return nil
        }
        switch match.2.map(String.init) ?? unit {
        case "ms": return .milliseconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3600)
        default: return .seconds(number)
        }
    }
}

extension JSONValue {
    /// Hurl takes a value without quotes for a number, `true`, `false` or null where it looks like one.
    fileprivate var isScalarButText: Bool {
        switch self {
        case .number, .boolean, .null: true
        case .string, .array, .object: false
        }
    }
}
