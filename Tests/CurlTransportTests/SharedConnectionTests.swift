import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// libcurl takes a connection of version 1.1 for one that several requests can share, if the server speaks version 2 as well.
struct `Requests of HTTP versions 1.1 and 2 to one server` {
    private func get(_ path: String, from server: EndingConnectionsServer, over transport: CurlTransport) async throws -> Recording
    {
        try await transport.get(server.url + path) { $0.options.tls.authorities = server.certificates.authority }
    }

    @Test func `none goes over a connection of version 1.1 that another one is on`() async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: 1000)
        let transport = CurlTransport()
        var request = TransferRequest(request: Request(url: try #require(URL(string: server.url + "/held"))))
        request.options.httpVersion = .http1
        request.options.tls.authorities = server.certificates.authority
        let recorder = TransferRecorder()
        let held = transport.start(request, receive: recorder.record)
        held.pauseReceiving()
        // The answer is there, and the connection stays with it as long as nobody takes the body.
        await recorder.first { if case .head = $0 { true } else { false } }

        for path in ["/first", "/second", "/third"] {
            let recording = try await get(path, from: server, over: transport)
            #expect(recording.error == nil)
            #expect(recording.text == "GET \(path)")
            #expect(recording.head?.version == "HTTP/2")
        }
        #expect(recorder.recording.body.isEmpty)
        held.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.text == "GET /held")
        #expect(recording.violations == [])
        #expect(try server.counts().count == 4)
    }
}
