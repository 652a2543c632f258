import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// Ctrl-C, as the shell that started the real program sees it.
@Suite(.serialized) struct InterruptTests {
    /// What the shell sees: of SIGHUP, as if that had ended the program.
    private static func status(of signal: Int32) -> Int32 { signal == SIGHUP ? 128 + SIGHUP : 130 }

    @Test(arguments: ["send", "run"], [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted program ends with 130, or 129 after a hangup, and says so`(command: String, signal: Int32) async throws {
        // Once this is sent the request has come.
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(hint), .readToEnd]])
        let home = Program.Home()
        let url = "http://127.0.0.1:\(server.port)/"
        try Data("turnstone: 1\nrequests: { waits: { get: \"\(url)\" }, never: { get: \"\(url)\" } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let words = command == "send" ? [url] : [home.path("shop.yaml")]
        let terminal = try PseudoTerminal(
            [Program.path, command] + words, environment: ["HOME": home.path, "XDG_STATE_HOME": ""])
        defer { terminal.stop() }
        #expect(await server.waitFor(.sent(0, Data(hint.utf8))))
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .status(Self.status(of: signal)))
        #expect(terminal.screen.contains("Cancelled while"))
        #expect(terminal.screen.contains("1 cancelled, 1 not sent") == (command == "run"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal ends the program where nothing is left to be cancelled`(signal: Int32) async throws {
        let body = String(repeating: "0123456789abcdef", count: 1 << 16)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head + body), .close]])
        defer { server.stop() }
        let home = Program.Home()
        let pipe = home.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let terminal = try PseudoTerminal(
            [Program.path, "send", "http://127.0.0.1:\(server.port)/", "-o", "/dev/null", "--har", pipe],
            environment: ["HOME": home.path])
        defer { terminal.stop() }
        // The answer is there, and the program writes more of it than the pipe takes.
        let reader = try #require(FileHandle(forReadingAtPath: pipe))
        #expect(try reader.read(upToCount: 1)?.count == 1)
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .signal(signal))
        try reader.close()
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `the second request of a command can be interrupted, too`(signal: Int32) async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nfirst"
        let server = try ScriptedServer([[.readHead, .send(answer), .close], [.readHead, .send(hint), .readToEnd]])
        defer { server.stop() }
        let home = Program.Home()
        let url = "http://127.0.0.1:\(server.port)/"
        let terminal = try PseudoTerminal([Program.path, "send", url, url], environment: ["HOME": home.path])
        defer { terminal.stop() }
        #expect(await server.waitFor(.sent(1, Data(hint.utf8))))
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .status(130))
        #expect(terminal.screen.contains("Cancelled while"))
    }

    /// - Parameter end: with one, the shell has a child, and isn't that child itself.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: ["'http://127.0.0.1:9/{{a}}'", "http://127.0.0.1:9/, headers: { x: '{{b}}' }"],
        [(SIGINT, ""), (SIGTERM, ""), (SIGTERM, "; exit"), (SIGHUP, ""), (SIGHUP, "; exit")])
    func `an interrupt ends the command that a request waits for`(request: String, case: (signal: Int32, end: String)) async throws
    {
        let (signal, end) = `case`
        let home = Program.Home()
        let pipe = home.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(mkfifo(home.path("alive"), 0o600) == 0)
        let sleep = "\(end.isEmpty ? "exec " : "")sleep 600 > '\(home.path("alive"))'\(end)"
        let script = "echo $$ > '\(pipe)'\n\(sleep)\n"
        try Data(script.utf8).write(to: URL(filePath: home.path("child.sh")))
        let words = "\"/bin/sh\", \"\(home.path("child.sh"))\""
        let variables = "{ a: '{{command(\(words))}}', b: { secret: { command: [\(words)] } } }"
        try Data("turnstone: 1\nvariables: \(variables)\nrequests: { waits: { get: \(request) } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            [Program.path, "run", home.path("shop.yaml"), "--trust"], environment: ["HOME": home.path, "XDG_STATE_HOME": ""])
        defer { terminal.stop() }
        let child = try #require(
            pid_t(String(decoding: try FileHandle(forReadingAtPath: pipe)?.readToEnd() ?? Data(), as: UTF8.self).dropLast()))
        #expect(kill(child, 0) == 0)
        let alive = FileHandle(forReadingAtPath: home.path("alive"))
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .status(Self.status(of: signal)))
        #expect(terminal.screen.contains("1 not sent"), "\(terminal.screen.text)")
        // It ends when the child is gone.
        _ = try alive?.readToEnd()
    }

    @Test func `an interrupt ends what a replay waits for`() async throws {
        let home = Program.Home()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(answer), .close]])
        let pipe = home.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        // The first time it gives a value at once.
        let (script, collection) = (home.path("child.sh"), home.path("shop.yaml"))
        try Data("echo x\n".utf8).write(to: URL(filePath: script))
        try Data(
            """
            turnstone: 1
            variables: { a: '{{command("/bin/sh", "\(script)")}}' }
            requests: { waits: { get: "http://127.0.0.1:\(server.port)/{{a}}" } }

            """.utf8
        ).write(to: URL(filePath: collection))
        let environment = ["HOME": home.path, "XDG_STATE_HOME": ""]
        let first = try PseudoTerminal([Program.path, "run", collection, "--trust"], environment: environment)
        #expect(try await first.waitForExit() == .status(0), "\(first.screen.text)")
        try Data("echo $$ > '\(pipe)'\nexec sleep 600\n".utf8).write(to: URL(filePath: script))
        let terminal = try PseudoTerminal([Program.path, "history", "replay", "1", "--trust"], environment: environment)
        defer { terminal.stop() }
        let child = try #require(
            pid_t(String(decoding: try FileHandle(forReadingAtPath: pipe)?.readToEnd() ?? Data(), as: UTF8.self).dropLast()))
        #expect(kill(child, 0) == 0)
        terminal.signal(SIGINT)
        #expect(try await terminal.waitForExit() == .status(130), "\(terminal.screen.text)")
    }

    @Test func `what an interrupt ends works again for the tear-down: pauses, and the process that asks jq`() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{\"id\":\"x1\"}"
        let server = try ScriptedServer([[.readHead, .send(hint), .readToEnd], [.readHead, .send(answer), .close]])
        let home = Program.Home()
        let text = """
            turnstone: 1
            variables: { host: "http://127.0.0.1:\(server.port)" }
            requests:
              waits: { get: "{{host}}/", tear-down: undo }
              undo: { delete: "{{host}}/", delay: 10ms, expect: { body: { '.id | test("x.")': true } } }

            """
        try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            [Program.path, "run", home.path("shop.yaml")], environment: ["HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1"])
        defer { terminal.stop() }
        #expect(await server.waitFor(.sent(0, Data(hint.utf8))))
        terminal.signal(SIGINT)
        #expect(try await terminal.waitForExit() == .status(130))
        #expect(terminal.screen.contains("Undoing what was begun"))
        #expect(terminal.screen.contains("✓ undo  200 OK"), "\(terminal.screen.text)")
        #expect(terminal.screen.contains("1 passed, 1 cancelled"))
    }

    /// A shell that ends sends SIGHUP to its jobs, and the system does when the shell has ended.
    @Test func `a hangup, told twice, undoes what was begun and writes the report`() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([
            [.readHead, .send(hint), .readToEnd], [.readHead, .send(hint), .await, .send(answer), .close],
        ])
        defer { server.stop() }
        let home = Program.Home()
        let text = """
            turnstone: 1
            requests:
              waits: { get: "http://127.0.0.1:\(server.port)/", tear-down: undo }
              undo: { delete: "http://127.0.0.1:\(server.port)/" }

            """
        try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        let report = home.path("report.json")
        let terminal = try PseudoTerminal(
            [Program.path, "run", home.path("shop.yaml"), "--report", "json=\(report)"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1"])
        defer { terminal.stop() }
        #expect(await server.waitFor(.sent(0, Data(hint.utf8))))
        terminal.signal(SIGHUP)
        #expect(await server.waitFor(.sent(1, Data(hint.utf8))))
        terminal.signal(SIGHUP)
        server.proceed()
        #expect(try await terminal.waitForExit() == .status(129))
        #expect(terminal.screen.contains("✓ undo  204 No Content"), "\(terminal.screen.text)")
        #expect(try String(contentsOfFile: report, encoding: .utf8).contains("undo"))
    }

    @Test func `a program that nohup has started isn't ended by a hangup`() async throws {
        let hint = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(hint), .readToEnd]])
        defer { server.stop() }
        let home = Program.Home()
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "trap '' HUP; exec \(Program.path) send http://127.0.0.1:\(server.port)/"],
            environment: ["HOME": home.path])
        defer { terminal.stop() }
        #expect(await server.waitFor(.sent(0, Data(hint.utf8))))
        terminal.signal(SIGHUP)
        terminal.signal(SIGTERM)
        // It would be 129.
        #expect(try await terminal.waitForExit() == .status(130))
    }

    @Test(arguments: ["{ secret: { prompt: Password } }", "'{{prompt(\"Password\")}}'"])
    func `Ctrl-C ends a question, and the terminal shows again what is typed`(variable: String) async throws {
        let home = Program.Home()
        let text = "turnstone: 1\nvariables: { a: \(variable) }\nrequests: { asks: { get: 'http://127.0.0.1:9/{{a}}' } }\n"
        try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        // What `stty` says afterwards is about the same terminal.
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "trap : INT; \(Program.path) run \(home.path("shop.yaml")) --trust; echo status=$?; stty -a"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": ""])
        defer { terminal.stop() }
        try await terminal.wait(for: "Password:")
        terminal.type("\u{3}")
        try await terminal.wait(for: "status=130")
        try await terminal.wait(for: " echo ")
    }
}
