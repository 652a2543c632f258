import Foundation
import Glibc
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

struct `The way to the server` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private let transport = CurlTransport()

    @Test func `ENG-10 a refused connection says where nothing listens`() async throws {
        let port = try ListeningSocket.freePort()
        let recording = try await transport.get("http://127.0.0.1:\(port)/")
        #expect(
            recording.error
                == NetworkError(
                    .cannotConnect, phase: .connection, type: "tcp.refused",
                    message: "Nothing listens on 127.0.0.1:\(port) (connection refused). Is the server running?",
                    systemErrno: ECONNREFUSED, curlCode: 7))
        #expect(recording.story == ["connectStarted", "connectFailed", "finished"])
        let phases = try #require(recording.result?.phases)
        #expect(phases.connect != nil)
        #expect([phases.dns, phases.tls, phases.send, phases.wait, phases.receive] == [nil, nil, nil, nil, nil])
    }

    @Test func `ENG-10 a name that doesn't exist is named`() async throws {
        let recording = try await transport.get("http://nonexistent.invalid/")
        #expect(recording.error?.code == .nameNotResolved)
        #expect(recording.error?.type == "dns.name_not_resolved")
        #expect(recording.error?.phase == .dns)
        #expect(
            recording.error?.message
                == "No address was found for “nonexistent.invalid”. Check the name, and that DNS works here.")
        #expect(recording.story == ["resolveStarted", "finished"])
        #expect(recording.result?.phases.dns != nil)
        #expect(recording.result?.phases.connect == nil)
    }

    @Test func `a Unix socket that isn't there is named`() async throws {
        let recording = try await transport.get("http://h/") { $0.options.unixSocket = "/nowhere/at.sock" }
        #expect(recording.error?.code == .cannotConnect)
        #expect(recording.error?.message == "There is no socket /nowhere/at.sock. Is the server running?")
    }

    @Test func `a look-up is told, and remembered`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send(Self.answer), .readToEnd], [.readHead, .send(Self.answer), .readToEnd],
        ])
        func get() async throws -> Recording {
            try await transport.get("http://localhost:\(server.port)/") { $0.options.reusesConnections = false }
        }
        let first = try await get()
        #expect(first.story.prefix(3) == ["resolveStarted", "resolveEnded", "connectStarted"])
        #expect(first.result?.phases.dns != nil)
        let second = try await get()
        #expect(second.story.first == "connectStarted")
        #expect(second.result?.phases.dns == nil)
    }

    @Test(.enabled(if: (try? ListeningSocket(.ipv6)) != nil, "this machine has no IPv6 on loopback"))
    func `ENG-6 when one address refuses, the next is tried`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.answer), .readToEnd]], at: .ipv6)
        let recording = try await transport.get("http://localhost:\(server.port)/")
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(recording.connection?.remoteAddress == "[::1]:\(server.port)")
        let addresses = recording.kinds.compactMap { if case .connectStarted(let address) = $0 { address } else { nil } }
        #expect(addresses.last == "[::1]:\(server.port)")
    }

    @Test func `ENG-8 a redirect is an answer like any other: the transport follows nothing`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"), .readToEnd]
        ])
        let recording = try await transport.get(server.url)
        #expect(recording.status == 302)
        let events = server.events.filter { if case .sent = $0 { false } else { true } }
        #expect(events == [.accepted(0), .read(0, server.received(by: 0))])
    }

    @Test func `resolve leads a name to an address, for this request only`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.answer), .readToEnd]])
        let url = "http://made-up.invalid:\(server.port)/"
        let recording = try await transport.get(url) { $0.options.resolve = ["made-up.invalid:\(server.port):127.0.0.1"] }
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(recording.connection?.remoteAddress == "127.0.0.1:\(server.port)")
        #expect(recording.sentHead.contains("\r\nHost: made-up.invalid:\(server.port)\r\n"))
        #expect(try await transport.get(url).error?.code == .nameNotResolved)
    }

    @Test func `an entry of resolve that makes no sense is refused`() async throws {
        let recording = try await transport.get("http://h/") { $0.options.resolve = ["nonsense"] }
        #expect(recording.error?.code == .invalidRequest)
        #expect(
            recording.error?.message
                == "“nonsense” is no entry of `resolve`. Write host:port:address, such as example.org:443:127.0.0.1.")
    }

    @Test func `a proxy gets the whole URL, and its credentials are not shown`() async throws {
        let proxy = try ScriptedServer([[.readHead, .send(Self.answer), .readToEnd]])
        let recording = try await transport.get("http://made-up.invalid/a") {
            $0.options.proxy = "http://me:secret@127.0.0.1:\(proxy.port)"
        }
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(recording.connection?.proxy == "http://127.0.0.1:\(proxy.port)")
        let sent = String(decoding: proxy.received(by: 0), as: UTF8.self)
        #expect(sent.hasPrefix("GET http://made-up.invalid/a HTTP/1.1\r\n"))
        #expect(sent.contains("Proxy-Authorization: Basic "))
    }

    @Test func `https goes through a proxy in a tunnel`() async throws {
        let proxy = try ScriptedServer([[.readHead, .send("HTTP/1.1 502 No way\r\nContent-Length: 0\r\n\r\n"), .readToEnd]])
        let recording = try await transport.get("https://made-up.invalid/") { $0.options.proxy = "127.0.0.1:\(proxy.port)" }
        #expect(String(decoding: proxy.received(by: 0), as: UTF8.self).hasPrefix("CONNECT made-up.invalid:443 HTTP/1.1\r\n"))
        #expect(recording.error?.code == .cannotConnect)
        #expect(
            recording.error?.message.hasPrefix("The proxy 127.0.0.1:\(proxy.port) did not open a way to made-up.invalid") == true)
    }
}

