import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

/// Who we are, shown by a certificate: to nginx, and to a server that talks to nobody else.
struct `Client certificates` {
    private let certificates: TestCertificates
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
        certificates = nginx.certificates
    }

    private func get(
        _ port: UInt16, method: HTTPRequest.Method = .get, body: RequestBody = .none,
        version: HTTPVersionPreference = .automatic, _ configure: (inout TLSOptions) -> Void = { _ in }
    ) async throws -> Recording {
        try await CurlTransport().get("https://127.0.0.1:\(port)/small") {
            $0.request.method = method
            $0.request.body = body
            $0.options.httpVersion = version
            $0.options.tls.authorities = certificates.authority
            configure(&$0.options.tls)
        }
    }

    private static let phrase = Passphrase(TestCertificates.passphrase)

    @Test func `PEM, PKCS#12 and DER are told apart by their bytes, and opened with a pass phrase`() async throws {
        let ways: [(certificate: String, key: String?, passphrase: Passphrase?)] = [
            (certificates.client.certificate, certificates.client.key, nil),
            (certificates.client.certificate, certificates.encryptedKey, Self.phrase),
            (certificates.bundle, nil, Self.phrase),
            (certificates.binary.certificate, certificates.binary.key, nil),
            (certificates.binary.certificate, certificates.encryptedKey, Self.phrase),
        ]
        for way in ways {
            let recording = try await get(nginx.mutual) {
                ($0.certificate, $0.key, $0.passphrase) = way
            }
            #expect(recording.error == nil, "\(way)")
            #expect(recording.status == 200, "\(way)")
        }
    }

    @Test func `a key without its pass phrase is named before anything is sent, and OpenSSL doesn't ask for it`() async throws {
        let recording = try await get(nginx.mutual) {
            $0.certificate = certificates.client.certificate
            $0.key = certificates.encryptedKey
        }
        #expect(recording.error?.code == .clientCertificateFailed)
        #expect(
            recording.error?.message
                == "The client key \(certificates.encryptedKey) is encrypted, and there is no pass phrase for it. Give it one.")
        #expect(recording.story == ["finished"])
    }

    @Test func `a wrong pass phrase is named`() async throws {
        for (certificate, key) in [(certificates.client.certificate, certificates.encryptedKey), (certificates.bundle, nil)] {
            let recording = try await get(nginx.mutual) {
                $0.certificate = certificate
                $0.key = key
                $0.passphrase = Passphrase("wrong")
            }
            #expect(recording.error?.code == .clientCertificateFailed)
            #expect(recording.error?.message.hasSuffix("Does its key belong to it, and is the pass phrase right?") == true)
            #expect(recording.error?.message.contains("wrong.") == false)
        }
    }

    @Test(arguments: ["-tls1_3", "-tls1_2"])
    func `a server that demands one is told as that, with the authorities that it takes`(version: String) async throws {
        let server = try DemandingServer(certificates, [version])
        let reason = version == "-tls1_3" ? "certificate required" : "handshake failure"
        for body in [RequestBody.none, .data(Data(count: 3 << 20))] {
            let recording = try await get(server.port, method: body == .none ? .get : .post, body: body)
            #expect(recording.error?.code == .clientCertificateFailed)
            #expect(recording.error?.phase == .tls)
            #expect(recording.error?.type == "tls.bad_client_auth_cert")
            #expect(
                recording.error?.message
                    == "127.0.0.1:\(server.port) asks for a client certificate (\(reason)). Name one. "
                    + "It takes those of “O=Turnstone, CN=Turnstone Test Authority”.")
            #expect(recording.error?.details == [.clientAuthorities: "O=Turnstone, CN=Turnstone Test Authority"])
        }
        let accepted = try await get(server.port) {
            $0.certificate = certificates.bundle; $0.passphrase = Self.phrase
        }
        #expect(accepted.error == nil)
        #expect(accepted.status == 200)
    }

    @Test func `also where HTTP/2 was agreed upon`() async throws {
        let server = try DemandingServer(certificates, ["-tls1_3", "-alpn", "h2"])
        let recording = try await get(server.port, version: .http2)
        #expect(recording.error?.code == .clientCertificateFailed)
        #expect(recording.error?.message.contains("asks for a client certificate (certificate required)") == true)
    }

    @Test(arguments: ["-tls1_3", "-tls1_2"])
    func `a certificate of somebody else is told as that`(version: String) async throws {
        let server = try DemandingServer(certificates, [version])
        let recording = try await get(server.port) {
            $0.certificate = certificates.selfSigned.certificate
            $0.key = certificates.selfSigned.key
        }
        #expect(recording.error?.code == .clientCertificateFailed)
        #expect(
            recording.error?.message
                == "127.0.0.1:\(server.port) did not accept the client certificate \(certificates.selfSigned.certificate) (unknown CA). "
                + "It takes those of “O=Turnstone, CN=Turnstone Test Authority”.")
    }

    @Test func `the greatest version is the one that is spoken`() async throws {
        let recording = try await get(nginx.good) { $0.maximumVersion = .tls1_2 }
        #expect(recording.tls?.version == "TLSv1.2")
        let exact = try await get(nginx.good) { ($0.minimumVersion, $0.maximumVersion) = (.tls1_3, .tls1_3) }
        #expect(exact.tls?.version == "TLSv1.3")
        let swapped = try await get(nginx.good) { ($0.minimumVersion, $0.maximumVersion) = (.tls1_3, .tls1_2) }
        #expect(swapped.error?.message == "The oldest version of TLS, 1.3, is newer than the newest, 1.2. Swap or drop one.")
    }

    @Test func `ciphers are those that are named, for TLS 1.3 and for what was before`() async throws {
        let names = ["TLS_AES_128_GCM_SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"]
        let new = try await get(nginx.good) { $0.ciphers = names }
        #expect(new.tls?.cipher == "TLS_AES_128_GCM_SHA256")
        let old = try await get(nginx.good) { ($0.ciphers, $0.maximumVersion) = (names, .tls1_2) }
        #expect(old.tls?.cipher == "ECDHE-ECDSA-AES128-GCM-SHA256")
        let unknown = try await get(nginx.good) { $0.ciphers = ["NO-SUCH-CIPHER"] }
        #expect(unknown.error?.code == .tlsFailed)
        #expect(unknown.error?.message.contains("NO-SUCH-CIPHER") == true)
    }

    @Test func `no pass phrase is in a description`() {
        var tls = TLSOptions()
        tls.passphrase = Passphrase("hunter2")
        var dumped = ""
        dump(tls, to: &dumped)
        for text in ["\(tls)", String(reflecting: tls), dumped] { #expect(!text.contains("hunter2")) }
    }
}

