import Base
import NetworkLayer

/// What a `set-cookie` field says of a cookie (RFC 6265, section 4.1.2, and RFC 6265bis).
package enum CookieAttribute: String, Hashable, Sendable, Codable, CaseIterable {
    case path, domain, secure, expires
    case httpOnly = "http-only"
    case sameSite = "same-site"
    case maxAge = "max-age"

    var kind: MatcherKind { self == .maxAge ? .duration : .text }

    var doc: String {
        switch self {
        case .path, .domain: "Where it is sent."
        case .secure: "`true` when it is sent by TLS alone."
        case .expires: "A date."
        case .httpOnly: "`true` when no script sees it."
        case .sameSite: "`Strict`, `Lax` or `None`."
        case .maxAge: "How long it lives."
        }
    }

    /// As the field names it, in small letters.
    private var fieldName: String {
        switch self {
        case .httpOnly: "httponly"
        case .sameSite: "samesite"
        default: rawValue
        }
    }

    /// - Parameter line: a field's value. Of several attributes of a name the last counts.
    func value(in line: String) -> JSONValue? {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false).dropFirst().map { part in
            part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { String($0.trimmed) }
        }
        let found = parts.last { $0[0].lowercased() == fieldName }
        switch self {
        case .secure, .httpOnly: return .boolean(found != nil)
        case .maxAge:
            guard let text = found?.dropFirst().first, let seconds = Int64(text) else { return nil }
            return .string(seconds <= 0 ? "0s" : DurationText.format(.seconds(seconds)))
        case .expires:
            // Some write it with dashes.
            guard let text = found?.dropFirst().first else { return nil }
            let date = DateText.parse(text) ?? DateText.parse(text.replacing(scalars: "-", with: " "))
            return .string(date.map(DateText.format) ?? text)
        case .path, .domain, .sameSite: return found?.dropFirst().first.map(JSONValue.string)
        }
    }
}
