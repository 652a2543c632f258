import CurlTransport
import Foundation
import NetworkLayer
import ServerTesting
import Testing

struct `TLS` {
    private let transport = CurlTransport()
    private let nginx: NginxServer
    private let certificates: TestCertificates

    init() throws {
        nginx = try NginxServer.shared()
        certificates = nginx.certificates
    }

    private func get(
        _ port: UInt16, host: String = "127.0.0.1", _ configure: (inout TLSOptions) -> Void = { _ in }
    ) async throws -> Recording {
        try await transport.get("https://\(host):\(port)/small") {
            $0.options.tls.authorities = certificates.authority
            configure(&$0.options.tls)
        }
    }

    @Test func `ENG-4 a good certificate is accepted and shown, phase by phase`() async throws {
        let recording = try await get(nginx.good)
        #expect(recording.error == nil)
        #expect(
            recording.story == [
                "connectStarted", "connectEnded", "tlsStarted", "tlsEnded", "connectionAcquired", "requestHeadSent", "requestSent",
                "head", "body", "finished",
            ])
        let tls = try #require(recording.tls)
        #expect(tls.version == "TLSv1.3")
        #expect(tls.cipher?.hasPrefix("TLS_") == true)
        #expect(tls.verificationFailure == nil)
        #expect(tls.isVerified)
        #expect(tls.chain.count == 2)
        let leaf = try #require(tls.chain.first)
        #expect(leaf.subject == "O=Turnstone, CN=localhost")
        #expect(leaf.issuer == "O=Turnstone, CN=Turnstone Test Authority")
        #expect(leaf.alternativeNames == ["DNS:localhost", "IP:127.0.0.1", "IP:::1"])
        #expect(leaf.publicKey == "EC P-256")
        #expect(leaf.signatureAlgorithm == "ECDSA with SHA-256")
        #expect(leaf.notAfter.timeIntervalSince(leaf.notBefore) == 30 * 86_400)

