package import Base
import HTTPTypes
package import NetworkLayer

extension HARDocument {
    /// What an operation did, as entries.
    package struct Exchange: Sendable {
        package var metrics: OperationMetrics
        /// The decoded body of the last attempt; `nil` when it was not kept.
        package var body: Data?

        package init(_ metrics: OperationMetrics, body: Data? = nil) {
            self.metrics = metrics
            self.body = body
        }
    }

    /// What may not be shown, and how it is written instead.
    package struct Masking: Sendable {
        /// A field's value, by its name.
        package var field: @Sendable (_ name: String, _ value: String) -> String
        package var url: @Sendable (String) -> String
        /// What is secret in a body by its name.
        package var body: @Sendable (_ body: Data, _ type: String?) -> Data
        /// Any text that is no body.
        package var text: @Sendable (String) -> String
        /// The bytes of a body, whatever encoding its type names.
        package var bytes: @Sendable (_ body: Data, _ type: String?) -> Data

        package init(
            field: @escaping @Sendable (_ name: String, _ value: String) -> String, url: @escaping @Sendable (String) -> String,
            body: @escaping @Sendable (_ body: Data, _ type: String?) -> Data = { Redaction.standard.bytes($0, type: $1) },
            text: @escaping @Sendable (String) -> String, bytes: (@Sendable (_ body: Data, _ type: String?) -> Data)? = nil
        ) {
            self.field = field
            self.url = url
            self.body = body
            self.text = text
            self.bytes = bytes ?? { data, _ in String(validating: data, as: UTF8.self).map { Data(text($0).utf8) } ?? data }
        }

        /// A URL, in which the mask is percent-encoded, as all is there that isn't ASCII (RFC 3986).
        func ascii(_ url: String) -> String {
            self.url(url).replacing(Redactor.mask, with: String(repeating: "%E2%80%A2", count: Redactor.mask.count))
        }

        /// Shows everything.
        package static let none = Masking(field: { $1 }, url: { $0 }, body: { body, _ in body }, text: { $0 })
    }

    /// One entry for each attempt of each operation, by the time at which they began.
    package init(_ exchanges: [Exchange], creator: Creator, masking: Masking) {
        let entries = exchanges.flatMap { exchange in
            exchange.metrics.attempts.map { attempt in
                let isLast = attempt.number == exchange.metrics.attempts.last?.number
                return Entry(
                    attempt, startedAt: exchange.metrics.date(of: attempt.start), body: isLast ? exchange.body : nil,
                    masking: masking)
            }
        }
        log = Log(version: "1.2", creator: creator, entries: entries.sorted { $0.startedDateTime < $1.startedDateTime })
    }

    /// Pretty-printed, members by name, with a line end.
    package func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }
}

extension HARDocument.Entry {
    fileprivate init(_ attempt: AttemptMetrics, startedAt date: Date, body: Data?, masking: HARDocument.Masking) {
        // It is cut to milliseconds, not rounded.
        startedDateTime = date.addingTimeInterval(0.0005).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt))
        let timings = attempt.harTimings
        time = timings.total
        self.timings = HARDocument.Timings(
            blocked: timings.blocked, dns: timings.dns, connect: timings.connect, send: timings.send, wait: timings.wait,
            receive: timings.receive, ssl: timings.ssl)
        let version = attempt.head?.version ?? attempt.connection?.httpVersion ?? "unknown"
        request = HARDocument.Request(attempt, version: version, masking: masking)
        response = HARDocument.Response(attempt, version: version, body: body, masking: masking)
        serverIPAddress = attempt.connection.flatMap { Self.address($0.remoteAddress) }
        connection = attempt.connection.map { String($0.id) }
        _kind = attempt.kind == .initial ? nil : attempt.kind.rawValue
        _error = attempt.error.map { masking.text("\($0.type): \($0.message)") }
    }

    /// Without the port and brackets; `nil` for the path of a Unix socket.
    private static func address(_ text: String) -> String? {
        guard !text.hasPrefix("/"), let colon = text.lastIndex(of: ":") else { return nil }
        return text[..<colon].filter { $0 != "[" && $0 != "]" }
    }
}

extension HARDocument.Request {
    fileprivate init(_ attempt: AttemptMetrics, version: String, masking: HARDocument.Masking) {
        let request = attempt.request
        method = request.method.rawValue
        // Without the fragment, which is no part of what is asked for.
        url = masking.ascii(String(request.url.absoluteString.prefix { $0 != "#" }))
        httpVersion = version
        headers = Self.sent(attempt).map { .init(name: $0.name, value: masking.field($0.name, $0.value)) }
        // The cookies of the fields that went: the jar's cookies aren't in the request.
        cookies = Self.cookies(in: headers)
        // Masked as a whole: in one of its parts a secret with an ampersand wouldn't be found.
        queryString = URL(string: url).map(Self.query) ?? []
        headersSize = attempt.bytes.requestHead > 0 ? attempt.bytes.requestHead : -1
        bodySize = attempt.bytes.requestHead > 0 ? attempt.bytes.requestBody : request.body.length ?? -1
        postData = Self.postData(request, masking: masking)
    }

