import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Whom an operation asks, and what their answers mean (CHL-1, GLB-9).
@Suite(.watchesEvents) struct ChallengeHandlerTests {
    static let jane = Credential(user: "jane", password: "pw")
    static let basic = "Basic amFuZTpwdw=="

    /// Says the same to everybody, and notes that it was asked.
    private final class Handler: ChallengeHandler, ServerTrustHandler {
        let name: String
        let disposition: ChallengeDisposition
        let trust: ServerTrust.Disposition
        let log: Log

        init(
            _ name: String, _ disposition: ChallengeDisposition = .default, trust: ServerTrust.Disposition = .default, log: Log
        ) {
            self.name = name
            self.disposition = disposition
            self.trust = trust
            self.log = log
        }

        func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
            log.add("\(name): \(challenge.method.name)")
            return disposition
        }

        func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition {
            log.add(name)
            return self.trust
        }
    }

    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    }

    /// Sends a request to a server that asks for a password, and knows jane's.
    private func run(
        _ field: String = "Basic realm=\"shop\"", own: (any ChallengeHandler)? = nil, shared: [any ChallengeHandler] = [],
        configure: (inout RequestConfiguration) -> Void = { _ in }
    ) async throws -> (Response, [Request]) {
        let transport = ScriptedTransport { transfer in
            let value = transfer.request.headers[.authorization]
            let isWelcome = value == Self.basic || value == "Bearer token" || value?.hasPrefix("Digest username=\"jane\"") == true
            return isWelcome
                ? .respond(body: Data("welcome".utf8))
                : .respond(status: .unauthorized, headers: [.wwwAuthenticate: field], body: Data("who?".utf8))
        }
        let client = NetworkClient(transport: transport, time: ManualTimeSource()).watched()
        for handler in shared { client.addChallengeHandler(handler) }
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        var configuration = RequestConfiguration()
        configure(&configuration)
        let operation = RequestOperation(
            .get("http://a.test/"), configuration: configuration, delegate: RequestDelegate(challenges: own))
        queue.enqueue(operation)
        let response = await operation.response
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        return (response, transport.requests)
    }

    @Test func `GLB-9 the operation's handler is asked first, then the client's in order`() async throws {
        let log = Log()
        let (response, requests) = try await run(
            own: Handler("own", log: log),
            shared: [
                Handler("first", .reject, log: log), Handler("second", .useCredential(.password(Self.jane)), log: log),
                Handler("third", log: log),
            ])
        #expect(log.all == ["own: basic", "first: basic", "second: basic"])
        #expect(requests.map { $0.headers[.authorization] } == [nil, Self.basic])
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("welcome".utf8))
    }

    @Test func `CHL-1 cancel asks nobody else`() async throws {
        let log = Log()
        let (response, requests) = try await run(
            own: Handler("own", .cancel(context: nil), log: log), shared: [Handler("first", log: log)])
        #expect(log.all == ["own: basic"])
        #expect(response.error?.code == .challengeCancelled)
        #expect(response.error?.message == "The challenge of a.test (basic for “shop”) was cancelled.")
        #expect(requests.count == 1)
    }

    @Test func `CHL-1 nobody knows: the 401 is the response`() async throws {
        let log = Log()
        let (response, _) = try await run(own: Handler("own", log: log), shared: [Handler("first", .reject, log: log)])
        #expect(response.error == nil)
        #expect(response.info?.head.status == .unauthorized)
        #expect(try response.info?.body.contents() == Data("who?".utf8))
        #expect(response.metrics.attempts.map(\.challenge?.decision) == [.unanswered])
    }

    @Test func `CHL-1 wrong credentials are shown once`() async throws {
        let log = Log()
        let wrong = ChallengeCredential.password(Credential(user: "joe", password: "x"))
        let (response, requests) = try await run(own: Handler("own", .useCredential(wrong), log: log))
        #expect(requests.count == 2)
        #expect(log.all.count == 1)
        #expect(response.info?.head.status == .unauthorized)
        #expect(response.metrics.attempts.map(\.challenge?.decision) == [.answered, .repeated])
    }

    @Test func `CHL-1 a token answers Bearer, a password doesn't`() async throws {
        let log = Log()
        let (response, _) = try await run(
            "Bearer realm=\"api\"", own: Handler("own", .useCredential(.password(Self.jane)), log: log),
            shared: [Handler("first", .useCredential(.token("token")), log: log)])
        #expect(log.all == ["own: bearer", "first: bearer"])
        #expect(response.info?.head.status == .ok)
    }

    @Test func `CHL-1 a handler may say a scheme of its own`() async throws {
        let log = Log()
        let (response, _) = try await run(
            "Hoba challenge=\"x\"", own: Handler("own", .useCredential(.authorization("Bearer token")), log: log))
        #expect(log.all == ["own: hoba"])
        #expect(response.info?.head.status == .ok)
    }

    @Test func `CHL-1 a line end in an answer is no answer`() async throws {
        let log = Log()
        let (response, requests) = try await run(
            own: Handler("own", .useCredential(.authorization("x\r\nHost: evil.test")), log: log))
        #expect(requests.count == 1)
        #expect(response.metrics.attempts.map(\.challenge?.decision) == [.unanswered])
        let colon = AuthenticationChallenge(host: "a.test", port: 80, method: .basic, request: .get("http://a.test/"))
        #expect(colon.answer(with: .password(Credential(user: "a:b", password: "c")), clientNonce: "c") == nil)
    }

    @Test func `CHL-1 configured credentials answer Digest when no handler rejects it`() async throws {
        let field = "Digest realm=\"shop\", nonce=\"abc\", qop=\"auth\", algorithm=SHA-256"
        let log = Log()
        let digest: (inout RequestConfiguration) -> Void = { $0.transport.authentication = .digest(Self.jane) }
        let (response, requests) = try await run(field, configure: digest)
        #expect(response.info?.head.status == .ok)
        #expect(requests.count == 2)
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .challenge])
        let (rejected, _) = try await run(field, own: Handler("own", .reject, log: log), configure: digest)
        #expect(rejected.info?.head.status == .unauthorized)
        // They are for Digest: Basic would show the password.
        let (basic, _) = try await run(configure: digest)
        #expect(basic.info?.head.status == .unauthorized)
    }

    @Test func `GLB-9 a handler that was taken out is asked no more`() async throws {
        let log = Log()
        let client = NetworkClient(transport: ScriptedTransport()).watched()
        let first = client.addChallengeHandler(Handler("first", log: log))
        client.addChallengeHandler(Handler("second", log: log))
        first.cancel()
        first.cancel()
        #expect(client.challengeHandlers.all.count == 1)
    }

    @Test func `CHL-1 trust handlers are asked in order, too`() async throws {
        let log = Log()
        let trust = ServerTrust(host: "a.test", port: 443, chain: [], failure: "self-signed certificate")
        func verdict(_ dispositions: ServerTrust.Disposition...) -> ServerTrust.Disposition {
            ServerTrustHandlers(
                handlers: dispositions.enumerated().map { Handler("\($0.offset)", trust: $0.element, log: log) }
            ).evaluate(trust)
        }
        #expect(verdict(.default, .default) == .default)
        #expect(verdict(.default, .reject, .default) == .reject)
        #expect(verdict(.reject, .accept, .cancel(context: nil)) == .accept)
        #expect(verdict(.cancel(context: "no"), .accept) == .cancel(context: "no"))
        #expect(log.all == ["0", "1", "0", "1", "2", "0", "1", "0"])
    }
}
