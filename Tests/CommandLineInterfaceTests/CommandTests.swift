import DemoServer
import Foundation
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

@Suite struct ArgumentTextTests {
    private static func refusal(_ words: [[UInt8]]) -> String? {
        do {
            _ = try ArgumentText.texts([Array("turnstone".utf8)] + words)
            return nil
        } catch let error as CommandFailure {
            #expect(error.status == .usage)
            return error.message
        } catch {
            return "\(error)"
        }
    }

    private static let way =
        ", isn't UTF-8, and would be sent as something else. "
        + "Other bytes are sent from a file, as by --data-binary @FILE or -F NAME=@FILE, and percent-encoded in a URL."

    @Test func `bytes that are no text are refused, with their place and the way out`() {
        let send = Array("send".utf8)
        let data = Array("--data-raw".utf8)
        #expect(
            Self.refusal([send, data, Array("it's ".utf8) + [0xE9, 0x5C, 0x0A]])
                == #"Argument 3, behind --data-raw, $'it\'s \xe9\\\x0a'"# + Self.way)
        #expect(Self.refusal([send, [0x2D, 0x64, 0xFF]]) == #"Argument 2, $'-d\xff'"# + Self.way)
        #expect(Self.refusal([Array("run".utf8), [0xE9]]) == #"Argument 2, $'\xe9'"# + Self.way)
        #expect(Self.refusal([send, Array("http://h/é".utf8)]) == nil)
    }

    @Test func `a password among them is shown to nobody`() {
        let words = [Array("send".utf8), Array("-u".utf8), Array("ada:s3cret".utf8) + [0xE9], Array("http://h/".utf8)]
        #expect(Self.refusal(words) == "Argument 3, behind -u" + Self.way)
    }

    @Test func `texts are what they were`() throws {
        #expect(try ArgumentText.texts([Array("a".utf8), Array("é\u{FFFD}".utf8), []]) == ["a", "é\u{FFFD}", ""])
    }
}

@Suite struct ExitStatusTests {
    private static let table: [(NetworkError.Code, Int32)] = [
        (.cancelled, 130), (.operationTimedOut, 20), (.attemptTimedOut, 20), (.idleTimedOut, 20), (.connectTimedOut, 20),
        (.nameNotResolved, 21), (.proxyNotResolved, 21), (.cannotConnect, 21), (.connectionLost, 21), (.resendRefused, 21),
        (.tlsFailed, 22), (.certificateRejected, 22), (.pinMismatch, 22), (.clientCertificateFailed, 22), (.hydrationFailed, 23),
        (.authorizationFailed, 23), (.fileFailed, 25), (.bodyReadFailed, 25), (.protocolViolation, 26),
        (.contentDecodingFailed, 26), (.limitExceeded, 26), (.tooManyRedirects, 26), (.redirectFailed, 26), (.invalidURL, 2),
        (.invalidMethod, 2), (.invalidRequest, 2), (.unsupported, 2),
    ]

    @Test(arguments: table)
    func `every code of an error has its status`(code: NetworkError.Code, status: Int32) {
        let error = NetworkError(code, phase: .response, type: "test", message: "test")
        #expect(ExitStatus(error).rawValue == status)
    }
}

@Suite struct HelpOverviewTests {
    @Test func `paragraphs are broken once, and what an example does stays in its column`() {
        let text = """
            A run is a plan. What a request needs
            is sent first.

            Examples:
              run --plan           what it would send, in which order
              run a b c
              run a very long command with many words  too little room
            """
        #expect(
            HelpOverview.lines(of: text, width: 44) == [
                "A run is a plan. What a request needs is", "sent first.", "", "Examples:",
                "  run --plan           what it would send,",
                "                       in which order", "  run a b c", "  run a very long command with many words",
                "      too little room",
            ])
        #expect(HelpOverview.lines(of: "a b", width: 1) == ["a", "b"])
        #expect(HelpOverview.lines(of: "", width: 40) == [""])
    }

    @Test(arguments: [["run"], ["history", "show"], ["check"], ["import"], []])
    func `no help has a line that is broken twice`(words: [String]) async {
        for columns in ["60", "80", "132"] {
            let help = await CommandLineRun.run(words + ["--help"], environment: ["COLUMNS": columns])
            #expect(help.status == .success)
            let overview = help.output.components(separatedBy: "\n\nUSAGE: ")[0].components(separatedBy: "\n")
            #expect(overview.allSatisfy { $0.count <= min(100, Int(columns)!) || $0.hasPrefix("  ") }, "\(overview)")
            for (line, next) in zip(overview, overview.dropFirst()) where !line.isEmpty && !next.isEmpty && !line.hasPrefix(" ") {
                guard !next.hasPrefix(" "), let word = next.split(separator: " ").first else { continue }
                #expect(line.count + 1 + word.count > min(100, Int(columns)!), "\(line) / \(next)")
            }
        }
    }
}

