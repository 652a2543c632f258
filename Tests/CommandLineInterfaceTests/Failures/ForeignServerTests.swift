import CommandLineInterface
import Foundation
import ServerTesting
import Testing

/// Servers and proxies that nobody here would write, and what `send` and `run` say to them.
@Suite struct ForeignServerTests {
    private typealias Step = ScriptedServer.Step

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }

    private static let settings = frame(4, stream: 0)
    /// HEADERS with `:status: 200`.
    private static let head = frame(1, flags: 4, stream: 1, [0x88])

    // MARK: HTTP/2

    /// curl ends with 92, 52 or 18.
    @Test(arguments: [
        ("a reset with an error", frame(3, stream: 1, [0, 0, 0, 1])),
        ("a reset in the middle", head + frame(0, stream: 1, [0x61]) + frame(3, stream: 1, [0, 0, 0, 1])),
        ("a body for no stream", frame(0, stream: 0, [0x61])),
        ("a head that can't be read", frame(1, flags: 4, stream: 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
        ("a head without a status", frame(1, flags: 5, stream: 1, [0x40, 1, 0x61, 1, 0x62])),
        ("SETTINGS of three bytes", frame(4, stream: 0, [1, 2, 3])),
        ("HTTP/1.1", Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)),
    ])
    func `what breaks HTTP 2 ends with 26`(name: String, bytes: [UInt8]) async throws {
        let server = try ScriptedServer([[.sendBytes(Data(Self.settings)), .read(80), .sendBytes(Data(bytes)), .readToEnd]])
        let run = await CommandLineRun.run(["send", "--http2-prior-knowledge", "http://127.0.0.1:\(server.port)/"])
        #expect(run.status == .protocolBroken, "\(name): \(run.errors)")
        #expect(run.errors.contains("HTTP/2"), "\(name): \(run.errors)")
    }

    @Test func `a goodbye with an error ends with 26, one without with 21`() async throws {
        for (error, status) in [(1, 26), (0, 21)] as [(UInt8, Int32)] {
            // What answers it ends as a head does, and tells that the goodbye has been read.
            let ping = Self.frame(6, stream: 0, Array("ping\r\n\r\n".utf8))
            let goodbye = Self.frame(7, stream: 0, [0, 0, 0, 1, 0, 0, 0, error])
            let server = try ScriptedServer([
                [.sendBytes(Data(Self.settings)), .read(80), .sendBytes(Data(goodbye + ping)), .readHead, .close]
            ])
            let run = await CommandLineRun.run(["send", "--http2-prior-knowledge", "http://127.0.0.1:\(server.port)/"])
            #expect(run.status.rawValue == status, "\(run.errors)")
        }
    }

    // MARK: Proxies

    @Test(arguments: [[], ["--proxy-user", "me:wrong"]])
    func `a proxy that wants to know who we are ends with 23`(options: [String]) async throws {
        let refusal =
            "HTTP/1.1 407 Who are you\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedServer(Array(repeating: [.readHead, .send(refusal), .readToEnd], count: 2))
        let proxy = "http://127.0.0.1:\(server.port)"
        let run = await CommandLineRun.run(["send", "-x", proxy, "https://h.test/"] + options)
        #expect(run.status == .authentication)
        #expect(
            run.errors.contains("The proxy 127.0.0.1:\(server.port) wants to know who we are"), "\(run.errors)")
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests: { a: { get: https://h.test/, proxy: \"\(proxy)\" } }\n")
        defer { withExtendedLifetime(directory) {} }
        #expect(await CommandLineRun.run(["run", path, "--trust"]).status == .authentication)
    }

    @Test func `a proxy that opens no way for another reason ends with 21`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"), .readToEnd]])
        let run = await CommandLineRun.run(["send", "-x", "http://127.0.0.1:\(server.port)", "https://h.test/"])
        #expect(run.status == .connection)
    }

    // MARK: Redirects

    /// As curl does; where the body has a length, or comes in chunks, curl waits for ever, and this for a second.
    @Test(.timeLimit(.minutes(1)), arguments: ["", "Content-Length: 100\r\n", "Transfer-Encoding: chunked\r\n"])
    func `the body of a redirect that never ends isn't waited for`(framing: String) async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 302 Found\r\nLocation: /end\r\n\(framing)\r\n"), .send("1\r\nx\r\n"), .readToEnd],
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd],
        ])
        let run = await CommandLineRun.run(["send", "-L", "http://127.0.0.1:\(server.port)/"])
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output == "ok")
    }

    // MARK: Timeouts

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ["-m", "0.05"], ["--attempt-timeout", "0.05"], ["--idle-timeout", "0.05"],
            ["--request-config", "operationTimeout:0.05"],
        ])
    func `a timeout below 100 ms means what it says`(options: [String]) async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let run = await CommandLineRun.run(["send", "http://127.0.0.1:\(server.port)/"] + options)
        #expect(run.status == .timeout)
        #expect(run.errors.contains("50 ms"), "\(run.errors)")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["operation", "attempt"])
    func `a timeout below 100 ms in a collection means what it says`(name: String) async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests: { a: { get: "http://127.0.0.1:\(server.port)/", timeouts: { \(name): 50ms } } }

            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(["run", path, "--trust"])
        #expect(run.status == .timeout)
        #expect(run.output.contains("50 ms"), "\(run.output)\(run.errors)")
    }
}
