import NetworkLayer
import RequestCollections

/// What the words of one command for curl say.
struct CurlCommandReader {
    private(set) var urls: [String] = []
    /// Standard input, where the script gives it.
    let input: String?
    private var method: String?
    private var headers: [String] = []
    private var data: [Piece] = []
    private var parts: [(text: String, isLiteral: Bool)] = []
    private var query: [String] = []
    private var upload: String?
    private var cookies: [String] = []
    private var user: String?
    private var bearer: String?
    private var scheme: String?
    private var awsProvider: String?
    private var isHead = false
    private var putsDataInURL = false
    private var isJSON = false
    private(set) var expandsGlobs = true
    private var keepsDotSegments = false
    private var settings = RequestSettings()
    private var losses: [String] = []

    /// What one option puts into the body.
    private struct Piece {
        var data: Data
        /// Behind what was there before: nothing for `--json`.
        var separator = "&"

        enum Data {
            case raw(String)
            /// Without line breaks, as `-d @file` sends it, when they are dropped.
            case file(String, dropsLineBreaks: Bool)
            case encoded(String)
        }
    }

    /// What stands in a query or a form: a pair, or something without `=`, encoded.
    private enum Field {
        case row(RequestDefinition.Row)
        case bare(String)

        var row: RequestDefinition.Row? { if case .row(let row) = self { row } else { nil } }
        var bare: String? { if case .bare(let text) = self { text } else { nil } }
    }

    init(input: String?) {
        self.input = input
    }

    mutating func read(_ words: ArraySlice<String>) {
        var words = words
        while let word = words.first {
            if word == "--" {
                urls += words.dropFirst()
                return
            }
            if word.hasPrefix("-"), word.count > 1 {
                for (name, value) in CurlOptions.take(&words) { option(name, value ?? "") }
            } else {
                urls.append(word)
                words.removeFirst()
            }
        }
    }

    // MARK: Options

    private mutating func option(_ name: String, _ value: String) {
        switch name {
        case "url": urls.append(value)
        case "request": method = value
        case "header": header(value)
        case "data", "data-ascii": add(value, dropsLineBreaks: true)
        case "data-binary": add(value, dropsLineBreaks: false)
        case "data-raw": data.append(Piece(data: .raw(value)))
        case "data-urlencode": data.append(Piece(data: .encoded(value)))
        case "json":
            add(value, dropsLineBreaks: false, separator: "")
            isJSON = true
        case "url-query": query.append(value)
        case "form": parts.append((value, false))
        case "form-string": parts.append((value, true))
        case "upload-file": upload = value
        case "get": putsDataInURL = true
        case "head": isHead = true
        case "user-agent": headers.append("User-Agent: \(value)")
        case "referer":
            let (url, more) = value.split(at: ";")
            if more == "auto" { losses.append("`-e ;auto`: the Referer of a redirect isn't set") }
            if !url.isEmpty || more == nil { headers.append("Referer: \(more == "auto" ? url : value)") }
        // curl adds the dash, with a warning.
        case "range": headers.append("Range: bytes=\(value.contains("-") ? value : value + "-")")
        case "globoff": expandsGlobs = false
        case "path-as-is": keepsDotSegments = true
        case "cookie":
            if value.contains("=") {
                cookies.append(value)
            } else {
                losses.append("the cookies of the file \(value); `cookie-jar` keeps a jar of its own")
            }
        case "cookie-jar": losses.append("the cookie jar \(value); `cookie-jar` keeps one of a name")
        case "user": user = value
        case "oauth2-bearer": bearer = value
        case "digest", "ntlm", "negotiate", "anyauth": scheme = name
        case "aws-sigv4": awsProvider = value
        case "netrc", "netrc-optional": scheme = "netrc"
        case "netrc-file":
            scheme = "netrc"
            user = value
        default:
            if !settings.readCurl(name, value), !CurlOptions.withoutMeaning.contains(name) {
                losses.append("the option \(name.count == 1 ? "-" : "--")\(name)")
            }
        }
    }

    private mutating func header(_ text: String) {
        if text.hasPrefix("@") { losses.append("the headers of the file \(text.dropFirst())") } else { headers.append(text) }
    }

