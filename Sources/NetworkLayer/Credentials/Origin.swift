package import Base

/// Whom a request talks to: scheme, host and port (RFC 6454, section 4).
///
/// | URL                             | origin                       |
/// |---------------------------------|------------------------------|
/// | `https://API.example.com/a?b`   | `https://api.example.com`    |
/// | `https://api.example.com:443/`  | `https://api.example.com`    |
/// | `http://api.example.com/`       | `http://api.example.com`     |
/// | `https://me@bücher.example/`    | `https://xn--bcher-kva.example` |
/// | `https://api.example.com./`     | `https://api.example.com.`   |
///
/// Two spellings of an address that aren't the same text (`127.0.0.1` and `127.1`, a name with and without a dot at its end, an address
/// of IPv6 with and without its zone) are two origins: whoever takes one for the other gives a secret away, and whoever doesn't only
/// withholds it.
package struct Origin: Sendable, Hashable, Codable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, names beyond ASCII as they travel; an address of IPv6 without its brackets.
    package let host: String
    /// The port, also where it is the scheme's own.
    package let port: Int

    /// - Returns: `nil` for a URL that no request can go to.
    package init?(_ url: URL) {
        guard url.isRequestable, let scheme = url.lowercasedScheme, let host = url.lowercasedHost else { return nil }
        self.scheme = scheme
        self.host = InternationalHost.ascii(host).lowercased()
        port = url.effectivePort
    }

    /// An origin as people write it: `https://api.example.com`, with a slash at its end or without.
    ///
    /// - Returns: `nil` for a text with a path, a query or a user in it: that would promise more than is looked at.
    package init?(_ text: String) {
        guard let url = URL(international: text), let origin = Origin(url), ["", "/"].contains(url.path(percentEncoded: true)),
            url.query(percentEncoded: true) == nil, url.fragment(percentEncoded: true) == nil, !text.contains("@")
        else { return nil }
        self = origin
    }

    private var isStandardPort: Bool { port == (scheme == "https" ? 443 : 80) }
}

extension Origin: CustomStringConvertible {
    package var description: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(host)" + (isStandardPort ? "" : ":\(port)")
    }
}

/// Origins that something may go to: one, or all below a name.
///
///     https://api.example.com       this one
///     https://*.example.com         every name below example.com, and not example.com itself
package struct OriginPattern: Sendable, Hashable {
    /// The origin; for a pattern with a star, that of the name behind it.
    private let origin: Origin
    private let isBelow: Bool

    package init(_ origin: Origin) {
        self.origin = origin
        isBelow = false
    }

    /// - Returns: `nil` for what is neither an origin nor one whose host begins with `*.`.
    package init?(_ text: String) {
        let isBelow = text.contains("://*.")
        guard let origin = Origin(isBelow ? text.replacing(scalars: "://*.", with: "://") : text) else { return nil }
        // A star in another place, or before an address, means nothing.
        guard !origin.host.contains("*"), !isBelow || !origin.host.contains(":") else { return nil }
        self.origin = origin
        self.isBelow = isBelow
    }

    /// Whether the pattern allows this origin: scheme and port are compared, too.
    package func contains(_ other: Origin) -> Bool {
        guard isBelow else { return origin == other }
        return origin.scheme == other.scheme && origin.port == other.port && other.host.hasSuffix(".\(origin.host)")
            && other.host.count > origin.host.count + 1
    }
}

/// As its text.
extension OriginPattern: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let pattern = OriginPattern(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is no pattern of origins")
        }
        self = pattern
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension OriginPattern: CustomStringConvertible {
    package var description: String {
        isBelow ? "\(origin)".replacing(scalars: "://", with: "://*.") : "\(origin)"
    }
}
