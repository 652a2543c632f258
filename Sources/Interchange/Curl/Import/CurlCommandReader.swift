import NetworkLayer
import RequestCollections

/// What the words of one command for curl say.
struct CurlCommandReader {
    private(set) var urls: [String] = []
    /// Standard input, where the script gives it.
    let input: String?
    private var method: String?
    private var headers: [String] = []
    private(set) var data: [Piece] = []
    private(set) var parts: [(text: String, isLiteral: Bool)] = []
    private var query: [String] = []
    /// Each is for one URL.
    private var uploads: [String] = []
    /// The file of the URL that a request is made for.
    private(set) var upload: String?
    private var cookies: [String] = []
    private(set) var user: String?
    private(set) var bearer: String?
    private var proxyUser: String?
    private(set) var scheme: String?
    private(set) var awsProvider: String?
    private(set) var usesNetrc = false
    private(set) var netrcFile: String?
    private var isHead = false
    private(set) var putsDataInURL = false
    private(set) var isJSON = false
    private(set) var expandsGlobs = true
    private var keepsDotSegments = false
    private var followsRedirects = false
    private var isCompressed = false
    private var settings = RequestSettings()
    private var losses: [String] = []

    /// What one option puts into the body.
    struct Piece {
        var data: Data
        /// What separates it from earlier data: nothing for `--json`.
        var separator = "&"

        enum Data {
            case raw(String)
            /// Without line breaks, as `-d @file` sends it, when they are dropped.
            case file(String, dropsLineBreaks: Bool)
            case encoded(String)
        }
    }

    /// The values that the script gives to variables.
    private let values: [String: String]

    /// Whether JSON is sent to the byte, which makes it a text in the file unless it is laid out as ours.
    let keepsLayout: Bool

    init(input: String?, values: [String: String] = [:], keepsLayout: Bool = false) {
        self.input = input
        self.values = values
        self.keepsLayout = keepsLayout
    }

    /// Takes words up to `--next`.
    mutating func read(_ words: inout ArraySlice<String>) {
        while let word = words.first {
            if word == "--" {
                urls += words.dropFirst()
                words = []
                return
            }
            guard word.hasPrefix("-"), word.count > 1 else {
                urls.append(word)
                words.removeFirst()
                continue
            }
            let options = CurlOptions.parse(&words)
            for (name, value) in options { option(name, value ?? "") }
            if options.contains(where: { $0.name == "next" }) { return }
        }
    }

    /// For one of the URLs; those behind the last file have none.
    func uploading(at index: Int) -> CurlCommandReader {
        var reader = self
        reader.upload = index < uploads.count && !uploads[index].isEmpty ? uploads[index] : nil
        if index == 0, uploads.count > urls.count {
            reader.losses += uploads.dropFirst(urls.count).map { "the file \($0), for which there is no URL" }
        }
        return reader
    }

    /// What a variable alone stands for, as far as the script says it.
    private func known(_ text: String) -> String { ShellVariable.name(of: text).flatMap { values[$0] } ?? text }

    // MARK: Options

    private mutating func option(_ name: String, _ value: String) {
        switch name {
        case "url": urls.append(value)
        case "request": method = known(value)
        case "header": header(known(value))
        case "data", "data-ascii": add(value, dropsLineBreaks: true)
        case "data-binary": add(value, dropsLineBreaks: false)
        case "data-raw": data.append(Piece(data: .raw(value)))
        case "data-urlencode": data.append(Piece(data: .encoded(value)))
        case "json":
            add(value, dropsLineBreaks: false, separator: "")
            isJSON = true
        case "url-query": query.append(value)
        case "form": parts.append((value.unicodeScalars.contains("=") ? value : known(value), false))
        case "form-string": parts.append((value, true))
        case "upload-file": uploads.append(value)
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
        case "location", "follow": followsRedirects = true
        case "no-location": followsRedirects = false
        case "compressed": isCompressed = true
        case "no-compressed": isCompressed = false
        case "location-trusted":
            followsRedirects = true
            settings.keepAuth = .always
        case "next": break
        case "cookie":
            let value = known(value)
            if value.unicodeScalars.contains("=") {
                cookies.append(value)
            } else {
                losses.append("the cookies of the file \(value); `cookie-jar` keeps a jar of its own")
            }
        case "cookie-jar": losses.append("the cookie jar \(value); `cookie-jar` keeps one of a name")
        case "user": user = value
        case "oauth2-bearer": bearer = value
        case "proxy-user": proxyUser = value
        case "digest", "ntlm", "negotiate", "anyauth": scheme = name
        case "aws-sigv4": awsProvider = value
        case "netrc", "netrc-optional": usesNetrc = true
        case "netrc-file": (usesNetrc, netrcFile) = (true, value)
        default:
            if !settings.readCurl(name, value), !CurlOptions.withoutMeaning.contains(name) {
                losses.append("the option \(name.count == 1 ? "-" : "--")\(name)")
            }
        }
    }