    private mutating func add(_ value: String, dropsLineBreaks: Bool, separator: String = "&") {
        func append(_ piece: Piece.Data) { data.append(Piece(data: piece, separator: separator)) }
        guard value.hasPrefix("@") else { return append(.raw(value)) }
        let path = String(value.dropFirst())
        guard Self.isStandardInput(path) else { return append(.file(path, dropsLineBreaks: dropsLineBreaks)) }
        guard let input else { return losses.append("the body, which comes from standard input") }
        append(.raw(dropsLineBreaks ? input.replacing(scalars: "\r", with: "").replacing(scalars: "\n", with: "") : input))
    }

    private static func isStandardInput(_ path: String) -> Bool { path == "-" || path == "/dev/stdin" }

    // MARK: The request

    /// A request for one of the URLs.
    ///
    /// - Parameter translate: makes templates, and variables of a shell, ours.
    func request(for url: String, name: String?, _ translate: (String) -> TemplateText) -> CurlRequest {
        func text(_ text: String) -> String { translate(text).text }
        var result = CurlRequest(losses: losses)
        let url = named(keepsDotSegments ? url : CurlURL.withoutDotSegments(url))
        result.request = ImportedRequest(name: "", url: text(url))
        var definition = result.request.definition
        definition.settings = settings
        definition.settings.passphrase = settings.passphrase.map(text)
        readHeaders(into: &definition, &result.losses, text)
        readCookies(into: &definition, text)
        let added = query.flatMap { $0.hasPrefix("+") ? Self.fields($0.dropFirst(), text) : [Self.encoded($0, text)] }
        Self.add(added, to: &definition)
        let isPosted = readBody(into: &definition, losses: &result.losses, translate)
        readAuth(into: &definition, &result, text)
        let implied = isHead ? "HEAD" : upload != nil ? "PUT" : isPosted ? "POST" : "GET"
        definition.method = method ?? implied
        result.request.definition = definition
        result.request.name = name ?? "\(definition.method) \(Self.path(of: text(url)))"
        return result
    }

