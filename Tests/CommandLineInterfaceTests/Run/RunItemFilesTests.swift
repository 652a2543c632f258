import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// `for-each: { user: { file: users.csv } }`, from the command line.
@Suite struct RunItemFilesTests {
    private static let shop = """
        turnstone: 1
        requests:
          users:
            for-each: { user: { file: users.csv } }
            requests:
              create: { put: "http://shop/{{user.name}}", capture: { id: .id }, tear-down: delete }
              delete: { delete: "http://shop/{{id}}" }
          ids: { get: "http://shop/ids/{{n}}", for-each: { n: { file: ids.txt } } }
          plain: { get: http://shop/plain }
        """

    private func run(_ words: [String], users: String = "name\nada\nbob\n") async throws -> (sent: [String], CommandLineRun) {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = try directory.write("shop.yaml", Self.shop)
        _ = try directory.write("users.csv", users)
        _ = try directory.write("ids.txt", "7\n8\n9\n")
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let url = String(request.request.url.absoluteString.dropFirst("http://shop/".count))
            sent.withLock { $0.append("\(request.request.method) \(url)") }
            return .respond(headers: [.contentType: "application/json"], body: Data("{\"id\":\"id-of-\(url)\"}".utf8))
        }
        let run = await CommandLineRun.run(
            [words[0], path] + words.dropFirst(), transport: transport, environment: ["HOME": directory.path])
        return (
            sent.withLock { $0 },
            CommandLineRun(
                status: run.status, output: run.output.replacing(directory.path + "/", with: ""),
                errors: run.errors.replacing(directory.path + "/", with: ""))
        )
    }

    @Test(arguments: [
        (["ids"], ["GET ids/7", "GET ids/8", "GET ids/9"]), (["ids[n=8]"], ["GET ids/8"]),
        (["ids", "--shard", "2/2"], ["GET ids/8"]),
        (["users/create"], ["PUT ada", "PUT bob", "DELETE id-of-bob", "DELETE id-of-ada"]),
    ])
    func `each item is sent, and is one as any other`(words: [String], sent: [String]) async throws {
        let (seen, run) = try await run(["run", "--trust", "--no-history"] + words)
        #expect(seen == sent, "\(run.output)")
        #expect(run.status == .success)
    }

    @Test func `a plan and a dry run have each item`() async throws {
        let (sent, plan) = try await run(["run", "--trust", "ids", "--plan"])
        #expect(plan.output == (1...3).map { "\($0)  GET  ids[n=\($0 + 6)]\n" }.joined())
        let dry = try await run(["run", "--trust", "ids", "--dry-run"])
        #expect(dry.1.output.contains("GET http://shop/ids/9\n"))
        #expect(sent.isEmpty && dry.sent.isEmpty)
    }

    @Test func `without leave nothing is sent, not even for the first item`() async throws {
        let (sent, shown) = try await run(["run", "--no-history", "--no-input"])
        #expect(sent.isEmpty)
        #expect(shown.status == .notAllowed)
        #expect(shown.errors.contains("users.csv   for-each   shop.yaml:4"), "\(shown.errors)")
        #expect(try await run(["run", "plain", "--no-history", "--no-input"]).sent == ["GET plain"])
        let refusal = "can't be sent: shop.yaml:4:17: it wants what isn't allowed: read "
        let plan = try await run(["run", "users/create", "--plan", "--no-input"])
        #expect(plan.1.output.contains("PUT     users/create  \(refusal)"), "\(plan.1.output)")
        let dry = try await run(["run", "users/create", "--dry-run", "--no-input"])
        #expect(dry.1.output.contains(refusal) && dry.1.status == .template)
    }
}
