import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import CommandLineInterface

/// What somebody sees who runs a stranger's collection.
@Suite struct TrustCommandTests {
    /// A command that leaves a trace, a file of somebody else's, and a secret.
    private final class Stranger: Sendable {
        let directory: TemporaryDirectory
        let path: String
        let sent = Mutex<[String]>([])

        init() throws {
            directory = try TemporaryDirectory()
            path = try directory.write("shop.yaml", "")
            try write()
        }

        func write(host: String = "https://api.test", query: String = "") throws {
            try directory.write(
                "shop.yaml",
                """
                turnstone: 1
                variables: { token: { secret: { command: [sh, -c, ": >\(directory.path)/ran; echo t0ken"] } } }
                requests:
                  plain: { get: "\(host)/plain" }
                  keyed: { get: "\(host)/keyed", headers: { x-key: "{{token}}" }\(query) }
                """)
        }

        var hasRun: Bool { FileManager.default.fileExists(atPath: directory.file("ran")) }

        func run(
            _ words: [String], isAsked: (input: Bool, errors: Bool) = (false, false), answers: [String] = [],
            _ asked: Asked = Asked()
        ) async -> CommandLineRun {
            let output = CaughtOutput(isTerminal: false)
            let errors = CaughtOutput(isTerminal: isAsked.errors)
            let left = Mutex(answers)
            let transport = ScriptedTransport { request in
                self.sent.withLock { $0.append(request.request.url.path()) }
                return .respond(headers: [.contentType: "text/plain"], body: Data("text".utf8))
            }
            var context = CommandLineContext(
                standardInput: SeatedInput(isTerminal: isAsked.input), standardOutput: output, standardError: errors,
                environment: ["PATH": "/usr/bin:/bin", "HOME": directory.path, "XDG_STATE_HOME": directory.file("state")],
                transport: transport, time: ManualTimeSource(), explore: { _ in .success },
                onInterrupt: { _ in Interrupts() })
            context.askLine = { question in
                asked.all.withLock { $0.append(question) }
                return left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            }
            let status = await CommandLineInterface.main(words, in: context)
            return CommandLineRun(
                status: status, output: Self.shown(output.text, directory.path), errors: Self.shown(errors.text, directory.path))
        }

        /// The directory is named as it was given, and without its links.
        private static func shown(_ text: String, _ directory: String) -> String {
            let real = URL(filePath: directory).resolvingSymlinksInPath().path
            return text.replacing(directory, with: "DIR").replacing(real, with: "DIR")
        }

        var paths: [String] { sent.withLock { $0 } }
    }

    private final class Asked: Sendable {
        let all = Mutex<[String]>([])
    }

    private struct SeatedInput: ByteInput {
        var isTerminal: Bool

        func read(atMost limit: Int) -> Data { Data() }
    }

    private static let rows = """
          new  run     sh -c ': >DIR/ran; echo t0ken'   token   DIR/shop.yaml:2
          new  send    token → https://api.test   `x-key`   DIR/shop.yaml:5

        """

    // MARK: Where nobody can be asked

    @Test(arguments: ["--yes", "--never"]) func `what can't be kept isn't called allowed, or refused`(word: String) async throws {
        let stranger = try Stranger()
        // Where the directory of the state should be is a file.
        try stranger.directory.write("state", "")
        let run = await stranger.run(["trust", stranger.path, word])
        #expect(run.status == .file)
        #expect(run.errors.hasPrefix("turnstone: what was said about DIR/shop.yaml can't be kept: "), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test(arguments: [(false, false), (true, false), (false, true)])
    func `without a terminal nothing is sent, and the status is 27`(input: Bool, errors: Bool) async throws {
        let stranger = try Stranger()
        let run = await stranger.run(["run", stranger.path, "--no-history"], isAsked: (input, errors), answers: ["t", "t"])
        #expect(run.status.rawValue == 27)
        #expect(run.output == "")
        #expect(
            run.errors == "turnstone: shop (DIR/shop.yaml) wants what isn't allowed:\n\(Self.rows)"
                + "turnstone: nothing was run, read or sent; allow it: turnstone trust DIR/shop.yaml\n")
        #expect(stranger.paths == [])
        #expect(!stranger.hasRun)
    }

