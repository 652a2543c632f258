import Base

/// The proxies that the environment names, to show which one a transfer goes through. libcurl reads the same
/// variables but for the exceptions, which it gets from here.
struct ProxyEnvironment {
    private let http: String?
    private let https: String?
    let exceptions: ProxyExceptions

    init() {
        self.init { name in getenv(name).map { String(cString: $0) } }
    }

    /// - Parameter variable: the value of an environment variable.
    init(variable: (String) -> String?) {
        let all = variable("all_proxy") ?? variable("ALL_PROXY")
        // HTTP_PROXY in capitals can come from a request's `Proxy` header in CGI, so nobody reads it.
        http = variable("http_proxy") ?? all
        https = variable("https_proxy") ?? variable("HTTPS_PROXY") ?? all
        exceptions = ProxyExceptions(variable("no_proxy") ?? variable("NO_PROXY") ?? "")
    }

    var isEmpty: Bool { http == nil && https == nil }

    /// Whatever the ``exceptions`` say.
    func proxy(scheme: String) -> String? { scheme == "https" ? https : http }
}

/// The hosts of `--noproxy`: `*` for all, names with everything below them, addresses, and blocks of these (`10.0.0.0/8`, `fe80::/10`).
struct ProxyExceptions: Hashable {
    private var entries: [Substring]

    init(_ list: String) {
        entries = list.split { $0 == "," || $0 == " " }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// With commas alone: whether blanks separate as well depends on libcurl's version.
    var list: String { entries.joined(separator: ",") }

    func hold(_ host: String) -> Bool {
        if entries == ["*"] { return true }
        let host = Substring(host.lowercased()).trimming("[", "]", ".")
        guard let address = Self.bytes(host) else {
            return entries.contains { entry in
                let name = Substring(entry.lowercased()).trimming(".")
                return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
            }
        }
        return entries.contains { entry in
            let parts = entry.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let block = Self.bytes(parts[0].trimming("[", "]")), block.count == address.count else { return false }
            guard let count = parts.count == 2 ? Int(parts[1]) : address.count * 8, (0...address.count * 8).contains(count) else {
                return false
            }
            return zip(block, address).enumerated().allSatisfy { index, pair in
                let bits = min(8, max(0, count - index * 8))
                return (pair.0 ^ pair.1) >> (8 - bits) == 0
            }
        }
    }

    /// The bytes of an address of either version of IP; `nil` for a name.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, String(text), &bytes) == 1 { return bytes }
        }
        return nil
    }
}

extension Substring {
    /// Without any of these characters at either end.
    fileprivate func trimming(_ characters: Character...) -> Substring {
        let rest = drop { characters.contains($0) }
        return rest.lastIndex { !characters.contains($0) }.map { rest[...$0] } ?? ""
    }
}
