import CurlTransport
import Foundation
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

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
