import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Roles as closures do what types in their places do.
@Suite(.watchesEvents) struct RoleClosureTests {
    private func client(_ script: @escaping @Sendable (TransferRequest) -> Script) -> (NetworkClient, ScriptedTransport) {
        let transport = ScriptedTransport(time: SystemTimeSource(), script: script)
        return (NetworkClient(transport: transport).watched(), transport)
    }

    @Test func `a hydrator and an authorizer know the attempts so far`() async throws {
        let (client, transport) = client {
            $0.request[header: "X-Attempt"] == "1" ? .respond(status: .serviceUnavailable) : .respond()
        }
        let delegate = RequestDelegate(
            hydrate: { context in context.request.with { $0[header: "X-Attempt"] = "\(context.attempts.count + 1)" } },
            authorize: { context in .set("Bearer \(context.request[header: "X-Attempt"] ?? "?")") })
        let policy = ClosureRetryPolicy("once") { context in
            context.retryCount == 0 && context.status == .serviceUnavailable ? .retry(after: .zero, reason: "once") : .abstain
        }
        let response = await client.response(for: .get("http://a.test/"), configuration: .init(retry: [policy]), delegate: delegate)
        #expect(response.status == .ok)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer 1", "Bearer 2"])
    }

    @Test func `who answers challenges knows the operation and its attempts`() async throws {
        let (client, _) = client { request in
            request.request.headers[.authorization] == nil
                ? .respond(status: .unauthorized, headers: [.wwwAuthenticate: "Bearer"]) : .respond()
        }
        let seen = Mutex<[Int]>([])
        let delegate = RequestDelegate(challenge: { _, context in
            seen.withLock { $0.append(context.attempts.count) }
            return .useCredential(.token("t0k3n"))
        })
        #expect(await client.response(for: .get("http://a.test/"), delegate: delegate).status == .ok)
        #expect(seen.withLock { $0 } == [1])
    }

    @Test func `events and observers hear the same`() async throws {
        let (client, _) = client { _ in .respond() }
        let observed = Mutex<[Int]>([])
        let handled = HandledEvents()
        let registration = client.observe { event, _ in observed.withLock { $0.append(event.sequence) } }
        let operation = client.send(
            .get("http://a.test/"), delegate: RequestDelegate(event: { event, _ in handled.add(event.sequence) }))
        _ = await operation.response
        registration.cancel()
        #expect(observed.withLock { $0 } == operation.events(from: 0).map(\.sequence))
        #expect(handled.all == observed.withLock { $0 })
    }

    private final class HandledEvents: Sendable {
        private let sequences = Mutex<[Int]>([])
        var all: [Int] { sequences.withLock { $0 } }
        func add(_ sequence: Int) { sequences.withLock { $0.append(sequence) } }
    }

    @Test func `a client sends without a queue of one's own, and gives what was asked for`() async throws {
        let (client, _) = client { request in
            switch request.request.url.path {
            case "/json": .respond(body: Data(#"["knot"]"#.utf8))
            case "/missing": .respond(status: .notFound, body: Data("no bird".utf8))
            default: .respond(body: Data("knöt".utf8))
            }
        }
        #expect(try await client.value(for: .get("http://a.test/json"), as: [String].self) == ["knot"])
        #expect(try await client.text(for: .get("http://a.test/")) == "knöt")
        #expect(try await client.data(for: .get("http://a.test/")) == Data("knöt".utf8))
        let error = await #expect(throws: NetworkError.self) { try await client.data(for: .get("http://a.test/missing")) }
        #expect(error?.code == .unsuccessfulStatus)
        let response = await client.response(for: .get("http://a.test/missing"))
        #expect(response.status == .notFound)
        #expect(response.text == "no bird")
        #expect(!response.isSuccess)
        #expect("\(response)" == "404 Not Found, 7 bytes, to GET http://a.test/missing")
        let none = await client.response(for: .get("ftp://a.test"))
        #expect(none.status == nil && none.headers == [:] && none.body.isEmpty && none.url.absoluteString == "ftp://a.test")
        #expect(none.error?.localizedDescription == none.error?.message)
    }

    @Test func `a copy has what was changed`() {
        let configuration = RequestConfiguration(timeouts: .init(attempt: .seconds(1))).with { $0.redirects.policy = .never }
        #expect(configuration.timeouts.attempt == .seconds(1))
        #expect(configuration.redirects.policy == .never)
        #expect(RequestConfiguration(transport: .init(tls: .init())) == RequestConfiguration())
    }
}