    private mutating func header(_ text: String) {
        if text.hasPrefix("@") {
            losses.append("the headers of the file \(text.dropFirst())")
        } else if ShellVariable.isIn(text), text.firstIndexOutsideTemplates(of: ":") == nil, !text.hasSuffix(";") {
            losses.append("the header `\(text)`: its name is in a variable")
        } else {
            headers.append(text)
        }
    }

    private mutating func add(_ value: String, dropsLineBreaks: Bool, separator: String = "&") {
        func append(_ piece: Piece.Data) { data.append(Piece(data: piece, separator: separator)) }
        // A script may have the name of a file in a variable.
        let value = known(value).hasPrefix("@") ? known(value) : value
        guard value.hasPrefix("@") else { return append(.raw(value)) }
        let path = String(value.dropFirst())
        guard Self.isStandardInput(path) else { return append(.file(path, dropsLineBreaks: dropsLineBreaks)) }
        guard let input else { return losses.append("the body, which comes from standard input") }
        append(.raw(dropsLineBreaks ? input.replacing(scalars: "\r", with: "").replacing(scalars: "\n", with: "") : input))
    }

    static func isStandardInput(_ path: String) -> Bool { path == "-" || path == "/dev/stdin" }

    // MARK: The request

    /// A request for one of the URLs.
    ///
    /// - Parameter translate: makes templates, and variables of a shell, ours.
    func request(for url: String, name: String?, _ translate: (String) -> TemplateText) -> CurlRequest {
        func text(_ text: String) -> String { translate(text).text }
        var result = CurlRequest(losses: losses)
        // A fragment is never sent, and what is added to the query comes before it.
        let whole = url.firstIndexOutsideTemplates(of: "#").map { String(url[..<$0]) } ?? url
        let target = named(keepsDotSegments ? whole : CurlURL.withoutDotSegments(whole), &result.losses)
        result.request = ImportedRequest(name: "", url: text(target))
        var definition = result.request.definition
        definition.settings = settings
        definition.settings.applyCurlDefaults(followsRedirects: followsRedirects, isCompressed: isCompressed)
        definition.settings.mapTexts(text)
        if let proxyUser, definition.settings.proxy != "", !Self.put(translate(proxyUser), into: &definition.settings.proxy) {
            result.losses.append("the option --proxy-user")
        }
        readHeaders(into: &definition, &result.losses, text)
        readCookies(into: &definition, &result.losses, text)
        let added = query.flatMap { text in
            text.unicodeScalars.first == "+"
                ? Self.fields(String(text.unicodeScalars.dropFirst()), translate) : encoded(text, &result.losses, translate)
        }
        Self.add(added, to: &definition, &result.losses)
        let isPosted = readBody(into: &definition, losses: &result.losses, translate)
        readAuth(into: &definition, &result, text)
        let implied = isHead ? "HEAD" : upload != nil ? "PUT" : isPosted ? "POST" : "GET"
        let isVariable = method.map { ShellVariable.isIn($0) } ?? false
        if isVariable, let method { result.losses.append("the method `\(method)`; it became \(implied)") }
        definition.method = isVariable ? implied : method ?? implied
        if ImportedSession.isURL(text(target)) {
            if definition.body != nil || definition.method != "GET" {
                let body = definition.body == nil ? "" : ", and its body"
                result.losses.append("the method \(definition.method)\(body): a WebSocket opens with a GET")
            }
            definition.open(sending: [])
            definition.body = nil
        }
        result.repeatsMethod =
            followsRedirects && method != nil && (!["GET", "HEAD"].contains(method) || definition.body != nil)
        result.request.definition = definition
        result.request.name = name ?? "\(definition.method) \(RequestName.path(of: text(target)))"
        return result
    }

