import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// Ctrl-C, as the shell that started the real program sees it.
@Suite(.serialized) struct InterruptTests {
    /// What the shell sees: of SIGHUP, as if that had ended the program.
    private static func status(of signal: Int32) -> Int32 { signal == SIGHUP ? 128 + SIGHUP : 130 }

    @Test(arguments: zip(["send", "run"], [SIGINT, SIGHUP]))
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

    @Test(arguments: [SIGTERM])
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

    @Test(arguments: [SIGINT]) func `the second request of a command can be interrupted, too`(signal: Int32) async throws {
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
        arguments: zip(
            ["'http://127.0.0.1:9/{{a}}'", "http://127.0.0.1:9/, headers: { x: '{{b}}' }"], [(SIGINT, ""), (SIGHUP, "; exit")]))
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

    @Test func `Ctrl-C ends a question, and the terminal shows again what is typed`() async throws {
        let home = Program.Home()
        let text =
            "turnstone: 1\nvariables: { a: { secret: { prompt: Password } } }\nrequests: { asks: { get: 'http://127.0.0.1:9/{{a}}' } }\n"
        try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        // Whichever comes first, the end of the run or the end of the question.
        for _ in 0..<10 {
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
}

/// `run --watch` at a terminal: again after each change.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WatchTests {
    @Test func `it runs again after each change, says what can't be read, and ends with the last status`() async throws {
        func answer(_ status: String) -> [ScriptedServer.Step] {
            [.readHead, .send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), .close]
        }
        let server = try ScriptedServer([answer("200 OK"), answer("404 Not Found")])
        defer { server.stop() }
        let home = Program.Home()
        func write(_ requests: String) throws {
            let file = URL(filePath: home.path("shop.yaml"))
            try Data("turnstone: 1\nrequests:\n\(requests)\n".utf8).write(to: file, options: .atomic)
        }
        func request(_ name: String) -> String {
            "  \(name): { get: \"http://127.0.0.1:\(server.port)/\", expect: { status: 200 } }"
        }
        try write(request("first"))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "trap : INT; $T run shop.yaml --watch --no-history; echo status=$?"],
            environment: ["HOME": home.path, "T": Program.path, "NO_COLOR": "1"], directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "1 passed")
        try await terminal.wait(for: "waiting for a change; Ctrl-C ends")
        try write("  second: [")
        try await terminal.wait(for: "shop.yaml has changed")
        try await terminal.wait(for: "shop.yaml:")
        try write(request("second"))
        try await terminal.wait(for: "✗ second  404 Not Found")
        try await terminal.wait(for: "1 failed")
        terminal.type("\u{3}")
        try await terminal.wait(for: "status=1")
    }
}

/// A program that is started without one of its streams (`>&-`), and one that writes to a full disk.
@Suite struct StandardStreamTests {
    @Test(arguments: [
        ("send \"$U\" >&-", "turnstone: Can't write to standard output: Bad file descriptor\r\nends with 25"),
        ("send -d @- \"$U\" <&-", "turnstone: Can't read standard input: Bad file descriptor\r\nends with 25"),
        ("run shop.yaml >&-", "turnstone: Can't write to standard output: Bad file descriptor\r\nends with 25"),
        ("run shop.yaml 2>&-", "1 passed in"),
        ("send \"$U\" -d \"$(printf 'a\\351')\"", "and percent-encoded in a URL.\r\nends with 2"),
        ("--help > /dev/full", "turnstone: Can't write to standard output: No space left on device\r\nends with 25"),
    ])
    func `a stream that is closed is an error where it is used, and nothing else gets its place`(words: String, end: String)
        async throws
    {
        let answer: [ScriptedServer.Step] = [
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"), .close,
        ]
        let server = try ScriptedServer([answer])
        defer { server.stop() }
        let home = Program.Home()
        let url = "http://127.0.0.1:\(server.port)/"
        try Data("turnstone: 1\nrequests: { a: { get: \"\(url)\" } }\n".utf8).write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "$T \(words); echo ends with $?"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "U": url, "NO_COLOR": "1"],
            directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        #expect(
            String(decoding: terminal.written, as: UTF8.self).contains(end), "\(String(decoding: terminal.written, as: UTF8.self))")
    }
}

/// What is in the history when the real program is ended while it runs.
@Suite(.serialized) struct KeptRunTests {
    /// - Returns: how many requests passed by what it printed, and how many runs the history has.
    private func run(endedBy signal: String) async throws -> (printed: Int, kept: Int) {
        let home = Program.Home()
        try Data("turnstone: 1\nrequests: { a: { get: http://shop/, mock: { status: 200 } } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let script = """
            cd \(home.path)
            \(Program.path) run shop.yaml --mocks --repeat 20000 --jobs 4 > out 2> errors & run=$!
            until [ $(wc -l < out) -ge 1000 ]; do :; done
            kill -\(signal) $run; wait $run
            echo "passed=$(grep -c "200 OK" out) kept=$(\(Program.path) history list -n 30000 --json | wc -l)."
            """
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", script], environment: ["HOME": home.path, "XDG_STATE_HOME": "", "SWIFT_BACKTRACE": "enable=no"])
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        let text = String(decoding: terminal.written, as: UTF8.self)
        let numbers = try #require(text.firstMatch(of: /passed=(\d+) kept=(\d+)\./), "\(text)")
        return (try #require(Int(numbers.1)), try #require(Int(numbers.2)))
    }

    @Test func `a killed run loses no more than the batch that waited and the one that was written`() async throws {
        let (printed, kept) = try await run(endedBy: "KILL")
        #expect(printed >= 1_000)
        #expect(kept >= printed - 256 && kept <= printed + 8, "\(kept) of \(printed)")
    }

    @Test(arguments: ["INT", "TERM"])
    func `an interrupted run loses nothing`(signal: String) async throws {
        let (printed, kept) = try await run(endedBy: signal)
        #expect(printed >= 1_000 && printed < 20_000)
        #expect(kept >= printed, "\(kept) of \(printed)")
    }
}
