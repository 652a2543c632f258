import Base

/// A `Set-Cookie` field as it was written (RFC 6265bis, section 5.6): nothing is checked against the URL it came from.
struct SetCookie: Sendable, Hashable {
    var name: String
    var value: String
    /// Without the leading dot, in lower case; `nil` when absent or empty.
    var domain: String?
    /// `nil` when it must be made from the URL.
    var path: String?
    var expires: Date?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite = Cookie.SameSite.unspecified

    /// Bytes of name and value together, and of one attribute.
    static let sizeLimit = 4096
    static let attributeLimit = 1024
    /// The longest life, from now (section 5.5): 400 days.
    static let lifeLimit: TimeInterval = 400 * 86_400

    /// - Returns: `nil` for what section 5.6 ignores: control characters, names and values that are too long or both empty. Also for a
    ///   tab in the middle of one or of the path, which no cookie file can hold.
    init?(_ field: String, receivedAt now: Date) {
        guard !field.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else { return nil }
        let pieces = field.pieces(at: ";")
        let pair = pieces[0]
        if let halves = pair.halves(at: "=") {
            name = String(FieldSyntax.trimmed(halves.before))
            value = String(FieldSyntax.trimmed(halves.behind))
        } else {
            name = ""
            value = String(FieldSyntax.trimmed(pair))
        }
        guard !(name.isEmpty && value.isEmpty), name.utf8.count + value.utf8.count <= Self.sizeLimit,
            !name.contains("\t"), !value.contains("\t")
        else { return nil }

        var maxAge: Date?
        for piece in pieces.dropFirst() {
            let halves = piece.halves(at: "=")
            let attribute = FieldSyntax.trimmed(halves?.before ?? piece).lowercased()
            let text = halves.map { String(FieldSyntax.trimmed($0.behind)) } ?? ""
            guard text.utf8.count <= Self.attributeLimit else { continue }
            switch attribute {
            case "expires": if let date = CookieDate.parse(text) { expires = date }
            case "max-age": if let date = Self.date(maxAge: text, now) { maxAge = date }
            case "domain": domain = Self.domain(text)
            case "path":
                guard !text.contains("\t") else { return nil }
                path = text.begins(with: "/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            case "samesite": sameSite = Cookie.SameSite(rawValue: text.lowercased()) ?? .unspecified
            default: break
            }
        }
        expires = (maxAge ?? expires).map { min($0, now.addingTimeInterval(Self.lifeLimit)) }
    }

    private static func domain(_ text: String) -> String? {
        let name = text.begins(with: ".") ? Substring(text.unicodeScalars.dropFirst()) : text[...]
        return name.isEmpty ? nil : name.lowercased()
    }

    private static func date(maxAge text: String, _ now: Date) -> Date? {
        let isNegative = text.begins(with: "-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // More digits than a number has mean for ever, which the limit cuts short.
        let seconds = isNegative ? 0 : Int64(digits) ?? .max
        return seconds <= 0 ? .distantPast : now.addingTimeInterval(min(Double(seconds), lifeLimit))
    }
}
