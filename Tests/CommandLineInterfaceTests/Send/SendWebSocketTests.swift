import CommandLineInterface
import DemoServer
import Foundation
import NetworkLayer
import Testing

/// `turnstone send ws://…`, over the real transport, against the demo server.
@Suite(.timeLimit(.minutes(1))) struct SendWebSocketTests {
    private func withServer(_ body: (_ url: String) async throws -> Void) async throws {
        let server = try await DemoServer(port: 0)
        do {
            try await body(server.baseURL.replacingOccurrences(of: "http", with: "ws") + "/websocket")
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func `lines are messages, messages are lines, and the end of input closes`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", url + "/echo"], input: "one\r\n\nzwei ü\nlast")
            #expect(run.output == "one\n\nzwei ü\nlast\n")
            #expect(run.errors == "")
            #expect(run.status == .success)
        }
    }

    @Test func `-i shows the 101, and -v how the session went`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(
                ["send", "-i", "-v", "-H", "Sec-WebSocket-Protocol: v2, v1", url + "/echo"], input: "x\n")
            #expect(run.output.hasPrefix("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"))
            #expect(run.output.hasSuffix("\r\n\r\nx\n"))
            #expect(run.errors.contains("* the session is open: v2\n"))
            #expect(run.errors.contains("* the session is closed: 1000, by us; ↑ 1 (1 B)  ↓ 1 (1 B)\n"))
        }
    }

    @Test func `what the server sends until its close is written`() async throws {
        let input = FedInput()
        defer { input.feed("") }
        try await withServer { url in
            let run = await CommandLineRun.run(["send", url + "/ticker?count=3&every=1ms"], input: input)
            #expect(run.output == (1...3).map { "{\"type\":\"tick\",\"number\":\($0)}\n" }.joined())
            #expect(run.status == .success)
        }
    }

    @Test func `another code than 1000 is a failure`() async throws {
        let input = FedInput()
        defer { input.feed("") }
        try await withServer { url in
            let run = await CommandLineRun.run(["send", url + "/close"], input: input)
            #expect(run.output == "hello\n")
            #expect(run.errors == "turnstone: \(url)/close closed the session with 4001 “enough”.\n")
            #expect(run.status == .expectationFailed)
        }
    }

    @Test func `an answer that isn't 101 is written, and is a failure`() async throws {
        try await withServer { url in
            let wrong = url.replacingOccurrences(of: "/websocket", with: "/status/404")
            let run = await CommandLineRun.run(["send", wrong], input: "x\n")
            #expect(run.output != "")
            #expect(
                run.errors
                    == "turnstone: \(wrong) opened no session: it answered 404 Not Found instead of 101 (RFC 6455, section 4.1).\n")
            #expect(run.status == .expectationFailed)
        }
    }

    @Test func `the events tell the session, and its messages aren't among them`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", "--events", "jsonl", url + "/echo"], input: "hello\n")
            let events = run.output.split(separator: "\n").map { $0.components(separatedBy: "\"")[3] }
            #expect(events.contains("session_opened"))
            #expect(events.contains("session_closed"))
            #expect(!run.output.contains("hello"))
        }
    }

    @Test(arguments: [["-d", "x"], ["-X", "POST"], ["-I"]])
    func `a method or a body is a mistake`(words: [String]) async {
        let run = await CommandLineRun.run(["send"] + words + ["ws://127.0.0.1:1/"])
        #expect(run.status == .usage)
        #expect(run.errors.contains("its messages are the lines of standard input"))
    }

    @Test func `--offline shows the request`() async {
        let run = await CommandLineRun.run(["send", "--offline", "wss://a.test/x"], environment: ["HOME": "/nowhere"])
        #expect(run.output.hasPrefix("GET https://a.test/x\n"))
        #expect(run.output.contains("\nUpgrade: websocket\n"))
    }
}
