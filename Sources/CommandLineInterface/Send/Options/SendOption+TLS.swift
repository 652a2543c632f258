import Interchange
import NetworkLayer

extension SendOption {
    static let tlsOptions: [SendOption] = [
        SendOption("k", "insecure", nil, .flag(\.isInsecure), "Don't check the server's certificate."),
        SendOption(nil, "cacert", "FILE", .text(\.authorities), "A PEM file with the authorities to trust."),
        SendOption(nil, "crlfile", "FILE", .text(\.revocations), "A PEM file with lists of revoked certificates."),
        SendOption(nil, "capath", "DIR", .text(\.authorityDirectory), "A directory of hashed certificates to trust."),
        SendOption(
            "E", "cert", "FILE[:PHRASE]",
            .action {
                let parts = CertificateArgument($1)
                $0.certificate = parts.file
                $0.passphrase = parts.passphrase ?? $0.passphrase
            },
            "The client's certificate: PEM, PKCS#12 or DER, as the file shows. \\: is a colon in its name."),
        SendOption(nil, "key", "FILE", .text(\.key), "The key of the client's certificate, unless both are in one file."),
        SendOption(
            nil, "pass", "PHRASE", .text(\.passphrase),
            "The pass phrase of the key. Without it you are asked where one is needed."),
        credentialForm("cert-type"), credentialForm("key-type"),
        SendOption(
            nil, "pinnedpubkey", "HASHES", .action { $0.pins += $1.split(separator: ";").map(String.init) },
            "Public keys to insist on, sha256//BASE64, separated by semicolons, or a file with the key or certificate. Repeatable."),
        minimum("tlsv1", .tls1_0, short: "1"), minimum("tlsv1.0", .tls1_0), minimum("tlsv1.1", .tls1_1),
        minimum("tlsv1.2", .tls1_2),
        minimum("tlsv1.3", .tls1_3),
        SendOption(
            nil, "tls-max", "VERSION",
            .action { arguments, text in
                guard text != "default" else { return arguments.maximumTLS = nil }
                guard let version = TLSVersion(rawValue: text) else {
                    throw CommandFailure(.usage, "--tls-max \(text) isn't there. It takes \(versions.joined(separator: ", ")).")
                }
                arguments.maximumTLS = version
            }, "The newest TLS to ask for: 1.0, 1.1, 1.2 or 1.3.", completion: .oneOf(versions)),
        SendOption(
            nil, "ciphers", "LIST", ciphers, "The ciphers to offer up to TLS 1.2, in OpenSSL's names, separated by colons."),
        SendOption(
            nil, "curves", "LIST", .action { $0.curves += $1.split(separator: ":").map(String.init) },
            "The groups to offer for the key exchange, in OpenSSL's names, separated by colons."),
        SendOption(
            nil, "tls13-ciphers", "LIST",
            .action {
                let names = $1.split(separator: ":").map(String.init)
                if let other = names.first(where: { !$0.hasPrefix("TLS_") }) {
                    throw CommandFailure(
                        .usage, "--tls13-ciphers: \(other) is none of TLS 1.3, whose names begin with TLS_. See --ciphers.")
                }
                $0.ciphers += names
            }, "The ciphers to offer with TLS 1.3, separated by colons."),
        SendOption(nil, "tlsuser", "NAME", .text(\.tlsUser), "The name for TLS-SRP, with --tlspassword."),
        SendOption(nil, "tlspassword", "PASSWORD", .text(\.tlsPassword), "The password for TLS-SRP, with --tlsuser."),
        authenticationType("tlsauthtype"),
        SendOption(
            nil, "cert-status", nil, .flag(\.wire.requiresStatus),
            "Insist on the server's proof by OCSP that its certificate isn't revoked."),
        SendOption(
            nil, "no-alpn", nil, .action { arguments, _ in arguments.wire.negotiatesProtocol = false },
            "Don't negotiate the version of HTTP in the handshake."),
        SendOption(
            nil, "alpn", nil, .action { arguments, _ in arguments.wire.negotiatesProtocol = true }, "Negotiate it: the default."),
        SendOption(
            nil, "dump-cert-chain-directory", "DIR", .text(\.certificateDirectory),
            "Write the server's certificates there, as HOST_cert_N.DER, also when they were refused."),
    ]

    private static let versions = TLSVersion.allCases.map(\.rawValue)

    private static let ciphers = Take.action { $0.ciphers += $1.split(separator: ":").map(String.init) }

    /// What the file is, its bytes say.
    static func credentialForm(_ long: String) -> SendOption {
        let forms = ["PEM", "DER", "P12"]
        return SendOption(
            nil, long, "TYPE",
            .action { _, text in
                guard forms.contains(text.uppercased()) else {
                    throw CommandFailure(.usage, "--\(long) \(text) isn't there. It takes \(forms.joined(separator: ", ")).")
                }
            }, "Accepted for curl's sake: the file itself shows whether it is PEM, DER or P12.", completion: .oneOf(forms))
    }

    static func authenticationType(_ long: String) -> SendOption {
        SendOption(
            nil, long, "TYPE",
            .action { _, text in
                guard text.uppercased() == "SRP" else {
                    throw CommandFailure(.usage, "--\(long) \(text) isn't there. It takes SRP.")
                }
            }, "Accepted for curl's sake: SRP is the one type that there is.", completion: .oneOf(["SRP"]))
    }

    private static func minimum(_ long: String, _ version: TLSVersion, short: Character? = nil) -> SendOption {
        SendOption(
            short, long, nil, .action { arguments, _ in arguments.minimumTLS = version }, "TLS \(version.rawValue) or later.")
    }
}

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
