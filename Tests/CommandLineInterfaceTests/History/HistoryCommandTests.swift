import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct HistoryCommandTests {
    /// A directory with a collection and a history of two runs: login, which passed, and wrong, which failed an expectation.
    private func bench() async throws -> (TemporaryDirectory, environment: [String: String]) {
        let (directory, path) = try ShopFile.make(RunBench.text)
        let environment = ["XDG_STATE_HOME": directory.path]
        _ = await CommandLineRun.run(
            ["run", path, "--trust", "login", "wrong", "--quiet"], transport: RunBench.answers, time: ManualTimeSource(),
            environment: environment)
        return (directory, environment)
    }

    private func run(_ environment: [String: String], _ words: String...) async -> CommandLineRun {
        await CommandLineRun.run(
            ["history"] + words, transport: RunBench.answers, time: ManualTimeSource(), environment: environment)
    }

    @Test func `runs are listed, the newest first, and found by text, status and age`() async throws {
        let (directory, environment) = try await bench()
        defer { withExtendedLifetime(directory) {} }
        let all = await run(environment)
        #expect(all.status == .success)
        #expect(all.output.split(separator: "\n").map { $0.contains("wrong") } == [true, false])
        #expect(all.output.contains("     1  now  POST login  200"))
        #expect(await run(environment, "log").output.split(separator: "\n").count == 1)
        #expect(await run(environment, "--status", "2xx").output.split(separator: "\n").count == 2)
        let none = await run(environment, "--status", "404")
        #expect(none.output == "")
        #expect(none.errors == "turnstone: no runs like that\n")
        #expect(await run(environment, "--since", "1h", "-n", "1").output.split(separator: "\n").count == 1)
        let json = await run(environment, "--json").output.split(separator: "\n")
        #expect(json.count == 2)
        #expect(json.allSatisfy { JSONParser.parse(String($0)) != nil })
    }

    @Test func `a run is shown, its body printed, and it is sent again`() async throws {
        let (directory, environment) = try await bench()
        defer { withExtendedLifetime(directory) {} }
        let shown = await run(environment, "show", "1")
        #expect(shown.output.contains("http://shop/login"))
        #expect(shown.output.contains("turnstone history body 1 prints it"))
        #expect(await run(environment, "body", "2").output == "text")
        // The captured token is a secret.
        #expect(await run(environment, "body", "1").output == #"{"token":"••••••"}"#)
        let again = await run(environment, "replay", "2")
        #expect(again.output == "text")
        #expect(again.errors.hasPrefix("✗ wrong  200 OK"))
        #expect(again.status == .expectationFailed)
        #expect(await run(environment).output.split(separator: "\n").count == 3)
    }

    @Test func `a run of an older version is replayed only where its file lies`() throws {
        let (directory, path) = try ShopFile.make()
        defer { withExtendedLifetime(directory) {} }
        let collection = try RequestCollection.load(path: path)
        var login = try #require(collection.request(RequestID(rawValue: "login")))
        #expect(login.isPlaced(in: collection))
        login.location.path = "shop.yaml"
        #expect(!login.isPlaced(in: collection))
    }

    @Test func `what is forgotten is gone`() async throws {
        let (directory, environment) = try await bench()
        defer { withExtendedLifetime(directory) {} }
        #expect(await run(environment, "forget", "1").errors == "forgot 1 run\n")
        #expect(await run(environment).output.split(separator: "\n").count == 1)
        #expect(await run(environment, "forget", "--all").status == .success)
        let none = await run(environment)
        #expect(none.errors == "turnstone: no runs yet\n")
        #expect(await run(environment, "forget").status == .usage)
    }

    @Test(
        arguments: [
            (["forget", "1", "9"], "turnstone: There is no run 9; `turnstone history` lists them.\n"),
            (
                ["--number", "0"],
                """
                Error: --number takes a number of 1 or more.
                Usage: turnstone history list [<TEXT>] [--status <STATUS>] [--failed] [--since <AGE>] [--collection <COLLECTION>] \
                [--number <N>] [--json]
                  See 'turnstone history list --help' for more information.

                """
            ),
            (["show", "9"], "turnstone: There is no run 9; `turnstone history` lists them.\n"),
            (["--status", "abc"], "turnstone: --status takes a status such as 404 or a class such as 5xx, not abc.\n"),
            (["--since", "soon"], "turnstone: --since takes an age such as 30m, 2h or 3d, not soon.\n"),
        ])
    func `what there isn't is named`(words: [String], message: String) async throws {
        let (directory, environment) = try await bench()
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(
            ["history"] + words, transport: RunBench.answers, time: ManualTimeSource(), environment: environment)
        #expect(run.status == .usage)
        #expect(run.errors == message)
    }

    @Test func `without a home there is no history`() async throws {
        let run = await run([:])
        #expect(run.status == .file)
        #expect(run.errors == "turnstone: There is no place for a history: neither HOME nor XDG_STATE_HOME is set.\n")
    }
}
