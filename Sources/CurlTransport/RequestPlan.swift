import Base
import HTTPTypes
import NetworkLayer

/// A request, checked and put into the form that libcurl takes. Made on the caller's thread.
struct RequestPlan {
    enum Body: Equatable {
        case none
        /// Sent together with the head.
        case short(Data)
        /// Handed out piece by piece; `nil`: of unknown length.
        case pieces(length: Int64?)
    }

    var url: String
    var method: String
    /// See ``CurlEasyHandle/set(headerLines:)``.
    var headerLines: [String]
    var body: Body
    var httpVersion: HTTPVersionPreference
    /// What is checked here and not by libcurl.
    var pins: CertificatePins?

    /// Bytes: what is longer isn't copied, and reports its progress.
    static let shortBody = 64 << 10

    init(
        _ transfer: TransferRequest, behaviour: CurlBehaviour = .present, library: CurlLibrary = .current
    ) throws(NetworkError) {
        let request = transfer.request
        httpVersion =
            if transfer.options.wire.upgrades {
                // HTTP/2 has no Upgrade (RFC 9113, section 8.6).
                .http1
            } else {
                try Self.version(for: request.body, transfer.options.httpVersion, behaviour)
            }
        if httpVersion.isHTTP3 { try library.require(.http3, or: "ask for HTTP/2") }
        url = try Self.written(Self.check(request.url), transfer.options.wire.spelling)
        method = request.method.rawValue
        headerLines = []
        let pins = transfer.options.tls.pins.map(CertificatePins.spelled)
        if !pins.isEmpty, request.url.scheme?.lowercased() == "https", CertificatePins.hasCertificates(pins) {
            self.pins = try CertificatePins(pins)
        }

        if transfer.trust != nil {
            guard OpenSSL.isPresent else {
                throw .unsupported(
                    "This libcurl shows no certificates, so no handler can be asked about them. Name authorities instead.")
            }
            guard transfer.options.proxy?.lowercased().hasPrefix("https:") != true else {
                throw .unsupported("A proxy over TLS and a handler for the server's certificates don't go together. Leave one out.")
            }
        }

        var statedLength: Int64?
        var cookieLine: Int?
        var names = Names()
        for field in request.headers {
            try Self.check(field)
            names.note(field.name)
            let value = field.value
            if field.name == .contentLength {
                guard let length = Int64(value), length >= 0 else {
                    throw .invalid("“\(value)” is no Content-Length. Leave the field out: it is added.")
                }
                statedLength = length
                // libcurl writes it.
                continue
            }
            if field.name == .cookie {
                // HTTPTypes keeps every pair in a field of its own; HTTP/1.1 has them in one (RFC 6265, section 5.4).
                if let line = cookieLine {
                    headerLines[line] += "; \(value)"
                    continue
                }
                cookieLine = headerLines.count
            }
            headerLines.append(value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(value)")
        }

        let omitted = transfer.options.omittedHeaders
        if transfer.options.acceptsCompression, !names.acceptEncoding,
            !omitted.contains(where: { $0.lowercased() == "accept-encoding" })
        {
            headerLines.insert("Accept-Encoding: \(ContentDecoder.codings.joined(separator: ", "))", at: 0)
        }
        headerLines += try omitted.map { name throws(NetworkError) in try Self.omission(of: name) }

        switch request.body {
        case .none:
            // A method that is about content says that it has none (RFC 9110, section 8.6).
            body = ["POST", "PUT", "PATCH"].contains(method) ? .short(Data()) : .none
        case .data(let data):
            body = data.count <= Self.shortBody ? .short(data) : .pieces(length: Int64(data.count))
        case .file:
            // Opened for its length, and again when it is sent.
            let reader = try request.body.makeReader()
            body = .pieces(length: reader?.length)
            reader?.close()
        case .stream(let stream):
            body = .pieces(length: stream.length ?? statedLength)
        }
        if let statedLength { try check(statedLength) }
        guard body != .none else {
            if statedLength != nil { headerLines.append("Content-Length: 0") }
            return
        }
        guard method != "HEAD" else {
            throw .unsupported("A HEAD request can't carry a body here. Use another method, or leave the body out.")
        }
        if !names.contentType { headerLines.append("Content-Type:") }
        if transfer.options.wire.upgrades { headerLines.append("Transfer-Encoding:") }
        if transfer.options.expectsContinue {
            if !names.expect { headerLines.append("Expect: 100-continue") }
        } else if !names.expect, case .pieces = body {
            headerLines.append("Expect:")
        }
    }

    /// The fields that libcurl would add something else for.
    private struct Names {
        var acceptEncoding = false
        var contentType = false
        var expect = false

        mutating func note(_ name: HTTPField.Name) {
            if name == .acceptEncoding { acceptEncoding = true }
            if name == .contentType { contentType = true }
            if name == .expect { expect = true }
        }
    }

    private func check(_ statedLength: Int64) throws(NetworkError) {
        let length: Int64? =
            switch body {
            case .none: 0
            case .short(let data): Int64(data.count)
            case .pieces(let length): length
            }
        guard let length, length != statedLength else { return }
        throw .invalid("Content-Length says \(statedLength), but the body has \(length) bytes. Leave the field out: it is added.")
    }

    private static func check(_ url: URL) throws(NetworkError) -> String {
        let text = url.absoluteString
        guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else {
            throw NetworkError(
                .invalidURL, phase: .preparation, type: "unknown",
                message: "The URL has a space or a control character in it. Write %20 for a space.")
        }
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw NetworkError(
                .invalidURL, phase: .preparation, type: "unknown",
                message: scheme.isEmpty || colon == text.endIndex
                    ? "“\(text)” has no scheme. Begin it with http:// or https://."
                    : "“\(scheme)” is no scheme that can be sent. Use http or https.")
        }
        let rest = text.utf8[colon...]
        guard rest.starts(with: "://".utf8), let first = rest.dropFirst(3).first, !"/?#".utf8.contains(first) else {
            throw NetworkError(
                .invalidURL, phase: .preparation, type: "unknown",
                message: "“\(text)” names no host. Write it as \(scheme)://HOST/PATH.")
        }
        return text
    }

