import DemoServer
import Foundation
import NetworkLayer
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Sessions of collections over real sockets, with the demo server's routes and the demo collection's requests.
@Suite(.timeLimit(.minutes(2))) struct RunSessionsTests {
    private static let demo = URL(filePath: #filePath).appending(path: "../../../../Collections/demo").standardized.path

    private static func run(_ words: [String], _ server: DemoServer) async -> CommandLineRun {
        await CommandLineRun.run(
            ["run", demo] + words + ["--var", "host=\(server.baseURL)", "--no-history", "--trust"])
    }

    @Test func `what the demo promises is so`() async throws {
        let server = try await DemoServer()
        let run = await Self.run(["websocket"], server)
        #expect(run.status == .success, "\(run.output) \(run.errors)")
        #expect(run.output.contains("✓ websocket/echo  101 Switching Protocols  closed 1000"), "\(run.output)")
        #expect(run.output.contains("✓ websocket/close  101 Switching Protocols  closed 4001"), "\(run.output)")
        await server.stop()
    }

    @Test func `queries are answered in each of their ways`() async throws {
        let server = try await DemoServer()
        let run = await Self.run(["graphql"], server)
        #expect(run.status == .success, "\(run.output) \(run.errors)")
        #expect(run.output.contains("✓ graphql/subscription  101 Switching Protocols  closed 1000"), "\(run.output)")
        #expect(run.output.contains("7 passed"), "\(run.output)")
        await server.stop()
    }

    @Test func `errors beside data are told, and with --fail they fail the run`() async throws {
        let server = try await DemoServer()
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            requests:
              a:
                post: "{{host}}/graphql"
                body: { graphql: '{ jay: bird(name: "jay") { name } dodo: bird(name: "dodo") { name } }' }

            """)
        let words = ["run", path, "--var", "host=\(server.baseURL)", "--no-history"]
        let run = await CommandLineRun.run(words)
        #expect(run.status == .success)
        #expect(run.output.contains("⚠ a  200 OK"), "\(run.output)")
        #expect(run.output.contains("1 error: Nobody has seen a dodo here"), "\(run.output)")
        #expect(run.output.contains("1 passed (1 with errors of GraphQL)"), "\(run.output)")
        let strict = await CommandLineRun.run(words + ["--fail"])
        #expect(strict.status == .expectationFailed)
        #expect(strict.output.contains("its answer has 1 error: Nobody"), "\(strict.output)")
        await server.stop()
    }

    @Test func `what was asked for is a WebSocket also where it is told in full`() async throws {
        let server = try await DemoServer()
        let run = await Self.run(["websocket/close", "-v"], server)
        #expect(run.output.contains("WEBSOCKET ws://127.0.0.1"), "\(run.output)")
        #expect(!run.output.contains("a stream"), "\(run.output)")
        let report = await Self.run(["websocket/close", "--report", "json=-"], server)
        #expect(report.output.contains("\"WEBSOCKET\""), "\(report.output)")
        await server.stop()
    }

    @Test func `what doesn't come fails the run, and says what came`() async throws {
        let server = try await DemoServer()
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "a.yaml",
            """
            turnstone: 1
            requests:
              a:
                websocket: "{{host}}/websocket/close"
                messages: [{ receive: { .type: ready } }]
                expect: { close: exists }

            """)
        let run = await CommandLineRun.run(["run", path, "--var", "host=\(server.baseURL)", "--no-history"])
        #expect(run.status == .expectationFailed)
        #expect(
            run.output.contains(
                "expected step 1 to receive body .type is ready within 10s, and found another message, hello before the end of the "
                    + "session, closed with 4001 “enough”"), "\(run.output)")
        await server.stop()
    }

    @Test func `a dry run and show have the steps, filled in as far as is known`() async throws {
        for words in [["show", Self.demo, "websocket/echo"], ["run", Self.demo, "websocket/echo", "--dry-run"]] {
            let shown = await CommandLineRun.run(words)
            #expect(shown.output.contains("WEBSOCKET ws://127.0.0.1:8080/websocket/echo"), "\(shown.output) \(shown.errors)")
            #expect(shown.output.contains("receive body .type is subscribe within 2s"), "\(shown.output)")
            #expect(shown.output.contains("send the ‹echoed of websocket/echo› is back"), "\(shown.output)")
        }
        let check = await CommandLineRun.run(["check", Self.demo])
        #expect(check.status == .success, "\(check.output) \(check.errors)")
    }
}
