import Base
import HTTPTypes
import NetworkLayer

/// The figures of one `send`, as `-w` prints them.
///
/// Times are curl's: seconds since the start of the first hop, added up over redirects; of a retried request those of the last try.
struct WriteOutValues {
    private let url: String
    private let number: Int
    private let spelling: URLSpelling?
    private let fileName: String?
    private let status: ExitStatus
    private let complaint: String?
    /// From the last try on: its first attempt, and the redirects and answers to challenges after it.
    private let hops: ArraySlice<AttemptMetrics>
    private let retryCount: Int
    private let times: Times

    /// - Parameters:
    ///   - url: as it was given.
    ///   - number: of the URL, from 0 on.
    ///   - fileName: where the body was written.
    ///   - complaint: what was said of a failure.
    ///   - spelling: how the URL was sent.
    init(
        _ response: Response, url: String, number: Int = 0, fileName: String?, status: ExitStatus, complaint: String?,
        spelling: URLSpelling? = nil
    ) {
        self.url = url
        self.spelling = spelling
        self.number = number
        self.fileName = fileName
        self.status = status
        self.complaint = complaint
        let attempts = response.metrics.attempts
        let start = attempts.lastIndex { $0.kind == .initial || $0.kind == .retry } ?? attempts.startIndex
        hops = attempts[start...]
        retryCount = response.metrics.retryCount
        times = Times(hops)
    }

    var hasFailed: Bool { status != .success }

    enum Value: Hashable {
        case text(String?)
        case number(Int64)
        /// With three digits, also when there is none: `000`.
        case status(Int)
        /// Seconds, with six decimals.
        case time(Duration)

        /// As in a line of text: nothing for what isn't there.
        var text: String {
            switch self {
            case .text(let text): text ?? ""
            case .number(let number): String(number)
            case .status(let code): String(repeating: "0", count: max(0, 3 - String(code).count)) + String(code)
            case .time(let duration): Self.seconds(duration)
            }
        }

        var json: String {
            switch self {
            case .text(nil): "null"
            case .text(let text?): JSONText.quoted(text)
            case .status(let code): String(code)
            case .number, .time: text
            }
        }

        private static func seconds(_ duration: Duration) -> String {
            let microseconds = max(0, duration / .microseconds(1)).rounded()
            let fraction = String(Int64(microseconds) % 1_000_000)
            return "\(Int64(microseconds) / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
        }
    }

    /// curl's variables, by curl's names, in the order of its JSON.
    static let variables: [(name: String, value: @Sendable (Self) -> Value)] = [
        ("certs", { .text($0.certificates) }),
        ("conn_id", { .number(Int64($0.last?.connection?.id ?? -1)) }),
        ("content_type", { .text($0.last?.head?.headers[.contentType]) }),
        ("errormsg", { .text($0.complaint) }),
        ("exitcode", { .number(Int64($0.status.rawValue)) }),
        ("filename_effective", { .text($0.fileName) }),
        ("ftp_entry_path", { _ in .text(nil) }),
        ("http_code", { .status($0.last?.head?.status.code ?? 0) }),
        ("http_connect", { _ in .status(0) }),
        ("http_version", { .text($0.httpVersion) }),
        ("local_ip", { .text(Self.split($0.last?.connection?.localAddress).ip) }),
        ("local_port", { .number(Self.split($0.last?.connection?.localAddress).port) }),
        ("method", { .text($0.last?.request.method.rawValue) }),
        ("num_certs", { .number(Int64($0.last?.tls?.chain.count ?? 0)) }),
        ("num_connects", { .number(Int64($0.hops.count { $0.connection?.isReused == false })) }),
        ("num_headers", { .number(Int64($0.last?.head?.headers.count ?? 0)) }),
        ("num_redirects", { .number(Int64($0.hops.count { $0.kind == .redirect })) }),
        ("num_retries", { .number(Int64($0.retryCount)) }),
        ("proxy_used", { .number($0.last?.connection?.proxy == nil ? 0 : 1) }),
        ("proxy_ssl_verify_result", { _ in .number(0) }),
        ("redirect_url", { .text($0.last?.redirect?.location) }),
        ("referer", { .text($0.last?.request.headers[.referer]) }),
        ("remote_ip", { .text(Self.split($0.last?.connection?.remoteAddress).ip) }),
        ("remote_port", { .number(Self.split($0.last?.connection?.remoteAddress).port) }),
        ("response_code", { .status($0.last?.head?.status.code ?? 0) }),
        ("scheme", { .text($0.last?.connection == nil ? nil : $0.last?.request.url.scheme?.uppercased()) }),
        ("size_delivered", { .number($0.last?.bytes.decodedResponseBody ?? 0) }),
        ("size_download", { .number($0.downloaded) }),
        ("size_header", { .number($0.hops.reduce(0) { $0 + $1.bytes.responseHead }) }),
        ("size_request", { .number($0.hops.reduce(0) { $0 + $1.bytes.requestHead }) }),
        ("size_upload", { .number($0.last?.bytes.requestBody ?? 0) }),
        ("speed_download", { .number($0.speed($0.downloaded)) }),
        ("speed_upload", { .number($0.speed($0.last?.bytes.requestBody ?? 0)) }),
        ("ssl_verify_result", { .number($0.verifyResult) }),
        ("time_appconnect", { .time($0.times.tls) }),
        ("time_connect", { .time($0.times.connect) }),
        ("time_namelookup", { .time($0.times.dns) }),
        ("time_posttransfer", { .time($0.times.sent) }),
        ("time_pretransfer", { .time($0.times.ready) }),
        ("time_queue", { _ in .time(.zero) }),
        ("time_redirect", { .time($0.times.redirect) }),
        ("time_starttransfer", { .time($0.times.firstByte) }),
        ("time_total", { .time($0.times.total) }),
        ("tls_earlydata", { _ in .number(0) }),
        ("url", { .text($0.url) }),
        ("url_effective", { .text($0.effectiveURL) }),
        ("urlnum", { .number(Int64($0.number)) }),
        ("xfer_id", { .number(Int64($0.number)) }),
    ]

