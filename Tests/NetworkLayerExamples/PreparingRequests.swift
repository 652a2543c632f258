import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article PreparingRequests.
@Suite struct PreparingRequests {
    let transport = MockTransport()
    let url = URL(string: "https://birds.example/knot")!

    // snippet
    struct FillIn: RequestHydrator {
        let user: String

        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
            var request = request
            request[header: "X-User"] = user
            return request
        }
    }

    struct Token: RequestAuthorizer {
        let token: @Sendable () async throws -> String

        func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
            .set("Bearer \(try await token())")
        }
    }
    // end

    @Test func `roles of one operation`() async throws {
        transport.register(MockResponse(), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))

        // snippet
        let operation = queue.enqueue(
            .get(url), delegate: RequestDelegate(hydrator: FillIn(user: "ada"), authorizer: Token { "t0k3n" }))
        // end

        let response = await operation.response
        #expect(response.info?.finalRequest.headers[.authorization] == "Bearer t0k3n")
        #expect(response.info?.finalRequest[header: "x-user"] == "ada")
    }

    @Test func `what all operations of a client share`() async throws {
        transport.register(MockResponse(), at: url)
        let client = NetworkClient(transport: transport)

        // snippet
        client.addHeaderProvider(FixedHeaders(defaults: [.acceptLanguage: "en"], overrides: [.userAgent: "birds/1.0"]))
        // end

        let queue = try RequestOperationQueue(identifier: "birds", client: client)
        let response = await queue.enqueue(.get(url, headers: [.userAgent: "other"])).response
        #expect(response.info?.finalRequest.headers == [.acceptLanguage: "en", .userAgent: "birds/1.0"])
    }
}
