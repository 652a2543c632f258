import Base

/// Where a connection leads, in words: for messages.
struct Target: Equatable {
    var host: String
    /// `host:port`, or the path of a Unix socket.
    var text: String
    var isUnixSocket = false
    var isProxy = false

    init(url: URL, unixSocket: String?, proxy: String?) {
        if let unixSocket {
            host = unixSocket
            text = unixSocket
            isUnixSocket = true
        } else if let proxy {
            isProxy = true
            let authority = proxy.split(separator: "://", maxSplits: 1).last.map(String.init) ?? proxy
            text = authority
            host = Self.host(of: authority)
        } else {
            // IPv6 literals come with their brackets here, or without, depending on Foundation.
            let name = url.host(percentEncoded: false) ?? ""
            host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
            text = SocketAddress.join(host, url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))
        }
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
}
