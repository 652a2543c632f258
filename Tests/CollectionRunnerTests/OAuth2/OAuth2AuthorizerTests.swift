import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct OAuth2AuthorizerTests {
    private static func context(_ status: HTTPResponse.Status, isReplayable: Bool = true) -> RetryContext {
        let request = Request(url: URL(string: "http://shop/")!)
        let response = Response(
            originalRequest: request,
            info: ResponseInfo(finalRequest: request, head: ResponseHead(status: status), body: .none),
            metrics: OperationMetrics())
        return RetryContext(operation: OperationID(rawValue: 1), response: response, isReplayable: isReplayable, date: .now)
    }

    @Test func `a 401 is worth one retry when there was a token, and nothing else is`() async throws {
        let server = TokenServer { number, _ in TokenServer.token("t-\(number)") }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server)
        let run = try await bench.runner.fill(try bench.job("orders"), in: NodeContext())
        let authorizer = try #require(run.authorizer)
        let policy = TokenRefusal(authorizer: authorizer)
        #expect(run.operation.configuration.retry == [policy])
        #expect(
            await policy.decide(Self.context(.unauthorized))
                == .retry(after: RetryDecision.minimumDelay, reason: "the server refused the token"))
        #expect(await policy.decide(Self.context(.unauthorized, isReplayable: false)) == .abstain)
        #expect(await policy.decide(Self.context(.forbidden)) == .abstain)
        #expect(await policy.decide(Self.context(.ok)) == .abstain)
    }

    @Test(arguments: [("Bearer t-2", 200), ("nothing", 401)])
    func `a server that refuses the token gets another one, once`(good: String, status: Int) async throws {
        let server = TokenServer { number, _ in TokenServer.token("t-\(number)") }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server) { request in
            .json("{}", status: request.headers[.authorization] == good ? .ok : .unauthorized)
        }
        let job = try bench.job("orders")
        let run = Task { await bench.runner.run(job) }
        // The token, the refusal, and the wait before the retry, the shortest there is.
        _ = await bench.transport.transfer(1)
        let due = bench.time.now + RetryDecision.minimumDelay
        while bench.time.nextDeadline != due { await Task.yield() }
        bench.time.advance(to: due)
        let result = await run.value
        #expect(result.response?.info?.head.status.code == status)
        #expect(bench.authorizations == ["Bearer t-1", "Bearer t-2"])
        #expect(server.requests == 2)
        #expect(["t-1", "t-2"].map(result.redactor.text) == [Redactor.mask, Redactor.mask])
    }

    @Test func `a token that a server refused isn't given out again`() async throws {
        let server = TokenServer { number, _ in TokenServer.token("t-\(number)") }
        let bench = try RunnerBench.oauth("client-secret: s-1", server: server)
        let definition = OAuth2Definition(
            grant: .clientCredentials, tokenURL: "https://auth.example/token", clientID: "shop", clientSecret: "s-1")
        var question = TokenSource.Question(definition)
        #expect(try await bench.runner.tokens.token(for: question)?.accessToken == "t-1")
        question.refused = "t-1"
        #expect(try await bench.runner.tokens.token(for: question)?.accessToken == "t-2")
        #expect(try await bench.runner.tokens.token(for: question)?.accessToken == "t-2")
    }

    @Test func `the token's server is reached as the request's, without what is for that one alone`() async throws {
        let bench = try RunnerBench(
            """
            defaults:
              auth: { oauth2: { token-url: "https://auth.example/token", client-id: shop, client-secret: s } }
              proxy: "http://proxy:8080"
              tls: { ca: /etc/hosts, certificate: /etc/passwd }
            requests:
              elsewhere: { get: https://shop/orders }
              same: { get: https://auth.example/orders }
            """)
        func options(_ id: String) async throws -> TransportOptions {
            let resolved = try await bench.runner.resolve(try bench.job(id))
            guard let definition = resolved.oauth2 else { return TransportOptions() }
            return TransportOptions(toTokenServerOf: definition, beside: resolved)
        }
        let other = try await options("elsewhere")
        #expect(other.proxy == "http://proxy:8080")
        #expect(other.tls.authorities == "/etc/hosts")
        #expect(other.tls.certificate == nil)
        #expect(try await options("same").tls.certificate == "/etc/passwd")
    }
}