    @Test func `--no-input asks nothing at a terminal either`() async throws {
        let stranger = try Stranger()
        for words in [["run", stranger.path, "--no-history", "--no-input"], ["trust", stranger.path, "--no-input"]] {
            let questions = Asked()
            let run = await stranger.run(words, isAsked: (true, true), answers: ["t"], questions)
            #expect(run.status.rawValue == 27)
            #expect(questions.all.withLock { $0 } == [])
        }
        #expect(stranger.paths == [])
        #expect(!stranger.hasRun)
    }

    @Test func `a report in JSON says not-trusted`() async throws {
        let stranger = try Stranger()
        let run = await stranger.run(["run", stranger.path, "--no-history", "--report", "json=-"])
        #expect(run.status.rawValue == 27)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let codes = (report["runs"] as? [[String: Any]])?.map { ($0["error"] as? [String: String])?["code"] }
        #expect(codes == ["not-trusted", "not-trusted"])
    }

    // MARK: The question

    @Test func `what is allowed once is asked again, and what is allowed for good isn't until there is more`() async throws {
        let stranger = try Stranger()
        let run = ["run", stranger.path, "--no-history", "keyed"]
        func asked(_ answers: String..., words: [String]? = nil) async -> (status: Int32, errors: String) {
            let run = await stranger.run(words ?? run, isAsked: (true, true), answers: answers)
            return (run.status.rawValue, run.errors)
        }
        let question = "shop (DIR/shop.yaml) wants what you have not allowed. Nothing was run, read or sent for it so far.\n"
        let refused = await asked("")
        #expect(refused.status == 27)
        #expect(refused.errors.hasPrefix(question + Self.rows))
        #expect(!stranger.hasRun)
        #expect(await asked("o").status == 0)
        #expect(await asked("t").errors.hasPrefix(question))
        #expect(stranger.paths == ["/keyed", "/keyed"])
        #expect(await asked().errors == "", "it is known")
        // Another host for a known secret: its name is to be typed.
        try stranger.write(host: "https://api.tesst")
        let changed = "  CHANGED  send    token → https://api.tesst   was https://api.test   `x-key`   DIR/shop.yaml:5\n"
        let mistyped = await asked("t", "api.test")
        #expect(mistyped.status == 27)
        #expect(mistyped.errors.hasPrefix(question + changed + "That isn't its name; nothing is allowed.\n"))
        #expect(await asked("t", "api.tesst").status == 0)
        // More of them: only that is asked.
        try stranger.write(host: "https://api.tesst", query: #", query: { a: "{{env('LANG')}}" }"#)
        let more = await asked("x")
        #expect(more.errors.hasPrefix(question + "  new  env     LANG   keyed   DIR/shop.yaml:5\n"))
        #expect(more.status == 27)
        let never = await asked("t")
        #expect(never.status == 27)
        #expect(
            never.errors.contains(
                "turnstone: you said never to DIR/shop.yaml; take it back: turnstone trust DIR/shop.yaml --remove\n"))
        #expect(stranger.paths.count == 4)
    }

    @Test func `what is typed before the question is shown is no answer to it`() async throws {
        let terminal = try PseudoTerminal.open(Size(columns: 80, rows: 24))
        defer {
            close(terminal.control)
            close(terminal.slave)
        }
        func type(_ text: String, into control: Int32) {
            _ = Array(text.utf8).withUnsafeBytes { write(control, $0.baseAddress, $0.count) }
        }
        let (control, slave) = (terminal.control, terminal.slave)
        // The rest of what was pasted comes while the pause lasts.
        type("t\n", into: control)
        let asking = Task.detached { TerminalLine.ask("Allow? ", on: slave) { type("t\nt\n", into: control) } }
        var shown: [UInt8] = []
        while !String(decoding: shown, as: UTF8.self).hasSuffix("Allow? ") {
            var bytes = [UInt8](repeating: 0, count: 256)
            let count = Glibc.read(control, &bytes, bytes.count)
            try #require(count > 0)
            shown += bytes.prefix(count)
        }
        type("o\n", into: control)
        #expect(await asking.value == "o")
    }

    // MARK: Looking

