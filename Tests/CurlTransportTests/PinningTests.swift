import CurlTransport
import Foundation
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

/// TN-12: what a server's own certificate must be, besides being trusted.
struct `Pinned certificates` {
    private let transport = CurlTransport()
    private let nginx: NginxServer
    private let certificates: TestCertificates
    private static let foreignKey = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    init() throws {
        nginx = try NginxServer.shared()
        certificates = nginx.certificates
    }

    private func get(_ port: UInt16? = nil, pins: [String]) async throws -> Recording {
        try await transport.get("https://127.0.0.1:\(port ?? nginx.good)/small") {
            $0.options.tls.authorities = certificates.authority
            $0.options.tls.pins = pins
        }
    }

    /// The pin of a certificate's key, as OpenSSL's program computes it.
    private func key(of path: String) throws -> String {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let script =
            "\(openssl) x509 -in \(path) -pubkey -noout | \(openssl) pkey -pubin -outform der "
            + "| \(openssl) dgst -sha256 -binary | \(openssl) base64"
        let digest = try ChildProcess.run("/bin/sh", ["-c", script])
        return "sha256//" + digest.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The mismatch: the chain is there to be seen, and nothing of the request went out.
    private func expectMismatch(_ recording: Recording, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            recording.story == ["connectStarted", "connectEnded", "tlsStarted", "tlsEnded", "finished"],
            sourceLocation: sourceLocation)
        #expect(
            recording.error
                == NetworkError(
                    .pinMismatch, phase: .tls, type: "tls.cert.pinned_key_not_in_cert_chain",
                    message: "127.0.0.1 showed a certificate that none of the pins matches. "
                        + "If the server's was renewed, renew the pin."),
            sourceLocation: sourceLocation)
        #expect(recording.tls?.chain.count == 2, sourceLocation: sourceLocation)
        #expect(recording.tls?.verificationFailure == nil, sourceLocation: sourceLocation)
    }

    @Test func `TN-12 the pinned certificate is accepted, from PEM and from DER`() async throws {
        #expect(try await get(pins: [certificates.good.certificate]).error == nil)
        let leaf = try #require(try await get(pins: [certificates.good.certificate]).tls?.chain.first)
        let directory = try TemporaryDirectory()
        #expect(try await get(pins: [try directory.write("leaf.der", leaf.der)]).error == nil)
    }

    @Test func `TN-12 another certificate is a pinning error before a byte is sent`() async throws {
        expectMismatch(try await get(pins: [certificates.selfSigned.certificate]))
        #expect(NetworkError.Code.pinMismatch.isTerminal)
    }

    @Test func `TN-12 the authority's certificate is not the server's own`() async throws {
        expectMismatch(try await get(pins: [certificates.authority]))
    }

    @Test func `TN-12 one of several pins is enough, of either kind`() async throws {
        let good = certificates.good.certificate
        #expect(try await get(pins: [certificates.selfSigned.certificate, good]).error == nil)
        #expect(try await get(pins: [Self.foreignKey, good]).error == nil)
        #expect(try await get(pins: [certificates.selfSigned.certificate, try key(of: good)]).error == nil)
        // As OkHttp writes it.
        let spelledOtherwise = "sha256/" + (try key(of: good)).dropFirst(8)
        #expect(try await get(pins: [spelledOtherwise]).error == nil)
        #expect(try await get(pins: [certificates.selfSigned.certificate, spelledOtherwise]).error == nil)
        let neither = try await get(pins: [certificates.selfSigned.certificate, Self.foreignKey])
        #expect(neither.error?.code == .pinMismatch)
    }

    @Test func `TN-12 a file with the public key alone is a pin, in PEM and in DER`() async throws {
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let directory = try TemporaryDirectory()
        func key(of certificate: String, _ form: String) throws -> String {
            let path = directory.file("\(certificate.hashValue).\(form)")
            let script = "\(openssl) x509 -in \(certificate) -pubkey -noout | \(openssl) pkey -pubin -outform \(form) -out \(path)"
            _ = try ChildProcess.run("/bin/sh", ["-c", script])
            return path
        }
        for form in ["pem", "der"] {
            #expect(try await get(pins: [key(of: certificates.good.certificate, form)]).error == nil)
            #expect(try await get(pins: [key(of: certificates.selfSigned.certificate, form)]).error?.code == .pinMismatch)
        }
    }

    @Test func `TN-12 a kept connection is checked as well`() async throws {
        #expect(try await get(pins: []).error == nil)
        let recording = try await get(pins: [certificates.selfSigned.certificate])
        #expect(recording.story == ["tlsEnded", "finished"])
        #expect(recording.error?.code == .pinMismatch)
    }

    @Test func `TN-12 a pin does not replace trust`() async throws {
        let recording = try await get(nginx.selfSigned, pins: [certificates.selfSigned.certificate])
        #expect(recording.error?.code == .certificateRejected)
    }

    @Test func `TN-12 a public key is accepted, and another one refused before a byte is sent`() async throws {
        #expect(try await get(pins: [try key(of: certificates.good.certificate)]).error == nil)
        let recording = try await get(pins: [Self.foreignKey])
        #expect(recording.error?.code == .pinMismatch)
        #expect(recording.sentHead == "")
    }

    @Test func `TN-12 a pin that can't be read is named`() async throws {
        let recording = try await get(pins: ["/nowhere/pin.pem"])
        #expect(recording.story == ["finished"])
        #expect(recording.error?.code == .fileFailed)
        #expect(recording.error?.message == "The pinned certificate /nowhere/pin.pem can't be read: no such file or directory.")
    }

    @Test func `TN-12 a pin that is no certificate, or no key, is named`() async throws {
        let key = certificates.good.key
        #expect(
            try await get(pins: [key]).error?.message
                == "The pinned certificate \(key) is none: it must be a certificate or a public key, in PEM or DER form.")
        #expect(
            try await get(pins: [certificates.authority, "sha256//short"]).error?.message
                == "“sha256//short” is no pin of a public key. Write sha256// and 32 bytes in base64.")
    }

    @Test func `TN-12 plain HTTP has nothing to pin`() async throws {
        let recording = try await transport.get(nginx.url + "/small") { $0.options.tls.pins = ["/nowhere/pin.pem"] }
        #expect(recording.error == nil)
    }
}

