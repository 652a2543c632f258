import NetworkLayer
import RequestCollections

extension RequestSettings {
    /// The most redirects that curl follows unless it is told otherwise, and Hurl after it.
    static let curlRedirects = 50

    /// What curl does without an option: it follows no redirects, and neither asks for compression nor decodes it.
    mutating func applyCurlDefaults(followsRedirects: Bool, isCompressed: Bool) {
        if !followsRedirects {
            followRedirects = .never
        } else if maxRedirects == nil {
            maxRedirects = Self.curlRedirects
        }
        if !isCompressed { compression = false }
        // Whatever else is said about a proxy, and before or behind it.
        if connection.proxyExceptions == "*" { (proxy, connection.preProxy, connection.proxyExceptions) = ("", nil, nil) }
    }

    /// Takes these back, where a command is read for what it asks and not for how curl sends it.
    mutating func dropCurlDefaults() {
        if followRedirects == .never { followRedirects = nil }
        if maxRedirects == Self.curlRedirects { maxRedirects = nil }
        if compression == false { compression = nil }
    }

    /// Takes one of curl's options about how a request is sent.
    ///
    /// - Returns: whether it is one, with a value that can be.
    mutating func readCurl(_ name: String, _ value: String) -> Bool {
        switch name {
        // -1 is any number of them.
        case "max-redirs":
            guard let count = Int(value), count >= -1 else { return false }
            maxRedirects = count < 0 ? Self.mostRedirects : min(count, Self.mostRedirects)
        case "post301", "post302", "post303":
            let status = String(name.dropFirst(4))
            if keepPost?.contains(status) != true { keepPost = ((keepPost ?? []) + [status]).sorted() }
        case "http1.1": httpVersion = .http1
        case "http1.0": httpVersion = .http1_0
        case "http2": httpVersion = .http2
        case "http2-prior-knowledge": httpVersion = .http2PriorKnowledge
        case "proxy": proxy = value
        case "noproxy": connection.proxyExceptions = value
        case "preproxy": connection.preProxy = value
        case "proxytunnel": connection.tunnels = true
        case "socks4", "socks4a", "socks5": proxy = "\(name)://\(value)"
        case "socks5-hostname": proxy = "socks5h://\(value)"
        case "resolve": resolve = (resolve ?? []) + [value]
        case "unix-socket": unixSocket = value
        case "connect-timeout": return Self.read(value, into: &timeouts.connect)
        case "max-time": return Self.read(value, into: &timeouts.operation)
        case "max-filesize":
            guard let size = CurlSize.bytes(value) else { return false }
            if size > 0 { responseLimit = size }
        case "limit-rate":
            guard let rate = CurlSize.bytes(value) else { return false }
            if rate > 0 { connection.rate = rate }
        case "ipv4": connection.family = .ipv4
        case "ipv6": connection.family = .ipv6
        case "interface": connection.interface = value
        case "local-port":
            guard let ports = PortsText.parse(value) else { return false }
            connection.localPorts = ports
        case "keepalive-time":
            guard let seconds = Int(value), (0...86_400).contains(seconds) else { return false }
            if seconds > 0 { connection.keepAlive = .seconds(seconds) }
        case "connect-to": connection.connectTo = (connection.connectTo ?? []) + [value]
        case "doh-url": connection.resolver = value
        case "request-target": connection.requestTarget = value
        case "insecure": verifiesTLS = false
        case "cacert", "capath": authorities = value
        case "cert":
            let parts = CertificateArgument(value)
            certificate = parts.file
            passphrase = parts.passphrase ?? passphrase
        case "key": key = value
        case "pass": passphrase = value
        // The file's bytes say it.
        case "cert-type", "key-type": return CertificateArgument.types.contains(value.uppercased())
        case "ciphers", "tls13-ciphers": ciphers = (ciphers ?? []) + value.split(separator: ":").map(String.init)
        case "curves": curves = (curves ?? []) + value.split(separator: ":").map(String.init)
        case "crlfile": revocations = value
        case "cert-status": requiresStatus = true
        case "tls-max":
            guard value != "default" else { break }
            guard let version = TLSVersion(rawValue: value) else { return false }
            maximumTLSVersion = version
        case "pinnedpubkey": pins = value.split(separator: ";").map(String.init)
        case "tlsv1.0": minimumTLSVersion = .tls1_0
        case "tlsv1.1": minimumTLSVersion = .tls1_1
        case "tlsv1.2": minimumTLSVersion = .tls1_2
        case "tlsv1.3": minimumTLSVersion = .tls1_3
        case "retry":
            guard let count = Int(value), (0..<100).contains(count) else { return false }
            retry.isOn = true
            retry.attempts = count + 1
        default: return false
        }
        return true
    }

    /// The format's most.
    private static let mostRedirects = 10_000

    /// Seconds, with a fraction; less than a millisecond is never, as 0 is.
    private static func read(_ text: String, into limit: inout Limit?) -> Bool {
        guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else { return false }
        limit = seconds < 0.001 ? .never : .after(.milliseconds(Int64(seconds * 1000)))
        return true
    }
}

/// Numbers of bytes as curl takes them.
package enum CurlSize {
    /// Bytes: `1000`, `20k`, `5M`, `1G`.
    package static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        let unit = text.last.flatMap { units[Character($0.lowercased())] }
        guard let count = Int(unit == nil ? text[...] : text.dropLast()), count >= 0 else { return nil }
        let (size, overflow) = count.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : size
    }
}
