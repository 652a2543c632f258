package import NetworkLayer

/// The next hop of a request, where its file names one that isn't its URL's host.
package struct Route: Hashable, Sendable {
    private var proxy: String?
    /// On the way to the proxy, or to the host.
    private var preProxy: String?
    private var unixSocket: String?
    /// `host:port:address,address`
    private var resolve: [String] = []
    /// `host1:port1:host2:port2`
    private var connectTo: [String] = []

    package init() {}

    package init(_ transport: TransportOptions) {
        proxy = transport.proxy.flatMap { $0.isEmpty ? nil : $0 }
        unixSocket = transport.unixSocket
        resolve = transport.resolve
        preProxy = transport.wire.preProxy.flatMap { $0.isEmpty ? nil : $0 }
        connectTo = transport.connectTo
    }

    /// Whether it ends on this machine or in its network, whatever the URL's host is called.
    package func leadsToPrivate(_ origin: Origin) -> Bool {
        if unixSocket != nil { return true }
        if let proxy { return Self.host(of: proxy).map(PrivateHost.contains) ?? false }
        return addresses(of: origin).contains(where: PrivateHost.contains)
    }

    /// Everything on the way that is outside this machine and its network, in words for a person.
    package func publicDestinations(of origin: Origin) -> [String] {
        var destinations = PrivateHost.contains(origin.host) ? [] : ["\(origin)"]
        for proxy in [preProxy, proxy].compactMap(\.self) {
            // What can't be read may be anywhere.
            let host = Self.host(of: proxy)
            if host.map(PrivateHost.contains) != true { destinations.append("the proxy \(host ?? proxy)") }
        }
        if proxy == nil {
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

    /// Where `resolve` and `connection.to` have the host lie: every address that an entry of them names.
    private func addresses(of origin: Origin) -> [String] {
        let hosts = connectTo.compactMap { entry -> String? in
            let parts = Self.parts(ofConnectTo: entry)
            guard parts.count == 4, parts[0].isEmpty || parts[0].lowercased() == origin.host,
                parts[1].isEmpty || parts[1] == "\(origin.port)", !parts[2].isEmpty
            else { return nil }
            return parts[2].lowercased()
        }
        return hosts
            + resolve.flatMap { entry -> [String] in
                let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
                guard parts.count == 3 else { return [] }
                let host = parts[0].drop { $0 == "+" }.lowercased()
                guard host == "*" || host == origin.host, parts[1] == "*" || parts[1] == "\(origin.port)" else { return [] }
                return parts[2].split(separator: ",").map { $0.filter { $0 != "[" && $0 != "]" } }
            }
    }

    /// Colons in brackets are those of an address, which is without its brackets here.
    private static func parts(ofConnectTo entry: String) -> [String] {
        var parts = [""]
        var isInBrackets = false
        for character in entry {
            switch character {
            case "[": isInBrackets = true
            case "]": isInBrackets = false
            case ":" where !isInBrackets: parts.append("")
            default: parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
