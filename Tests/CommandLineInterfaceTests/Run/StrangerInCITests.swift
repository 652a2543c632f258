import ServerTesting
import Testing

@testable import CommandLineInterface

/// What comes with a stranger's collection, or from a server, has no say in a run of continuous integration.
@Suite struct StrangerInCITests {
    private func environment(_ directory: TemporaryDirectory, _ more: [String: String] = [:]) -> [String: String] {
        ["HOME": directory.path, "XDG_STATE_HOME": directory.file("state")].merging(more) { $1 }
    }

    @Test func `a file of environment variables gives no trust`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            variables: { key: { secret: { command: [printf, abc] } } }
            requests: { a: { get: "http://127.0.0.1:1/{{key}}" } }
            """)
        let hash = await CommandLineRun.run(["trust", path, "--hash"], environment: environment(directory)).output
        #expect(hash.hasPrefix("sha256:"))
        let elsewhere = environment(directory, ["XDG_STATE_HOME": directory.file("theirs")])
        #expect(await CommandLineRun.run(["trust", path, "--yes"], environment: elsewhere).status == .success)
        let file = try directory.write(".env", "TURNSTONE_TRUST=\(hash)XDG_STATE_HOME=\(directory.file("theirs"))\n")
        let run = await CommandLineRun.run(
            ["run", path, "--no-input", "--env-file", file], environment: environment(directory))
        #expect(run.status == .notAllowed)
    }

    @Test func `a file of environment variables gives secrets, and what stands in templates`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            variables: { key: { secret: { env: KEY } } }
            requests:
              a: { get: 'http://127.0.0.1:1/{{env("NAME")}}', headers: { x-key: "{{key}}" }, mock: { status: 204 }, expect: { status: 204 } }
            """)
        let file = try directory.write(".env", "KEY=abc\nNAME=ada\n")
        let words = ["run", path, "--no-input", "--mocks", "--trust=all"]
        #expect(await CommandLineRun.run(words, environment: environment(directory)).status != .success)
        #expect(await CommandLineRun.run(words + ["--env-file", file], environment: environment(directory)).status == .success)
    }

    /// The item of the first loop was taken for that of the second, whose variable has the same name.
    @Test func `what the items of each loop want is asked for before anything is sent`() async throws {
        let directory = try TemporaryDirectory()
        let body = #"{ post: http://127.0.0.1:1/, body: { file: "{{f}}" } }"#
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            requests:
              one: { for-each: { f: [/etc/group] }, requests: { send: \(body) } }
              two: { for-each: { f: [/etc/passwd] }, requests: { send: \(body) } }
            """)
        let run = await CommandLineRun.run(["run", path, "--no-input"], environment: environment(directory))
        #expect(run.status == .notAllowed)
        #expect(run.errors.contains("/etc/group") && run.errors.contains("/etc/passwd"))
    }

    /// https://docs.github.com, "Workflow commands": at the start of a line; an older form anywhere in it.
    @Test func `no answer gives a workflow commands`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            requests:
              a:
                get: http://127.0.0.1:1/
                mock: { status: 200, headers: { content-type: text/plain }, body: "::stop-commands::abc\\n  ::error::pwned ##[error]pwned" }
                expect: { status: 201, body: ok }
            """)
        let run = await CommandLineRun.run(
            ["run", path, "--mocks", "-v"], environment: environment(directory, ["GITHUB_ACTIONS": "true"]))
        let lines = (run.output + run.errors).split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0.contains("stop-commands") })
        #expect(lines.filter { $0.hasPrefix("::") }.allSatisfy { $0.hasPrefix("::error file=") })
        #expect(lines.contains { $0.hasPrefix("::error file=") })
        #expect(!lines.contains { $0.contains("##[") && !$0.hasPrefix("::error file=") })
    }
}
