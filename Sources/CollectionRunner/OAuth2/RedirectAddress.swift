import Base

/// The address on this machine to which a browser comes back (RFC 8252, section 7.3).
struct RedirectAddress: Hashable, Sendable {
    /// As the client is registered with it: `127.0.0.1`, `[::1]` or `localhost`.
    var host: String
    /// 0: the kernel chooses one.
    var port: UInt16
    var path: String

    static let standard = RedirectAddress(host: "127.0.0.1", port: 0, path: "/callback")

    init(host: String, port: UInt16, path: String) {
        self.host = host
        self.port = port
        self.path = path
    }

    /// - Parameter text: what the file says; `nil` for an address of our own choice.
    init(_ text: String?) throws(OAuth2Error) {
        guard let text, !text.isEmpty else {
            self = .standard
            return
        }
        guard let parts = URLComponents(string: text), parts.scheme?.lowercased() == "http", let host = parts.host?.lowercased(),
            ["127.0.0.1", "localhost", "::1", "[::1]"].contains(host), parts.percentEncodedQuery == nil, parts.fragment == nil,
            let port = UInt16(exactly: parts.port ?? 0)
        else {
            throw OAuth2Error(
                "`redirect` of oauth2 must be an address of this machine, such as http://127.0.0.1:8400/callback: \(text)")
        }
        self.init(host: host == "::1" ? "[::1]" : host, port: port, path: parts.percentEncodedPath)
    }

    var isIPv6: Bool { host == "[::1]" }

    var text: String { "http://\(host):\(port)\(path)" }
}