    /// - Returns: whether there is a proxy, without a name of its own.
    private static func put(_ user: TemplateText, into proxy: inout String?) -> Bool {
        guard let text = proxy, !text.isEmpty, !text.contains("@") else { return false }
        let halves = user.split(at: ":", most: 1).map(\.percentEncoded.text)
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        proxy = text[..<start] + "\(halves[0]):\(halves.count > 1 ? halves[1] : "")@" + text[start...]
        return true
    }

    /// With the name of the file that is uploaded where the URL ends with a slash, as curl adds it.
    private func named(_ url: String, _ losses: inout [String]) -> String {
        guard let upload, !Self.isStandardInput(upload), upload != ".", url.firstIndexOutsideTemplates(of: "?") == nil else {
            return url
        }
        let path = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        guard path.hasSuffix("/") || !path.contains("/") else { return url }
        let last = upload.pieces(at: "/").last { !$0.isEmpty } ?? ""
        let isVariable = ShellVariable.isIn(last)
        if isVariable {
            losses.append("curl adds to the URL only the last part of the path that `\(last)` stands for; here all of it")
        }
        let name = isVariable ? String(last) : PercentText.encoded(last)
        return path.hasSuffix("/") ? url + name : "\(url)/\(name)"
    }

    /// Rows, as far as they are; the last text that is none, and what comes before it, go into the URL, to keep the order.
    static func add(_ fields: [Field], to definition: inout RequestDefinition, _ losses: inout [String]) {
        let all = definition.query.map(Field.row) + encodable(fields, &losses)
        var count = all.lastIndex { $0.bare != nil }.map { $0 + 1 } ?? 0
        // What is empty takes the separator behind it along.
        if count > 0, all[count - 1].bare?.isEmpty == true { count = all.count }
        definition.query = all.dropFirst(count).compactMap(\.row)
        guard count > 0 else { return }
        let hasQuery = definition.url.firstIndexOutsideTemplates(of: "?") != nil
        let isOpen = definition.url.hasSuffix("?") || definition.url.hasSuffix("&")
        definition.url += (!hasQuery ? "?" : isOpen ? "" : "&") + text(of: all.prefix(count))
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
                // A header without a value makes curl leave out its own header of that name.
                definition.headers.append(
                    .init(name: text(name.trimmingSpace), value: text(value.trimmingSpace), isEnabled: !value.trimmingSpace.isEmpty)
                )
            } else if name.hasSuffix(";") {
                definition.headers.append(.init(name: text(String(name.dropLast())), value: ""))
            }
        }
    }

    private func readCookies(
        into definition: inout RequestDefinition, _ losses: inout [String], _ text: (String) -> String
    ) {
        guard !cookies.isEmpty else { return }
        guard !definition.headers.contains(where: { $0.name.lowercased() == "cookie" }) else {
            losses.append("the cookies of `-b`, which curl leaves out, too, beside a header `Cookie`")
            return
        }
        let pieces = cookies.flatMap { $0.pieces(at: ";") }.map(\.trimmingSpace).filter { !$0.isEmpty }
        // curl sends what it is given; not all of that is pairs.
        guard pieces.allSatisfy(Self.isCookie) else {
            definition.headers.append(.init(name: "Cookie", value: text(cookies.joined(separator: ";"))))
            return
        }
        for piece in pieces {
            let (name, value) = piece.split(at: "=")
            definition.cookies.append(.init(name: text(name), value: text(value ?? "")))
        }
    }

    private static func isCookie(_ text: String) -> Bool {
        guard let (name, _) = text.halves(at: "="), !name.isEmpty else { return false }
        return ShellVariable.isIn(name) || Template.isIn(String(name))
            || !name.unicodeScalars.contains { "\" \t,".unicodeScalars.contains($0) }
    }
}

/// What a command for curl becomes.
struct CurlRequest {
    var request = ImportedRequest(name: "")
    var variables: [ImportedVariable] = []
    var losses: [String]
    /// Its method is said, and curl says it again after each redirect.
    var repeatsMethod = false
}
