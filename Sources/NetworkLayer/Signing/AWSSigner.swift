import Base
import HTTPTypes

/// Amazon's signature, version 4, of one request at one moment ("Create a signed AWS API request", AWS Identity and Access
/// Management User Guide).
///
///     method, path, query, fields, hash of the body ─> canonical request ─┐
///     algorithm, time, scope (date/region/service) ───────────────────────┴─> string to sign ─┐
///     secret key ─> date ─> region ─> service ─────────────────────────────> key ─────────────┴─> signature
///
/// S3 differs from all others in three ways: its paths are signed as they are (the others' are normalised and encoded a second
/// time), the hash of the body is a field of the request, and it may say that the body isn't signed.
struct AWSSigner: Sendable {
    let keys: AWSSignature
    let region: String
    let service: String
    let host: String
    /// `20150830T123600Z`
    let timestamp: String
    private let providers: [String]

    /// What stands for the body.
    enum Payload: Hashable, Sendable {
        /// Hexadecimal SHA-256.
        case hash(String)
        /// The service takes it unseen, which only S3 does.
        case unsigned

        var text: String {
            switch self {
            case .hash(let text): text
            case .unsigned: "UNSIGNED-PAYLOAD"
            }
        }

        static func hash(of data: Data) -> Payload { .hash(DigestFunction.sha256.hash(data).hexadecimal) }
    }

    /// - Throws: when nobody says which region and service it is for.
    init(_ keys: AWSSignature, for request: Request, at date: Date) throws(NetworkError) {
        self.keys = keys
        providers = keys.provider.split(separator: ":").map(String.init)
        host = request.headers[Self.host] ?? request.url.hostField
        // A `Host` field that names another host is reached through the URL's: a tunnel, or a server on this machine.
        let name = request.headers[Self.host].map { String($0.prefix { $0 != ":" }) } ?? request.url.lowercasedHost ?? ""
        let endpoint = AWSEndpoint(host: name)
        let (region, service) = (Self.stated(keys.region) ?? endpoint.region, Self.stated(keys.service) ?? endpoint.service)
        guard let service, let region else {
            throw .signatureScopeMissing(region: region, service: service, host: name)
        }
        self.region = region
        self.service = service
        // Somebody may want another time than now.
        let given = Self.name(of: "Date", for: providers).flatMap { request.headers[$0] }
        timestamp = given.flatMap { Self.isTimestamp($0) ? $0 : nil } ?? date.formatted(Self.timestampStyle)
        if let expires = keys.expires, !(Duration.seconds(1)...Self.longest).contains(expires) {
            throw .signatureLifetimeInvalid
        }
    }

    /// An empty one is none, as between the colons of `aws:amz::s3`.
    private static func stated(_ name: String?) -> String? { name?.isEmpty == false ? name : nil }

    /// Whether the request needs no hash of its body.
    func knowsPayload(of request: Request) -> Bool { statedPayload(of: request) != nil || signsNoBody(of: request) }

    /// Adds the signature, and what it needs beside it: the time, the token, for S3 the hash of the body, and the `Host`, so that
    /// exactly what is signed is sent.
    ///
    /// - Parameter payload: needed unless ``knowsPayload(of:)``.
    func sign(_ request: inout Request, payload: Payload = .unsigned) {
        request.headers[Self.host] = host
        let payload = statedPayload(of: request) ?? (signsNoBody(of: request) ? .unsigned : payload)
        if keys.expires == nil { signFields(of: &request, payload) } else { signQuery(of: &request, payload) }
    }

    private func signFields(of request: inout Request, _ payload: Payload) {
        set("Date", timestamp, in: &request)
        if isS3 { set("Content-Sha256", payload.text, in: &request) }
        if let token = keys.sessionToken { set("Security-Token", token, in: &request) }
        request.headers[.authorization] = authorization(
            method: request.method, target: request.url.requestTarget, headers: request.headers, payload: payload)
    }

    /// The value of `Authorization`.
    ///
    /// - Parameter target: path and query, as they are sent.
    func authorization(method: HTTPRequest.Method, target: String, headers: HTTPFields, payload: Payload) -> String {
        let signature = signature(canonicalRequest(method: method, target: target, headers: headers, payload: payload))
        return "\(algorithm) Credential=\(keys.accessKey)/\(scope), SignedHeaders=\(CanonicalFields(headers).names), "
            + "Signature=\(signature)"
    }

