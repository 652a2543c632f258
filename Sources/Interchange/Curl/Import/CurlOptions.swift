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
        case "http3": httpVersion = .http3
        case "http3-only": httpVersion = .http3Only
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

/// What curl's `--cert` takes: a file, and behind a colon the pass phrase of its key. A backslash makes a colon, or itself, a part of
/// the file's name.
package struct CertificateArgument: Hashable, Sendable {
    package var file: String
    package var passphrase: String?

    package init(_ text: String) {
        // The name of a key in a token, which has colons.
        guard !text.lowercased().hasPrefix("pkcs11:") else {
            file = text
            return
        }
        file = ""
        var rest = text[...].unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case ":":
                passphrase = rest.isEmpty ? nil : String(rest)
                return
            case "\\" where rest.first == ":" || rest.first == "\\": file.unicodeScalars.append(rest.removeFirst())
            default: file.unicodeScalars.append(scalar)
            }
        }
    }

    /// The forms of files that curl names and this program finds out by itself.
    package static let types: Set = ["PEM", "DER", "P12"]
}

/// curl's options, as far as a command line can be taken apart by them (curl's manual page, version 8.11).
enum CurlOptions {
    /// The long name for `-X` and its like.
    static let short: [Character: String] = [
        "a": "append", "E": "cert", "K": "config", "C": "continue-at", "b": "cookie", "c": "cookie-jar", "d": "data",
        "q": "disable",
        "D": "dump-header", "f": "fail", "F": "form", "P": "ftp-port", "G": "get", "g": "globoff", "I": "head", "H": "header",
        "h": "help", "0": "http1.0", "i": "include", "k": "insecure", "4": "ipv4", "6": "ipv6", "j": "junk-session-cookies",
        "l": "list-only", "L": "location", "m": "max-time", "M": "manual", "n": "netrc", ":": "next", "N": "no-buffer",
        "o": "output", "Z": "parallel", "#": "progress-bar", "x": "proxy", "p": "proxytunnel", "Q": "quote", "r": "range",
        "e": "referer", "J": "remote-header-name", "O": "remote-name", "R": "remote-time", "X": "request", "S": "show-error",
        "s": "silent", "Y": "speed-limit", "y": "speed-time", "2": "sslv2", "3": "sslv3", "t": "telnet-option", "z": "time-cond",
        "1": "tlsv1", "T": "upload-file", "B": "use-ascii", "u": "user", "A": "user-agent", "v": "verbose", "V": "version",
        "w": "write-out", "U": "proxy-user",
    ]

    static let withValue: Set<String> = [
        "abstract-unix-socket", "alt-svc", "aws-sigv4", "cacert", "capath", "cert", "cert-type", "ciphers", "config",
        "connect-timeout", "connect-to", "continue-at", "cookie", "cookie-jar", "create-file-mode", "crlfile", "curves", "data",
        "data-ascii", "data-binary", "data-raw", "data-urlencode", "delegation", "dns-interface", "dns-ipv4-addr", "dns-ipv6-addr",
        "dns-servers", "doh-url", "dump-header", "ech", "egd-file", "engine", "etag-compare", "etag-save", "expect100-timeout",
        "form", "form-string", "ftp-account", "ftp-alternative-to-user",
        "ftp-method", "ftp-port", "ftp-ssl-ccc-mode", "happy-eyeballs-timeout-ms", "haproxy-clientip", "header", "help",
        "hostpubmd5", "hostpubsha256", "hsts", "interface", "ip-tos", "ipfs-gateway", "json", "keepalive-cnt", "keepalive-time",
        "key", "key-type", "krb", "libcurl", "limit-rate", "local-port", "login-options", "mail-auth", "mail-from", "mail-rcpt",
        "max-filesize", "max-redirs", "max-time", "netrc-file", "noproxy", "oauth2-bearer", "output", "output-dir", "parallel-max",
        "pass", "pinnedpubkey", "preproxy", "proto", "proto-default", "proto-redir", "proxy", "proxy-cacert", "proxy-capath",
        "proxy-cert", "proxy-cert-type", "proxy-ciphers", "proxy-crlfile", "proxy-header", "proxy-key", "proxy-key-type",
        "proxy-pass", "proxy-pinnedpubkey", "proxy-service-name", "proxy-tls13-ciphers", "proxy-tlsauthtype", "proxy-tlspassword",
        "proxy-tlsuser", "proxy-user", "proxy1.0", "pubkey", "quote", "random-file", "range", "rate", "referer", "request",
        "request-target", "resolve", "retry", "retry-delay", "retry-max-time", "sasl-authzid", "service-name", "socks4", "socks4a",
        "socks5", "socks5-gssapi-service", "socks5-hostname", "speed-limit", "speed-time", "stderr", "telnet-option",
        "tftp-blksize", "time-cond", "tls-max", "tls13-ciphers", "tlsauthtype", "tlspassword", "tlsuser", "trace", "trace-ascii",
        "trace-config", "unix-socket", "upload-file", "url", "url-query", "user", "user-agent", "variable", "vlan-priority",
        "write-out", "knownhosts", "parallel-max-host", "sigalgs", "ssl-sessions", "upload-flags",
    ]

