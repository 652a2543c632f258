import Interchange
import NetworkLayer

extension SendOption {
    static let connectionOptions: [SendOption] = [
        SendOption("L", "location", nil, .flag(\.followsRedirects), "Follow redirects; credentials stay with their origin."),
        SendOption(nil, "location-trusted", nil, .flag(\.trustsRedirects), "As -L, and send credentials to other origins too."),
        SendOption(nil, "max-redirs", "COUNT", .count(\.redirectLimit), "The most redirects to follow; -1 for any. Default: 20."),
        SendOption(nil, "compressed", nil, .flag(\.compressed), "Ask for a compressed response, and decode it."),
        SendOption(nil, "http1.1", nil, version(.http1), "Speak HTTP/1.1."),
        SendOption(nil, "http2", nil, version(.http2), "Speak HTTP/2 where the server can."),
        SendOption(nil, "http2-prior-knowledge", nil, version(.http2PriorKnowledge), "Speak HTTP/2 without asking first."),
        SendOption(
            "x", "proxy", "URL", .text(\.proxy),
            "A proxy, [SCHEME://]HOST[:PORT]; '' for none, whatever the environment says. http, https, socks4, socks4a, socks5, socks5h."
        ),
        SendOption(
            "U", "proxy-user", "USER:PASSWORD", .text(\.proxyUser),
            "Name and password for the proxy. Without :PASSWORD it is asked for."),
        proxyScheme("proxy-basic", .basic), proxyScheme("proxy-digest", .digest), proxyScheme("proxy-ntlm", .ntlm),
        proxyScheme("proxy-negotiate", .negotiate), proxyScheme("proxy-anyauth", .any),
        SendOption(nil, "noproxy", "HOSTS", .text(\.noProxy), "Hosts to reach without the proxy, by comma; * for all."),
        socks("socks4", "socks4", "A SOCKS4 proxy."),
        socks("socks4a", "socks4a", "A SOCKS4a proxy, which looks names up."),
        socks("socks5", "socks5", "A SOCKS5 proxy."),
        socks("socks5-hostname", "socks5h", "A SOCKS5 proxy, which looks names up."),
        SendOption(
            nil, "resolve", "HOST:PORT:ADDRESS", .list(\.resolve), "An address instead of a name look-up. Repeatable."),
        SendOption(
            nil, "connect-to", "HOST1:PORT1:HOST2:PORT2", .list(\.connectTo),
            "Connect to another host and port than the URL's, which stay in the request. Repeatable."),
        SendOption(nil, "unix-socket", "FILE", .text(\.unixSocket), "A Unix socket to connect to."),
        SendOption(
            nil, "connect-timeout", "SECONDS", .seconds(\.connectTimeout),
            "To connect in, name look-up and TLS included. Default: 30; 0: never."),
        SendOption(
            nil, "idle-timeout", "SECONDS", .seconds(\.idleTimeout),
            "Without a byte in either direction, from the start on. Default: 30, from the first byte on; 0: never."),
        SendOption(
            nil, "attempt-timeout", "SECONDS", .seconds(\.attemptTimeout),
            "For each attempt, with all of its redirects. Default: never."),
        SendOption("m", "max-time", "SECONDS", .seconds(\.maximumTime), "For everything together. Default: never."),
        SendOption(
            nil, "retry", "COUNT", .count(\.retries),
            "Try again so often after what passes by itself: timeouts, 429, 503 …; of a body that broke off only the rest is asked for."
        ),
        SendOption(
            nil, "retry-delay", "SECONDS", .seconds(\.retryDelay),
            "Between tries. Default: 1, 2, 4 … 600, or what Retry-After says."),
        SendOption(nil, "retry-max-time", "SECONDS", .seconds(\.retryMaximumTime), "No retry begins later than this."),
        SendOption(nil, "retry-connrefused", nil, .flag(\.retriesRefusedConnections), "With --retry: also when nobody listens."),
        SendOption(
            nil, "retry-all-errors", nil, .flag(\.retriesAllErrors),
            "With --retry: after every error, and with -f after every status of 400 or more."),
        SendOption(nil, "interface", "NAME", .text(\.interface), "The interface, host or address to connect from."),
        SendOption(nil, "mptcp", nil, .flag(\.multipath), "Connect by Multipath TCP, where there is one."),
        SendOption(
            nil, "max-filesize", "BYTES",
            .action { arguments, text in
                let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
                let unit = text.last.flatMap { units[Character($0.lowercased())] }
                let product = Int(unit == nil ? text[...] : text.dropLast())?.multipliedReportingOverflow(by: unit ?? 1)
                guard let product, !product.overflow, product.partialValue >= 0 else {
                    throw CommandFailure(
                        status: .usage,
                        message: "--max-filesize \(text) is no number of bytes. It takes 1000, 20k, 5M or 1G; 0 for any.")
                }
                arguments.maximumSize = product.partialValue
            }, "The longest body to take, also as 20k, 5M, 1G. Default: any."),
    ]

