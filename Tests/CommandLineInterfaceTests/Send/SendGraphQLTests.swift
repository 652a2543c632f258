import CommandLineInterface
import DemoServer
import Foundation
import NetworkLayer
import ServerTesting
import Testing

/// `turnstone send --graphql`, over the real transport, against the demo server's graph.
@Suite(.timeLimit(.minutes(1))) struct SendGraphQLTests {
    private func output(_ words: [String]) async throws -> CommandLineRun {
        let server = try await DemoServer(port: 0)
        let run = await CommandLineRun.run(["send", server.baseURL + "/graphql"] + words)
        await server.stop()
        return run
    }

    @Test func `items behind the URL are the variables`() async throws {
        let query = "query($sighting: String!, $n: Int) { report(sighting: {bird: $sighting, count: $n}) { count } }"
            .replacing("query", with: "mutation")
        let run = try await output(["--graphql", query, "sighting=jay", "n:=4"])
        #expect(run.status == .success && run.output.contains("\"count\": 4"), "\(run.output) \(run.errors)")
    }

    @Test func `a query comes from a file, and the answer in GraphQL's own type`() async throws {
        let directory = try TemporaryDirectory()
        let run = try await output(["-i", "--graphql", "@\(try directory.write("q.graphql", "{ birds { name } }\n"))"])
        #expect(run.output.contains("application/graphql-response+json") && run.output.contains("turnstone"), "\(run.output)")
    }

    @Test func `a subscription is answered by events`() async throws {
        let run = try await output(["--graphql", "subscription { sightings(to: 2) { number } }"])
        #expect(run.output.contains("data: {\"data\":{\"sightings\":{\"number\":2}}}"), "\(run.output)")
    }

    @Test(
        arguments: [
            (["--graphql", "{ a }", "-d", "x"], "exclude one another"), (["--graphql", "{ a }", "-G", "n=1"], "leave -G"),
            (["--graphql", "{ a }", "f@/etc/hostname"], "uploads no files"),
        ])
    func `what doesn't go with a query is a mistake`(words: [String], sentence: String) async throws {
        let run = await CommandLineRun.run(["send", "http://127.0.0.1:1/"] + words)
        #expect(run.status == .usage && run.errors.contains(sentence), "\(run.errors)")
    }
}
