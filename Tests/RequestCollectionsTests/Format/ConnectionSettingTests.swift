import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

/// What `connection` and its neighbours say, down to what the transport is told.
@Suite struct ConnectionSettingTests {
    private func collection(_ line: String, _ more: String = "") -> RequestCollection {
        .load(path: "shop.yaml", bytes: Array("turnstone: 1\n\(more)requests:\n  a: { get: http://h.test/, \(line) }\n".utf8))
    }

    @Test func `each of them reaches the transport`() throws {
        let collection = collection(
            """
            redirects: { keep-post: [302, 301] }, tls: { curves: [X25519], crl: gone.pem, ocsp: true },
                connection: { family: ipv6, interface: eth0, local-port: 8000-8010, keep-alive: 30s, rate: 20KiB, to: ["a:1:b:2"],
                  resolver: "https://dns.test/q", pre-proxy: "socks5://p.test", no-proxy: "a,b", tunnel: true, target: "*" }
            """)
        #expect(collection.problems == [])
        let request = try #require(collection.requests.first)
        let resolved = try collection.resolve(request, environment: nil, with: TemplateEnvironment(mode: .show))
        let (transport, wire) = (resolved.configuration.transport, resolved.configuration.transport.wire)
        #expect(resolved.configuration.redirects.postingStatuses == [301, 302])
        #expect(transport.tls.curves == ["X25519"])
        #expect(transport.tls.revocations == "gone.pem")
        #expect(wire.requiresStatus)
        #expect(wire.addressFamily == .ipv6)
        #expect(transport.interface == "eth0")
        #expect(wire.localPorts == 8000...8010)
        #expect(wire.keepAlive == .seconds(30))
        #expect(wire.receiveRate == 20_480)
        #expect(wire.sendRate == 20_480)
        #expect(transport.connectTo == ["a:1:b:2"])
        #expect(wire.resolver == "https://dns.test/q")
        #expect(wire.preProxy == "socks5://p.test")
        #expect(wire.proxyExceptions == "a,b")
        #expect(wire.tunnels)
        #expect(wire.requestTarget == "*")
    }

    @Test(arguments: ["0", "70000", "9-8", "1-2-3", "-1", "x"]) func `what is no port is refused`(text: String) {
        #expect(collection("connection: { local-port: '\(text)' }").problems.count == 1)
        #expect(PortsText.parse(text) == nil)
    }

    @Test func `a draft of a version that didn't know it is read`() throws {
        let object = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(RequestSettings()))
        var old = try #require(object as? [String: Any])
        old["connection"] = nil
        let data = try JSONSerialization.data(withJSONObject: old)
        #expect(try JSONDecoder().decode(RequestSettings.self, from: data) == RequestSettings())
    }

    @Test(arguments: [
        ("to: ['h.test:80:evil.test:80']", "connection.to h.test:80:evil.test:80"),
        ("resolver: 'https://evil.test/q'", "connection.resolver https://evil.test/q"),
        ("pre-proxy: 'socks5://u:p@evil.test:1'", "pre-proxy socks5://evil.test:1"),
    ])
    func `a way by which others could read a secret is asked for`(setting: String, route: String) {
        let line = "headers: { x: '{{key}}' }, connection: { \(setting) }"
        let wants = collection(line, "variables: { key: { secret: { env: KEY } } }\n")
        let sent = wants.wants(of: wants.requests, environment: nil).map(\.want).filter { $0.kind == "send" }
        #expect(sent.map(\.subject) == ["key → http://h.test by \(route)"])
        let plain = collection("connection: { \(setting) }")
        #expect(plain.wants(of: plain.requests, environment: nil).isEmpty)
    }
}
