import NetworkLayer

/// Takes a Hurl file apart: requests, the sections below them, and what is said of their responses.
struct HurlReader {
    private(set) var entries: [HurlEntry] = []
    /// Lines that mean nothing where they stand.
    private(set) var losses: [(text: String, line: Int)] = []
    private var scanner: HurlScanner
    private var comments: [String] = []
    private var commentLines: [Int] = []
    private var section: Section?

    enum Section: String {
        case query, form, multipart, cookies, basicAuth, options, captures, asserts
    }

    private static let sections: [String: Section] = [
        "QueryStringParams": .query, "Query": .query, "FormParams": .form, "Form": .form, "MultipartFormData": .multipart,
        "Multipart": .multipart, "Cookies": .cookies, "BasicAuth": .basicAuth, "Options": .options, "Captures": .captures,
        "Asserts": .asserts,
    ]

    init(_ text: String) {
        scanner = HurlScanner(text)
        while !scanner.isAtEnd { readLine() }
    }

    /// Whether a text has requests with what only Hurl says about them.
    static func isFile(_ text: some StringProtocol) -> Bool {
        var hasRequest = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpace
            if isRequest(line) {
                hasRequest = true
            } else if hasRequest, responseHead(line) != nil || header(of: line).flatMap({ sections[$0] }) != nil {
                return true
            } else if line.hasPrefix("###") || line.hasPrefix("@") {
                return false
            }
        }
        return false
    }

    // MARK: Kinds of lines

    private static func isRequest(_ line: String) -> Bool {
        line.prefixMatch(of: /[A-Z]+[ \t]+[^\s:]/) != nil && responseHead(line) == nil
    }

    private static func responseHead(_ line: String) -> (version: String?, status: String?)? {
        guard let match = line.wholeMatch(of: /HTTP(?:\/(1\.0|1\.1|2|3))?[ \t]+(\*|\d+)[ \t]*(?:#.*)?/) else { return nil }
        return (match.1.map(String.init), match.2 == "*" ? nil : String(match.2))
    }

    private static func header(of line: String) -> String? {
        line.wholeMatch(of: /\[([A-Za-z]+)\][ \t]*(?:#.*)?/).map { String($0.1) }
    }

    private static func pair(_ line: String) -> (name: String, value: String)? {
        guard let match = line.prefixMatch(of: /((?:\{\{[^}]*\}\}|\\u\{[^}]*\}|\\.|[^\s:#\\{"<`])+)[ \t]*:/) else { return nil }
        return (HurlText.unescaped(String(match.1)), HurlText.value(line[match.range.upperBound...]))
    }

    // MARK: Lines

    private mutating func readLine() {
        scanner.skipSpaces()
        let line = scanner.restOfLine.trimmingSpace
        if line.isEmpty { return scanner.skipLine() }
        if line.hasPrefix("#") {
            comments.append(line.drop { $0 == "#" }.trimmingSpace)
            commentLines.append(scanner.line)
            return scanner.skipLine()
        }
        if let head = Self.responseHead(line), !entries.isEmpty {
            keepComments()
            entries[entries.count - 1].response = .init(version: head.version, status: head.status, line: scanner.line)
            section = nil
            return scanner.skipLine()
        }
        if Self.isRequest(line) { return beginEntry(line) }
        guard !entries.isEmpty else {
            losses.append(("the line `\(line)`, which is no request", scanner.line))
            return scanner.skipLine()
        }
        keepComments()
        if let name = Self.header(of: line), let section = Self.sections[name] {
            self.section = section
            return scanner.skipLine()
        }
        // What else may follow is the body that is expected.
        let isClaim = line.first?.isLetter == true || section == .captures && line.hasPrefix("{{")
        if isClaim, section == .captures || section == .asserts, entries[entries.count - 1].response != nil, readClaim() { return }
        if let pair = Self.pair(line), add(HurlEntry.Pair(name: pair.name, value: pair.value, line: scanner.line)) {
            return scanner.skipLine()
        }
        if readBody() { return }
        losses.append(("the line `\(line)`, which means nothing there", scanner.line))
        scanner.skipLine()
    }

    private mutating func beginEntry(_ line: String) {
        let method = line.prefix { $0 != " " && $0 != "\t" }
        var entry = HurlEntry(
            line: scanner.line, method: String(method), url: HurlText.value(line[method.endIndex...]))
        entry.comments = comments
        comments = []
        commentLines = []
        entries.append(entry)
        section = nil
        scanner.skipLine()
    }

    /// Comments above a line belong to the entry that goes on below them.
    private mutating func keepComments() {
        guard !entries.isEmpty else { return }
        entries[entries.count - 1].commentLines += commentLines
        comments = []
        commentLines = []
    }

    /// - Returns: whether there can be a pair of a name and a value.
    private mutating func add(_ pair: HurlEntry.Pair) -> Bool {
        let index = entries.count - 1
        switch section {
        case nil:
            if entries[index].response != nil {
                guard entries[index].response?.body == nil else { return false }
                entries[index].response?.headers.append(pair)
            } else {
                guard entries[index].body == nil else { return false }
                entries[index].headers.append(pair)
            }
        case .query: entries[index].query.append(pair)
        case .form: entries[index].form.append(pair)
        case .multipart: entries[index].multipart.append(pair)
        case .cookies: entries[index].cookies.append(pair)
        case .basicAuth: entries[index].basicAuth.append(pair)
        case .options: entries[index].options.append(pair)
        case .captures, .asserts: return false
        }
        return true
    }

    private mutating func readBody() -> Bool {
        let index = entries.count - 1
        let isOfResponse = entries[index].response != nil
        guard (isOfResponse ? entries[index].response?.body : entries[index].body) == nil else { return false }
        let line = scanner.line
        guard let content = content() else { return false }
        section = nil
        if isOfResponse {
            entries[index].response?.body = HurlBody(content: content, line: line)
        } else {
            entries[index].body = HurlBody(content: content, line: line)
        }
        return true
    }

    private mutating func content() -> HurlBody.Content? {
        if let content = scanner.fenced() ?? scanner.encoded() { return content }
        switch scanner.current {
        case "`":
            scanner.advance()
            return scanner.scan(to: "`", escapes: true).map { .text(HurlText.unescaped($0), language: nil) }
        case "<": return scanner.xml().map(HurlBody.Content.xml)
        case "{", "[", "\"": return scanner.json().map(HurlBody.Content.json)
        default:
            let line = scanner.restOfLine.trimmingSpace
            guard line.wholeMatch(of: /true|false|null|-?[\d.eE+-]+/) != nil else { return nil }
            scanner.skipLine()
            return .json(line)
        }
    }

    // MARK: Claims

    private mutating func readClaim() -> Bool {
        let start = scanner
        var claim = HurlEntry.Claim(tokens: [], text: "", line: scanner.line)
        if section == .captures {
            guard let name = scanner.restOfLine.prefixMatch(of: /((?:\{\{[^}]*\}\}|\\.|[^\s:#\\])+)[ \t]*:/) else { return false }
            claim.name = HurlText.unescaped(String(name.1))
            scanner.advance(name.0.unicodeScalars.count)
        }
        while let token = token() { claim.tokens.append(token) }
        claim.text = scanner.text(from: start.position).trimmingSpace
        guard case .word? = claim.tokens.first, scanner.isAtEnd || scanner.current == "\n" || scanner.current == "#" else {
            scanner = start
            return false
        }
        if section == .captures {
            entries[entries.count - 1].response?.captures.append(claim)
        } else {
            entries[entries.count - 1].response?.asserts.append(claim)
        }
        scanner.skipLine()
        return true
    }

    /// `nil` at the end of the line, and at what can't be one.
    private mutating func token() -> HurlToken? {
        scanner.skipSpaces()
        switch scanner.current {
        case nil, "\n", "#": return nil
        case "`":
            if case .text(let text, _)? = scanner.fenced() { return .text(text) }
            scanner.advance()
            return scanner.scan(to: "`", escapes: true).map { .text(HurlText.unescaped($0)) }
        case "\"":
            scanner.advance()
            return scanner.scan(to: "\"", escapes: true).map { .text(HurlText.unescaped($0)) }
        case "/":
            scanner.advance()
            return scanner.scan(to: "/", escapes: true).map { .regex($0.replacing(scalars: "\\/", with: "/")) }
        case "{" where scanner.begins(with: "{{"):
            scanner.advance(2)
            return scanner.scan(to: "}}", escapes: false).map { .template($0.trimmingSpace) }
        default: break
        }
        switch scanner.encoded() {
        case .bytes(let bytes)?: return .bytes(bytes)
        case .file(let path)?: return .file(path)
        default: break
        }
        let word = scanner.restOfLine.prefix { !" \t".contains($0) }
        scanner.advance(word.unicodeScalars.count)
        return word.wholeMatch(of: /-?\d+(\.\d+)?([eE][+-]?\d+)?/) != nil ? .number(String(word)) : .word(String(word))
    }
}

/// One request of a Hurl file with what is said of its response, as they stand there: `{{x}}` is a template, and the format's own escapes
/// are resolved.
struct HurlEntry {
    /// Where the request begins, from 1.
    var line: Int
    var method: String
    var url: String
    /// Those above the request.
    var comments: [String] = []
    /// The lines of the other comments.
    var commentLines: [Int] = []
    var headers: [Pair] = []
    var query: [Pair] = []
    var form: [Pair] = []
    var multipart: [Pair] = []
    var cookies: [Pair] = []
    var basicAuth: [Pair] = []
    var options: [Pair] = []
    var body: HurlBody?
    var response: Response?

    struct Pair: Hashable {
        var name: String
        var value: String
        var line: Int
    }

    struct Response {
        /// `1.1` of `HTTP/1.1`.
        var version: String?
        /// `nil` for `*`.
        var status: String?
        var line: Int
        var headers: [Pair] = []
        var captures: [Claim] = []
        var asserts: [Claim] = []
        var body: HurlBody?
    }

    /// A line of `[Captures]` or `[Asserts]`.
    struct Claim {
        /// What a capture is called.
        var name: String?
        var tokens: [HurlToken]
        /// As it stands there.
        var text: String
        var line: Int
    }
}

extension HurlEntry {
    /// All that may have templates.
    var texts: [String] {
        let requestPairs = headers + query + form + multipart + cookies + basicAuth + options
        let pairs = requestPairs + (response?.headers ?? [])
        let claims = (response?.captures ?? []) + (response?.asserts ?? [])
        let bodies = [body, response?.body].compactMap { $0?.text }
        return [url] + pairs.flatMap { [$0.name, $0.value] } + bodies + claims.map(\.text)
    }
}

extension HurlBody {
    /// What of it may have templates.
    fileprivate var text: String? {
        switch content {
        case .json(let text), .xml(let text), .text(let text, _), .file(let text): text
        case .literal, .bytes: nil
        }
    }
}

/// A body in one of the forms that a file may give it.
struct HurlBody {
    var content: Content
    var line: Int

    enum Content: Hashable {
        case json(String)
        case xml(String)
        /// Between three backticks, which may be followed by a language, or between single ones.
        case text(String, language: String?)
        /// Without templates in it.
        case literal(String, language: String?)
        case bytes([UInt8])
        /// A path.
        case file(String)
    }
}

/// A part of a line of `[Captures]` or `[Asserts]`.
enum HurlToken: Hashable {
    case word(String)
    /// In quotes or backticks, with its templates.
    case text(String)
    /// What stands between the braces.
    case template(String)
    case number(String)
    case regex(String)
    case bytes([UInt8])
    case file(String)
}
