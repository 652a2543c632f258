import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

@Suite struct `HTTP version 3 without QUIC` {
    @Test(arguments: [HTTPVersionPreference.http3, .http3Only])
    func `says what libcurl lacks, and the way out`(version: HTTPVersionPreference) throws {
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://h.example/"))))
        request.options.httpVersion = version
        let (bare, able) = (CurlLibrary(version: "7.88.1", features: []), CurlLibrary(version: "8.14.1", features: [.http3]))
        #expect(
            throws: NetworkError.unsupported(
                "This libcurl (7.88.1) was built without HTTP/3. Install one that has it, or ask for HTTP/2.")
        ) { try RequestPlan(request, library: bare) }
        #expect(try RequestPlan(request, library: able).httpVersion == version)
    }
}

/// Over QUIC itself: where libcurl and nginx have it, from Debian 13 on.
@Suite(.enabled(if: CurlLibrary.current.features.contains(.http3) && NginxServer.speaksHTTP3, "libcurl or nginx has no HTTP/3"))
struct `HTTP version 3` {
    private let transport = CurlTransport()
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
    }

    private func get(
        _ path: String, port: UInt16? = nil, _ version: HTTPVersionPreference = .http3Only,
        configure: (inout TransferRequest) -> Void = { _ in }
    ) async throws -> Recording {
        try await transport.get("https://127.0.0.1:\(port ?? nginx.good)\(path)") {
            $0.options.tls.authorities = nginx.certificates.authority
            $0.options.httpVersion = version
            configure(&$0)
        }
    }

    @Test(arguments: [HTTPVersionPreference.http3, .http3Only])
    func `one handshake opens and secures the connection`(version: HTTPVersionPreference) async throws {
        let recording = try await get("/small", version)
        #expect(recording.error == nil)
        #expect(recording.head?.version == "HTTP/3")
        #expect(recording.connection?.httpVersion == "HTTP/3")
        #expect(recording.connection?.remoteAddress == "127.0.0.1:\(nginx.good)")
        #expect(recording.body.count == 1024)
        #expect(recording.sentHead.hasPrefix("GET /small HTTP/3\r\n"))
        let tls = try #require(recording.tls)
        #expect(tls.version == "TLSv1.3")
        #expect(tls.applicationProtocol == "h3")
        #expect(tls.chain.map(\.subject) == ["O=Turnstone, CN=localhost", "O=Turnstone, CN=Turnstone Test Authority"])
        let phases = try #require(recording.result?.phases)
        let quic = try #require(phases.quic)
        #expect([phases.connect, phases.tls] == [nil, nil])
        #expect(quic.duration > .zero)
        #expect(phases.send?.start == quic.end)
        #expect(recording.story.first == "quicStarted")
    }

    @Test func `the connection is kept, and several requests share it`() async throws {
        let first = try await get("/small")
        let second = try await get("/large")
        #expect(second.connection?.isReused == true)
        #expect(second.connection?.id == first.connection?.id)
        #expect(second.connection?.httpVersion == "HTTP/3")
        #expect(second.body == NginxServer.large)
        #expect(second.result?.phases.quic == nil)
        async let one = get("/large")
        async let other = get("/text.txt")
        #expect(try await [one.connection?.id, other.connection?.id] == [first.connection?.id, first.connection?.id])
    }

    @Test(arguments: [5, 300_000]) func `a body goes up`(count: Int) async throws {
        let url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/upload"))
        var request = TransferRequest(request: Request(url: url, method: .post, body: .data(Data(repeating: 1, count: count))))
        request.options.tls.authorities = nginx.certificates.authority
        request.options.httpVersion = .http3Only
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        #expect(recording.status == 200)
        #expect(recording.text == "hello")
        #expect(recording.result?.bytes.requestBody == Int64(count))
    }

    @Test func `a certificate that isn't accepted is shown, and why`() async throws {
        let recording = try await get("/small", port: nginx.selfSigned)
        #expect(recording.error?.code == .certificateRejected)
        #expect(recording.error?.phase == .tls)
        #expect(recording.tls?.chain.count == 1)
        #expect(recording.tls?.verificationFailure != nil)
        #expect(recording.result?.phases.quic != nil)
        #expect(recording.result?.phases.connect == nil)
    }

    @Test func `TCP answers where nobody speaks QUIC`() async throws {
        let recording = try await get("/small", port: nginx.mutual, .http3) {
            $0.options.tls.certificate = nginx.certificates.good.certificate
            $0.options.tls.key = nginx.certificates.good.key
        }
        #expect(recording.connection?.httpVersion == "HTTP/2")
        #expect(recording.head?.version == "HTTP/2")
        let phases = try #require(recording.result?.phases)
        #expect(phases.quic == nil)
        #expect(phases.connect != nil && phases.tls != nil)
        #expect(recording.story.first == "quicStarted")
        #expect(recording.story.contains("connectStarted"))
    }

    @Test func `nobody there is said as over TCP`() async throws {
        let recording = try await get("/", port: try ListeningSocket.freePort())
        #expect(recording.error?.code == .cannotConnect)
        #expect(recording.error?.phase == .connection)
        #expect(recording.result?.phases.quic != nil)
    }

    @Test func `a connection of TCP from the same port is another one`() async throws {
        let port = try ListeningSocket.freePort()
        func get(_ version: HTTPVersionPreference) async throws -> ConnectionInfo? {
            try await self.get("/small", version) { $0.options.wire.localPorts = port...port }.connection
        }
        let (first, other, again) = (try await get(.http3Only), try await get(.http1), try await get(.http3Only))
        #expect([first?.httpVersion, other?.httpVersion, again?.httpVersion] == ["HTTP/3", "HTTP/1.1", "HTTP/3"])
        #expect(again?.id == first?.id && other?.id != first?.id)
    }

    @Test func `what isn't TLS speaks no HTTP version 3`() async throws {
        let recording = try await transport.get("\(nginx.url)/small") { $0.options.httpVersion = .http3Only }
        #expect(recording.error?.message.hasPrefix("HTTP/3 can't be spoken to 127.0.0.1:\(nginx.port): ") == true)
    }

    @Test func `a transfer that is cancelled ends at once, and the connection stays`() async throws {
        let id = try await get("/small").connection?.id
        let recorder = TransferRecorder()
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://127.0.0.1:\(nginx.good)/slow"))))
        request.options.tls.authorities = nginx.certificates.authority
        request.options.httpVersion = .http3Only
        let transfer = transport.start(request, receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.cancel()
        #expect(await recorder.finished().error?.code == .cancelled)
        #expect(try await get("/small").connection?.id == id)
    }
}
