/// Knows the names under which people register domains: `com`, `co.uk`, `github.io`. No cookie may be set for one of them.
public protocol PublicSuffixes: Sendable {
    /// - Parameter domain: in lower case, as it stands in a URL: names beyond ASCII as `xn--…`.
    func isPublicSuffix(_ domain: String) -> Bool
}

extension PublicSuffixes {
    /// The suffix and one label more: `example.co.uk` of `www.shop.example.co.uk`.
    ///
    /// - Returns: `nil` for addresses and for suffixes.
    public func registrableDomain(of host: String) -> String? {
        guard !Cookie.isAddress(host) else { return nil }
        var domain: Substring?
        var rest = host[...]
        while !isPublicSuffix(String(rest)) {
            domain = rest
            guard let dot = rest.firstIndex(of: ".") else { break }
            rest = rest[rest.index(after: dot)...]
        }
        return domain.map(String.init)
    }
}

/// ``PublicSuffixList/system``, read when it is first asked: a program that takes no cookies has no use for it.
public struct LazyPublicSuffixes: PublicSuffixes {
    /// Nothing is read yet.
    public init() {}

    public func isPublicSuffix(_ domain: String) -> Bool { PublicSuffixList.system.isPublicSuffix(domain) }
}
