import Crypto
import FoundationEssentials
import HTTPTypes

/// An answer in the cache, without its body.
struct StoredResponse: Sendable, Hashable, Codable {
    /// Names the file of its body.
    var id: UUID
    /// Of the request, without a fragment.
    var url: String
    /// When the request went out and its answer came (RFC 9111, section 4.2.3).
    var requested: Date
    var received: Date
    var status: Int
    var reason: String
    var version: String
    var fields: [TransferResult.HeaderLine]
    /// Bytes of the body as they were handed on: decoded, unless ``isDecoded`` is off.
    var bodyCount: Int64
    /// Whether the transport took off the content coding.
    var isDecoded: Bool
    /// The request's fields that the answer depends on: those that `Vary` names, and who asked. Names in lower case, values as hashes:
    /// they may be secrets.
    var selecting: [String: String]

    init(
        request: TransferRequest, head: ResponseHead, requested: Date, received: Date, bodyCount: Int64 = 0, id: UUID = UUID()
    ) {
        self.id = id
        self.url = Self.key(request.request.url)
        self.requested = requested
        self.received = received
        self.status = head.status.code
        self.reason = head.status.reasonPhrase
        self.version = head.version
        // The jar has its cookies; a file is no place for them.
        self.fields = head.headers.filter { $0.name != .setCookie }.map { .init(name: $0.name.rawName, value: $0.value) }
        self.bodyCount = bodyCount
        self.isDecoded = request.options.acceptsCompression
        self.selecting = [:]
        for name in Self.varying(head.headers) { selecting[name] = Self.selector(name, of: request) }
    }

    var headers: HTTPFields {
        HTTPFields(fields.compactMap { line in HTTPField.Name(line.name).map { HTTPField(name: $0, value: line.value) } })
    }

    /// What the answer says about itself, with its age in seconds.
    func head(age: TimeInterval) -> ResponseHead {
        var headers = headers
        headers[.age] = String(Int64(max(0, age)))
        var raw = "\(version) \(status)\(reason.isEmpty ? "" : " " + reason)\r\n"
        for field in headers { raw += "\(field.name.rawName): \(field.value)\r\n" }
        return ResponseHead(
            status: .init(code: status, reasonPhrase: reason), version: version, headers: headers, raw: Data((raw + "\r\n").utf8))
    }

    /// Whether it may answer this request, its age aside (section 4.1).
    func answers(_ request: TransferRequest) -> Bool {
        guard url == Self.key(request.request.url) else { return false }
        if headers[.contentEncoding] != nil, isDecoded != request.options.acceptsCompression { return false }
        return selecting.allSatisfy { $0.value == Self.selector($0.key, of: request) }
    }

    static func key(_ url: URL) -> String {
        String(url.absoluteString.prefix { $0 != "#" })
    }

    /// The names of fields in lower case. Who asked counts always: one machine may ask as many users, and what one may see the next may
    /// not. That is stricter than a private cache has to be.
    private static func varying(_ headers: HTTPFields) -> Set<String> {
        let named = headers[values: .vary].flatMap { $0.split(separator: ",") }.map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        return Set(named).union(["authorization", "cookie"]).subtracting([""])
    }

    private static func selector(_ name: String, of request: TransferRequest) -> String {
        var values = HTTPField.Name(name).map { request.request.headers[values: $0] } ?? []
        // The transport asks for what it can decode.
        if name == "accept-encoding", values.isEmpty, request.options.acceptsCompression { values = ["as decoded here"] }
        guard !values.isEmpty else { return "" }
        let text = values.map { $0.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ") }.joined(
            separator: ",")
        var digest = BodyDigest(.sha256)
        digest.update(Data(text.utf8))
        return digest.hash.hexadecimal
    }
}
