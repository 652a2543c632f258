import Base

/// The names under which people register domains: `com`, `co.uk`, `github.io`. No cookie may be set for one of them. The list is that of
/// publicsuffix.org, in the form that it is published in.
///
/// Read from the file that the system keeps up to date, and not built in: a list that is years old does harm without a word.
package struct PublicSuffixList: Sendable {
    private var rules: Set<String> = []
    /// For `*.ck`: `ck`.
    private var wildcards: Set<String> = []
    /// For `!www.ck`: `www.ck`.
    private var exceptions: Set<String> = []

    /// Debian's package `publicsuffix` and its relatives elsewhere.
    package static let systemPaths = [
        "/usr/share/publicsuffix/public_suffix_list.dat", "/usr/share/publicsuffix/effective_tld_names.dat",
        "/usr/local/share/public_suffix/public_suffix_list.dat", "/opt/homebrew/share/libpsl/public_suffix_list.dat",
    ]

    /// The system's list, read at the first use; without one, ``cautious``.
    package static let system: PublicSuffixList = {
        for path in systemPaths {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else { continue }
            let list = PublicSuffixList(parsing: String(decoding: data, as: UTF8.self))
            if !list.rules.isEmpty { return list }
        }
        return cautious
    }()

    /// For systems without a list. It knows that names without a dot are suffixes, and the usual second labels below countries
    /// (`co.uk`, `com.au`); of other suffixes it knows nothing.
    package static let cautious = PublicSuffixList()

    private static let secondLabels: Set<String> = [
        "ac", "co", "com", "edu", "gob", "gouv", "gov", "go", "gv", "ltd", "mil", "ne", "net", "nom", "or", "org", "plc", "sch",
    ]

    private init() {}

    /// - Parameter text: one rule a line, comments behind `//`.
    package init(parsing text: String) {
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let word = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
            guard !word.isEmpty, !word.starts(with: "//".utf8) else { continue }
            let rule = String(Substring(word))
            if rule.hasPrefix("!") {
                exceptions.insert(InternationalHost.ascii(String(rule.dropFirst())))
            } else if rule.hasPrefix("*.") {
                wildcards.insert(InternationalHost.ascii(String(rule.dropFirst(2))))
            } else {
                rules.insert(InternationalHost.ascii(String(rule)))
            }
        }
    }

    /// - Parameter domain: in lower case, as it stands in a URL: names beyond ASCII as `xn--…`.
    ///
    /// An exception beats a wildcard, which beats nothing; a name without a dot is a suffix in any case ("if no rules match, the
    /// prevailing rule is `*`").
    package func isPublicSuffix(_ domain: String) -> Bool {
        guard let dot = domain.firstIndex(of: ".") else { return true }
        if rules.contains(domain) { return true }
        let parent = String(domain[domain.index(after: dot)...])
        if rules.isEmpty {
            return parent.utf8.count == 2 && Self.secondLabels.contains(String(domain[..<dot]))
        }
        return wildcards.contains(parent) && !exceptions.contains(domain)
    }

    /// The suffix and one label more: `example.co.uk` of `www.shop.example.co.uk`.
    ///
    /// - Returns: `nil` for addresses and for suffixes.
    func registrableDomain(of host: String) -> String? {
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
