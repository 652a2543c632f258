import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI
import WebSockets

/// What a command line of `send` comes to: the request, how it is sent, and what is to be said about it before.
struct SendPlan: Sendable {
    var request: Request
    var configuration: RequestConfiguration
    var priority = Priority.normal
    /// Said on standard error: options that were understood and do nothing here.
    var notes: [String] = []
    var retry: RetryRules?
    var continuation: Continuation?
    /// What of a whole answer is wanted; with a range none.
    var timeCondition: TimeCondition?
    /// Answers a server that asks who we are.
    var credentials: (any ChallengeHandler)?
    /// How the session is kept, with a URL of a WebSocket.
    var session: WebSocket.Options?
    /// A policy for stored answers was named.
    var usesCache = false

    /// - Parameters:
    ///   - input: for `@-`.
    ///   - strictHosts: of `--hsts`.
    ///   - now: for dates with two digits of a year.
    init(
        _ arguments: SendArguments, _ strictHosts: StrictHosts? = nil, reading input: any ByteInput, now: Date = Date()
    ) throws {
        try Continuation.check(arguments)
        let files = InputFiles(standardInput: input)
        let body = try SendBody(arguments, reading: files)
        let (written, spelling) = try Self.url(arguments, data: body.query, reading: files)
        let url = strictHosts?.strict(written, at: now) ?? written
        let (headers, omitted, mayExpect) = try SendHeaders(arguments, body: body, reading: files, now: now).fields()
        request = Request(url: url, method: try Self.method(arguments, body: body), headers: headers, body: body.body)
        configuration = try Self.configuration(arguments, url: url)
        if url == written { configuration.transport.wire.spelling = spelling }
        if strictHosts != nil, configuration.redirects.policy == .always { configuration.redirects.policy = .delegate }
        retry = try Self.retryRules(arguments)
        configuration.retry = retry.map { [$0] } ?? []
        configuration.transport.omittedHeaders = omitted
        configuration.transport.expectsContinue = mayExpect && Self.isLong(body.body)
        if arguments.choosesScheme { credentials = try ServerChoice(arguments, url: url) }
        continuation = try Continuation(arguments, OutputNames(arguments: arguments, spelling: spelling).file(for: url, nil))
        if let continuation, request.headers[.range] == nil { request.headers[.range] = continuation.range }
        if let text = arguments.timeCondition {
            let condition = TimeCondition(text, now: now)
            if condition == nil { notes.append(TimeCondition.note(text)) }
            timeCondition = request.headers[.range] == nil ? condition : nil
        }
        if Self.isWebSocket(arguments.url) { session = try session(arguments) }
        if arguments.hasSurplusOutput { notes.append("There are more of -o and -O than URLs: the first is taken.") }
        try applySettings(of: arguments, reading: files)
    }

    /// Whether it is worth to ask a server first whether it wants it.
    private static func isLong(_ body: RequestBody) -> Bool {
        let length: Int64? =
            switch body {
            case .file(let file): FilePaths.size(file.path)
            case .none, .data, .stream: body.length
            }
        return length.map { $0 > 1 << 20 } ?? true
    }

    // MARK: WebSocket

    private static func isWebSocket(_ url: String?) -> Bool {
        guard let start = url?.prefix(6).lowercased() else { return false }
        return start.hasPrefix("ws://") || start == "wss://"
    }

    private func session(_ arguments: SendArguments) throws -> WebSocket.Options {
        guard request.method == .get, request.body == .none else {
            throw CommandFailure(
                .usage,
                "A WebSocket is opened by a GET without a body: its messages are the lines of standard input. Leave out what gives the request a method or a body."
            )
        }
        var options = WebSocket.Options()
        if let size = arguments.maximumSize { options.messageLimit = size == 0 ? .max : size }
        return options
    }

    // MARK: The URL

    /// - Returns: also how the URL was written, where it can't hold that: with brackets, say.
    private static func url(_ arguments: SendArguments, data: String?, reading files: InputFiles) throws -> (URL, URLSpelling?) {
        guard let given = arguments.url else {
            throw CommandFailure(
                .usage, "send takes a URL: turnstone send [OPTIONS] \(SendHelp.operands). `turnstone send --help` shows examples.")
        }
        var parts = URLPieces(given, defaultScheme: arguments.defaultScheme ?? "http")
        if isWebSocket(given) { parts.start = "http" + parts.start.dropFirst(2) }
        if !arguments.keepsPath { parts.removeDotSegments() }
        // As curl: the name of the file is added to a URL that ends like a directory.
        if let upload = arguments.upload, upload != "-", upload != ".", parts.path.isEmpty || parts.path.ends(with: "/"),
            let name = upload.pieces(at: "/").last
        {
            parts.path = (parts.path.isEmpty ? "/" : parts.path) + URLCoding.percentEncoded(name.utf8)
        }
        let added = try arguments.query.map { try DataEncoding.query(of: $0, reading: files) } + [data].compactMap(\.self)
        for piece in added where !piece.isEmpty {
            // An ampersand that is there already serves.
            parts.query = parts.query.map { $0.isEmpty || $0.hasSuffix("&") ? $0 + piece : "\($0)&\(piece)" } ?? piece
        }
        guard let url = URL(international: parts.text), let host = url.host(), !host.isEmpty else {
            throw CommandFailure(.usage, "\(given) is not a URL. It takes http://HOST or https://HOST, with a path.")
        }
        let schemes = arguments.schemes ?? ["http", "https"]
        guard let scheme = url.scheme?.lowercased(), schemes.contains(scheme) || !["http", "https"].contains(scheme) else {
            throw CommandFailure(.usage, "\(given): --proto leaves \(url.scheme ?? "it") out.")
        }
        if arguments.refusesUserInURL, url.user() != nil || url.password() != nil {
            throw CommandFailure(
                .usage, "\(URLText.line(given).text) has a name in it, and --disallow-username-in-url refuses that. Use -u.")
        }
        return (url, spelling(of: parts, for: url, arguments))
    }