struct `Kinds of sockets` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    private let tcp = SocketKind(family: AF_INET, type: Int32(SOCK_STREAM.rawValue), protocol: Int32(IPPROTO_TCP))

    private func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, level, name, &value, &size)
        return value
    }

    @Test func `multipathServiceType asks for MPTCP first, and takes TCP where there is none`() async throws {
        var options = TransportOptions()
        #expect(tcp.protocols(options) == [6])
        options.multipath = true
        #expect(tcp.protocols(options) == [262, 6])
        #expect(SocketKind(family: AF_UNIX, type: 1, protocol: 0).protocols(options) == [0])

        let descriptor = tcp.open(options)
        defer { close(descriptor) }
        #expect([262, 6].contains(option(descriptor, SOL_SOCKET, SO_PROTOCOL)))
        let server = try ScriptedServer([[.readHead, .send(Self.answer)]])
        let recording = try await CurlTransport().get(server.url) { $0.options.multipath = true }
        #expect(recording.text == "hello")
    }

    @Test(arguments: zip(NetworkServiceType.allCases, [0, 1, 18, 34, 40, 46] as [Int32]))
    func `networkServiceType becomes the DSCP of the packets`(service: NetworkServiceType, dscp: Int32) throws {
        var options = TransportOptions()
        options.serviceType = service
        #expect(service.dscp == dscp)
        let four = tcp.open(options)
        defer { close(four) }
        #expect(option(four, Int32(IPPROTO_IP), IP_TOS) == dscp << 2)
        let six = SocketKind(family: AF_INET6, type: tcp.type, protocol: tcp.protocol).open(options)
        guard six >= 0 else { return }
        defer { close(six) }
        #expect(option(six, Int32(IPPROTO_IPV6), IPV6_TCLASS) == dscp << 2)
    }

    @Test func `TMO-2 a data timeout that no clock can measure is none`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readToEnd]])
        let recording = try await CurlTransport().get(server.url) {
            $0.options.dataTimeout = .seconds(Int64.max)
        }
        #expect(recording.error == nil)
    }

    @Test func `TMO-2 silence beyond the data timeout fails the attempt as its own timeout does`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .readToEnd]])
        let recording = try await CurlTransport().get(server.url) {
            $0.options.dataTimeout = .milliseconds(1)
        }
        #expect(recording.error?.code == .attemptTimedOut)
        #expect(recording.error?.phase == .body)
        #expect(
            recording.error?.message
                == "127.0.0.1:\(server.port) sent nothing for 1 s, after 2 of 5 bytes; raise the data timeout if it pauses that long."
        )
    }

    @Test func `a local port that is taken is named, and no interface is blamed`() async throws {
        let server = try ScriptedServer([])
        let port = server.port
        let recording = try await CurlTransport().get("http://127.0.0.1:\(port)/") { $0.options.wire.localPorts = port...port }
        #expect(recording.error?.code == .cannotConnect)
        #expect(recording.error?.message.hasPrefix("No connection can be made from port \(port): ") == true)
    }

    @Test func `an interface that isn't there is named`() async throws {
        let recording = try await CurlTransport().get("http://127.0.0.1:1/") { $0.options.interface = "if!nowhere0" }
        #expect(recording.error?.code == .cannotConnect)
        #expect(
            recording.error?.message
                == "There is no interface or address “if!nowhere0” here to connect from. Run `ip address` to see which there are.")
    }
}

