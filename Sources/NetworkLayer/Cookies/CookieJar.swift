package import Base
package import HTTPTypes

/// The cookies of one user, as a value: what answers set goes in, what requests carry comes out (RFC 6265bis).
public struct CookieJar: Sendable, Hashable {
    /// In the order in which they were made; expired ones may be among them until something is received.
    public private(set) var cookies: [Cookie] = []
    /// The most cookies of one domain, and of all; then expired, insecure and long unused ones go first (section 5.7).
    package var domainLimit = 180
    package var limit = 3000

    /// A jar of these; of two with the same identity the later one counts.
    public init(_ cookies: [Cookie] = []) {
        for cookie in cookies { set(cookie) }
    }

    // MARK: Editing

    /// Puts it in place of one with the same identity, whose time of creation it takes over.
    public mutating func set(_ cookie: Cookie) {
        guard let index = cookies.firstIndex(where: { $0.identity == cookie.identity }) else { return cookies.append(cookie) }
        let created = cookies[index].created
        cookies[index] = cookie
        cookies[index].created = created
    }

    /// - Returns: whether it was there.
    @discardableResult
    package mutating func remove(_ identity: Cookie.Identity) -> Bool {
        let count = cookies.count
        cookies.removeAll { $0.identity == identity }
        return cookies.count < count
    }

    /// Does to these cookies what has been done to others: what made `new` of `old`.
    mutating func follow(_ new: CookieJar, since old: CookieJar) {
        let before = Set(old.cookies.map(\.content))
        let kept = Set(new.cookies.map(\.identity))
        for cookie in old.cookies where !kept.contains(cookie.identity) { remove(cookie.identity) }
        for cookie in new.cookies where !before.contains(cookie.content) { set(cookie) }
    }

    /// Removes every cookie, whether it has expired or not.
    public mutating func removeAll() { cookies = [] }

    /// Those of a host and of the names below it.
    public mutating func removeAll(of domain: String) {
        cookies.removeAll { Cookie.host($0.domain, matches: domain.lowercased()) }
    }

    /// Removes what has expired by then; cookies of a session stay.
    package mutating func removeExpired(at now: Date) {
        cookies.removeAll { $0.isExpired(at: now) }
    }

    // MARK: Answers

    /// Takes in the `Set-Cookie` fields of an answer.
    ///
    /// - Parameters:
    ///   - site: where the operation began: what comes from another site sets nothing that is `SameSite` (section 5.7).
    ///   - suffixes: the names that no cookie may be set for, such as `co.uk`; `nil`: the system's, ``PublicSuffixList/system``.
    /// - Returns: whether anything changed.
    @discardableResult
    package mutating func receive(
        _ headers: HTTPFields, from url: URL, at now: Date, site: URL? = nil, suffixes: PublicSuffixList? = nil
    ) -> Bool {
        let before = cookies
        for field in headers where field.name == .setCookie {
            guard let parsed = SetCookie(field.value, receivedAt: now),
                let cookie = accepted(parsed, from: url, at: now, site: site ?? url, suffixes)
            else { continue }
            set(cookie)
        }
        guard cookies != before else { return false }
        evict(at: now)
        return true
    }

    /// The cookie that a field makes, unless one of the rules of section 5.7 is against it.
    private func accepted(
        _ field: SetCookie, from url: URL, at now: Date, site: URL, _ suffixes: PublicSuffixList?
    ) -> Cookie? {
        guard let host = url.cookieHost else { return nil }
        var domain = field.domain
        if let name = domain {
            guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            if (suffixes ?? .system).isPublicSuffix(name) {
                // A suffix may set cookies for itself.
                guard name == host else { return nil }
                domain = nil
            } else if !Cookie.host(host, matches: name) {
                return nil
            }
        }
        let isTrusted = Cookie.isTrustworthy(url, host: host)
        if field.isSecure, !isTrusted { return nil }
        if field.sameSite == .none, !field.isSecure { return nil }
        let isCrossSite = !url.isSameSite(as: site, suffixes)
        if isCrossSite, field.sameSite == .strict || field.sameSite == .lax { return nil }
        let cookie = Cookie(
            name: field.name, value: field.value, domain: domain ?? host, path: field.path ?? Cookie.defaultPath(of: url),
            expires: field.expires, isSecure: field.isSecure, isHTTPOnly: field.isHTTPOnly, isHostOnly: domain == nil,
            sameSite: field.sameSite, created: now)
        guard Self.keepsPrefix(cookie, hasPath: field.path != nil), isTrusted || !overlaysSecure(cookie) else { return nil }
        return cookie
    }