    /// Its path and query, as curl sends them.
    ///
    /// - Returns: `nil` also where a signature is made of what the URL holds.
    private static func spelling(of parts: URLPieces, for url: URL, _ arguments: SendArguments) -> URLSpelling? {
        func target(_ parts: URLPieces) -> String { (parts.path.isEmpty ? "/" : parts.path) + (parts.query.map { "?\($0)" } ?? "") }
        let written = target(parts)
        guard arguments.scheme == nil || arguments.scheme == .basic, !arguments.choosesScheme,
            written.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }), written != target(URLPieces(url.absoluteString))
        else { return nil }
        return URLSpelling(url: url.absoluteString, target: written)
    }

    private static func method(_ arguments: SendArguments, body: SendBody) throws -> HTTPRequest.Method {
        let implied =
            if arguments.head { "HEAD" } else if arguments.upload != nil { "PUT" } else { body.isPosted ? "POST" : "GET" }
        let name = arguments.method ?? implied
        guard let method = HTTPRequest.Method(name) else {
            throw CommandFailure(.usage, "\(name) is not a method: it has characters that no method can have.")
        }
        return method
    }
}

/// Files that arguments name, and `-` for standard input.
struct InputFiles: Sendable {
    var standardInput: any ByteInput

    func contents(_ path: String) throws -> Data {
        try input(path).readToEnd()
    }

    /// What is read once, from its beginning to its end: files of any kind.
    func input(_ path: String) throws -> any ByteInput {
        if path == "-" { return standardInput }
        do throws(InputFailure) {
            guard !FilePaths.isDirectory(path) else { throw InputFailure(name: path, errno: EISDIR) }
            if let input = standardInput as? RepeatedInput, !FilePaths.isRegularFile(path) { return try input.pipe(path) }
            return try FileInput(path: path)
        } catch {
            throw Self.missing(path)
        }
    }

    func text(_ path: String) throws -> String {
        let data = try contents(path)
        guard let text = String(validating: data, as: UTF8.self) else {
            throw CommandFailure(.file, "\(path) is not text in UTF-8.")
        }
        return text
    }

    /// The path itself, once it is sure that it can be read.
    func existing(_ path: String) throws -> String {
        guard FilePaths.isReadable(path) else { throw Self.missing(path) }
        return path
    }

    static func missing(_ path: String) -> CommandFailure {
        CommandFailure(.file, "Can't read \(path). Does it exist, and may you read it?")
    }
}

/// The parts of a URL as it was written.
struct URLPieces: Hashable {
    /// Scheme and authority.
    var start: String
    var path: String
    var query: String?
    /// With its `#`.
    var fragment: String

    init(_ text: String, defaultScheme: String = "http") {
        // As in curl, one slash will do.
        var text = text
        let head = text.prefix(8).lowercased()
        if let scheme = ["http:/", "https:/"].first(where: { head.hasPrefix($0) && head != $0 && !head.hasPrefix("\($0)/") }) {
            text.insert("/", at: text.index(text.startIndex, offsetBy: scheme.count))
        }
        // HTTPie's shorthand for this machine: `:8080/x`, `:/x`.
        if text.hasPrefix(":"), !text.hasPrefix("::") {
            let port = text.dropFirst().prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            text = "localhost" + (port.isEmpty ? text.dropFirst() : text[...])
        }
        // A URL without a scheme may have another URL in its query.
        if !Self.hasScheme(text) { text = "\(defaultScheme)://" + text }
        let parts = text.halves(at: "#")
        let whole = parts?.before ?? text[...]
        fragment = parts.map { "#\($0.behind)" } ?? ""
        let halves = whole.halves(at: "?")
        query = halves.map { String($0.behind) }
        let rest = halves?.before ?? whole
        let host = rest.unicodeScalars.firstRange(of: "://".unicodeScalars)?.upperBound ?? rest.startIndex
        let slash = rest[host...].unicodeScalars.firstIndex(of: "/") ?? rest.endIndex
        start = String(rest[..<slash])
        path = String(rest[slash...])
    }

    /// `https://` and the like at its beginning: RFC 3986, section 3.1.
    static func hasScheme(_ text: String) -> Bool {
        let bytes = text.utf8
        let rest = bytes.drop {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard let first = bytes.first, rest.starts(with: "://".utf8) else { return false }
        return (0x41...0x5A).contains(first) || (0x61...0x7A).contains(first)
    }

    var text: String { start + path + (query.map { "?\($0)" } ?? "") + fragment }

    /// RFC 3986, section 5.2.4.
    mutating func removeDotSegments() {
        let segments = path.pieces(at: "/")
        guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return }
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": break
            case "..": if kept.count > 1 { kept.removeLast() }
            default: kept.append(segment)
            }
        }
        if segments.last == "." || segments.last == ".." { kept.append("") }
        path = kept.joined(separator: "/")
    }
}