    /// With path and query as they were written.
    private static func written(_ url: String, _ spelling: URLSpelling?) throws(NetworkError) -> String {
        guard let spelling, spelling.url == url else { return url }
        guard spelling.target.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "#") }),
            let first = spelling.target.first, "/?".contains(first)
        else {
            throw .invalid("“\(spelling.target)” is no path with a query, in printable ASCII from its slash on.")
        }
        let host = url.utf8.index(url.utf8.firstIndex(of: UInt8(ascii: ":")) ?? url.startIndex, offsetBy: 3)
        let end = url.utf8[host...].firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex
        return url[..<end] + spelling.target
    }

    private static func omission(of name: String) throws(NetworkError) -> String {
        guard HTTPField.Name(name) != nil else {
            throw .invalid("“\(name)” is not the name of a header field, and can't be left out.")
        }
        return "\(name):"
    }

    /// A line end in a field would begin another field, or another request.
    private static func check(_ field: HTTPField) throws(NetworkError) {
        let isSafe = field.withUnsafeBytesOfValue { !$0.contains { $0 == 0x0d || $0 == 0x0a || $0 == 0 } }
        guard isSafe, !field.name.rawName.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }) else {
            throw .invalid("The field \(field.name.rawName) has a line end or a NUL in it, which no header can carry. Take it out.")
        }
    }
}

/// `host:port:address`, as in curl's `--resolve`; of several addresses the first.
///
/// It becomes `CURLOPT_CONNECT_TO`, not `CURLOPT_RESOLVE`: that one fills a cache which requests without the entry would use,
/// and lets them have the connection as well.
struct ResolveEntry: Equatable {
    var host: String
    var port: String
    var address: String

    init(_ text: String) throws(NetworkError) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, UInt16(parts[1]) != nil || parts[1] == "*", !parts[2].isEmpty else {
            throw .invalid("“\(text)” is no entry of `resolve`. Write host:port:address, such as example.org:443:127.0.0.1.")
        }
        host = String(parts[0].first == "+" ? parts[0].dropFirst() : parts[0])
        port = String(parts[1])
        let first = parts[2].split(separator: ",").first ?? parts[2]
        address = first.contains(":") && first.first != "[" ? "[\(first)]" : String(first)
    }

    /// `HOST1:PORT1:HOST2:PORT2`; an empty part stands for any, or for the same.
    var connectTo: String {
        "\(host == "*" ? "" : host):\(port == "*" ? "" : port):\(address):"
    }
}

/// `host1:port1:host2:port2`, as in curl's `--connect-to`; IPv6 addresses in brackets.
struct ConnectToEntry: Equatable {
    var text: String

    init(_ text: String) throws(NetworkError) {
        var colons = 0
        var isInBrackets = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "["): isInBrackets = true
            case UInt8(ascii: "]"): isInBrackets = false
            case UInt8(ascii: ":") where !isInBrackets: colons += 1
            default: break
            }
        }
        guard colons == 3 else {
            throw .invalid(
                "“\(text)” is no entry of `connectTo`. Write host1:port1:host2:port2, such as example.org:443:127.0.0.1:8443.")
        }
        self.text = text
    }
}