    /// What names a request that has no name.
    private static func path(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
        return path.count > 1 ? String(path) : String(rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" })
    }

    /// With the name of the file that is uploaded where the URL ends with a slash, as curl adds it.
    private func named(_ url: String) -> String {
        guard let upload, !Self.isStandardInput(upload), upload != ".", url.firstIndexOutsideTemplates(of: "?") == nil else {
            return url
        }
        let path = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard path.hasSuffix("/") || !path.contains("/") else { return url }
        let name = upload.split(separator: "/").last.map(PercentText.encoded) ?? ""
        return path.hasSuffix("/") ? url + name : "\(url)/\(name)"
    }

    private static func add(_ fields: [Field], to definition: inout RequestDefinition) {
        definition.query += fields.compactMap(\.row)
        for text in fields.compactMap(\.bare) {
            definition.url += (definition.url.firstIndexOutsideTemplates(of: "?") == nil ? "?" : "&") + text
        }
    }

    private func readHeaders(
        into definition: inout RequestDefinition, _ losses: inout [String], _ text: (String) -> String
    ) {
        for header in headers {
            let (name, value) = header.split(at: ":")
            if name.lowercased() == "host", value?.trimmingSpace.isEmpty == true {
                losses.append("`-H Host:`: a request always says its host")
                continue
            }
            if let value {
                // Without a value curl leaves one of its own out.
                definition.headers.append(
                    .init(name: text(name.trimmingSpace), value: text(value.trimmingSpace), isEnabled: !value.trimmingSpace.isEmpty)
                )
            } else if name.hasSuffix(";") {
                definition.headers.append(.init(name: text(String(name.dropLast())), value: ""))
            }
        }
    }

    private func readCookies(into definition: inout RequestDefinition, _ text: (String) -> String) {
        for cookie in cookies.flatMap({ $0.split(separator: ";") }) {
            let (name, value) = cookie.trimmingSpace.split(at: "=")
            if !name.isEmpty { definition.cookies.append(.init(name: text(name), value: text(value ?? ""))) }
        }
    }

    // MARK: The body

    /// - Returns: whether there is one, so that the method is POST unless something else is said.
    private func readBody(
        into definition: inout RequestDefinition, losses: inout [String], _ translate: (String) -> TemplateText
    ) -> Bool {
        func text(_ text: String) -> String { translate(text).text }
        if let upload {
            if Self.isStandardInput(upload) || upload == "." {
                if let input {
                    definition.body = .text(text(input))
                } else {
                    losses.append("the body, which comes from standard input")
                }
            } else {
                definition.body = .file(text(upload))
            }
            return true
        }
        if !parts.isEmpty {
            definition.body = .multipart(parts.map { Self.part($0.text, isLiteral: $0.isLiteral, text) })
            return true
        }
        guard !data.isEmpty else { return false }
        if putsDataInURL {
            for piece in data {
                switch piece.data {
                case .raw(let raw): Self.add(Self.fields(raw, text), to: &definition)
                case .encoded(let pair): Self.add([Self.encoded(pair, text)], to: &definition)
                case .file(let path, _): losses.append("the parameters of the file \(path)")
                }
            }
            return false
        }
        let given = definition.headers.first { $0.name.lowercased() == "content-type" }
        let type = given.flatMap { $0.isEnabled ? $0.value : nil }
        if isJSON {
            if given == nil { definition.headers.append(.init(name: "Content-Type", value: "application/json")) }
            if !definition.headers.contains(where: { $0.name.lowercased() == "accept" }) {
                definition.headers.append(.init(name: "Accept", value: "application/json"))
            }
        }
        definition.body = Self.body(
            data, type: isJSON ? type ?? "application/json" : type ?? "application/x-www-form-urlencoded", &losses, translate)
        if given == nil, !isJSON {
            if case .form = definition.body { return true }
            // So curl calls everything.
            definition.headers.append(.init(name: "Content-Type", value: "application/x-www-form-urlencoded"))
        }
        return true
    }

    private static func body(
        _ data: [Piece], type: String, _ losses: inout [String], _ translate: (String) -> TemplateText
    ) -> BodyDefinition? {
        func text(_ text: String) -> String { translate(text).text }
        if data.count == 1, case .file(let path, let dropsLineBreaks) = data[0].data {
            if dropsLineBreaks { losses.append("curl sends the file \(path) without its line breaks; here it is sent as it is") }
            return .file(text(path))
        }
        var joined = ""
        var fields: [Field] = []
        var isEncoded = false
        for piece in data {
            switch piece.data {
            case .raw(let raw):
                joined += (joined.isEmpty ? "" : piece.separator) + raw
                fields += Self.fields(raw, text)
            case .encoded(let pair):
                isEncoded = true
                fields.append(encoded(pair, text))
            case .file(let path, _): losses.append("the file \(path), which is only a part of the body")
            }
        }
        if isEncoded {
            guard fields.contains(where: { $0.bare != nil }) else { return .form(fields.compactMap(\.row)) }
            // A field without `=` is none that a form could have.
            return .text(fields.map { $0.bare ?? $0.row.map(encodedPair) ?? "" }.joined(separator: "&"))
        }
        // Neither JSON nor anything else begins a form with one of these.
        let looksLikeForm = joined.contains("=") && !joined.contains(where: \.isNewline) && !["{", "[", "<"].contains(joined.first)
        let essence = MediaType.essence(type)
        if essence == "application/x-www-form-urlencoded", !looksLikeForm { return ImportedBody.make(joined, type: nil, translate) }
        return ImportedBody.make(joined, type: type, translate)
    }

    private static func encodedPair(_ row: RequestDefinition.Row) -> String {
        func encoded(_ text: String) -> String { Template.isIn(text) ? text : PercentText.encoded(text) }
        return "\(encoded(row.name))=\(encoded(row.value))"
    }

    /// `a=1&b` of a query or form, decoded where it has a value.
    private static func fields(_ text: some StringProtocol, _ translate: (String) -> String) -> [Field] {
        text.split(separator: "&").map { pair in
            let (name, value) = pair.split(at: "=")
            guard let value else { return .bare(translate(String(pair))) }
            return .row(
                .init(
                    name: translate(PercentText.decoded(name, plusIsSpace: true) ?? name),
                    value: translate(PercentText.decoded(value, plusIsSpace: true) ?? value)))
        }
    }

    /// `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`; the name is encoded already.
    private static func encoded(_ pair: String, _ text: (String) -> String) -> Field {
        guard let mark = pair.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            let content = text(pair)
            return .bare(Template.isIn(content) ? content : PercentText.encoded(content))
        }
        let name = String(pair[..<mark])
        let rest = String(pair[pair.index(after: mark)...])
        let value = pair[mark] == "@" ? "{{file(\"\(rest)\")}}" : text(rest)
        if name.isEmpty { return .bare(Template.isIn(value) ? value : PercentText.encoded(value)) }
        return .row(.init(name: text(PercentText.decoded(name) ?? name), value: value))
    }