    private func signQuery(of request: inout Request, _ payload: Payload) {
        let prefix = Self.prefix(providers)
        var parameters = [
            ("Algorithm", algorithm), ("Credential", "\(keys.accessKey)/\(scope)"), ("Date", timestamp),
            ("Expires", String((keys.expires ?? .zero).components.seconds)),
            ("SignedHeaders", CanonicalFields(request.headers).names),
        ]
        if let token = keys.sessionToken { parameters.append(("Security-Token", token)) }
        let added = parameters.map { "\(prefix)\($0)=\(URLCoding.percentEncoded($1))" }.joined(separator: "&")
        let url = request.url.adding(query: added)
        let signature = signature(
            canonicalRequest(method: request.method, target: url.requestTarget, headers: request.headers, payload: payload))
        request.url = url.adding(query: "\(prefix)Signature=\(signature)")
    }

    private func set(_ name: String, _ value: String, in request: inout Request) {
        guard let name = Self.name(of: name, for: providers) else { return }
        request.headers[name] = value
    }

    // MARK: The payload

    /// That of a field, where the request has one already.
    private func statedPayload(of request: Request) -> Payload? {
        guard let name = Self.name(of: "Content-Sha256", for: providers), let value = request.headers[name] else { return nil }
        return value == Payload.unsigned.text ? .unsigned : .hash(value)
    }

    /// The user of a presigned URL of S3 has no body to show yet; and a stream can be read only once, or is long.
    private func signsNoBody(of request: Request) -> Bool {
        guard isS3 else { return false }
        if case .stream = request.body { return true }
        return keys.expires != nil
    }

    // MARK: The signature

    private var isS3: Bool { Self.storage.contains(service) }
    private static let storage: Set = ["s3", "s3express", "s3-outposts", "s3-object-lambda"]

    /// `AWS4`
    private var version: String { "\(providers.first?.uppercased() ?? "AWS")4" }
    private var algorithm: String { "\(version)-HMAC-SHA256" }
    private var scope: String { "\(timestamp.prefix(8))/\(region)/\(service)/\(version.lowercased())_request" }

    private func signature(_ canonicalRequest: String) -> String {
        let hash = DigestFunction.sha256.hash(Data(canonicalRequest.utf8)).hexadecimal
        let text = "\(algorithm)\n\(timestamp)\n\(scope)\n\(hash)"
        var key = Data((version + keys.secretKey).utf8)
        for part in scope.split(separator: "/") + [text[...]] {
            key = Data(DigestFunction.sha256.authenticationCode(for: Data(part.utf8), key: key))
        }
        return key.hexadecimal
    }

    func canonicalRequest(method: HTTPRequest.Method, target: String, headers: HTTPFields, payload: Payload) -> String {
        let path = target.prefix { $0 != "?" }
        let fields = CanonicalFields(headers)
        return [
            method.rawValue, isS3 ? AWSCanonical.storagePath(path) : AWSCanonical.path(path),
            AWSCanonical.query(target[path.endIndex...].dropFirst()), fields.lines, fields.names, payload.text,
        ].joined(separator: "\n")
    }

    // MARK: Names and times

    private static let host = HTTPField.Name("Host")!
    private static let longest = Duration.seconds(7 * 86_400)

    /// `X-Amz-Date`
    private static func name(of name: String, for providers: [String]) -> HTTPField.Name? {
        HTTPField.Name(prefix(providers) + name)
    }

    /// `X-Amz-`
    private static func prefix(_ providers: [String]) -> String {
        let name = providers.count > 1 ? providers[1] : providers.first ?? "amz"
        return "X-\(name.prefix(1).uppercased())\(name.dropFirst().lowercased())-"
    }

    private static let timestampStyle = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZoneSeparator: .omitted,
        includingFractionalSeconds: false, timeZone: .gmt)

    private static func isTimestamp(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 16 && bytes[8] == UInt8(ascii: "T") && bytes[15] == UInt8(ascii: "Z")
            && (bytes[..<8] + bytes[9..<15]).allSatisfy { (0x30...0x39).contains($0) }
    }
}

