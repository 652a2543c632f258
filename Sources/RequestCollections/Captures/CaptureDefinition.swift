/// A variable that a response gives: `capture: { token: .access_token }`.
package struct CaptureDefinition: Hashable, Sendable, Codable {
    /// The variable's.
    package var name: String
    package var source: CaptureSource
    /// Nobody may see the value, as with `{ from: .access_token, secret: true }`.
    package var isSecret: Bool
    /// The value when the response has none; without one that is a failure.
    package var fallback: JSONValue?
    package var location: SourceLocation

    package init(
        name: String, source: CaptureSource, isSecret: Bool = false, fallback: JSONValue? = nil, location: SourceLocation
    ) {
        self.name = name
        self.source = source
        self.isSecret = isSecret
        self.fallback = fallback
        self.location = location
    }
}

/// What of a response a variable gets.
///
/// | written | is |
/// |---|---|
/// | `.access_token`, `.items[0].id`, any jq program | the first value that the filter finds in the body |
/// | `header:etag` | the header field, the first of its name |
/// | `cookie:sid` | the value that a `set-cookie` gives it |
/// | `status` | the status, a number |
/// | `url` | where the redirects led |
/// | `body` | the body's text |
package enum CaptureSource: Hashable, Sendable, Codable {
    /// In jq's language.
    case filter(String)
    case header(String)
    case cookie(String)
    case status
    case url
    case body

    /// `nil` for a text that is neither.
    init?(_ text: String) {
        switch text {
        case "status": self = .status
        case "url": self = .url
        case "body": self = .body
        default:
            if let name = Self.name(text, after: "header:") {
                self = .header(name)
            } else if let name = Self.name(text, after: "cookie:") {
                self = .cookie(name)
            } else if text.hasPrefix(".") || text.contains("|") || text.contains("(") {
                self = .filter(text)
            } else {
                return nil
            }
        }
    }

    private static func name(_ text: String, after prefix: String) -> String? {
        guard text.hasPrefix(prefix) else { return nil }
        let name = text.dropFirst(prefix.count).trimmed
        return name.isEmpty ? nil : String(name)
    }
}

extension CaptureSource: CustomStringConvertible {
    package var description: String {
        switch self {
        case .filter(let filter): filter
        case .header(let name): "header:\(name)"
        case .cookie(let name): "cookie:\(name)"
        case .status: "status"
        case .url: "url"
        case .body: "body"
        }
    }
}
