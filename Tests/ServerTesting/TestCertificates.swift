import Foundation
import Synchronization

/// An authority of our own and what it has signed, made by `openssl`; shared by all tests that run at the same time.
package final class TestCertificates: Sendable {
    /// A certificate and its key, both PEM files.
    package struct Pair: Sendable {
        package var certificate: String
        package var key: String
    }

    private let directory: TemporaryDirectory
    /// The PEM file of the authority.
    package let authority: String
    /// For `localhost`, 127.0.0.1 and ::1; with the authority's certificate behind it.
    package let good: Pair
    package let expired: Pair
    /// For `other.example`.
    package let wrongHost: Pair
    /// For the same names as ``good``.
    package let selfSigned: Pair
    package let client: Pair
    /// The pass phrase of ``encryptedKey`` and ``bundle``.
    package static let passphrase = "open: sesame"
    /// The client's key, encrypted, in PEM.
    package let encryptedKey: String
    /// The client's certificate and key in PKCS#12.
    package let bundle: String
    /// The same two in DER, each in a file of its own.
    package let binary: Pair

    private struct Shared: ~Copyable {
        weak var value: TestCertificates?
    }

    private static let current = Mutex(Shared())

    package static func shared() throws -> TestCertificates {
        try current.withLock { current in
            if let value = current.value { return value }
            let value = try TestCertificates()
            current.value = value
            return value
        }
    }

    private init() throws {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let directory = try TemporaryDirectory()
        self.directory = directory
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let authority = Pair(certificate: directory.file("ca.pem"), key: directory.file("ca.key"))

        func selfSign(_ pair: Pair, _ subject: String, _ extensions: [String]) throws {
            try ChildProcess.run(
                openssl,
                ["req", "-x509"] + newKey + ["-keyout", pair.key, "-out", pair.certificate, "-days", "30", "-subj", subject]
                    + extensions.flatMap { ["-addext", $0] })
        }
        // `openssl x509` takes dates that are over in no way that OpenSSL 3.0 and 3.5 share.
        let configuration = try directory.write(
            "ca.cnf",
            """
            [ca]
            default_ca = tests
            [tests]
            database = \(try directory.write("index", ""))
            new_certs_dir = \(directory.path)
            default_md = sha256
            policy = names
            unique_subject = no
            rand_serial = yes
            [names]
            organizationName = optional
            commonName = supplied

            """)
        func sign(_ name: String, subject: String, names: String, dates: [String] = ["-days", "30"]) throws -> Pair {
            let pair = Pair(certificate: directory.file(name + ".pem"), key: directory.file(name + ".key"))
            let request = directory.file(name + ".csr")
            let leaf = directory.file(name + ".leaf")
            let extensions = try directory.write(name + ".ext", "subjectAltName=\(names)\n")
            try ChildProcess.run(openssl, ["req", "-new"] + newKey + ["-keyout", pair.key, "-out", request, "-subj", subject])
            try ChildProcess.run(
                openssl,
                [
                    "ca", "-batch", "-config", configuration, "-cert", authority.certificate, "-keyfile", authority.key, "-in",
                    request,
                    "-out", leaf, "-notext", "-preserveDN", "-extfile", extensions,
                ] + dates)
            // A server shows its own certificate first, then its issuer's.
            let chain = try [leaf, authority.certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }
            try directory.write(name + ".pem", chain.joined())
            return pair
        }

        let names = "DNS:localhost,IP:127.0.0.1,IP:::1"
        try selfSign(authority, "/O=Turnstone/CN=Turnstone Test Authority", ["keyUsage=critical,keyCertSign,cRLSign"])
        self.authority = authority.certificate
        good = try sign("good", subject: "/O=Turnstone/CN=localhost", names: names)
        expired = try sign(
            "expired", subject: "/CN=localhost", names: names,
            dates: ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"])
        wrongHost = try sign("wrong-host", subject: "/CN=other.example", names: "DNS:other.example")
        client = try sign("client", subject: "/CN=A client", names: "DNS:client.example")
        encryptedKey = directory.file("client.encrypted.key")
        bundle = directory.file("client.bundle")
        binary = Pair(certificate: directory.file("client.der"), key: directory.file("client.key.der"))
        let phrase = "pass:" + Self.passphrase
        for arguments in [
            ["pkcs8", "-topk8", "-in", client.key, "-out", encryptedKey, "-passout", phrase],
            ["pkcs12", "-export", "-in", client.certificate, "-inkey", client.key, "-out", bundle, "-passout", phrase],
            ["x509", "-in", client.certificate, "-outform", "DER", "-out", binary.certificate],
            ["pkcs8", "-topk8", "-nocrypt", "-in", client.key, "-outform", "DER", "-out", binary.key],
        ] {
            try ChildProcess.run(openssl, arguments)
        }
        let alone = Pair(certificate: directory.file("self-signed.pem"), key: directory.file("self-signed.key"))
        try selfSign(alone, "/CN=localhost", ["subjectAltName=\(names)"])
        selfSigned = alone
    }
}
