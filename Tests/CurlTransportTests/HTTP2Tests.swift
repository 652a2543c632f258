import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

struct `HTTP version 2` {
    private let transport = CurlTransport()

    @Test func `TLS negotiates it (ALPN)`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("https://127.0.0.1:\(nginx.good)/small") {
            $0.options.tls.authorities = nginx.certificates.authority
        }
        #expect(recording.error == nil)
        #expect(recording.head?.version == "HTTP/2")
        #expect(recording.connection?.httpVersion == "HTTP/2")
        #expect(recording.tls?.applicationProtocol == "h2")
        #expect(recording.body.count == 1024)
        #expect(recording.sentHead.hasPrefix("GET /small HTTP/2\r\n"))
    }

    @Test func `who asks for version 1 gets it`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("https://127.0.0.1:\(nginx.good)/small") {
            $0.options.tls.authorities = nginx.certificates.authority
            $0.options.httpVersion = .http1
        }
        #expect(recording.head?.version == "HTTP/1.1")
        #expect(recording.connection?.httpVersion == "HTTP/1.1")
    }

    @Test func `prior knowledge needs no TLS`() async throws {
        let server = try NghttpdServer()
        // Twice: libcurl 7.88 can't use such a connection again.
        for _ in 1...2 {
            let recording = try await transport.get("http://127.0.0.1:\(server.port)/hello.txt") {
                $0.options.httpVersion = .http2PriorKnowledge
            }
            #expect(recording.error == nil)
            #expect(recording.text == NghttpdServer.text)
            #expect(recording.head?.version == "HTTP/2")
            #expect(recording.connection?.httpVersion == "HTTP/2")
        }
    }

    @Test func `nghttpd over TLS`() async throws {
        let certificates = try TestCertificates.shared()
        let server = try NghttpdServer(certificate: certificates.good)
        let recording = try await transport.get("https://localhost:\(server.port)/hello.txt") {
            $0.options.tls.authorities = certificates.authority
        }
        #expect(recording.error == nil)
        #expect(recording.text == NghttpdServer.text)
        #expect(recording.tls?.applicationProtocol == "h2")
        #expect(recording.tls?.chain.map(\.subject) == ["O=Turnstone, CN=localhost", "O=Turnstone, CN=Turnstone Test Authority"])
    }

    @Test func `a body goes up over HTTP version 2`() async throws {
        let nginx = try NginxServer.shared()
        let url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/upload"))
        for body in [RequestBody.data(Data("short".utf8)), .data(Data(repeating: 1, count: 300_000))] {
            var request = TransferRequest(request: Request(url: url, method: .post, body: body))
            request.options.tls.authorities = nginx.certificates.authority
            let recording = await transport.perform(request)
            #expect(recording.error == nil)
            #expect(recording.status == 200)
            #expect(recording.story.contains("requestSent"))
            #expect(recording.result?.bytes.requestBody == body.length)
        }
    }

    @Test func `cancelling one stream leaves the connection to the others`() async throws {
        let nginx = try NginxServer.shared()
        let url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/slow"))
        var request = TransferRequest(request: Request(url: url))
        request.options.tls.authorities = nginx.certificates.authority
        let recorder = TransferRecorder()
        let transfer = transport.start(request, receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.cancel()
        #expect(await recorder.finished().error?.code == .cancelled)
        request.request.url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/small"))
        let next = await transport.perform(request)
        #expect(next.body.count == 1024)
        #expect(next.connection?.id == 1)
        #expect(next.connection?.isReused == true)
    }
}