    static func cookies(in headers: [HARDocument.Field]) -> [HARDocument.Cookie] {
        headers.filter { $0.name.lowercased() == "cookie" }.flatMap { field in
            field.value.split(separator: ";").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return HARDocument.Cookie(
                    name: String(parts[0].drop { $0 == " " }), value: parts.count == 2 ? String(parts[1]) : "")
            }
        }
    }

    /// The fields as they went over the wire; as they were asked for when nothing went.
    private static func sent(_ attempt: AttemptMetrics) -> [HARDocument.Field] {
        guard let head = attempt.sentHead else {
            return attempt.request.headers.map { .init(name: $0.name.rawName, value: $0.value) }
        }
        return head.split(whereSeparator: \.isNewline).dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[colon...].dropFirst().drop { $0 == " " }
            return HARDocument.Field(name: String(line[..<colon]), value: String(value))
        }
    }

    static func query(_ url: URL) -> [HARDocument.Field] {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        return items.map { .init(name: $0.name, value: $0.value ?? "") }
    }

    static func postData(_ request: Request, masking: HARDocument.Masking) -> HARDocument.PostData? {
        let contentType = request.headers[.contentType]
        let type = contentType ?? ""
        switch request.body {
        case .none: return nil
        case .data(let data):
            // As bytes: text in UTF-8 may be text in another encoding as well.
            let masked = masking.bytes(masking.body(data, contentType), contentType)
            guard let text = HARDocument.text(of: masked, maskedIn: data) else {
                return HARDocument.PostData(
                    mimeType: type, params: [], text: masked.base64EncodedString(), _encoding: "base64",
                    comment: "\(data.count) bytes that aren't text")
            }
            return HARDocument.PostData(mimeType: type, params: [], text: text)
        case .file(let file): return HARDocument.PostData(mimeType: type, params: [], text: "", comment: "the file \(file.path)")
        case .stream: return HARDocument.PostData(mimeType: type, params: [], text: "", comment: "a stream")
        }
    }
}

extension HARDocument {
    /// `nil` for what is no text. A body that was decoded to be masked begins with a byte order mark, which is no part of a text in HAR.
    fileprivate static func text(of masked: Data, maskedIn data: Data) -> String? {
        let isMarked = masked != data && masked.starts(with: [0xEF, 0xBB, 0xBF]) && !data.starts(with: [0xEF, 0xBB, 0xBF])
        return String(validating: isMarked ? masked.dropFirst(3) : masked, as: UTF8.self)
    }
}

extension HARDocument.Response {
    fileprivate init(_ attempt: AttemptMetrics, version: String, body: Data?, masking: HARDocument.Masking) {
        let head = attempt.head
        status = head?.status.code ?? 0
        statusText = head?.status.reasonPhrase ?? ""
        httpVersion = version
        headers = (head?.headers ?? [:]).map { .init(name: $0.name.rawName, value: masking.field($0.name.rawName, $0.value)) }
        cookies = (head?.headers[values: .setCookie] ?? []).map { HARDocument.Cookie(setCookie: masking.field("set-cookie", $0)) }
        redirectURL = head?.headers[values: .location].first.map(masking.ascii) ?? ""
        headersSize = head == nil ? -1 : attempt.bytes.responseHead
        // From the cache nothing came; the format says so.
        bodySize = head == nil ? -1 : attempt.isLocalCacheHit ? 0 : attempt.bytes.responseBody
        content = HARDocument.Content(attempt, body: body, masking: masking)
        if !attempt.trailers.isEmpty {
            _trailers = attempt.trailers.map { .init(name: $0.name, value: masking.field($0.name, $0.value)) }
        }
    }
}

extension HARDocument.Content {
    fileprivate init(_ attempt: AttemptMetrics, body: Data?, masking: HARDocument.Masking) {
        // A checked answer's figures are those of the 304.
        size = attempt.isLocalCacheHit ? body.map { Int64($0.count) } ?? attempt.download.bytes : attempt.bytes.decodedResponseBody
        let saved = attempt.isLocalCacheHit ? 0 : attempt.bytes.decodedResponseBody - attempt.bytes.responseBody
        compression = saved > 0 ? saved : nil
        mimeType = attempt.head?.headers[.contentType] ?? "x-unknown"
        guard let body else {
            if size > 0 { comment = "not kept" }
            return
        }
        // As bytes: text in UTF-8 may be text in another encoding as well.
        let masked = masking.bytes(body, attempt.head?.headers[.contentType])
        if let string = HARDocument.text(of: masked, maskedIn: body) {
            text = string
        } else {
            text = masked.base64EncodedString()
            encoding = "base64"
        }
    }
}

extension HARDocument.Cookie {
    /// `name=value; Path=/; HttpOnly` (RFC 6265, section 4.1).
    init(setCookie text: String) {
        let parts = text.split(separator: ";").map { $0.drop { $0 == " " } }
        func pair(_ text: Substring) -> (name: String, value: String) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts.first ?? ""), parts.count == 2 ? String(parts[1]) : "")
        }
        (name, value) = pair(parts.first ?? "")
        for part in parts.dropFirst() {
            let (attribute, value) = pair(part)
            switch attribute.lowercased() {
            case "path": path = value
            case "domain": domain = value
            case "expires":
                expires = HTTPDate.parse(value)?.formatted(Date.ISO8601FormatStyle(timeZone: .gmt))
            case "httponly": httpOnly = true
            case "secure": secure = true
            default: break
            }
        }
    }
}