    @Test func `looking at a collection runs nothing, and says what sending it would want`() async throws {
        let stranger = try Stranger()
        let shown = await stranger.run(["show", stranger.path, "keyed"])
        #expect(shown.status == .success)
        #expect(shown.output.contains("x-key: ••••••"))
        #expect(shown.errors == "turnstone: sending it wants what isn't allowed yet:\n\(Self.rows)")
        #expect(await stranger.run(["show", stranger.path, "plain"]).errors == "")
        let explained = await stranger.run(["show", stranger.path, "keyed", "--explain"])
        #expect(
            explained.output.hasSuffix(
                "wants\n  not allowed  run     sh -c ': >DIR/ran; echo t0ken'   token   DIR/shop.yaml:2\n"
                    + "  not allowed  send    token → https://api.test   `x-key`   DIR/shop.yaml:5\n"),
            "\(explained.output)")
        let json = await stranger.run(["show", stranger.path, "keyed", "--json"])
        #expect(json.output.contains(#""allowed" : false"#) && json.output.contains(#""kind" : "send""#))
        for words in [
            ["list", stranger.path], ["check", stranger.path], ["__complete", "3", "turnstone", "show", stranger.path, ""],
            ["export", "curl", stranger.path],
            ["export", "locust", stranger.path], ["trust", stranger.path, "--show"], ["trust", stranger.path, "--hash"],
        ] {
            #expect(await stranger.run(words).status == .success, "\(words)")
        }
        #expect(stranger.paths == [])
        #expect(!stranger.hasRun)
    }

    @Test func `what is exported of it holds no command, until it is allowed`() async throws {
        let stranger = try Stranger()
        let formats = [("curl", "$(sh -c"), ("locust", #"command("sh""#)]
        for (format, command) in formats {
            #expect(!(await stranger.run(["export", format, stranger.path]).output.contains(command)))
            #expect(await stranger.run(["export", format, stranger.path, "--allow-commands"]).output.contains(command))
        }
        #expect(!(await stranger.run(["export", "curl", stranger.path]).output.contains("$(")))
        #expect(!(await stranger.run(["show", stranger.path, "keyed", "--curl"]).output.contains("$(")))
        #expect(await stranger.run(["trust", stranger.path, "--yes"]).status == .success)
        for (format, command) in formats {
            #expect(await stranger.run(["export", format, stranger.path]).output.contains(command))
        }
        #expect(!stranger.hasRun)
    }

    // MARK: What is kept

    @Test func `doctor and trust list say what was allowed, and what was imported is allowed nothing`() async throws {
        let stranger = try Stranger()
        _ = await stranger.run([
            "import", "--curl", "curl https://api.test/x -u a:b", "--output", stranger.directory.file("new.yaml"),
        ])
        #expect(!(await stranger.run(["doctor"]).output.contains("\nTrust\n")))
        #expect(await stranger.run(["trust", "list"]).output == "")
        #expect(await stranger.run(["trust", stranger.path, "--yes"]).status == .success)
        #expect(await stranger.run(["doctor"]).output.hasSuffix("\nTrust\n  ✓ 2 things       DIR/shop.yaml\n"))
        let list = await stranger.run(["trust", "list"])
        #expect(
            list.output == """
                DIR/shop.yaml
                  run  sh -c ': >DIR/ran; echo t0ken'  as a secret
                  send  token → https://api.test  of the command `sh -c : >DIR/ran; echo t0ken`

                """)
        #expect(await stranger.run(["trust", stranger.path, "--diff"]).status == .success)
        #expect(await stranger.run(["trust", stranger.path, "--remove"]).status == .success)
        #expect(await stranger.run(["trust", stranger.path, "--diff"]).status.rawValue == 27)
    }

    @Test func `a run isn't sent again after its leave was taken back`() async throws {
        let stranger = try Stranger()
        #expect(await stranger.run(["trust", stranger.path, "--yes"]).status == .success)
        #expect(await stranger.run(["run", stranger.path, "keyed"]).status == .success)
        #expect(await stranger.run(["history", "replay", "1"]).status == .success)
        #expect(await stranger.run(["trust", stranger.path, "--remove"]).status == .success)
        let replay = await stranger.run(["history", "replay", "1"])
        #expect(replay.status.rawValue == 27)
        #expect(stranger.paths == ["/keyed", "/keyed"])
    }

    @Test func `never is said wherever it bites, and taken back by what is said there`() async throws {
        let stranger = try Stranger()
        #expect(await stranger.run(["trust", stranger.path, "--never"]).status == .success)
        for (input, errors) in [(true, true), (false, false)] {
            let questions = Asked()
            let run = await stranger.run(
                ["run", stranger.path, "--no-history"], isAsked: (input, errors), answers: ["t"], questions)
            #expect(run.status.rawValue == 27)
            #expect(run.errors.contains("you said never to DIR/shop.yaml; take it back: turnstone trust DIR/shop.yaml --remove"))
            #expect(questions.all.withLock { $0 } == [])
        }
        #expect(await stranger.run(["trust", "list"]).output.contains("DIR/shop.yaml  never"))
        #expect(await stranger.run(["doctor"]).output.contains("never"))
        #expect(stranger.paths == [])
        #expect(await stranger.run(["trust", stranger.path, "--remove"]).status == .success)
        #expect(
            await stranger.run(["run", stranger.path, "--no-history", "keyed"], isAsked: (true, true), answers: ["o"]).status
                == .success)
    }

    @Test func `control characters of a command are shown, and it isn't cut`() async throws {
        let stranger = try Stranger()
        let long = String(repeating: "a", count: 4000)
        let path = try stranger.directory.write(
            "long.yaml",
            "turnstone: 1\nrequests:\n  x: { get: http://h.test/, hydrate: [sh, -c, \"x\\e[2J\\u202E\\n\", \(long)] }\n")
        let shown = await stranger.run(["trust", path, "--show"])
        #expect(shown.output.contains(long))
        #expect(!shown.output.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        #expect(shown.output.split(separator: "\n").count == 1)
    }

    @Test func `no format and no complaint sends a terminal what it obeys`() async throws {
        let stranger = try Stranger()
        // ESC, BEL, CSI in one character, a turn of the direction.
        let evil = #"\e]0;x\a\u009b31m\u202e"#
        let path = try stranger.directory.write(
            "evil.yaml",
            """
            turnstone: 1
            name: "n\(evil)"
            environments: { "env\(evil)": { a: "1" } }
            requests:
              "r\(evil)":
                post: "http://127.0.0.1:9/"
                description: "\(evil)"
                body: { json: { a: "\(evil)" } }
                expect: { body: { .a: "\(evil)" } }
            """)
        let obeyed: Set<Unicode.Scalar> = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"]
        for words in [
            ["list", path], ["list", path, "--json"], ["check", path, "--json"], ["show", path, "nothing"],
            ["run", path, "--env", "nothing"], ["run", path, "--no-history"], ["export", "curl", path], ["export", "locust", path],
            ["export", "hurl", path], ["export", "http", path, "--dialect", "jetbrains"], ["export", "opencollection", path],
        ] + ["json", "junit", "tap", "html", "har"].map({ ["run", path, "--no-history", "--report", $0] }) {
            let run = await CommandLineRun.run(
                words, isTerminal: true, environment: ["HOME": stranger.directory.path, "NO_COLOR": "1"])
            #expect(!run.output.unicodeScalars.contains { obeyed.contains($0) }, "\(words)")
            #expect(!run.errors.unicodeScalars.contains { obeyed.contains($0) }, "\(words)")
            #expect(!(run.output + run.errors).isEmpty, "\(words)")
        }
        // A program gets it as it is.
        let piped = await CommandLineRun.run(["list", path, "--json"])
        #expect(piped.output.unicodeScalars.contains("\u{9B}"))
    }

    @Test func `a hash stands for what is wanted now, and for nothing more`() async throws {
        let stranger = try Stranger()
        let hash = await stranger.run(["trust", stranger.path, "--hash"]).output.split(separator: "\n").map(String.init)
        let run = ["run", stranger.path, "--no-history", "--trust", hash.first ?? ""]
        #expect(await stranger.run(run).status == .success)
        try stranger.write(query: #", query: { a: "{{env('LANG')}}" }"#)
        let changed = await stranger.run(run)
        #expect(changed.status.rawValue == 27)
        #expect(stranger.paths == ["/plain", "/keyed"])
    }
}