    /// `__Secure-` and `__Host-` promise something about a cookie, in any case (section 4.1.3).
    private static func keepsPrefix(_ cookie: Cookie, hasPath: Bool) -> Bool {
        // One without a name would be sent as its value alone, which a server could take for a name.
        let name = (cookie.name.isEmpty ? cookie.value : cookie.name).lowercased()
        guard name.hasPrefix("__secure-") || name.hasPrefix("__host-") else { return true }
        guard !cookie.name.isEmpty, cookie.isSecure else { return false }
        return name.hasPrefix("__secure-") || cookie.isHostOnly && hasPath && cookie.path == "/"
    }

    /// Whether a cookie that came in the clear would hide one that is for https (section 5.7, "leave secure cookies alone").
    private func overlaysSecure(_ cookie: Cookie) -> Bool {
        cookies.contains { other in
            other.isSecure && other.name == cookie.name && Cookie.path(cookie.path, matches: other.path)
                && (Cookie.host(other.domain, matches: cookie.domain) || Cookie.host(cookie.domain, matches: other.domain))
        }
    }

    private mutating func evict(at now: Date) {
        removeExpired(at: now)
        for (domain, group) in Dictionary(grouping: cookies, by: \.domain) where group.count > domainLimit {
            remove(group.count - domainLimit) { $0.domain == domain }
        }
        if cookies.count > limit { remove(cookies.count - limit) { _ in true } }
    }

    /// Insecure ones first, then those that were not used for longest.
    private mutating func remove(_ count: Int, where isCandidate: (Cookie) -> Bool) {
        let victims = cookies.filter(isCandidate).enumerated().sorted { left, right in
            if left.element.isSecure != right.element.isSecure { return !left.element.isSecure }
            if left.element.lastUsed != right.element.lastUsed { return left.element.lastUsed < right.element.lastUsed }
            return left.offset < right.offset
        }
        let identities = Set(victims.prefix(count).map(\.element.identity))
        cookies.removeAll { identities.contains($0.identity) }
    }

    // MARK: Requests

    /// The cookies of a request: those with longer paths first, then the older ones (section 5.8.3).
    ///
    /// - Parameter site: where the operation began; to another site only those go that may (see ``Cookie/SameSite``).
    package func cookies(
        for url: URL, method: HTTPRequest.Method = .get, at now: Date, site: URL? = nil,
        suffixes: PublicSuffixList? = nil
    ) -> [Cookie] {
        guard let host = url.cookieHost else { return [] }
        let candidates = cookies.filter { !$0.isExpired(at: now) && $0.matches(url, host: host) }
        guard !candidates.isEmpty else { return [] }
        let isCrossSite = !url.isSameSite(as: site ?? url, suffixes)
        let allowed = candidates.filter { cookie in
            guard isCrossSite else { return true }
            return switch cookie.sameSite {
            case .none: true
            case .strict: false
            case .lax, .unspecified: method.isSafe
            }
        }
        return allowed.enumerated().sorted { left, right in
            let (leftPath, rightPath) = (left.element.path.utf8.count, right.element.path.utf8.count)
            if leftPath != rightPath { return leftPath > rightPath }
            if left.element.created != right.element.created { return left.element.created < right.element.created }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// Notes that cookies were sent, which keeps them from being evicted.
    package mutating func use(_ identities: some Sequence<Cookie.Identity>, at now: Date) {
        let used = Set(identities)
        for index in cookies.indices where used.contains(cookies[index].identity) { cookies[index].lastUsed = now }
    }
}

extension URL {
    /// In lower case, without the dot at the end.
    var cookieHost: String? {
        guard let host = lowercasedHost else { return nil }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether both belong to the same registered domain, by the same scheme (RFC 6265bis, section 5.2).
    func isSameSite(as other: URL, _ suffixes: PublicSuffixList?) -> Bool {
        guard lowercasedScheme == other.lowercasedScheme, let host = cookieHost, let otherHost = other.cookieHost else {
            return false
        }
        if host == otherHost { return true }
        let suffixes = suffixes ?? .system
        guard let domain = suffixes.registrableDomain(of: host) else { return false }
        return domain == suffixes.registrableDomain(of: otherHost)
    }
}

extension HTTPRequest.Method {
    /// RFC 9110, section 9.2.1.
    var isSafe: Bool { self == .get || self == .head || self == .options || self == .trace }
}
