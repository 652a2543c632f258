import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// No output has a secret in it, wherever the secret came from and whatever way it went. Bytes are looked through, not values.
@Suite(.serialized) struct SecretTests {
    private let hunt = SecretHunt(HiddenCollection.secrets, part: "S3cret")

    /// Runs the program on a terminal, answers what it asks, and looks through everything it wrote there.
    ///
    /// - Parameter lines: of a shell; `$T` is the program.
    /// - Returns: what it wrote.
    private func shell(_ lines: String..., on hidden: HiddenCollection) async throws -> String {
        let variables = hidden.environment.merging(
            [
                "T": Program.path, "C": hidden.path, "U": hidden.url, "NO_COLOR": "1",
                "PASSWORD": HiddenCollection.secret("on the command line"),
            ]
        ) { $1 }
        let script = "trap : INT\n" + lines.joined(separator: "\n") + "\nprintf 'all %s\\n' done"
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", script], size: Size(columns: 120, rows: 50), environment: variables, directory: hidden.home.path,
            patience: .seconds(120))
        defer { terminal.stop() }
        @Sendable func isAsked(_ screen: VirtualScreen) -> Bool {
            screen.lines[screen.cursor.row].contains("What only you know:")
        }
        // What `run --watch` ends with, until Ctrl-C.
        @Sendable func waits(_ screen: VirtualScreen) -> Bool {
            let row = screen.cursor.row
            return row > 0 && screen.lines[row - 1].contains("waiting for a change")
                && screen.lines[row].allSatisfy(\.isWhitespace)
        }
        while true {
            try await terminal.wait(for: "a question, or the end") { isAsked($0) || waits($0) || $0.contains("all done") }
            guard !terminal.screen.contains("all done") else { break }
            if waits(terminal.screen) {
                terminal.type("\u{3}")
                try await terminal.wait(for: "Ctrl-C to be taken") { !waits($0) }
                continue
            }
            terminal.type(HiddenCollection.secret("of a person") + "<enter>")
            try await terminal.wait(for: "the answer to be taken") { !isAsked($0) }
        }
        _ = try await terminal.waitForExit()
        #expect(terminal.screen.unknown == [])
        return String(decoding: terminal.written, as: UTF8.self)
    }

    /// Every file that the program has left, but for the one that is there to keep tokens: that is for its owner only.
    private func leaks(_ hidden: HiddenCollection) throws -> [String] {
        let tokens = "state/turnstone/tokens.json"
        let found = try hunt.finds(below: hidden.home.path)
        if found.contains(where: { $0.hasSuffix(", in \(tokens)") }) {
            let mode = try FileManager.default.attributesOfItem(atPath: hidden.home.path(tokens))[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        return found.filter { !$0.hasSuffix(", in \(tokens)") }
    }

    @Test func `nothing that run writes has a secret in it, nor its reports, nor the history's files`() async throws {
        let hidden = try await HiddenCollection()
        let reports = ["junit", "tap", "json", "html", "har"].map { "--report \($0)=report.\($0)" }.joined(separator: " ")
        let plain = try await shell("$T run $C --trust \(reports)", on: hidden)
        #expect(plain.contains("hidden.yaml:50:127: expected body to be \"••••••\", and found \"{\\n"))
        #expect(hunt.finds(in: plain) == [])
        let watched = try await shell("$T run $C --trust --watch", on: hidden)
        #expect(watched.contains("passed"))
        #expect(hunt.finds(in: watched) == [])
        let left = try leaks(hidden)
        #expect(left == [])
        await hidden.stop()
    }

    @Test func `many at a time ask a person once, and tell nobody`() async throws {
        let hidden = try await HiddenCollection()
        let told = try await shell(
            "$T run $C --trust --jobs 6 --repeat 2 --report json=jobs.json", "$T run $C --trust --jobs 6 --watch",
            "$T run $C --trust --jobs 6 --events jsonl > jobs.jsonl", on: hidden)
        #expect(told.components(separatedBy: "What only you know:").count == 1 + 3)
        #expect(told.contains("passed"))
        #expect(hunt.finds(in: told) == [])
        let left = try leaks(hidden)
        #expect(left == [])
        await hidden.stop()
    }

    @Test func `neither the explorer's screen nor the draft of an edit has a secret in it`() async throws {
        let hidden = try await HiddenCollection()
        let environment = hidden.environment.merging(["EDITOR": "sed -i s/anything/elsewhere/"]) { $1 }
        let terminal = try PseudoTerminal(
            [Program.path, hidden.path, "--trust"], size: Size(columns: 120, rows: 50), environment: environment,
            directory: hidden.home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "fields")
        terminal.type("s")
        try await terminal.wait(for: "200 OK")
        terminal.type("4zjj]]]]z2E")
        try await terminal.wait(for: "unsaved")
        // As it is after a crash.
        terminal.signal(SIGKILL)
        _ = try await terminal.waitForExit()
        let drafts = try FileManager.default.subpathsOfDirectory(atPath: hidden.home.path).filter { $0.contains("draft") }
        #expect(!drafts.isEmpty)
        #expect(hunt.finds(in: Data(terminal.written)) == [])
        let left = try leaks(hidden)
        #expect(left == [])
        await hidden.stop()
    }

    /// Read as soon as the server has the request: what can be seen before that curl shows as well.
    @Test(arguments: [
        ["send", "-u", "ada:hunter2-S3cret"], ["send", "-uada:hunter2-S3cret"], ["send", "--user=ada:hunter2-S3cret"],
        ["send", "--oauth2-bearer", "hunter2-S3cret"], ["send", "-H", "Authorization: Bearer hunter2-S3cret"],
        ["send", "-x", "", "-U", "ada:hunter2-S3cret"],
    ])
    func `the list of processes shows no credential`(words: [String]) async throws {
        let server = try ScriptedServer([[.readHead, .await, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readToEnd]])
        defer { server.stop() }
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = words + ["http://127.0.0.1:\(server.port)/"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while server.received(by: 0).isEmpty, process.isRunning { await Task.yield() }
        let line = try Data(contentsOf: URL(filePath: "/proc/\(process.processIdentifier)/cmdline"))
        #expect(hunt.finds(in: line) == [])
        #expect(String(decoding: line, as: UTF8.self).contains("send"))
        if words.contains(where: { $0.hasSuffix("-S3cret") && !$0.contains("-U") }), words[1] != "-x" {
            #expect(String(decoding: server.received(by: 0), as: UTF8.self).contains("Authorization: "))
        }
        server.proceed()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test func `what was given to send on the command line isn't said again`() async throws {
        let hidden = try await HiddenCollection()
        let credentials = [
            #"-u "ada:$PASSWORD""#, #"--digest -u "ada:$PASSWORD""#, #"--oauth2-bearer "$PASSWORD""#,
            #"--aws-sigv4 aws:amz:eu:s3 -u "AKIA1:$PASSWORD""#, #"-b "sid=$PASSWORD""#,
        ]
        var lines: [String] = []
        for (index, credential) in credentials.enumerated() {
            lines += [
                "$T send -v --timing --har \(index).har \(credential) \"$U/status/200\"",
                "$T send -L -v --har \(index)r.har \(credential) \"$U/redirect/1?style=other\" -o /dev/null",
                "$T send -v \(credential) http://127.0.0.1:9/",
                "$T send --events jsonl \(credential) \"$U/auth/digest\" > \(index).jsonl",
                "$T send -sS -w '%{json}' \(credential) \"$U/status/200\" > \(index).out",
            ]
        }
        let told = try await shell(lines.joined(separator: "\n"), on: hidden)
        #expect(told.contains("* succeeded"))
        #expect(hunt.finds(in: told) == [])
        let left = try leaks(hidden)
        #expect(left == [])
        await hidden.stop()
    }
}