        // The same as `openssl x509` says of it.
        let openssl = try ChildProcess.find("openssl", package: "openssl")
        let said = try ChildProcess.run(
            openssl, ["x509", "-in", certificates.good.certificate, "-noout", "-fingerprint", "-sha256", "-serial"])
        #expect(said.contains(leaf.sha256.uppercased().enumerated().map { $0 > 0 && $0 % 2 == 0 ? ":\($1)" : "\($1)" }.joined()))
        #expect(said.lowercased().contains("serial=\(leaf.serialNumber)"))
    }

    @Test func `ENG-5 a reused connection shows what was negotiated, and no TLS phase`() async throws {
        let first = try await get(nginx.good)
        let second = try await get(nginx.good)
        #expect(second.connection?.isReused == true)
        #expect(second.tls == first.tls)
        #expect(second.result?.phases.tls == nil)
        #expect(first.result?.phases.tls != nil)
    }

    /// What a failure shows: the events, the chain, why, and the error.
    private func expectRejection(
        _ recording: Recording, type: String, reason: String, message: String, subjects: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            recording.story == ["connectStarted", "connectEnded", "tlsStarted", "tlsEnded", "finished"],
            sourceLocation: sourceLocation)
        #expect(recording.error?.code == .certificateRejected, sourceLocation: sourceLocation)
        #expect(recording.error?.phase == .tls, sourceLocation: sourceLocation)
        #expect(recording.error?.type == type, sourceLocation: sourceLocation)
        #expect(recording.error?.message == message, sourceLocation: sourceLocation)
        #expect(recording.tls?.verificationFailure == reason, sourceLocation: sourceLocation)
        #expect(recording.tls?.chain.map(\.subject) == subjects, sourceLocation: sourceLocation)
        #expect(recording.tls?.version == "TLSv1.3", sourceLocation: sourceLocation)
        #expect(recording.result?.phases.tls != nil, sourceLocation: sourceLocation)
        #expect(recording.result?.phases.send == nil, sourceLocation: sourceLocation)
    }

    @Test func `an expired certificate is rejected, and shown`() async throws {
        expectRejection(
            try await get(nginx.expired), type: "tls.cert.date_invalid", reason: "certificate has expired",
            message:
                "The certificate of 127.0.0.1 is not accepted: certificate has expired. It must be renewed by whoever runs the server.",
            subjects: ["CN=localhost", "O=Turnstone, CN=Turnstone Test Authority"])
    }

    @Test func `a certificate for another host is rejected, and shown`() async throws {
        expectRejection(
            try await get(nginx.wrongHost), type: "tls.cert.name_invalid", reason: "hostname mismatch",
            message: "The certificate of 127.0.0.1 is not accepted: hostname mismatch. "
                + "It is for another name: compare its names with the URL.",
            subjects: ["CN=other.example", "O=Turnstone, CN=Turnstone Test Authority"])
    }

    @Test func `a self-signed certificate is rejected, and shown`() async throws {
        expectRejection(
            try await get(nginx.selfSigned), type: "tls.cert.authority_invalid", reason: "self-signed certificate",
            message: "The certificate of 127.0.0.1 is not accepted: self-signed certificate. "
                + "If you trust it, name its file as an authority.",
            subjects: ["CN=localhost"])
    }

    @Test func `an unknown authority is rejected, and shown`() async throws {
        let recording = try await get(nginx.good) { $0.authorities = nil }
        #expect(recording.error?.type == "tls.cert.authority_invalid")
        #expect(recording.tls?.verificationFailure == "self-signed certificate in certificate chain")
        #expect(recording.tls?.chain.count == 2)
    }

    @Test func `a self-signed certificate is accepted as its own authority`() async throws {
        #expect(try await get(nginx.selfSigned) { $0.authorities = certificates.selfSigned.certificate }.error == nil)
    }

    @Test func `without verification everything is accepted, and marked`() async throws {
        for port in [nginx.expired, nginx.wrongHost, nginx.selfSigned] {
            let recording = try await get(port) { $0.verifies = false }
            #expect(recording.error == nil)
            #expect(recording.body.count == 1024)
            #expect(recording.tls?.isVerified == false)
            #expect(recording.tls?.verificationFailure == nil)
            #expect(recording.tls?.chain.isEmpty == false)
        }
    }

    @Test func `the key of a certificate that isn't trusted is known, and pins that certificate alone`() async throws {
        for port in [nginx.expired, nginx.wrongHost, nginx.selfSigned] {
            let refused = try await get(port)
            let key = try #require(refused.tls?.chain.first?.publicKeySHA256)
            let pin = "sha256//" + key
            let trusted = try await get(port) {
                $0.verifies = false
                $0.pins = [pin]
            }
            #expect(trusted.error == nil)
            #expect(trusted.body.count == 1024)
            let other = try await get(nginx.good) {
                $0.verifies = false
                $0.pins = [pin]
            }
            #expect(other.error?.code == .pinMismatch)
        }
    }

    @Test func `TN-12 a pin must match`() async throws {
        let recording = try await get(nginx.good) { $0.pins = ["sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] }
        #expect(recording.error?.code == .pinMismatch)
        #expect(recording.error?.type == "tls.cert.pinned_key_not_in_cert_chain")
    }

    @Test func `a server may ask who we are`() async throws {
        let without = try await get(nginx.mutual)
        #expect(without.status == 400)
        let with = try await get(nginx.mutual) {
            $0.certificate = certificates.client.certificate
            $0.key = certificates.client.key
        }
        #expect(with.error == nil)
        #expect(with.status == 200)
    }

    @Test func `a client certificate that can't be read is named`() async throws {
        let recording = try await get(nginx.mutual) { $0.certificate = "/nowhere/client.pem" }
        #expect(recording.error?.code == .clientCertificateFailed)
        #expect(recording.error?.message.contains("/nowhere/client.pem") == true)
    }

    @Test func `authorities that can't be read are named`() async throws {
        let recording = try await get(nginx.good) { $0.authorities = "/nowhere/ca.pem" }
        #expect(recording.error?.code == .tlsFailed)
        #expect(recording.error?.message.contains("/nowhere/ca.pem") == true)
    }

    @Test func `https to a plain server says what may be wrong`() async throws {
        let recording = try await get(nginx.port)
        #expect(recording.error?.code == .tlsFailed)
        #expect(recording.error?.type == "tls.protocol.error")
        #expect(recording.error?.message.hasSuffix("Is it an http:// server?") == true)
    }

    @Test func `a handshake that stands still ends with the connect timeout`() async throws {
        let server = try ScriptedServer([[.readToEnd]])
        let recording = try await transport.get("https://127.0.0.1:\(server.port)/") { $0.connectTimeout = .milliseconds(150) }
        #expect(recording.error?.code == .connectTimedOut)
        #expect(recording.error?.phase == .tls)
        #expect(recording.error?.message == "127.0.0.1:\(server.port) did not finish the TLS handshake within 150 ms.")
        #expect(await server.waitFor(.clientClosed(0)))
    }
}
