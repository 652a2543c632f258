import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct RequestMiddlewareTests {
    /// Signs its work on the way out and on the way in.
    struct Signer: RequestMiddleware {
        static let field = HTTPField.Name("X-Signed")!

        let name: String

        func process(_ request: Request) async throws -> Request {
            var request = request
            let signed = request.headers[Self.field] ?? ""
            request.headers[Self.field] = signed + name
            return request
        }

        func process(_ response: Response) async throws -> Response {
            var response = response
            let signed = response.info?.head.headers[Self.field] ?? ""
            response.info?.head.headers[Self.field] = signed + name
            return response
        }
    }

    struct Breaker: RequestMiddleware {
        struct Broken: Error {}

        var breaksRequests = false

        func process(_ request: Request) async throws -> Request {
            if breaksRequests { throw Broken() }
            return request
        }

        func process(_ response: Response) async throws -> Response { throw Broken() }
    }

    func enqueue(_ middleware: [any RequestMiddleware], after hydrator: (any RequestHydrator)? = nil, script: Script = .respond())
        throws
        -> RequestOperation
    {
        let stage = try Stage(usesClientRoles: false) { _ in script }
        return stage.enqueue(delegate: RequestDelegate(hydrator: MiddlewareHydrator(middleware, after: hydrator)))
    }

    @Test func `TN-8 requests pass the middleware in order, responses in reverse`() async throws {
        let middleware = [Signer(name: "a"), Signer(name: "b")]
        let response = await (try enqueue(middleware)).response(through: middleware)
        #expect(response.info?.finalRequest.headers == [Signer.field: "ab"])
        #expect(response.info?.head.headers == [Signer.field: "ba"])
    }

    @Test func `TN-8 a hydrator comes first`() async throws {
        var answers = Storyteller.Answers()
        answers.hydrated = { _ in .get("http://b.test/", headers: [Signer.field: "h"]) }
        let response = await (try enqueue([Signer(name: "a")], after: Storyteller(answers))).response
        #expect(response.info?.finalRequest == .get("http://b.test/", headers: [Signer.field: "ha"]))
    }

    @Test func `TN-8 what a middleware throws about a request is error 207, about a response its own`() async throws {
        let request = await (try enqueue([Breaker(breaksRequests: true)])).response
        #expect(request.error?.code == .hydrationFailed)
        let response = await (try enqueue([])).response(through: [Signer(name: "a"), Breaker()])
        #expect(response.error?.code == .middlewareFailed)
        #expect(response.error?.message == "The response can't be processed (middleware Breaker): Broken()")
        #expect(response.info?.head.headers == [:])
    }

    @Test func `TN-8 the response of a failed operation isn't processed`() async throws {
        let response = await (try enqueue([], script: .fail(.reset))).response(through: [Breaker()])
        #expect(response.error == .reset)
    }
}
