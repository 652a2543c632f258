import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import RequestCollections
import Testing

@testable import DemoServer

@Suite struct ShippedCollectionsTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Collections")
    private static let variables: [String: JSONValue] = [
        "host": .string("http://demo:1"), "other": .string("http://demo:2"), "token": .string("token"),
    ]

    private static func load(_ name: String) throws -> RequestCollection {
        try RequestCollection.load(path: directory.appending(path: name).path)
    }

    @Test func `every file there is a collection or a part of one`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path).sorted()
        #expect(names == ["demo", "github.yaml"])
    }

    @Test(arguments: ["demo", "github.yaml"])
    func `a shipped collection is read without a problem, and every request can be sent`(name: String) throws {
        let collection = try Self.load(name)
        #expect(collection.problems == [])
        #expect(collection.requests.count > 15)
        for request in collection.requests {
            #expect(throws: Never.self, "\(request.id)") {
                try collection.resolve(
                    request, environment: nil, variables: Self.variables, with: TemplateEnvironment(trust: .everything))
            }
        }
    }

    /// The tree has 24 columns: three levels of indentation and the method leave this much.
    @Test(arguments: ["demo", "github.yaml"])
    func `names fit into the tree, and descriptions are sentences`(name: String) throws {
        for request in try Self.load(name).requests {
            #expect((request.name ?? "?").count <= 20, "\(request.id)")
            if let description = request.description?.trimmingCharacters(in: .whitespacesAndNewlines) {
                #expect(description.hasSuffix(".") || description.hasSuffix("?"), "\(request.id)")
            }
        }
    }

    @Test func `every request to the demo server reaches a route, and every route is shown by a request`() throws {
        let collection = try Self.load("demo")
        var shown: Set<String> = []
        for definition in collection.requests {
            #expect(definition.description != nil, "\(definition.id)")
            let request = try collection.resolve(
                definition, environment: nil, variables: Self.variables, with: TemplateEnvironment(trust: .everything)
            ).request
            guard request.url.host() == "demo" else { continue }
            let segments = request.url.path().split(separator: "/").map { PercentEncoding.decode($0) }
            let routes = RouteTable.all.flatMap(\.routes).filter { $0.match(segments) != nil }
            let route = try #require(routes.first { $0.accepts(request.method.rawValue) } ?? routes.first, "\(definition.id)")
            #expect(route.accepts(request.method.rawValue) || request.method == .options, "\(definition.id)")
            shown.insert(route.path)
        }
        // The last hops of redirects, and what is for tests.
        let hidden: Set<String> = ["/viewer/empty", "/trouble/bad-header"]
        #expect(RouteTable.all.flatMap(\.routes).map(\.path).filter { !shown.union(hidden).contains($0) } == [])
    }
}

/// Everything in the demo collection, sent through the real layers: what its descriptions promise is what a user sees.
@Suite struct DemoOutcomesTests {
    private enum Outcome: Hashable {
        case status(Int)
        case error(NetworkError.Code)
        case someError
        /// Takes seconds, leaves this machine, or depends on what was sent before.
        case skipped
    }