    /// Options that take nothing, and begin the name of one that does.
    private static let flags: Set<String> = ["head", "netrc", "ssl"]

    /// An option may be shortened as long as no other one begins so.
    private static func whole(_ name: String) -> String {
        guard name.count > 2, !takesValue(name), !flags.contains(name) else { return name }
        let known = withValue.filter { $0.hasPrefix(name) }
        return known.count == 1 ? known.first ?? name : name
    }

    /// Whether the next word is its value; those of `--expand-` are those of the option behind it.
    private static func takesValue(_ name: String) -> Bool { name.hasPrefix("expand-") || withValue.contains(name) }

    /// What is printed and kept, which is no part of a request; and what is so anyway.
    static let withoutMeaning: Set<String> = [
        "output", "output-dir", "dump-header", "silent", "show-error", "verbose", "include", "write-out", "progress-bar",
        "no-progress-meter", "fail", "fail-with-body", "fail-early", "no-buffer", "remote-name", "remote-name-all",
        "remote-header-name", "remote-time", "create-dirs", "create-file-mode", "no-clobber", "trace", "trace-ascii", "trace-time",
        "trace-config", "trace-ids", "stderr", "styled-output", "no-styled-output", "disable", "basic",
        "globoff", "parallel", "parallel-immediate", "parallel-max", "remove-on-error", "raw", "no-keepalive", "tcp-nodelay",
        "xattr", "libcurl", "suppress-connect-headers", "tlsv1", "path-as-is",
        "ssl-no-revoke", "ssl-revoke-best-effort", "ssl-auto-client-cert", "proxy-ssl-auto-client-cert", "egd-file", "random-file",
        "no-npn", "no-sessionid", "ca-native", "proxy-ca-native", "socks5-basic", "rate", "skip-existing", "out-null",
        "cert-type", "key-type",
    ]

    /// One option and what stands behind it; a letter may have its value, and others, in the same word.
    static func parse(_ words: inout ArraySlice<String>) -> [(name: String, value: String?)] {
        guard let word = words.popFirst() else { return [] }
        if word.hasPrefix("--") {
            let name = whole(String(word.dropFirst(2)))
            guard takesValue(name) else {
                let (before, value) = name.split(at: "=")
                if let value, takesValue(before) { return [(before, value)] }
                return [(name, nil)]
            }
            return [(name, words.popFirst() ?? "")]
        }
        var options: [(String, String?)] = []
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = short[letter] ?? String(letter)
            guard withValue.contains(name) else {
                options.append((name, nil))
                continue
            }
            options.append((name, letters.isEmpty ? words.popFirst() ?? "" : String(letters)))
            break
        }
        return options
    }
}