    subscript(name: String) -> Value { Self.variables.first { $0.name == name }?.value(self) ?? .text(nil) }

    private var effectiveURL: String {
        guard let last = last?.request.url.absoluteString else { return url }
        guard let spelling, spelling.url == last else { return last }
        return URLPieces(last).start + spelling.target
    }

    func part(_ part: URLPart, isLast: Bool) -> String {
        let pieces = URLPieces(isLast ? effectiveURL : url)
        guard let parts = URL(international: pieces.text) else { return "" }
        switch part {
        case .scheme: return parts.scheme ?? ""
        case .user: return parts.user() ?? ""
        case .password: return parts.password() ?? ""
        case .host: return parts.host() ?? ""
        case .port: return String(parts.port ?? (parts.scheme?.lowercased() == "https" ? 443 : 80))
        case .path: return pieces.path.isEmpty ? "/" : pieces.path
        case .query: return pieces.query ?? ""
        case .fragment: return String(pieces.fragment.dropFirst())
        case .options, .zoneID: return ""
        }
    }

    /// A field of the last response.
    func header(_ name: String) -> String {
        HTTPField.Name(name).flatMap { last?.head?.headers[values: $0].first } ?? ""
    }

    /// Every variable, on one line.
    var json: String {
        let members = Self.variables.map { "\"\($0.name)\":\($0.value(self).json)" }
        return "{" + (members + ["\"turnstone_version\":\"\(Version.text)\""]).joined(separator: ",") + "}"
    }

    /// The fields of the last response by name, in lower case, each with the list of its values.
    var headerJSON: String {
        var names: [String] = []
        var values: [String: [String]] = [:]
        for field in last?.head?.headers ?? [:] {
            let name = field.name.canonicalName
            if values[name] == nil { names.append(name) }
            values[name, default: []].append(field.value)
        }
        let members = names.map { name in
            "\(JSONText.quoted(name)):[\(values[name, default: []].map(JSONText.quoted).joined(separator: ","))]"
        }
        return "{" + members.joined(separator: ",\n") + "\n}"
    }

    // MARK: Parts

    private var last: AttemptMetrics? { hops.last }
    private var downloaded: Int64 { last?.bytes.responseBody ?? 0 }

    /// As in libcurl, 1 stands for any problem that OpenSSL doesn't report, such as another host name.
    private var verifyResult: Int64 {
        let result = Int64(last?.tls?.verifyResult ?? 0)
        return result == 0 && status == .tls ? 1 : result
    }

    private func speed(_ bytes: Int64) -> Int64 {
        let seconds = times.total / .seconds(1)
        return seconds > 0 ? Int64(Double(bytes) / seconds) : 0
    }

    /// `1.1`, `2`; `0` without an answer.
    private var httpVersion: String {
        guard let version = last?.head?.version else { return "0" }
        let number = version.split(separator: "/").last.map(String.init) ?? "0"
        return number.hasSuffix(".0") ? String(number.dropLast(2)) : number
    }

    /// The chain in PEM (RFC 7468).
    private var certificates: String {
        (last?.tls?.chain ?? []).map { certificate in
            var lines: [Substring] = []
            var rest = certificate.der.base64EncodedString()[...]
            while !rest.isEmpty {
                lines.append(rest.prefix(64))
                rest = rest.dropFirst(64)
            }
            return "-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n"
        }.joined()
    }

    /// `[::1]:80` is `::1` and 80; a path stays.
    private static func split(_ address: String?) -> (ip: String, port: Int64) {
        guard let address, let colon = address.lastIndex(of: ":"), let port = Int64(address[address.index(after: colon)...]) else {
            return (address ?? "", 0)
        }
        return (address[..<colon].trimmingPrefix("[").split(separator: "]").first.map(String.init) ?? "", port)
    }

    /// When something had happened, since the start of its hop, added up over hops.
    private struct Times {
        var dns = Duration.zero
        var connect = Duration.zero
        var tls = Duration.zero
        var ready = Duration.zero
        var sent = Duration.zero
        var firstByte = Duration.zero
        var redirect = Duration.zero
        var total = Duration.zero

        init(_ hops: ArraySlice<AttemptMetrics>) {
            guard let first = hops.first, let last = hops.last else { return }
            redirect = last.start - first.start
            total = (last.end ?? last.start) - first.start
            for hop in hops {
                func since(_ time: MonotonicTime?) -> Duration { time.map { $0 - hop.start } ?? .zero }
                dns += since(hop.phases.dns?.end ?? (hop.phases.connect ?? hop.phases.quic)?.start)
                // Trying to connect is none.
                let hasConnected = hop.connection != nil || hop.phases.tls != nil || hop.phases.quic != nil
                if hasConnected { connect += since((hop.phases.connect ?? hop.phases.quic)?.end) }
                tls += since((hop.phases.tls ?? hop.phases.quic)?.end)
                ready += since(hop.phases.send?.start)
                sent += since(hop.phases.send?.end)
                firstByte += since(hop.phases.receive?.start)
            }
        }
    }
}
