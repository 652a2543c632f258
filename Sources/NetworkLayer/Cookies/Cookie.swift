public import Base

/// A cookie with everything its server said about it (RFC 6265bis, section 5.7).
public struct Cookie: Sendable, Hashable, Codable {
    /// The name, compared with its case.
    public var name: String
    /// The value, as the server sent it.
    public var value: String
    /// In lower case, without a leading dot.
    public var domain: String
    /// Requests get the cookie for this path and for those below it (section 5.1.4).
    public var path: String
    /// `nil`: until the end of the session, which for a jar that is saved is never.
    public var expires: Date?
    /// For https, and for this machine, only.
    public var isSecure: Bool
    /// It has no meaning here, where no script runs, and is kept for other programs.
    package var isHTTPOnly: Bool
    /// For ``domain`` itself only, not for names below it.
    package var isHostOnly: Bool
    /// The cookie's `SameSite` attribute.
    public var sameSite: SameSite
    /// When it was first set; kept when a new value replaces the old one.
    package var created: Date
    /// When a request last carried it: the longest unused goes first.
    package var lastUsed: Date

    /// A cookie for `domain` alone, until the end of the session. `lastUsed` is `created` when `nil`.
    public init(
        name: String, value: String, domain: String, path: String = "/", expires: Date? = nil, isSecure: Bool = false,
        isHTTPOnly: Bool = false, isHostOnly: Bool = true, sameSite: SameSite = .unspecified, created: Date,
        lastUsed: Date? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = domain
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.isHostOnly = isHostOnly
        self.sameSite = sameSite
        self.created = created
        self.lastUsed = lastUsed ?? created
    }

    /// Which requests that come from another site carry it.
    public enum SameSite: String, Sendable, Hashable, Codable, CaseIterable {
        /// As `lax`.
        case unspecified
        /// Every request, if the cookie is secure.
        case none
        /// Those with a safe method.
        case lax
        /// None.
        case strict
    }

    /// What tells a cookie from others: a new one replaces the old one with the same.
    package struct Identity: Sendable, Hashable {
        package var name: String
        package var domain: String
        package var path: String
        /// Whether it is for the domain alone: a cookie for the names below it as well is another cookie.
        package var isHostOnly: Bool
    }

    /// The part of the cookie that a later one must share to replace it.
    package var identity: Identity { Identity(name: name, domain: domain, path: path, isHostOnly: isHostOnly) }

    /// The cookie without its times of making and use, which say nothing of what a server wants of it.
    var content: Cookie {
        var content = self
        (content.created, content.lastUsed) = (.distantPast, .distantPast)
        return content
    }

    /// Whether `date` is at or past ``expires``; never for a cookie of the session.
    package func isExpired(at date: Date) -> Bool {
        expires.map { $0 <= date } ?? false
    }

    // MARK: Matching

    /// Whether it goes along to `url`, sites aside (section 5.8.3).
    func matches(_ url: URL, host: String) -> Bool {
        guard isHostOnly ? host == domain : Self.host(host, matches: domain) else { return false }
        guard Self.path(Self.path(of: url), matches: path) else { return false }
        return !isSecure || Self.isTrustworthy(url, host: host)
    }

    /// Section 5.1.3: the name itself or one below it; an address only itself.
    static func host(_ host: String, matches domain: String) -> Bool {
        if host == domain { return true }
        return host.hasSuffix("." + domain) && !isAddress(host)
    }

    /// Section 5.1.4.
    static func path(_ path: String, matches prefix: String) -> Bool {
        guard path.begins(with: prefix) else { return false }
        return path.utf8.count == prefix.utf8.count || prefix.ends(with: "/")
            || path.utf8.dropFirst(prefix.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path of a request, as it is sent.
    static func path(of url: URL) -> String {
        let path = url.absoluteURL.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// Section 5.1.4: everything before the last slash.
    static func defaultPath(of url: URL) -> String {
        let path = path(of: url)
        guard path.begins(with: "/"), let slash = path.unicodeScalars.lastIndex(of: "/"), slash > path.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// https, and what never leaves this machine, as browsers see it.
    static func isTrustworthy(_ url: URL, host: String) -> Bool {
        url.lowercasedScheme == "https" || host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || host.hasPrefix("127.") && isAddress(host)
    }

    static func isAddress(_ host: String) -> Bool {
        if host.contains(":") { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}

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

/// The dates of cookies, which servers write in every way there is (RFC 6265bis, section 5.1.1): the first token that looks like
/// a time is the time, then a day, a month, a year, in any order.
enum CookieDate {
    static func parse(_ text: String) -> Date? {
        var time: (Int, Int, Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601, time.2 < 60 else { return nil }
        return HTTPDate.date(year: year, month: month + 1, day: day, hour: time.0, minute: time.1, second: time.2)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// `8:49:37`, with anything that isn't a digit behind it.
    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count >= 3, let hour = wholeNumber(parts[0]), let minute = wholeNumber(parts[1]),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func wholeNumber(_ token: Substring.UTF8View) -> Int? {
        token.allSatisfy(isDigit) ? number(token, digits: 1...2) : nil
    }

    /// The digits that a token begins with.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: isDigit)
        return digits.contains(prefix.count) ? Int(String(prefix) ?? "") : nil
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(token.prefix(3))?.lowercased()
        return HTTPDate.months.firstIndex { $0.lowercased() == name }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
