import NetworkLayer
import RequestCollections

extension RequestSettings {
    /// Takes one of curl's options about how a request is sent.
    ///
    /// - Returns: whether it is one, with a value that can be.
    mutating func readCurl(_ name: String, _ value: String) -> Bool {
        switch name {
        case "location-trusted": keepAuth = .always
        case "max-redirs": maxRedirects = Int(value).flatMap { $0 >= 0 ? $0 : nil }
        case "http1.1": httpVersion = .http1
        case "http1.0": httpVersion = .http1_0
        case "http2": httpVersion = .http2
        case "http2-prior-knowledge": httpVersion = .http2PriorKnowledge
        case "proxy": proxy = value
        case "noproxy": if value == "*" { proxy = "" } else { return false }
        case "socks4", "socks4a", "socks5": proxy = "\(name)://\(value)"
        case "socks5-hostname": proxy = "socks5h://\(value)"
        case "resolve": resolve = (resolve ?? []) + [value]
        case "unix-socket": unixSocket = value
        case "connect-timeout": return Self.read(value, into: &timeouts.connect)
        case "max-time": return Self.read(value, into: &timeouts.operation)
        case "max-filesize": responseLimit = Int(value)
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

    /// Seconds, with a fraction; less than a millisecond is never, as 0 is.
    private static func read(_ text: String, into limit: inout Limit?) -> Bool {
        guard let seconds = Double(text), seconds >= 0, seconds < 1e9 else { return false }
        limit = seconds < 0.001 ? .never : .after(.milliseconds(Int64(seconds * 1000)))
        return true
    }
}