struct `Certificates are read` {
    /// A certificate made by `openssl`, in DER.
    private func certificate(key: [String], subject: String) throws -> Data {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let directory = try TemporaryDirectory()
        let file = directory.file("der")
        try ChildProcess.run(
            openssl,
            ["req", "-x509", "-utf8", "-nodes", "-newkey"] + key
                + ["-keyout", directory.file("key"), "-outform", "DER", "-out", file, "-days", "10", "-subj", subject])
        return try Data(contentsOf: URL(fileURLWithPath: file))
    }

    @Test func `with RSA keys`() throws {
        let der = try certificate(key: ["rsa:2048"], subject: "/C=DE/O=A, B/CN=ümlaut")
        let read = try #require(Certificate(der: der))
        #expect(read.subject == "C=DE, O=A\\, B, CN=ümlaut")
        #expect(read.issuer == read.subject)
        #expect(read.publicKey == "RSA 2048")
        #expect(read.signatureAlgorithm == "RSA with SHA-256")
        #expect(read.sha256 == DigestFunction.sha256.hash(der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect(read.alternativeNames == [])
        #expect(read.notAfter.timeIntervalSince(read.notBefore) == 10 * 86_400)
        #expect(abs(read.notBefore.timeIntervalSinceNow) < 3600)
    }

    @Test func `and no part of a name passes for two`() throws {
        let der = try certificate(key: ["ed25519"], subject: "/O=A,\u{301} CN=b\u{600};x/CN=c")
        let read = try #require(Certificate(der: der))
        #expect(read.subject == "O=A\\,\u{301} CN\\=b\u{600}\\;x, CN=c")
    }

    @Test func `with Ed25519 keys`() throws {
        let read = try #require(Certificate(der: try certificate(key: ["ed25519"], subject: "/CN=e")))
        #expect(read.publicKey == "Ed25519")
        #expect(read.signatureAlgorithm == "Ed25519")
    }

    @Test func `one that is cut off anywhere is none`() throws {
        let der = try certificate(key: ["ed25519"], subject: "/CN=e")
        #expect((0..<der.count).allSatisfy { Certificate(der: der.prefix($0)) == nil })
    }

    @Test func `lengths beyond the bytes end the reading`() {
        for bytes: [UInt8] in [
            [0x30], [0x30, 0x05, 0], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0x80], [0x1f, 0x81, 0x01, 0],
        ] {
            var reader = DERReader(bytes[...])
            #expect(reader.next()?.tag == nil)
        }
    }
}
