import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// A server, or the author of a collection, that wants to command the terminal.
@Suite struct HostileServerOnTerminalTests {
    /// It names the window, clears the screen, does both again with the controls of one character, and turns the writing around.
    private static let evil = "\u{1B}]0;owned\u{07}\u{1B}[2J\u{9D}0;owned\u{9C}\u{9B}2J\u{202E}"

    private static func answer(_ head: String = "200 OK", _ fields: String = "") -> String {
        "HTTP/1.1 \(head)\(evil)\r\nX-Evil: a\(evil)b\r\nEvil\(evil): c\r\nContent-Type: text/plain\(evil)\r\nServer: \(evil)\r\n"
            + "ETag: \"\(evil)\"\r\nSet-Cookie: sid=\(evil); Path=/\r\nServer-Timing: db;desc=\"\(evil)\";dur=1\r\n"
            + "Link: <\(evil)>\r\nLast-Modified: \(evil)\r\nWWW-Authenticate: Basic realm=\"\(evil)\"\r\n\(fields)"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }

    private static let body = "{\"a\":\"\(evil)\"}\n"

    private static func obeyed(_ text: String) -> [String] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x09, 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }.map { "U+" + String($0.value, radix: 16) }
    }

    @Test(arguments: [
        ["-D", "-"], ["-i"], ["-I"], ["-v"], ["--timing"], ["-f"], ["--har", "-"], ["-c", "-"], ["--etag-save", "-"], ["-L"],
        ["-v", "-L"],
        ["-w", "%header{x-evil} %header{set-cookie} %{content_type} %{redirect_url} %{url_effective} %{errormsg}"],
        ["-w", "%{stderr}%header{x-evil} %{content_type}"], ["-w", "%{json}%{header_json}"], ["--events", "jsonl"],
        ["-u", "a:b", "--anyauth", "-v"], ["--download-headers", "print"],
    ])
    func `send shows what a server says, and a terminal obeys none of it`(options: [String]) async throws {
        for (head, fields) in [("200 OK", ""), ("404 Not Found", ""), ("302 Found", "Location: /\(Self.evil)\r\n")] {
            let server = try ScriptedServer(
                [[String]](repeating: [], count: 4).map { _ in
                    [.readHead, .send(Self.answer(head, fields)), .close]
                })
            defer { server.stop() }
            let run = await CommandLineRun.run(
                ["send", "http://127.0.0.1:\(server.port)/"] + options, isTerminal: true, errorsAreSeen: true,
                environment: ["NO_COLOR": "1"])
            #expect(!(run.output + run.errors).isEmpty)
            #expect(Self.obeyed(run.output) == [], "\(head): \(run.output.debugDescription)")
            #expect(Self.obeyed(run.errors) == [], "\(head): \(run.errors.debugDescription)")
        }
    }

    @Test func `a pipe gets the head as it came, and a format may have colours of its own`() async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.answer()), .close], [.readHead, .send(Self.answer()), .close]])
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)/"
        let piped = await CommandLineRun.run(["send", url, "-D", "-", "-o", "/dev/null"])
        #expect(piped.output.contains("X-Evil: a\(Self.evil)b\r\n"))
        let shown = await CommandLineRun.run(
            ["send", url, "-o", "/dev/null", "-w", "\u{1B}[1m%{http_code}\u{1B}[0m\\r\\n"], isTerminal: true)
        #expect(shown.output == "\u{1B}[1m200\u{1B}[0m\r\n")
    }

    @Test(arguments: [
        ["run"], ["run", "--events", "jsonl"], ["run", "--report", "junit=-"], ["run", "--report", "tap=-"],
        ["run", "--report", "json=-"],
        ["run", "--report", "markdown=-"], ["run", "--report", "html=-"], ["run", "--report", "github=-"], ["run", "--dry-run"],
        ["run", "--plan"], ["list"], ["list", "--json"], ["check"], ["check", "--json"], ["show", "a"], ["export", "curl"],
        ["export", "har"], ["trust"],
    ])
    func `what a collection and its servers say is shown by all commands, and not obeyed`(words: [String]) async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.answer()), .close], [.readHead, .send(Self.answer()), .close]])
        defer { server.stop() }
        let escaped = "\\e]0;owned\\a\\e[2J\\u009d0;owned\\u009b2J\\u202e"
        let text = """
            turnstone: 1
            name: "\(escaped)"
            requests:
              a:
                name: "a \(escaped)"
                description: "\(escaped)"
                tags: ["\(escaped)"]
                get: http://127.0.0.1:\(server.port)/
                expect: { headers: { x-evil: none }, body: none }
                capture: { b: "header:x-none" }
              b: { name: "\(escaped)", get: "http://127.0.0.1:\(server.port)/?x=\(escaped)&y={{nobody}}", expect: { status: "\(escaped)" } }

            """
        let (directory, path) = try ShopFile.make(text)
        defer { withExtendedLifetime(directory) {} }
        let environment = ["NO_COLOR": "1", "HOME": directory.path, "XDG_STATE_HOME": directory.path + "/state"]
        let place = words[0] == "export" ? 2 : 1
        let words = Array(words[..<place]) + [path] + words[place...]
        for words in words[0] == "run" ? [words + ["a", "--trust"], words + ["--trust"]] : [words] {
            let run = await CommandLineRun.run(words, isTerminal: true, errorsAreSeen: true, environment: environment)
            #expect(!(run.output + run.errors).isEmpty)
            #expect(Self.obeyed(run.output) == [], "\(run.output.debugDescription)")
            #expect(Self.obeyed(run.errors) == [], "\(run.errors.debugDescription)")
        }
        guard words[0] == "run" else { return }
        for words in [["history"], ["history", "show", "1"], ["history", "body", "1"]] {
            let run = await CommandLineRun.run(words, isTerminal: true, errorsAreSeen: true, environment: environment)
            #expect(Self.obeyed(run.output + run.errors) == [], "\(words): \(run.output.debugDescription)")
        }
    }
}
