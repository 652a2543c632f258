import CommandLineInterface
import DemoServer
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

/// `turnstone send`, over the real transport, against the demo server.
@Suite struct SendTests {
    private struct Event: Decodable, Hashable {
        var sequence: Int
        var event: String
    }

    private func withServer(_ body: (String) async throws -> Void) async throws {
        let server = try await DemoServer(port: 0)
        do {
            try await body(server.baseURL)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    /// What the demo server saw of a request.
    private struct Echo: Decodable {
        var method: String
        var headers: [String: String]
        var body: Body

        struct Body: Decodable {
            var text: String
        }
    }

    private func echo(_ run: CommandLineRun) throws -> Echo {
        try JSONDecoder().decode(Echo.self, from: Data(run.output.utf8))
    }

    @Test func `prints the body, and nothing else`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", url + "/status/200"])
            #expect(run.status == .success)
            #expect(run.output != "")
            #expect(run.errors == "")
        }
    }

    @Test func `--offline prints the request, with masks, and sends nothing`() async throws {
        let words = [
            "send", "--offline", "POST", "http://127.0.0.1:1/orders", "sku=A7", "password=hunter2",
            "Authorization:Bearer abc", "q==x",
        ]
        let shown = await CommandLineRun.run(words, environment: ["HOME": "/nowhere"])
        #expect(shown.status == .success && shown.errors == "")
        #expect(
            shown.output == """
                POST http://127.0.0.1:1/orders?q=x
                User-Agent: turnstone/0.1.0
                Accept: application/json, */*;q=0.5
                Content-Type: application/json
                Authorization: Bearer \u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}

                {"sku":"A7","password":"\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}\u{2022}"}

                """, "\(shown.output)")
        let revealed = await CommandLineRun.run(words + ["--reveal"], environment: ["HOME": "/nowhere"])
        #expect(revealed.output.contains("Authorization: Bearer abc\n\n{\"sku\":\"A7\",\"password\":\"hunter2\"}\n"))
    }

    @Test func `--jar keeps cookies from one command to the next, by name`() async throws {
        let directory = try TemporaryDirectory()
        try await withServer { url in
            func send(_ words: String...) async -> CommandLineRun {
                await CommandLineRun.run(["send"] + words, environment: ["HOME": directory.path])
            }
            #expect(await send("--jar", "shop", url + "/cookies/set?sid=s7").status == .success)
            #expect(await send("--jar", "shop", url + "/anything").output.contains("sid=s7"))
            for words in [["--jar", "other"], []] {
                let other = await CommandLineRun.run(["send", url + "/anything"] + words, environment: ["HOME": directory.path])
                #expect(other.status == .success && !other.output.contains("sid=s7"))
            }
            #expect(await send("--offline", "--jar", "shop", url + "/anything").output.contains("\nCookie: sid="))
            let refused = await send("--jar", "shop", "-c", "file", url + "/anything")
            #expect(refused.status == .usage && refused.errors.contains("--jar and -c exclude one another"))
            #expect(await CommandLineRun.run(["send", "--jar", "a", url], environment: [:]).errors.contains("set HOME"))
        }
    }

    @Test func `sends method, headers and body as told`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run([
                "send", "-X", "PATCH", "-H", "x-one: 1", "-H", "x-two;", "-d", "a=1", "-d", "b=2", url + "/anything?q=1",
            ])
            let echoed = try echo(run)
            #expect(echoed.method == "PATCH")
            #expect(echoed.body.text == "a=1&b=2")
            let headers = Dictionary(echoed.headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
            #expect(headers["x-one"] == "1")
            #expect(headers["x-two"] == "")
            #expect(headers["content-type"] == "application/x-www-form-urlencoded")
        }
    }

    @Test func `-d @- reads the body from standard input`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", "--json", "@-", url + "/anything"], input: #"{"sku":"A7"}"#)
            let echoed = try echo(run)
            #expect(echoed.body.text == #"{"sku":"A7"}"#)
        }
    }

    @Test func `a signature that lacks its scope is refused, and nothing is sent`() async {
        let transport = ScriptedTransport { _ in .respond() }
        let run = await CommandLineRun.run(
            ["send", "--aws-sigv4", "aws:amz", "-u", "a:b", "http://127.0.0.1/"], transport: transport)
        #expect(run.status == .authentication)
        #expect(
            run.errors == "turnstone: The signature needs a region and a service, and the host 127.0.0.1 names none: name them.\n")
        #expect(transport.transfers.isEmpty)
    }

    @Test func `--retry hands out the last answer alone, whatever the ones before it said`() async throws {
        let directory = try TemporaryDirectory()
        func steps(_ status: String, _ body: String) -> [ScriptedServer.Step] {
            [
                .readHead, .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"),
                .close,
            ]
        }
        func answers(_ statuses: [(String, String)]) throws -> ScriptedServer {
            try ScriptedServer(statuses.map { steps($0.0, $0.1) })
        }
        let passing = [("503 Busy", "busy\n"), ("503 Busy", "busy\n"), ("200 OK", "here it is\n")]
        let words = ["send", "--retry", "2", "--retry-delay", "0.1"]
        for more in [[], ["-o", directory.file("out")]] {
            let server = try answers(passing)
            let run = await CommandLineRun.run(words + more + ["http://127.0.0.1:\(server.port)/"])
            #expect(run.status == .success)
            let text = more.isEmpty ? run.output : try String(contentsOfFile: directory.file("out"), encoding: .utf8)
            #expect(text == "here it is\n")
            server.stop()
        }
        let server = try answers(Array(repeating: passing[0], count: 3))
        let run = await CommandLineRun.run(words + ["http://127.0.0.1:\(server.port)/"])
        #expect(run.status == .success, "a status is data")
        #expect(run.output == "busy\n")
        #expect(server.events.count { if case .accepted = $0 { true } else { false } } == 3)
        server.stop()
    }

    @Test func `a redirect is the answer, and -L follows it`() async throws {
        try await withServer { url in
            let stays = await CommandLineRun.run(["send", "-i", url + "/redirect/3"])
            #expect(stays.output.hasPrefix("HTTP/1.1 302"))
            let follows = await CommandLineRun.run(["send", "-i", "-L", url + "/redirect/3"])
            #expect(follows.output.components(separatedBy: "HTTP/1.1 302").count == 4)
            #expect(follows.output.contains("HTTP/1.1 200"))
        }
    }

    @Test func `-v tells of connection, heads and redirects on standard error`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", "-v", "-L", "-u", "ada:secret", url + "/redirect/1"])
            let lines = run.errors.split(separator: "\n")
            #expect(lines.contains { $0.hasPrefix("* connecting to 127.0.0.1:") })
            #expect(lines.contains { $0.hasPrefix("* new connection 1 to 127.0.0.1:") })
            #expect(lines.contains("> GET /redirect/1 HTTP/1.1"))
            #expect(lines.contains("< HTTP/1.1 302 Found"))
            #expect(lines.contains { $0.hasPrefix("* redirected to ") })
            #expect(lines.contains { $0.hasPrefix("* attempt 2 took ") && $0.contains(": queue ") && $0.contains(", recv ") })
            #expect(!run.errors.contains("{"), "it is for people")
            #expect(lines.last == "* succeeded")
            #expect(!run.errors.contains(Data("ada:secret".utf8).base64EncodedString()), "a secret is masked")
        }
    }

    @Test func `what is secret in an address by its name, and a password in it, isn't told`() async throws {
        try await withServer { url in
            let own = url.replacing("://", with: "://ada:hunter2@")
            let directory = try TemporaryDirectory()
            for words in [["-v", "-o", "/dev/null"], ["--events", "jsonl"], ["-v", "-L", "--retry", "1", "-o", "/dev/null"]] {
                let run = await CommandLineRun.run(
                    ["send", "--har", directory.file("all.har")] + words
                        + [own + "/redirect/to?api_key=hunter2&url=/anything?token=hunter2"])
                let har = try String(contentsOfFile: directory.file("all.har"), encoding: .utf8)
                #expect(!(run.errors + run.output).contains("hunter2"))
                #expect((run.errors + run.output).contains("api_key=••••••&url="))
                #expect(har.contains("api_key=\(String(repeating: "%E2%80%A2", count: 6))&url="))
                // Also in the body, where the server says what it got.
                #expect(!har.contains("hunter2"))
            }
            let refused = await CommandLineRun.run(["send", "http://ada:hunter2@127.0.0.1:1/?token=hunter2"])
            #expect(refused.status == .connection)
            #expect(!refused.errors.contains("hunter2"))
        }
    }

    @Test func `--reveal masks nothing`() async throws {
        try await withServer { url in
            let directory = try TemporaryDirectory()
            let words = ["-u", "ada:hunter2", "--har", directory.file("all.har"), url + "/anything?token=hunter2"]
            let basic = "Basic \(Data("ada:hunter2".utf8).base64EncodedString())"
            let told = await CommandLineRun.run(["send", "-v", "--reveal"] + words)
            #expect(told.errors.contains("> Authorization: \(basic)\n") && told.errors.contains("> GET /anything?token=hunter2 "))
            #expect(try String(contentsOfFile: directory.file("all.har"), encoding: .utf8).contains(basic))
            let events = await CommandLineRun.run(["send", "--events", "jsonl", "--reveal"] + words)
            #expect(events.output.contains("/anything?token=hunter2"))
        }
    }

    @Test func `--events jsonl prints every event without a gap, from enqueued to completed`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", "--events", "jsonl", "-L", url + "/redirect/2"])
            let events = try run.output.split(separator: "\n").map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
            #expect(events.map(\.sequence) == Array(events.indices))
            #expect(events.first?.event == "enqueued")
            #expect(events.last?.event == "completed")
            #expect(events.count { $0.event == "attempt_ended" } == 3)
        }
    }

    @Test func `--timing draws a row for every attempt and its phases`() async throws {
        try await withServer { url in
            let run = await CommandLineRun.run(["send", "--timing", "-L", url + "/redirect/1"])
            for phase in ["connect", "wait"] { #expect(run.errors.contains(phase), "no \(phase) in:\n\(run.errors)") }
        }
    }

    @Test func `-o writes the body to a file`() async throws {
        try await withServer { url in
            let path = NSTemporaryDirectory() + "turnstone-send-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let run = await CommandLineRun.run(["send", "-o", path, "-d", "x=1", url + "/anything"])
            #expect(run.output == "")
            let written = try String(contentsOfFile: path, encoding: .utf8)
            #expect(written.contains("x=1"))
        }
    }

    @Test func `--fail turns a status of 400 or more into exit status 1`() async throws {
        try await withServer { url in
            let fails = await CommandLineRun.run(["send", "--fail", url + "/status/404"])
            #expect(fails.status == .expectationFailed)
            #expect(fails.errors == "turnstone: the server answered 404 Not Found\n")
            let passes = await CommandLineRun.run(["send", url + "/status/404"])
            #expect(passes.status == .success, "a status is data")
        }
    }

    @Test func `Ctrl-C cancels, with exit status 130`() async throws {
        let interrupts = Interrupts()
        let transport = ScriptedTransport()
        async let run = CommandLineRun.run(["send", "http://127.0.0.1/"], transport: transport, interrupts: interrupts)
        _ = await transport.transfer(0)
        interrupts.interrupt()
        #expect(await run.status == .cancelled)
    }

    @Test func `on a terminal the body is shown, not obeyed`() async {
        let transport = ScriptedTransport { _ in .respond(status: 200, body: Data("\u{1B}[31mred\u{07}\n".utf8)) }
        let shown = await CommandLineRun.run(["send", "http://127.0.0.1/"], isTerminal: true, transport: transport)
        #expect(shown.output == "␛[31mred␇\n")
        let piped = await CommandLineRun.run(["send", "http://127.0.0.1/"], transport: transport)
        #expect(piped.output == "\u{1B}[31mred\u{07}\n")
    }

    @Test(arguments: [
        ("text/html; charset=Shift_JIS", [0x83, 0x65, 0x83, 0x58, 0x1B, 0x83] as [UInt8], "テス␛\u{FFFD}\n"),
        ("text/plain; charset=iso-8859-1", [0xE4, 0x80, 0x0A], "ä€\n"),
        ("text/plain", [0xFF, 0xFE, 0x61, 0x00, 0x00, 0xD8, 0x62, 0x00], "a\u{FFFD}b\n"),
        ("text/plain; charset=nowhere", [0xC3, 0xA4, 0x0A], "ä\n"),
    ])
    func `on a terminal a body is read in its charset, and a pipe gets its bytes`(type: String, bytes: [UInt8], text: String) async
    {
        let transport = ScriptedTransport { _ in
            .respond(status: 200, headers: [.contentType: type, .contentLength: "\(bytes.count)"], body: Data(bytes))
        }
        let shown = await CommandLineRun.run(["send", "http://127.0.0.1/"], isTerminal: true, transport: transport)
        #expect(shown.output == text)
        let piped = await CommandLineRun.run(["send", "http://127.0.0.1/"], transport: transport)
        #expect(piped.output == String(decoding: bytes, as: UTF8.self))
    }

    @Test(arguments: [
        (["http://"], "turnstone: http:// is not a URL. It takes http://HOST or https://HOST, with a path.\n"),
        (
            ["-H", "novalue", "http://h/"],
            "turnstone: -H 'novalue' has no colon. It takes 'Name: value', or 'Name;' for an empty one.\n"
        ),
        (["-H", "a b: c", "http://h/"], "turnstone: -H 'a b: c': 'a b' is not the name of a header field.\n"),
        (["-H", "a: b\nc: d", "http://h/"], "turnstone: -H 'a': the value has a line break or another control character.\n"),
        (["-X", "GE T", "http://h/"], "turnstone: GE T is not a method: it has characters that no method can have.\n"),
        (["-d", "a", "-F", "b=c", "http://h/"], "turnstone: --data and --form exclude one another: a request has one body.\n"),
    ])
    func `a mistake is named, with the way out, and nothing is sent`(arguments: [String], sentence: String) async {
        // What is sent all the same must end, or the test would wait for ever.
        let transport = ScriptedTransport { _ in .respond() }
        let run = await CommandLineRun.run(["send"] + arguments, transport: transport)
        #expect(run.status == .usage)
        #expect(run.errors == sentence)
        #expect(transport.transfers.isEmpty)
    }
}
