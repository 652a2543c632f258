/// The value of a `Content-Type` field: a media type with parameters (RFC 9110, section 8.3).
///
///     ContentType("Text/HTML; Charset=\"UTF-8\"")   essence text/html, charset utf-8
public struct ContentType: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// As it stands in the field.
    public var rawValue: String

    /// Takes the text as it is; nothing checks that it is a media type.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Takes the text as it is; nothing checks that it is a media type.
    package init(_ rawValue: String) { self.rawValue = rawValue }

    /// Takes the text as it is; nothing checks that it is a media type.
    public init(stringLiteral value: String) { self.rawValue = value }

    public var description: String { rawValue }

    /// `image/jpeg`.
    public static let jpeg: ContentType = "image/jpeg"
    /// `video/quicktime`.
    public static let quickTime: ContentType = "video/quicktime"
    /// `application/json`.
    public static let json: ContentType = "application/json"
    /// `text/plain`, without a charset.
    public static let plainText: ContentType = "text/plain"
    /// A body needs its boundary too.
    public static let multipartFormData: ContentType = "multipart/form-data"
    /// `application/octet-stream`: bytes of an unknown kind.
    public static let octetStream: ContentType = "application/octet-stream"
    /// `application/x-www-form-urlencoded`.
    public static let urlEncodedForm: ContentType = "application/x-www-form-urlencoded"
    /// `application/vnd.apache.thrift.binary`.
    public static let thriftBinary: ContentType = "application/vnd.apache.thrift.binary"

    /// `type/subtype` in lower case, without parameters.
    package var essence: String {
        FieldSyntax.trimmed(Substring(rawValue.unicodeScalars.prefix { $0 != ";" })).lowercased()
    }

    /// The parameter `charset` in lower case; `nil` also for an empty one, which says nothing.
    package var charset: String? {
        guard let name = self["charset"].map({ FieldSyntax.trimmed(Substring($0)) }), !name.isEmpty else { return nil }
        return name.lowercased()
    }

    /// A parameter, its name in any case, its value without the quotes and backslashes of a quoted string; the first counts.
    package subscript(name: String) -> String? {
        guard rawValue.utf8.contains(UInt8(ascii: ";")) else { return nil }
        for parameter in FieldSyntax.pieces(of: rawValue, separatedBy: ";").dropFirst() {
            guard let halves = parameter.halves(at: "=") else { continue }
            guard FieldSyntax.trimmed(halves.before).lowercased() == name.lowercased() else { continue }
            return FieldSyntax.unquoted(FieldSyntax.trimmed(halves.behind))
        }
        return nil
    }

    /// Whether a body of this type is text that can be read as UTF-8: `text/*`, forms, JSON and XML in all its kinds, in a
    /// charset that is absent, UTF-8 or ASCII (REQ-10).
    public var isTextual: Bool {
        switch charset {
        case nil, "utf-8", "utf8", "ascii", "us-ascii": break
        default: return false
        }
        let essence = essence
        if essence.hasPrefix("text/") { return true }
        guard essence.hasPrefix("application/") else { return essence.hasSuffix("+xml") }
        let subtype = essence.dropFirst("application/".count)
        return subtype == "x-www-form-urlencoded" || subtype == "json" || subtype.hasSuffix("+json") || subtype.hasSuffix("xml")
    }
}

extension ContentType {
    /// What the ending of a file's name says, in any case; `application/octet-stream` for one that says nothing.
    package static func forFile(_ path: String) -> ContentType {
        guard let name = path.pieces(at: "/").last(where: { !$0.isEmpty }), let ending = name.pieces(at: ".").dropFirst().last
        else {
            return .octetStream
        }
        return byEnding[ending.lowercased()] ?? .octetStream
    }

    private static let byEnding: [String: ContentType] = [
        "json": .json, "xml": "application/xml", "yaml": "application/yaml", "yml": "application/yaml",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "png": "image/png", "jpg": .jpeg, "jpeg": .jpeg,
        "gif": "image/gif", "webp": "image/webp", "avif": "image/avif", "mov": .quickTime, "mp4": "video/mp4",
        "mp3": "audio/mpeg", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
        "graphql": "application/graphql", "wasm": "application/wasm",
    ]
}
