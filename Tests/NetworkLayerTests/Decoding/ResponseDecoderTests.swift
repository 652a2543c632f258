import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

@Suite struct ResponseDecoderTests {
    struct Bird: Codable, Hashable, Sendable {
        var name: String
    }

    struct Wader: Hashable, Sendable {
        var title: String
    }

    func response(
        _ body: String, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], error: NetworkError? = nil
    ) -> Response {
        let request = Request.get("http://a.test/bird")
        var metrics = OperationMetrics()
        metrics.attempts = [AttemptMetrics(number: 1, kind: .initial, request: request, start: .zero)]
        return Response(
            originalRequest: request, error: error,
            info: ResponseInfo(
                finalRequest: request, head: ResponseHead(status: status, headers: headers), body: .data(Data(body.utf8))),
            metrics: metrics)
    }

    let broken = NetworkError(.connectionLost, phase: .body, type: "tcp.closed", message: "lost")

    @Test func `RSP-3 a decoder reads a value, throws what it can't read, and the error of a response that failed`() throws {
        #expect(try response(#"{"name": "turnstone"}"#).decode(using: .json(Bird.self)) == Bird(name: "turnstone"))
        let unreadable = #expect(throws: NetworkError.self) { try response("<html>").decode(using: .json(Bird.self)) }
        #expect(unreadable?.code == .cannotDecode)
        #expect(throws: broken) { try response("{", error: broken).decode(using: .json(Bird.self)) }
    }

    // MARK: Kinds of values

    @Test func `TN-9 a body is JSON, text, bytes or nothing`() throws {
        let answer = response(#"{"name": "knot"}"#)
        #expect(try answer.decode(as: Bird.self) == Bird(name: "knot"))
        #expect(try answer.decode(using: .text) == #"{"name": "knot"}"#)
        #expect(try answer.decode(using: .data) == Data(#"{"name": "knot"}"#.utf8))
        try answer.decode(using: .empty)
    }

    @Test func `TN-9 a transformer makes a domain's type of a model`() throws {
        let upper = Transformer<Bird, Wader> { Wader(title: $0.name.uppercased()) }
        let value = try response(#"{"name": "knot"}"#).decode(using: ResponseDecoder.json(Bird.self).map(upper))
        #expect(value == Wader(title: "KNOT"))
    }

    @Test func `TN-9 the body of a failure can be read, too`() throws {
        let failure = response(#"{"name": "gone"}"#, status: .gone)
        #expect(try failure.decode(as: Bird.self) == Bird(name: "gone"))
    }

    // MARK: What goes wrong

    @Test func `TN-18 a status that is no success is an error here, and only here`() throws {
        let error = #expect(throws: NetworkError.self) { try response("", status: .notFound).requireSuccess() }
        #expect(error?.code == .unsuccessfulStatus)
        #expect(error?.details == [.status: "404"])
        #expect(error?.message == "GET a.test answered 404 Not Found, which is no success; the body may say why.")
        let success = response("", status: .noContent)
        #expect(try success.requireSuccess().info?.head.status == .noContent)
    }

    @Test func `TN-18 a status that is no success brings the answer along, as values`() throws {
        let error = try #require(
            throws: NetworkError.self
        ) { try response(#"{"name": "dodo"}"#, status: .notFound).requireSuccess() }
        #expect(error.response?.status == .notFound)
        #expect(error.response?.headers == [:])
        #expect(try error.response?.decode(as: Bird.self) == Bird(name: "dodo"))
        let kept = try JSONDecoder().decode(NetworkError.self, from: JSONEncoder().encode(error))
        #expect(kept == error)
        #expect(broken.response == nil)
    }

    @Test func `TN-18 an answer may be asked for statuses and types`() throws {
        let page = response("{}", status: .notFound, headers: [.contentType: "application/JSON; charset=utf-8"])
        try page.validating(200..<500, types: [.plainText, .json])
        #expect(throws: NetworkError.self) { try page.validating() }
        let error = #expect(throws: NetworkError.self) { try page.validating(404..<405, types: [.plainText]) }
        #expect(error?.code == .cannotDecode)
        #expect(error?.message == "GET a.test answered with application/json, and not with text/plain.")
        #expect(throws: NetworkError.self) { try response("").validating(types: [.json]) }
        try response("").validating()
        #expect(throws: broken) { try response("", error: broken).validating(0..<999) }
    }

    @Test func `TN-18 what failed throws its own error`() {
        let failed = response("", error: broken)
        #expect(throws: broken) { try failed.requireSuccess() }
        #expect(throws: broken) { try failed.decode(as: Bird.self) }
    }

    @Test func `TN-18 a body that can't be read names the type and the cause`() {
        let error = #expect(throws: NetworkError.self) { try response("[]").decode(as: Bird.self) }
        #expect(error?.code == .cannotDecode)
        #expect(error?.message.hasPrefix("The answer of GET a.test can't be read as Bird: ") == true)
        #expect(error?.underlying?.error.code == .other)
    }

    @Test func `TN-18 bytes that aren't UTF-8 are no text`() {
        var answer = response("")
        answer.info?.body = .data(Data([0xFF, 0xFE, 0x80]))
        let error = #expect(throws: NetworkError.self) { try answer.decode(using: .text) }
        #expect(error?.code == .cannotDecode)
    }

    @Test func `TN-18 a transformer that fails says so`() {
        struct NoSuchBird: Error {}
        let failing = Transformer<Bird, Wader> { _ in throw NoSuchBird() }
        let error = #expect(throws: NetworkError.self) {
            try response(#"{"name": "dodo"}"#).decode(using: ResponseDecoder.json(Bird.self).map(failing))
        }
        #expect(error?.code == .transformationFailed)
        #expect(error?.message == "Bird could not be made into Wader: NoSuchBird()")
    }

    @Test func `TN-18 without an answer there is nothing to read`() {
        let request = Request.get("http://a.test/")
        let silent = Response(originalRequest: request, metrics: OperationMetrics())
        let error = #expect(throws: NetworkError.self) { try silent.requireSuccess() }
        #expect(error?.code == .protocolViolation)
        #expect(throws: NetworkError.self) { try silent.decode(as: Bird.self) }
    }
}
