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
    public var isHTTPOnly: Bool
    /// For ``domain`` itself only, not for names below it.
    public var isHostOnly: Bool
    /// The cookie's `SameSite` attribute.
    public var sameSite: SameSite
    /// When it was first set; kept when a new value replaces the old one.
    public var created: Date
    /// When a request last carried it: the longest unused goes first.
    public var lastUsed: Date

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
    public struct Identity: Sendable, Hashable {
        /// The cookie's ``Cookie/name``.
        public var name: String
        /// The cookie's ``Cookie/domain``.
        public var domain: String
        /// The cookie's ``Cookie/path``.
        public var path: String
        /// Whether it is for the domain alone: a cookie for the names below it as well is another cookie.
        public var isHostOnly: Bool
    }

    /// The part of the cookie that a later one must share to replace it.
    public var identity: Identity { Identity(name: name, domain: domain, path: path, isHostOnly: isHostOnly) }

    /// Whether `date` is at or past ``expires``; never for a cookie of the session.
    public func isExpired(at date: Date) -> Bool {
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
