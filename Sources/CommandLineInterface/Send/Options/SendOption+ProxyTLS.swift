import Interchange
import NetworkLayer

/// TLS with a proxy over HTTPS, as with a server.
extension SendOption {
    static let proxyTLSOptions: [SendOption] = [
        proxyTLS("proxy-insecure", nil, "Don't check the certificate of a proxy over HTTPS.") { tls, _ in tls.verifies = false },
        proxyTLS("proxy-cacert", "FILE", "A PEM file with the authorities for a proxy.") { $0.authorities = $1 },
        proxyTLS("proxy-capath", "DIR", "A directory of hashed certificates for a proxy.") { $0.authorities = $1 },
        proxyTLS("proxy-crlfile", "FILE", "A PEM file with lists of revoked certificates for a proxy.") { $0.revocations = $1 },
        proxyTLS("proxy-cert", "FILE[:PHRASE]", "The client's certificate for a proxy.") { tls, text in
            let parts = CertificateArgument(text)
            tls.certificate = parts.file
            tls.passphrase = parts.passphrase.map(Passphrase.init) ?? tls.passphrase
        },
        proxyTLS("proxy-key", "FILE", "The key of that certificate.") { $0.key = $1 },
        proxyTLS("proxy-pass", "PHRASE", "The pass phrase of that key.") { $0.passphrase = Passphrase($1) },
        credentialForm("proxy-cert-type"), credentialForm("proxy-key-type"),
        proxyTLS("proxy-pinnedpubkey", "HASHES", "Public keys of a proxy to insist on, sha256//BASE64.") { $0.pins = [$1] },
        proxyTLS("proxy-tlsv1", nil, "TLS 1.0 or later with a proxy.") { tls, _ in tls.minimumVersion = .tls1_0 },
        proxyTLS("proxy-tlsuser", "NAME", "The name for TLS-SRP with a proxy.") { tls, name in
            tls.srp = Credential(user: name, password: tls.srp?.password ?? "")
        },
        proxyTLS("proxy-tlspassword", "PASSWORD", "The password for TLS-SRP with a proxy.") { tls, password in
            tls.srp = Credential(user: tls.srp?.user ?? "", password: password)
        },
        authenticationType("proxy-tlsauthtype"),
        proxyTLS("proxy-ciphers", "LIST", "The ciphers for a proxy up to TLS 1.2.") { $0.ciphers += names($1) },
        proxyTLS("proxy-tls13-ciphers", "LIST", "The ciphers for a proxy with TLS 1.3.") { $0.ciphers += names($1) },
    ]

    private static func names(_ text: String) -> [String] { text.split(separator: ":").map(String.init) }

    private static func proxyTLS(
        _ long: String, _ argument: String?, _ help: String, _ change: @escaping @Sendable (inout TLSOptions, String) -> Void
    ) -> SendOption {
        SendOption(
            nil, long, argument,
            .action { arguments, text in
                var tls = arguments.wire.proxyTLS ?? TLSOptions()
                change(&tls, text)
                arguments.wire.proxyTLS = tls
            }, help)
    }
}