    /// Whatever isn't here succeeds with 200.
    private static let outcomes: [String: Outcome] = [
        "basics/options": .status(204),
        "basics/status-404": .status(404),
        "basics/status-list": .status(503),
        "caching/lost-update": .status(412),
        "caching/not-modified": .status(304),
        "caching/since": .status(304),
        "receiving/json-100mb": .skipped,
        "receiving/limited": .error(.limitExceeded),
        "receiving/range": .status(206),
        "redirects/bad-location": .error(.redirectFailed),
        "redirects/loop": .error(.tooManyRedirects),
        "redirects/never": .status(302),
        "redirects/no-location": .status(302),
        "redirects/same-host": .status(302),
        "redirects/to-a-slow-one": .skipped,
        "sending/abort": .error(.connectionLost),
        "sending/refused": .status(413),
        "sending/throttled": .skipped,
        "sign-in/digest": .status(401),
        "sign-in/nobody": .status(401),
        "slow": .skipped,
        "transport/http2": .someError,
        "transport/resolve": .skipped,
        "transport/unix-socket": .skipped,
        "transport/tls/expired": .error(.certificateRejected),
        "transport/tls/http-port": .someError,
        "transport/tls/modern-only": .someError,
        "transport/tls/no-client-certificate": .someError,
        "transport/tls/pinned": .someError,
        "transport/tls/self-signed": .error(.certificateRejected),
        "transport/tls/wrong-host": .error(.certificateRejected),
        "trouble/bad-chunk": .error(.protocolViolation),
        "trouble/bad-gzip": .error(.contentDecodingFailed),
        "trouble/bomb": .error(.limitExceeded),
        "trouble/closes": .error(.connectionLost),
        "trouble/flaky": .error(.connectionLost),
        "trouble/garbage": .error(.protocolViolation),
        "trouble/half-head": .error(.connectionLost),
        "trouble/huge-head": .error(.limitExceeded),
        "trouble/no-such-host": .skipped,
        "trouble/refused": .error(.cannotConnect),
        "trouble/reset": .error(.connectionLost),
        "trouble/reset-in-body": .error(.connectionLost),
        "trouble/ssh": .error(.protocolViolation),
        "trouble/stale-get": .skipped,
        "trouble/stale-post": .skipped,
        "trouble/truncated": .error(.connectionLost),
        "trouble/truncated-chunks": .error(.connectionLost),
        "trouble/two-lengths": .error(.protocolViolation),
        "trouble/unavailable": .status(503),
        "trouble/unavailable-retried": .skipped,
        // A runner opens their sessions, and sends a query after its hash: see the tests of `run`.
        "graphql/persisted": .skipped, "graphql/subscription": .skipped,
        "websocket": .skipped,
    ]

    private static let collection = Result {
        try RequestCollection.load(
            path: URL(filePath: #filePath).appending(path: "../../../Collections/demo").standardizedFileURL.path)
    }

    private static func expectation(of id: String) -> Outcome {
        outcomes[id] ?? outcomes.first { id.hasPrefix($0.key + "/") }?.value ?? .status(200)
    }

    @Test func `each request ends as its description says`() async throws {
        let collection = try Self.collection.get()
        let server = try await DemoServer()
        for definition in collection.requests {
            let expected = Self.expectation(of: definition.id.rawValue)
            guard expected != .skipped else { continue }
            let (response, wrong) = try await Self.send(definition, in: collection, to: server)
            let (status, error) = (response.info?.head.status.code, response.error)
            #expect(wrong == [], "\(definition.id)")
            switch expected {
            case .status(let code):
                #expect(status == code, "\(definition.id)")
                #expect(error == nil, "\(definition.id)")
            case .error(let code): #expect(error?.code == code, "\(definition.id): \(error?.message ?? "")")
            case .someError: #expect(error != nil, "\(definition.id)")
            case .skipped: break
            }
        }
    }

    @Test func `every outcome belongs to a request`() throws {
        let ids = try Self.collection.get().requests.map(\.id.rawValue)
        let lost = Self.outcomes.keys.filter { key in !ids.contains { $0 == key || $0.hasPrefix(key + "/") } }
        #expect(lost == [])
    }

    @Test func `what fails twice and is tried again answers at the third attempt`() async throws {
        let collection = try Self.collection.get()
        let definition = try #require(collection.request(RequestID(rawValue: "trouble/flaky-retried")))
        let server = try await DemoServer()
        let (response, wrong) = try await Self.send(definition, in: collection, to: server)
        #expect(wrong == [])
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry, .retry])
        #expect(response.metrics.attempts.map { $0.error?.code } == [.connectionLost, .connectionLost, nil])
    }

    /// On connections of its own: some of these leave bad ones behind.
    private static func send(
        _ definition: RequestDefinition, in collection: RequestCollection, to server: DemoServer
    ) async throws -> (response: Response, wrong: [ExpectationResult]) {
        let variables = server.variables.mapValues { JSONValue.string($0) }
        let resolved = try collection.resolve(definition, environment: nil, variables: variables)
        let queue = try RequestOperationQueue(identifier: "demo", client: NetworkClient(transport: CurlTransport()))
        let operation = queue.enqueue(resolved.request, configuration: resolved.configuration, priority: resolved.priority)
        let response = await operation.response
        let facts = ResponseFacts(response, body: try response.info?.body.contents() ?? Data())
        let wrong = resolved.expectations.check(facts).filter { !$0.isMet }
        return (response, wrong)
    }
}
