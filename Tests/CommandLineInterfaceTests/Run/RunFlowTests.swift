import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

@Suite struct RunFlowTests {
    /// `turnstone run`, with `TEXT` for requests: each answer is the next state, the last one again and again.
    private func run(_ requests: String, states: String..., words: [String] = [], environment: [String: String] = [:]) async throws
        -> CommandLineRun
    {
        let (directory, path) = try ShopFile.make("turnstone: 1\nrequests:\n\(requests)\n")
        defer { withExtendedLifetime(directory) {} }
        let left = Mutex(states.isEmpty ? ["done"] : states)
        let transport = ScriptedTransport { _ in
            let state = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return .respond(headers: [.contentType: "application/json"], body: Data("{\"state\":\"\(state)\"}".utf8))
        }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: transport, environment: environment)
        return CommandLineRun(
            status: shown.status, output: shown.output.replacing(path, with: "shop.yaml"),
            errors: shown.errors.replacing(path, with: "shop.yaml"))
    }

    private static let polling = "  job: { get: http://shop/job, until: { body: { .state: done }, every: 1ms, tries: 3 } }"

    @Test func `what is sent until it is as it should be says how often`() async throws {
        let shown = try await run(Self.polling, states: "queued", "done")
        #expect(shown.status == .success)
        #expect(shown.output.contains("✓ job  200 OK"))
        #expect(shown.output.contains("2 polls over "))
        #expect(shown.output.contains("1 passed"))
    }

    @Test func `reports have each time`() async throws {
        let json = try await run(Self.polling, states: "queued", "done", words: ["--report", "json=-"])
        #expect(json.output.contains(#""found" : "body .state \"queued\"""#))
        #expect(json.output.contains("\"found\" : \"all that is wanted\""))
        let junit = try await run(Self.polling, states: "queued", "done", words: ["--report", "junit=-"])
        #expect(junit.output.contains("<system-out>poll 1 at "))
        #expect(junit.output.contains("200, body .state &quot;queued&quot;&#10;poll 2 at "))
        let failed = try await run(Self.polling, states: "queued", words: ["--report", "junit=-"])
        #expect(failed.output.contains("failures=\"1\" errors=\"0\""))
        let html = try await run(Self.polling, states: "queued", "done", words: ["--report", "html=-"])
        #expect(html.output.contains("<ol class=\"polls\"><li>poll 1 at "))
        let har = try await run(Self.polling, states: "queued", "done", words: ["--report", "har=-"])
        #expect(har.output.components(separatedBy: "\"startedDateTime\"").count == 3)
    }

    @Test func `the plan says what is waited for`() async throws {
        let shown = try await run(Self.polling, words: ["--plan"])
        #expect(shown.output.contains("GET  job  until body .state is done, within 30s, every 1ms, at most 3 times"))
    }

    @Test func `a tag behind an exclamation mark leaves out`() async throws {
        let requests = """
              a: { get: http://shop/a, tags: [slow, smoke] }
              b: { get: http://shop/b, tags: [smoke] }
              c: { get: http://shop/c }
            """
        #expect(try await run(requests, words: ["--tag", "!slow", "--plan"]).output == "1  GET  b\n2  GET  c\n")
        #expect(try await run(requests, words: ["--tag", "smoke", "--tag", "!slow", "--plan"]).output == "1  GET  b\n")
        let unknown = try await run(requests, words: ["--tag", "!slwo"])
        #expect(unknown.status == .usage)
        #expect(unknown.errors.contains("There is no tag slwo."))
    }

    @Test func `a file gives environment variables, under those that are set`() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/.env"
        try "# keys\nexport KEY='a b'\nHOST_NAME=x # shop\nQUOTED=\"1\\n2\"\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(
            try EnvironmentFile(argument: path).values() == ["KEY": "a b", "HOST_NAME": "x", "QUOTED": "1\n2"])
        let request = "  a: { get: 'http://shop/{{env(\"HOST_NAME\")}}', expect: { url: { ends-with: /x } } }"
        let shown = try await run(request, words: ["--env-file", path])
        #expect(shown.status == .success, "\(shown.output)\(shown.errors)")
        let set = try await run(request, words: ["--env-file", path], environment: ["HOST_NAME": "own"])
        #expect(set.status == .expectationFailed)
    }
}
