import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.watchesEvents) struct ResponseCodingTests {
    let time = ManualTimeSource()

    func response(
        to request: Request = .get("http://a.test/start"), configuration: RequestConfiguration = .init(),
        script: @escaping @Sendable (TransferRequest) -> Script
    ) async throws -> Response {
        let transport = ScriptedTransport(time: time, script: script)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        return await queue.enqueue(request, configuration: configuration).response
    }

    func coded(_ response: Response) throws -> Response {
        try JSONDecoder().decode(Response.self, from: JSONEncoder().encode(response))
    }

    @Test func `RSP-1 and T-RSP a response comes back as it was, its metrics to the nanosecond`() async throws {
        let response = try await response(
            to: .post("http://a.test/start", headers: [.accept: "*/*"], body: .data(Data([0, 255])))
        ) { request in
            request.request.url.path == "/start"
                ? .redirect(.temporaryRedirect, to: "/end") : .respond(status: .notFound, body: Data("body".utf8))
        }
        let back = try coded(response)
        #expect(back.error == nil)
        #expect(back.originalRequest == response.originalRequest)
        #expect(back.info?.finalRequest == response.info?.finalRequest)
        #expect(back.info?.head == response.info?.head)
        #expect(try back.info?.body.contents() == Data("body".utf8))
        #expect(back.metrics == response.metrics)
        #expect(back.metrics.attempts.count == 2)
        #expect(back.metrics.total == response.metrics.total)
    }

    @Test func `RSP-1 a status of 404 or 500 is no error`() async throws {
        for status in [HTTPResponse.Status.notFound, .internalServerError] {
            let response = try await response { _ in .respond(status: status) }
            #expect(response.error == nil)
            #expect(response.info?.head.status == status)
            #expect(response.metrics.state == .succeeded)
        }
    }

    @Test func `RSP-1 an error comes back with its cause`() async throws {
        let cause = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "lost", systemErrno: 104)
        let response = try await response { _ in .fail(cause) }
        #expect(response.error == cause)
        #expect(try coded(response).error == cause)
        #expect(try coded(response).info == nil)
    }

    @Test func `RSP-1 a file is expired when it comes back, and a stream can't be sent again`() async throws {
        var configuration = RequestConfiguration()
        configuration.consumption = .file(directory: nil)
        let stream = RequestBodyStream(length: 12, isReplayable: true) { throw CancellationError() }
        let response = try await response(
            to: Request(url: URL(string: "http://a.test/")!, method: .put, body: .stream(stream)), configuration: configuration
        ) { _ in .respond(body: Data("saved".utf8)) }
        let back = try coded(response)
        guard case .file(let file)? = back.info?.body, case .stream(let body) = back.originalRequest.body else {
            return #expect(Bool(false), "neither the file nor the stream is there")
        }
        #expect(file.isExpired)
        #expect(file.count == 5)
        let error = #expect(throws: NetworkError.self) { try file.move(to: "/tmp/elsewhere") }
        #expect(error?.systemErrno == ENOENT)
        #expect(throws: NetworkError.self) { try file.contents() }
        #expect(body.length == 12)
        #expect(!body.isReplayable)
        #expect(throws: NetworkError.self) { _ = try body.open() }
    }

    // MARK: What it says

    @Test func `RSP-2 fields are found in any case, and there is a map in lower case`() async throws {
        let name = HTTPField.Name("X-Part")!
        var fields: HTTPFields = [.contentType: "text/plain"]
        fields.append(HTTPField(name: name, value: "1"))
        fields.append(HTTPField(name: name, value: "2"))
        let headers = fields
        let response = try await response { _ in .respond(headers: headers) }
        let info = try #require(response.info)
        #expect(info[header: "CONTENT-type"] == "text/plain")
        #expect(info[header: "x-part"] == "1, 2")
        #expect(info[header: "absent"] == nil)
        #expect(info.finalURL.absoluteString == "http://a.test/start")
    }

    @Test func `RSP-2 and T-RSP the date of Retry-After is fixed when the answer arrives`() async throws {
        let response = try await response { _ in .respond(status: .serviceUnavailable, headers: [.retryAfter: "120"]) }
        let retryAfter = try #require(response.info?.retryAfter)
        let end = try #require(response.metrics.completed.map(response.metrics.date(of:)))
        #expect(retryAfter.rawValue == "120")
        #expect(retryAfter.date == end.addingTimeInterval(120))
        #expect(retryAfter.delay(from: end.addingTimeInterval(121)) == -1)
        #expect(try coded(response).info?.retryAfter == retryAfter)
    }

    @Test func `RSP-2 a Retry-After that can't be read is infinitely far away, and none is nil`() async throws {
        let garbage = try await response { _ in .respond(headers: [.retryAfter: "Dummy"]) }
        #expect(garbage.info?.retryAfter?.isValid == false)
        #expect(garbage.info?.retryAfter?.delay(from: Date()) == .infinity)
        let none = try await response { _ in .respond() }
        #expect(none.info?.retryAfter == nil)
    }
}