@Suite struct ManualPageTests {
    @Test func `every command and every option is in it`() {
        let page = ManualPage.text(.program, date: "May 1, 2024")
        for command in CommandDescription.program.subcommands {
            #expect(page.contains(".Sh TURNSTONE \(command.name.uppercased())\n"))
            for option in command.options {
                for name in option.names { #expect(page.contains("Fl \(ManualPage.escaped(String(name.dropFirst())))")) }
            }
        }
        for (status, _) in ExitStatus.meanings { #expect(page.contains(".It \(status.rawValue)\n")) }
        #expect(page.hasPrefix(".Dd May 1, 2024\n.Dt TURNSTONE 1\n.Os\n.Sh NAME\n.Nm turnstone\n.Nd "))
    }

    @Test func `what means something to roff is escaped`() {
        #expect(ManualPage.escaped(".a\\n-b") == "\\&.a\\en\\-b")
        #expect(ManualPage.escaped("'a") == "\\&'a")
        #expect(ManualPage.escaped("1 …") == "1 \\[u2026]")
    }

    private static let groff = try? ChildProcess.find("groff", package: "groff-base")

    @Test(.enabled(if: groff != nil, "needs groff")) func `groff reads it without a complaint`() async throws {
        let groff = try #require(Self.groff)
        let directory = try TemporaryDirectory()
        let page = try directory.write("turnstone.1", await CommandLineRun.run(["man"]).output)
        let text = try ChildProcess.run("/bin/sh", ["-c", "\"$0\" -mdoc -Tutf8 -P-cbou -ww \"$1\" 2>&1", groff, page])
        #expect(text.split(separator: "\n").filter { $0.contains("/turnstone.1:") } == [])
        #expect(text.contains("EXIT STATUS"))
    }

    @Test func `the program's own description has its commands, and send's is the table's`() {
        let program = CommandDescription.program
        #expect(Set(program.subcommands.map(\.name)).isSuperset(of: ["explore", "demo", "send", "list", "show"]))
        #expect(program.subcommands.first { $0.name == "send" } == .send)
        #expect(program.subcommands.first { $0.name == "show" }?.option(named: "--env")?.value == "NAME")
    }
}

@Suite struct `turnstone keys` {
    @Test func `prints the keys as they are, and what is wrong with the file`() async {
        let run = await CommandLineRun.run(["keys"])
        #expect(run.output == "set: mine\n")
        #expect(run.errors == "turnstone: keys.yaml:3: wrong\n")
        #expect(run.status == .usage)
    }

    @Test(arguments: ["default", "vim", "emacs"]) func `prints a set`(set: String) async {
        let run = await CommandLineRun.run(["keys", set])
        #expect(run.output == "set: \(set)\n")
        #expect(run.status == .success)
    }

    @Test func `names the sets when there is none of that name`() async {
        let run = await CommandLineRun.run(["keys", "nano"])
        #expect(run.output == "")
        #expect(run.errors.contains("There is no set of keys named nano. It takes default, vim, emacs."))
        #expect(run.status == .usage)
    }
}

@Suite struct ExploreTests {
    private func launches(_ arguments: String...) async -> [ExplorerLaunch] {
        let launches = Launches()
        _ = await CommandLineRun.run(arguments, launches: launches)
        return launches.all.withLock { $0 }
    }

    @Test func `no argument opens the explorer`() async {
        #expect(await launches() == [ExplorerLaunch()])
    }

    @Test func `a path opens the explorer on it`() async {
        #expect(await launches(#filePath) == [ExplorerLaunch(collections: [#filePath])])
    }

    @Test func `demo opens the explorer on the demo, in an environment of one's choice`() async {
        #expect(await launches("demo", "--env", "local") == [ExplorerLaunch(isDemo: true, environment: "local")])
    }

    @Test func `mocks and the history are chosen as for run`() async {
        #expect(await launches("demo", "--still") == [ExplorerLaunch(isDemo: true, holdsStill: true)])
        #expect(
            await launches("demo", "--mocks", "--no-history") == [
                ExplorerLaunch(isDemo: true, keepsHistory: false, usesMocks: true)
            ])
    }

    @Test func `a path that isn't there is named, with the way out`() async {
        let run = await CommandLineRun.run(["./nowhere"])
        #expect(run.status == .usage)
        #expect(
            run.errors
                == "turnstone: There is no collection at ./nowhere. It takes a YAML file or a directory; `turnstone demo` shows one.\n"
        )
    }

    @Test func `a slip in a command's name is met with the command`() async {
        let run = await CommandLineRun.run(["snd"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: There is no collection and no command named snd. Did you mean: turnstone send?\n")
    }

    @Test func `an unknown option is a usage error`() async {
        let run = await CommandLineRun.run(["send", "--frobnicate", "http://127.0.0.1/"])
        #expect(run.status == .usage)
        #expect(run.errors == "turnstone: send has no option --frobnicate. `turnstone send --help` lists all of them.\n")
        #expect(run.output == "")
    }

    @Test func `help explains a command`() async {
        let help = await CommandLineRun.run(["help", "send"])
        #expect(help.status == .success)
        #expect(help.output.hasPrefix("OVERVIEW: Send one request, and print the body of its response."))
        #expect(help.errors == "")
    }

    @Test func `no line of the first help is broken`() async {
        let help = await CommandLineRun.run(["--help"])
        #expect(help.output.contains("  turnstone send --timing URL  the same, and draw where its time went\n"))
        #expect(help.output.contains("  turnstone shop.yaml          explore a collection: a file or a directory\n"))
    }

    @Test func `--help and --version go to standard output`() async {
        let help = await CommandLineRun.run(["--help"])
        #expect(help.status == .success)
        #expect(help.output.contains("turnstone send"))
        #expect(help.errors == "")
        let version = await CommandLineRun.run(["--version"])
        #expect(version.output == "turnstone \(Version.text)\n")
        #expect(NetworkClient.version == Version.text)
    }
}

@Suite struct DemoServerCommandTests {
    @Test func `a port that another program has is named once, with the way out`() async throws {
        let server = try await DemoServer(port: 0)
        let port = try #require(URL(string: server.baseURL)?.port)
        let run = await CommandLineRun.run(["demo-server", "--port", "\(port)"])
        #expect(run.status == .connection)
        #expect(
            run.errors == """
                turnstone: Can't listen on port \(port): another program has it; choose another with --port, or 0 for one that is free.

                """)
        await server.stop()
    }
}
