package import NetworkLayer

/// A server that has answered.
package struct Answerer: Hashable, Sendable {
    package var origin: Origin
    /// Whether it is this machine or one of its network, by its name or by the address that was found for it.
    package var isPrivate: Bool

    package init(_ origin: Origin, at address: String? = nil, by route: Route = Route()) {
        self.origin = origin
        isPrivate =
            PrivateHost.contains(origin.host) || address.map(PrivateHost.contains) ?? false || route.leadsToPrivate(origin)
    }

    /// Who gave a response; `nil` without one.
    ///
    /// - Parameter route: the way that the file says.
    package init?(_ response: Response, by route: Route = Route()) {
        guard let request = response.info?.finalRequest, let origin = Origin(request.url) else { return nil }
        let connection = response.metrics.attempts.last?.connection
        // Behind a proxy the address is the proxy's.
        let address = connection.flatMap { $0.proxy == nil ? $0.remoteAddress : nil }
        self.init(origin, at: address.map(Self.host), by: route)
    }

    /// `192.0.2.1:80` and `[2001:db8::1]:80` without their ports.
    private static func host(_ address: String) -> String {
        guard let colon = address.lastIndex(of: ":"), !address.hasSuffix("]") else { return address }
        let host = address[..<colon]
        return host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : String(host)
    }
}
