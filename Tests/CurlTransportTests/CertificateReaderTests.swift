import Foundation
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

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
        let read = try #require(Certificate(der: der, sha256: [0x0a, 0xff]))
        #expect(read.subject == "C=DE, O=A\\, B, CN=ümlaut")
        #expect(read.issuer == read.subject)
        #expect(read.publicKey == "RSA 2048")
        #expect(read.signatureAlgorithm == "RSA with SHA-256")
        #expect(read.sha256 == "0aff")
        #expect(read.alternativeNames == [])
        #expect(read.notAfter.timeIntervalSince(read.notBefore) == 10 * 86_400)
        #expect(abs(read.notBefore.timeIntervalSinceNow) < 3600)
    }

    @Test func `and no part of a name passes for two`() throws {
        let der = try certificate(key: ["ed25519"], subject: "/O=A,\u{301} CN=b\u{600};x/CN=c")
        let read = try #require(Certificate(der: der, sha256: []))
        #expect(read.subject == "O=A\\,\u{301} CN\\=b\u{600}\\;x, CN=c")
    }

    @Test func `with Ed25519 keys`() throws {
        let read = try #require(Certificate(der: try certificate(key: ["ed25519"], subject: "/CN=e"), sha256: []))
        #expect(read.publicKey == "Ed25519")
        #expect(read.signatureAlgorithm == "Ed25519")
    }

    @Test func `one that is cut off anywhere is none`() throws {
        let der = try certificate(key: ["ed25519"], subject: "/CN=e")
        #expect((0..<der.count).allSatisfy { Certificate(der: der.prefix($0), sha256: []) == nil })
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
