import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import CollectionRunner

/// `needs: { login: { max-age: 1h } }` over several programs.
@Suite struct `Answers that are kept for other programs` {
    private let state = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path

    private func bench(_ login: String = "post: http://shop/login, capture: { token: { from: .token, secret: true } }") throws
        -> RunnerBench
    {
        try RunnerBench(
            """
            variables: { user: ada }
            environments: { staging: { user: bob } }
            requests:
              login: { \(login), headers: { x-user: "{{user}}" } }
              orders: { get: http://shop/orders, needs: { login: { max-age: 1h } }, headers: { x-token: "{{token}}" } }
              cart: { get: "http://shop/cart/{{response(\\"login\\", \\".id\\", max_age: 1h)}}" }
            """, environment: ["XDG_STATE_HOME": state]
        ) { request in
            request.url.path() == "/login" ? .json(#"{"token":"t0k3n-of-ada","id":7}"#) : .json("{}")
        }
    }

    /// Another program, with the same servers and the same clock.
    private func another(_ bench: RunnerBench) throws -> CollectionRunner {
        let client = NetworkClient(transport: bench.transport, time: bench.time)
        return CollectionRunner(
            queue: try RequestOperationQueue(identifier: "another", client: client), trust: .open,
            environment: ["XDG_STATE_HOME": state])
    }

    @Test func `a young answer is used again with all that was captured of it, and nobody else may read the file`() async throws {
        let bench = try bench()
        defer { try? FileManager.default.removeItem(atPath: state) }
        _ = try await bench.run("orders")
        let other = try another(bench)
        let result = await other.run(try bench.job("orders"))
        _ = await other.run(try bench.job("cart"))
        #expect(bench.sent == ["POST /login", "GET /orders", "GET /orders", "GET /cart/7"])
        #expect(bench.transport.requests[2].headers[.init("x-token")!] == "t0k3n-of-ada")
        #expect(result.redactor.text("t0k3n-of-ada") == "••••••")
        let file = try FileManager.default.attributesOfItem(atPath: "\(state)/turnstone/answers.json")
        #expect(file[.posixPermissions] as? Int == 0o600)
    }

    @Test func `an old one, another environment, other variables and a changed file send it anew`() async throws {
        let bench = try bench()
        defer { try? FileManager.default.removeItem(atPath: state) }
        _ = try await bench.run("orders")
        _ = await (try another(bench)).run(try bench.job("orders", environment: "staging"))
        let job = try bench.job("orders")
        _ = await (try another(bench)).run(
            RunJob(job.definition, in: job.collection, variables: ["user": .string("eve")]))
        #expect(bench.sent.count { $0 == "POST /login" } == 3)
        bench.time.advance(by: .seconds(3601))
        _ = await (try another(bench)).run(job)
        #expect(bench.sent.count { $0 == "POST /login" } == 4)
        try Data("# edited\n".utf8).append(to: bench.collection.path)
        _ = await (try another(bench)).run(job)
        #expect(bench.sent.count { $0 == "POST /login" } == 5)
    }

    @Test func `what a name alone hides is kept as well, and stays hidden`() async throws {
        let bench = try bench("post: http://shop/login, capture: { token: .token }")
        defer { try? FileManager.default.removeItem(atPath: state) }
        _ = try await bench.run("orders")
        let result = await (try another(bench)).run(try bench.job("orders"))
        #expect(bench.sent == ["POST /login", "GET /orders", "GET /orders"])
        #expect(result.redactor.text("t0k3n-of-ada") == "••••••")
    }

    @Test func `sent for its own sake, its new answer takes the place of the kept one`() async throws {
        let bench = try bench()
        defer { try? FileManager.default.removeItem(atPath: state) }
        _ = try await bench.run("orders")
        bench.time.advance(by: .seconds(3000))
        _ = await (try another(bench)).run(try bench.job("login"))
        bench.time.advance(by: .seconds(3000))
        _ = await (try another(bench)).run(try bench.job("orders"))
        #expect(bench.sent.count { $0 == "POST /login" } == 2)
    }

    /// Later nobody would know it for a secret.
    @Test func `an answer that repeats a secret of its request isn't kept`() async throws {
        let bench = try bench(#"post: "http://shop/login", auth: { basic: { user: ada, password: t0k3n-of-ada } }"#)
        defer { try? FileManager.default.removeItem(atPath: state) }
        _ = try await bench.run("cart")
        _ = await (try another(bench)).run(try bench.job("cart"))
        #expect(bench.sent.count { $0 == "POST /login" } == 2)
    }
}

extension Data {
    fileprivate func append(to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: self)
        try file.close()
    }
}
