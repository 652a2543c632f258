import Base
import HTTPTypes

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