    private static func version(_ version: HTTPVersionPreference) -> Take {
        .action { arguments, _ in
            if !arguments.httpVersions.contains(version) { arguments.httpVersions.append(version) }
        }
    }

    private static func proxyScheme(_ long: String, _ scheme: ProxyAuthentication) -> SendOption {
        SendOption(
            nil, long, nil, .action { arguments, _ in arguments.proxyScheme = scheme },
            scheme == .any ? "-U is for the best scheme that the proxy offers." : "-U is for \(scheme.rawValue) authentication.")
    }

    private static func socks(_ long: String, _ scheme: String, _ help: String) -> SendOption {
        SendOption(nil, long, "HOST[:PORT]", .action { $0.proxy = "\(scheme)://\($1)" }, help)
    }

    static let tlsOptions: [SendOption] = [
        SendOption("k", "insecure", nil, .flag(\.isInsecure), "Don't check the server's certificate."),
        SendOption(nil, "cacert", "FILE", .text(\.authorities), "A PEM file with the authorities to trust."),
        SendOption(nil, "capath", "DIR", .text(\.authorityDirectory), "A directory of hashed certificates to trust."),
        SendOption(
            "E", "cert", "FILE[:PHRASE]",
            .action {
                let parts = CertificateArgument($1)
                $0.certificate = parts.file
                $0.passphrase = parts.passphrase ?? $0.passphrase
            },
            "The client's certificate: PEM, PKCS#12 or DER, as the file is. \\: is a colon of its name."),
        SendOption(nil, "key", "FILE", .text(\.key), "The key of the client's certificate, unless both are in one file."),
        SendOption(
            nil, "pass", "PHRASE", .text(\.passphrase),
            "The pass phrase of the key. Without it, it is asked for where one is needed."),
        credentialForm("cert-type"), credentialForm("key-type"),
        SendOption(
            nil, "pinnedpubkey", "HASHES", .action { $0.pins += $1.split(separator: ";").map(String.init) },
            "Public keys to insist on, sha256//BASE64, by semicolon, or a file with the key or certificate. Repeatable."),
        minimum("tlsv1", .tls1_0, short: "1"), minimum("tlsv1.0", .tls1_0), minimum("tlsv1.1", .tls1_1),
        minimum("tlsv1.2", .tls1_2),
        minimum("tlsv1.3", .tls1_3),
        SendOption(
            nil, "tls-max", "VERSION",
            .action { arguments, text in
                guard text != "default" else { return arguments.maximumTLS = nil }
                guard let version = TLSVersion(rawValue: text) else {
                    throw CommandFailure(
                        status: .usage, message: "--tls-max \(text) isn't there. It takes \(versions.joined(separator: ", ")).")
                }
                arguments.maximumTLS = version
            }, "The newest TLS to ask for: 1.0, 1.1, 1.2 or 1.3.", completion: .oneOf(versions)),
        SendOption(
            nil, "ciphers", "LIST", ciphers, "The ciphers to offer up to TLS 1.2, in OpenSSL's names, by colon."),
        SendOption(
            nil, "tls13-ciphers", "LIST",
            .action {
                let names = $1.split(separator: ":").map(String.init)
                if let other = names.first(where: { !$0.hasPrefix("TLS_") }) {
                    throw CommandFailure(
                        status: .usage,
                        message: "--tls13-ciphers: \(other) is none of TLS 1.3, whose names begin with TLS_. See --ciphers.")
                }
                $0.ciphers += names
            }, "The ciphers to offer with TLS 1.3, by colon."),
        SendOption(
            nil, "dump-cert-chain-directory", "DIR", .text(\.certificateDirectory),
            "Write the server's certificates there, as HOST_cert_N.DER, also when they were refused."),
    ]

    private static let versions = TLSVersion.allCases.map(\.rawValue)

    private static let ciphers = Take.action { $0.ciphers += $1.split(separator: ":").map(String.init) }

    /// What the file is, its bytes say.
    private static func credentialForm(_ long: String) -> SendOption {
        let forms = ["PEM", "DER", "P12"]
        return SendOption(
            nil, long, "TYPE",
            .action { _, text in
                guard forms.contains(text.uppercased()) else {
                    throw CommandFailure(
                        status: .usage, message: "--\(long) \(text) isn't there. It takes \(forms.joined(separator: ", ")).")
                }
            }, "Taken for curl's sake: whether it is PEM, DER or P12, the file itself says.", completion: .oneOf(forms))
    }

    private static func minimum(_ long: String, _ version: TLSVersion, short: Character? = nil) -> SendOption {
        SendOption(
            short, long, nil, .action { arguments, _ in arguments.minimumTLS = version }, "TLS \(version.rawValue) or later.")
    }
}