/// What Amazon's signature, version 4, is made from. The key's secret and the token are in no description of it.
public struct AWSSignature: Sendable, Hashable, Codable {
    /// The identifier of the access key. It isn't secret: the signature and every description contain it.
    package var accessKey: String
    /// The secret half of the key, from which the signing key is derived; it is never sent.
    package var secretKey: String
    /// The session token of temporary credentials.
    package var sessionToken: String?
    /// `us-east-1`; `nil`: from the host's name, `service.region.amazonaws.com`.
    package var region: String?
    /// `s3`; `nil`: from the host's name.
    package var service: String?
    /// `aws:amz`, in the notation of curl's `--aws-sigv4`: the first names the algorithm, the second the header fields.
    package var provider: String
    /// How long a signature holds that stands in the URL's query (a presigned URL), in whole seconds, at most seven days; `nil`: it
    /// stands in header fields, and the service takes it for some minutes.
    package var expires: Duration?

    /// Credentials, and the scope of the signature where the host's name doesn't give it.
    public init(
        accessKey: String, secretKey: String, sessionToken: String? = nil, region: String? = nil, service: String? = nil,
        provider: String = "aws:amz", expires: Duration? = nil
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
        self.provider = provider
        self.expires = expires
    }
}

extension AWSSignature: CustomStringConvertible, CustomReflectable {
    public var description: String {
        ([accessKey, provider] + [region, service].compactMap { $0 }).joined(separator: " ") + " <redacted>"
    }
    public var customMirror: Mirror { Mirror(self, children: ["accessKey": accessKey, "provider": provider]) }
}

/// How Amazon writes the parts of a request that is signed.
enum AWSCanonical {
    /// S3's: each byte decoded and encoded in one way, and nothing else, because `a//b` and `a/../b` are names of objects.
    static func storagePath(_ path: Substring) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { encoded(URLCoding.percentDecodedBytes($0)) }
            .joined(separator: "/")
    }

    /// All others': without empty and dot segments (RFC 3986, section 5.2.4), and encoded once more than it is sent.
    static func path(_ path: Substring) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") where segment != "." {
            if segment == ".." { _ = segments.popLast() } else { segments.append(segment) }
        }
        let isDirectory = path.hasSuffix("/") && !segments.isEmpty
        return "/" + segments.map { encoded($0.utf8) }.joined(separator: "/") + (isDirectory ? "/" : "")
    }

    /// Sorted by name, then by value, as encoded; `+` is a space.
    static func query(_ query: Substring) -> String {
        let pairs = query.split(separator: "&").map { piece in
            let parts = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { encoded(URLCoding.percentDecodedBytes($0, preservesPluses: false)) }
            return (texts[0], texts.count > 1 ? texts[1] : "")
        }
        // By bytes: Swift's own order of strings is that of Unicode, which is the same for ASCII.
        return pairs.sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    /// Everything but letters, digits and `-._~` as `%XX`.
    private static func encoded(_ bytes: some Sequence<UInt8>) -> String { URLCoding.percentEncoded(bytes) }
}

/// The fields that are signed: a line for each name, sorted, several values with commas between, blanks as one.
struct CanonicalFields {
    private let fields: [(name: String, values: [String])]

    init(_ headers: HTTPFields) {
        var values: [String: [String]] = [:]
        for field in headers where !Self.unsigned.contains(field.name.canonicalName) {
            let words = field.value.split { $0 == " " || $0 == "\t" || $0.isNewline }
            values[field.name.canonicalName, default: []].append(words.joined(separator: " "))
        }
        fields = values.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }

    /// Each ends with a line feed.
    var lines: String { fields.map { "\($0.name):\($0.values.joined(separator: ","))\n" }.joined() }
    var names: String { fields.map(\.name).joined(separator: ";") }

    /// What the transport or somebody on the way adds or changes.
    private static let unsigned: Set = [
        "accept", "accept-encoding", "authorization", "cache-control", "connection", "content-length", "cookie", "expect", "from",
        "keep-alive", "max-forwards", "pragma", "proxy-authorization", "proxy-connection", "referer", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent", "x-amzn-trace-id",
    ]
}

extension URL {
    /// With more parameters at the end of the query.
    func adding(query: String) -> URL {
        let text = absoluteString
        let (start, fragment) = (text.prefix { $0 != "#" }, text.drop { $0 != "#" })
        let mark = !start.contains("?") ? "?" : start.hasSuffix("?") || start.hasSuffix("&") ? "" : "&"
        return URL(string: "\(start)\(mark)\(query)\(fragment)") ?? self
    }

    /// As in the field `Host`: without the port that the scheme implies.
    var hostField: String {
        let host = lowercasedHost ?? ""
        let name = host.contains(":") ? "[\(host)]" : host
        guard let port, port != (lowercasedScheme == "https" ? 443 : 80) else { return name }
        return "\(name):\(port)"
    }
}