/// A handler that is shown a server's certificates before a byte of the request is sent (CHL-1).
struct `Trust in a server` {
    private let transport = CurlTransport()
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
    }

    private final class Handler: ServerTrustHandler {
        private let disposition: ServerTrust.Disposition
        private let asked = Mutex<[ServerTrust]>([])

        init(_ disposition: ServerTrust.Disposition) {
            self.disposition = disposition
        }

        var all: [ServerTrust] { asked.withLock { $0 } }

        func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition {
            asked.withLock { $0.append(trust) }
            return disposition
        }
    }

    private func get(_ port: UInt16, _ handler: Handler?) async throws -> Recording {
        try await transport.get("https://127.0.0.1:\(port)/small") {
            $0.options.tls.authorities = nginx.certificates.authority
            $0.trust = handler
        }
    }

    @Test func `CHL-1 a handler may accept what would not be trusted, and the log says that it isn't verified`() async throws {
        for (port, failure) in [
            (nginx.selfSigned, "self-signed certificate"), (nginx.expired, "certificate has expired"),
            (nginx.wrongHost, "IP address mismatch"),
        ] {
            let handler = Handler(.accept)
            let recording = try await get(port, handler)
            #expect(recording.error == nil)
            #expect(recording.tls?.isVerified == false)
            #expect(handler.all.map(\.failure) == [failure])
            #expect(handler.all.first?.host == "127.0.0.1")
            #expect(handler.all.first?.chain.isEmpty == false)
        }
    }

    @Test func `CHL-1 a handler may refuse what would be trusted, before a byte is sent`() async throws {
        let recording = try await get(nginx.good, Handler(.reject))
        #expect(recording.error?.code == .certificateRejected)
        #expect(recording.error?.message == "The certificate of 127.0.0.1 was refused by who was asked about it.")
        #expect(recording.sentHead == "")
        #expect(recording.tls?.chain.count == 2)
    }

    @Test func `CHL-1 a handler that cancels fails the attempt with 212 and the chain`() async throws {
        let recording = try await get(nginx.good, Handler(.cancel(context: "not today")))
        #expect(recording.error?.code == .challengeCancelled)
        #expect(recording.error?.message == "The challenge of 127.0.0.1 (server trust) was cancelled: not today")
        #expect(
            recording.error?.details[.certificateChain]
                == "O=Turnstone, CN=localhost\nO=Turnstone, CN=Turnstone Test Authority")
    }

    @Test func `CHL-1 without a word of the handler the usual evaluation counts`() async throws {
        #expect(try await get(nginx.good, Handler(.default)).error == nil)
        #expect(try await get(nginx.expired, Handler(.default)).error?.type == "tls.cert.date_invalid")
        #expect(try await get(nginx.wrongHost, Handler(.default)).error?.type == "tls.cert.name_invalid")
    }

    @Test func `CHL-1 a connection that one handler accepted is nobody else's`() async throws {
        #expect(try await get(nginx.selfSigned, Handler(.accept)).error == nil)
        // No handler: a connection of its own, and the usual evaluation.
        #expect(try await get(nginx.selfSigned, nil).error?.type == "tls.cert.authority_invalid")
        // Another handler: asked anew, about the same connection.
        let other = Handler(.default)
        #expect(try await get(nginx.selfSigned, other).error?.code == .certificateRejected)
        #expect(other.all.map(\.failure) == ["self-signed certificate"])
    }
}
