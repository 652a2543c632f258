import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

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
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/")
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
