import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article InterceptorsAndMiddleware.
@Suite struct InterceptorsAndMiddleware {
    let url = URL(string: "https://birds.example/knot")!

    /// Lets only the fresh token in.
    struct Guarded: Transport {
        let time = SystemTimeSource()

        func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
            let isFresh = request.request.headers[.authorization] == "Bearer fresh"
            let mock = MockTransport(time: time)
            mock.register(MockResponse(status: isFresh ? .ok : .unauthorized), at: request.request.url)
            return mock.start(request, receive: receive)
        }
    }

    @Test func `TN-7 an interceptor refreshes the token after a 401 and sends the request again`() async throws {
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: Guarded()))

        // snippet
        let session = TokenRefresher(token: "expired") { "fresh" }
        let response = await queue.enqueue(
            .get(url), configuration: RequestConfiguration(retry: [session]), delegate: RequestDelegate(authorizer: session)
        ).response
        // end

        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry])
        #expect(response.metrics.attempts.map(\.head?.status) == [.unauthorized, .ok])
    }

    /// Answers the token's server, too.
    struct GuardedWithTokens: Transport {
        func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
            guard request.request.url.path == "/token" else { return Guarded().start(request, receive: receive) }
            let mock = MockTransport()
            mock.register(MockResponse(body: Data("fresh".utf8)), at: request.request.url)
            return mock.start(request, receive: receive)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `TN-7 QUE-5 as many requests as a host has slots refresh the token through the same queue`() async throws {
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: GuardedWithTokens()))
        let token = URL(string: "https://birds.example/token")!
        let session = TokenRefresher(token: "expired") { try await queue.enqueue(.get(token)).text() }
        var configuration = RequestConfiguration()
        configuration.retry = [session]
        let operations = (0..<6).map { _ in
            queue.enqueue(.get(url), configuration: configuration, delegate: RequestDelegate(authorizer: session))
        }
        for operation in operations { #expect(await operation.response.metrics.attempts.last?.head?.status == .ok) }
    }

    // snippet
    struct Envelope: Decodable, Sendable {
        var data: String
    }

    /// Puts what is sent into an envelope, and takes what comes back out of one.
    struct Enveloping: RequestMiddleware {
        func process(_ request: Request) async throws -> Request {
            var request = request
            request[header: "X-Client"] = "birds"
            if case .data(let data) = request.body {
                request.body = .data(Data(#"{"data":""#.utf8) + data + Data(#""}"#.utf8))
            }
            return request
        }

        func process(_ response: Response) async throws -> Response {
            var response = response
            let envelope = try response.decode(as: Envelope.self)
            response.info?.body = .data(Data(envelope.data.utf8))
            return response
        }
    }
    // end

    enum Birds: Endpoint {
        case add(String)

        var call: EndpointCall {
            switch self {
            case .add(let name):
                EndpointCall(
                    .post, at: .url(URL(string: "https://birds.example/knot")!),
                    content: .body(.data(Data(name.utf8)), contentType: "text/plain"))
            }
        }
    }

    @Test func `TN-8 middleware changes fields and bodies on their way out and back`() async throws {
        let transport = MockTransport()
        transport.register(MockResponse(body: Data(#"{"data": "landed"}"#.utf8)), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))

        // snippet
        let request = Request.post(url, body: .data(Data("knot".utf8)))
        let middleware = [Enveloping()]
        let operation = queue.enqueue(request, delegate: RequestDelegate(hydrator: MiddlewareHydrator(middleware)))
        let answer = await operation.response(through: middleware)
        // end

        #expect(answer.text == "landed")
        #expect(answer.info?.finalRequest.body == .data(Data(#"{"data":"knot"}"#.utf8)))
        #expect(answer.info?.finalRequest[header: "x-client"] == "birds")
    }

    @Test func `TN-8 a client of endpoints sends its requests through the middleware, and gets its answers through it`()
        async throws
    {
        let transport = MockTransport()
        transport.register(MockResponse(body: Data(#"{"data": "landed"}"#.utf8)), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))

        // snippet
        let birds = EndpointClient<Birds>(queue: queue, middleware: [Enveloping()])
        let text = try await birds.value(of: .add("knot"), using: .text)
        // end

        #expect(text == "landed")
        let answer = try await birds.response(to: .add("knot"))
        #expect(answer.info?.finalRequest.body == .data(Data(#"{"data":"knot"}"#.utf8)))
    }

    @Test func `TN-8 what middleware of a client of endpoints throws about an answer is its error`() async throws {
        let transport = MockTransport()
        transport.register(MockResponse(body: Data("no envelope".utf8)), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        let birds = EndpointClient<Birds>(queue: queue, middleware: [Enveloping()])
        let error = await #expect(throws: NetworkError.self) { try await birds.value(of: .add("knot"), using: .text) }
        #expect(error?.code == .middlewareFailed)
    }

    @Test func `TN-8 middleware that throws fails the operation before anything is sent`() async throws {
        struct Refusing: RequestHydrator {
            struct OutOfInk: Error {}
            func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? { throw OutOfInk() }
        }
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: MockTransport()))
        let response = await queue.enqueue(.get(url), delegate: RequestDelegate(hydrator: Refusing())).response
        #expect(response.error?.code == .hydrationFailed)
        #expect(response.metrics.attempts.isEmpty)
    }
}