    /// `name=value`, `name=@file;type=t;filename=f`, `name=<file`.
    private static func part(_ argument: String, isLiteral: Bool, _ text: (String) -> String) -> BodyDefinition.Part {
        let (name, value) = argument.split(at: "=")
        var part = BodyDefinition.Part(name: text(name), content: .text(text(value ?? "")))
        guard !isLiteral, let value else { return part }
        var rest = value.first == "@" || value.first == "<" ? value.dropFirst() : value[...]
        let content = word(&rest)
        var parameters: [(String, String?)] = []
        while rest.popFirst() == ";" {
            guard let equals = rest.firstIndex(of: "=") else {
                parameters.append((String(rest), nil))
                break
            }
            let key = String(rest[..<equals]).trimmingSpace
            rest = rest[rest.index(after: equals)...]
            parameters.append((key, word(&rest)))
        }
        // A semicolon that no parameter follows is text.
        guard parameters.allSatisfy({ $0.1 != nil && ["type", "filename", "headers", "encoder"].contains($0.0) }) else {
            return part
        }
        switch value.first {
        case "@": part.content = .file(text(content))
        case "<": part.content = .text("{{file(\"\(content)\")}}")
        default: part.content = .text(text(content))
        }
        for (key, value) in parameters {
            if key == "type" { part.contentType = value.map(text) }
            if key == "filename" { part.fileName = value.map(text) }
        }
        return part
    }

    /// Up to a semicolon, or what stands in double quotes, where backslashes escape.
    private static func word(_ rest: inout Substring) -> String {
        guard rest.first == "\"", rest.dropFirst().contains("\"") else {
            let word = rest.prefix { $0 != ";" }
            rest = rest[word.endIndex...]
            return String(word)
        }
        var word = ""
        rest = rest.dropFirst()
        while let character = rest.popFirst(), character != "\"" {
            word.append(character == "\\" ? rest.popFirst() ?? character : character)
        }
        rest = rest.drop { $0 != ";" }
        return word
    }

    // MARK: Authentication

    private func readAuth(into definition: inout RequestDefinition, _ result: inout CurlRequest, _ text: (String) -> String) {
        if let bearer {
            definition.auth = .bearer(text(bearer))
            return
        }
        if scheme == "netrc" {
            definition.auth = .netrc(path: user.map(text))
            return
        }
        guard let user else {
            if scheme == "negotiate" { definition.auth = .negotiate }
            return
        }
        let (rawName, rawPassword) = user.split(at: ":")
        let name = text(rawName)
        var password = text(rawPassword ?? "")
        if rawPassword == nil, scheme != "negotiate" {
            // curl asks for it.
            let variable = VariableName.make("password_\(rawName.filter { $0.isLetter || $0.isNumber })")
            result.variables.append(ImportedVariable(variable, .prompt("Password of \(rawName)")))
            password = "{{\(variable)}}"
        }
        if let awsProvider {
            let pieces = awsProvider.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            let provider = pieces.prefix(2).joined(separator: ":")
            definition.auth = .awsSigV4(
                AWSSigV4Definition(
                    accessKey: name, secretKey: password, region: pieces.count > 2 ? pieces[2] : nil,
                    service: pieces.count > 3 ? pieces[3] : nil,
                    provider: ["", "aws:amz", "aws:"].contains(provider) ? nil : provider))
            return
        }
        switch scheme {
        case "digest", "anyauth": definition.auth = .digest(user: name, password: password)
        case "ntlm": definition.auth = .ntlm(user: name, password: password)
        case "negotiate": definition.auth = .negotiate
        default: definition.auth = .basic(user: name, password: password)
        }
    }
}

/// What a command for curl becomes.
struct CurlRequest {
    var request = ImportedRequest(name: "")
    var variables: [ImportedVariable] = []
    var losses: [String]
}
