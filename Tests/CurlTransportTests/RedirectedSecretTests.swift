import CurlTransport
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

/// A redirect from a plain server to one over TLS is one to another origin: what is made of a secret stays behind, whatever the field
/// is called, and whether or not a proxy stands between.
@Suite struct RedirectedSecretTests {
    private static let secret = "s3cret-k3y"
    private let nginx: NginxServer

    init() throws { nginx = try NginxServer.shared() }

    private func run(_ url: String, through proxy: UInt16? = nil) async throws -> Response {
        let address = try #require(URL(string: url))
        var request = Request(url: address, headers: [.accept: "*/*", HTTPField.Name("X-Shop")!: Self.secret])
        request.secrets.insert(Self.secret, named: "token", in: .header("x-shop"), for: [try #require(OriginPattern(url))])
        var configuration = RequestConfiguration()
        configuration.transport.tls.authorities = nginx.certificates.authority
        if let proxy { configuration.transport.proxy = "http://127.0.0.1:\(proxy)" }
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: CurlTransport()))
        let operation = queue.enqueue(request, configuration: configuration)
        let response = try await operation.successfulResponse()
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        return response
    }

    private func expectLeftBehind(_ response: Response) {
        let attempts = response.metrics.attempts
        #expect(attempts.count == 2)
        #expect(attempts.first?.sentHead?.contains(Self.secret) == true)
        #expect(attempts.last?.sentHead?.hasPrefix("GET /small") == true)
        #expect(attempts.last?.sentHead?.contains(Self.secret) == false)
        #expect(attempts.last?.tls != nil)
        #expect(attempts.contains { $0.redirect?.withheld.map(\.part) == ["X-Shop"] })
        #expect(response.info?.head.status == .ok)
    }

    @Test func `a redirect to TLS drops a secret's header`() async throws {
        let server = try AnsweringServer { _ in
            [Data("HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:\(nginx.good)/small\r\nContent-Length: 0\r\n\r\n".utf8)]
        }
        let response = try await run("http://127.0.0.1:\(server.port)/")
        let head = String(decoding: server.requests.first?.head ?? Data(), as: UTF8.self)
        #expect(head.contains("X-Shop: \(Self.secret)\r\n"))
        expectLeftBehind(response)
    }

    @Test func `so does one through a proxy, which never sees it in the tunnel's head either`() async throws {
        let proxy = try ScriptedServer([
            [
                .readHead,
                .send(
                    "HTTP/1.1 302 Found\r\nLocation: https://localhost:\(nginx.good)/small\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n"), .close,
            ],
            [.readHead, .send("HTTP/1.1 200 Connection established\r\n\r\n"), .relay(to: nginx.good)],
        ])
        let response = try await run("http://made-up.invalid/", through: proxy.port)
        #expect(String(decoding: proxy.received(by: 0), as: UTF8.self).contains("X-Shop: \(Self.secret)\r\n"))
        let tunnel = String(decoding: proxy.received(by: 1), as: UTF8.self)
        #expect(tunnel.hasPrefix("CONNECT localhost:\(nginx.good) HTTP/1.1\r\n"))
        #expect(!tunnel.contains(Self.secret))
        expectLeftBehind(response)
    }
}
