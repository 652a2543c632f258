import Foundation
import Glibc
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

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
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/") { $0.options.multipath = true }
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
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/") {
            $0.options.dataTimeout = .seconds(Int64.max)
        }
        #expect(recording.error == nil)
    }

    @Test func `TMO-2 silence beyond the data timeout fails the attempt as its own timeout does`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .readToEnd]])
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/") {
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