struct `The environment names proxies` {
    private func proxies(_ variables: [String: String]) -> ProxyEnvironment { ProxyEnvironment { variables[$0] } }

    @Test func `a variable names the proxy of a scheme, or of all`() {
        let some = proxies(["http_proxy": "http://a:1", "all_proxy": "socks5://b:2"])
        #expect(some.proxy(scheme: "http") == "http://a:1")
        #expect(some.proxy(scheme: "https") == "socks5://b:2")
        #expect(!some.isEmpty)
        #expect(proxies([:]).isEmpty)
    }

    @Test func `HTTP_PROXY in capitals is not read`() {
        #expect(proxies(["HTTP_PROXY": "http://a:1"]).proxy(scheme: "http") == nil)
        #expect(proxies(["HTTPS_PROXY": "http://a:1"]).proxy(scheme: "https") == "http://a:1")
    }

    @Test func `no_proxy names hosts and domains that take none`() {
        let some = proxies(["all_proxy": "http://a:1", "no_proxy": "localhost, .example.org"]).exceptions
        #expect(["localhost", "www.Example.org", "example.org", "notexample.org"].map(some.hold) == [true, true, true, false])
        #expect(proxies(["NO_PROXY": "*"]).exceptions.hold("h"))
    }

    @Test func `exceptions are separated by blanks, too, whatever libcurl's version takes`() async throws {
        #expect(ProxyExceptions(" a.test b.test,, c.test ").list == "a.test,b.test,c.test")
        let nginx = try NginxServer.shared()
        // Nobody listens at the proxy.
        func get(_ exceptions: String) async throws -> Recording {
            try await CurlTransport().get("\(nginx.url)/small") {
                $0.options.proxy = "http://127.0.0.1:1"
                $0.options.wire.proxyExceptions = exceptions
            }
        }
        #expect(try await get("b.test").error?.code == .cannotConnect)
        #expect(try await get("b.test 127.0.0.1").error == nil)
    }

    @Test(arguments: [
        ("*", "a.test", true), ("a.test", "a.test", true), ("a.test", "b.a.test.", true), (".a.test", "a.test", true),
        ("a.test", "ba.test", false), ("b,A.test", "a.test", true), ("b a.test", "a.test", true), ("", "a.test", false),
        (".0.1", "127.0.0.1", false), ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "128.0.0.1", false),
        ("10.0.0.4/30", "10.0.0.7", true), ("10.0.0.4/30", "10.0.0.8", false), ("0.0.0.0/0", "9.9.9.9", true),
        ("127.0.0.1/33", "127.0.0.1", false), ("::1", "[::1]", true), ("[::1]", "[0::1]", true), ("fe80::/10", "[fe90::1]", true),
        ("fe80::/10", "[fec0::1]", false), ("fe80::/10", "254.128.0.0", false),
    ])
    func `hosts without a proxy`(list: String, host: String, isExempt: Bool) {
        #expect(ProxyExceptions(list).hold(host) == isExempt)
    }
}
