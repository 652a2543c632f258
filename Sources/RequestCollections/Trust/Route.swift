package import NetworkLayer

/// The next hop of a request, where its file names one that isn't its URL's host.
package struct Route: Hashable, Sendable {
    private var proxy: String?
    private var unixSocket: String?
    /// `host:port:address,address`
    private var resolve: [String] = []

    package init() {}

    package init(_ transport: TransportOptions) {
        proxy = transport.proxy.flatMap { $0.isEmpty ? nil : $0 }
        unixSocket = transport.unixSocket
        resolve = transport.resolve
    }

    /// Whether it ends on this machine or in its network, whatever the URL's host is called.
    package func leadsToPrivate(_ origin: Origin) -> Bool {
        if unixSocket != nil { return true }
        if let proxy { return Self.host(of: proxy).map(PrivateHost.contains) ?? false }
        return addresses(of: origin).contains(where: PrivateHost.contains)
    }

    /// All on the way that isn't of this machine or its network, as a person is told.
    package func publicDestinations(of origin: Origin) -> [String] {
        var destinations = PrivateHost.contains(origin.host) ? [] : ["\(origin)"]
        if let proxy {
            // What can't be read may be anywhere.
            let host = Self.host(of: proxy)
            if host.map(PrivateHost.contains) != true { destinations.append("the proxy \(host ?? proxy)") }
        } else {
            destinations += addresses(of: origin).filter { !PrivateHost.contains($0) }.map { "\(origin) at \($0)" }
        }
        return destinations
    }

    /// - Returns: without brackets; `nil` for what is no URL.
    private static func host(of proxy: String) -> String? {
        let url = proxy.firstRange(of: "://") == nil ? "http://\(proxy)" : proxy
        guard let range = URLCoding.hostRange(in: url) else { return nil }
        let authority = String(decoding: Array(url.utf8)[range], as: UTF8.self)
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        let host = authority.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }

    /// Where `resolve` has the host lie: every address that an entry of it names.
    private func addresses(of origin: Origin) -> [String] {
        resolve.flatMap { entry -> [String] in
            let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let host = parts[0].drop { $0 == "+" }.lowercased()
            guard host == "*" || host == origin.host, parts[1] == "*" || parts[1] == "\(origin.port)" else { return [] }
            return parts[2].split(separator: ",").map { $0.filter { $0 != "[" && $0 != "]" } }
        }
    }
}
