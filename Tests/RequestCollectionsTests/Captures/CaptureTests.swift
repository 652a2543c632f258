import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import RequestCollections

@Suite struct CaptureTests {
    private static func capture(_ yaml: String) throws -> CaptureDefinition {
        let collection = RequestCollection.of("turnstone: 1\nrequests: { a: { get: http://h/, capture: { x: \(yaml) } } }")
        #expect(collection.problems == [])
        return try #require(collection.requests.first?.captures.first)
    }

    private static func facts(_ body: String = #"{"id": 7, "a": {"token": "t"}, "none": null}"#) -> ResponseFacts {
        let request = EventScript.request("http://h/end")
        var headers = HTTPFields()
        headers[.eTag] = "\"v1\""
        headers.append(HTTPField(name: .setCookie, value: "sid=x=y; Path=/"))
        let info = ResponseInfo(
            finalRequest: request, head: ResponseHead(status: .accepted, headers: headers), body: .data(Data(body.utf8)))
        return ResponseFacts(
            Response(originalRequest: request, info: info, metrics: OperationMetrics()), body: Data(body.utf8))
    }

    private static let id = RequestID(rawValue: "a")
    private static let server = Origin(EventScript.request("http://h/end").url)

    @Test(
        arguments: [
            (".id", .number("7")), (".a.token", .string("t")), (".a", .object([.init(name: "token", value: .string("t"))])),
            ("header:etag", .string("\"v1\"")), ("'header: ETag'", .string("\"v1\"")), ("cookie:sid", .string("x=y")),
            ("'header:etag: /v(\\d)/'", .string("1")), ("{ from: header:etag, then: [/\\d/, number] }", .number("1")),
            ("cookie:sid;path", .string("/")), ("{ from: .a, then: [.token, upper] }", .string("T")),
            ("{ from: body, then: [md5, /^(.)/] }", .string("c")), ("{ from: header:set-cookie, then: count }", .number("1")),
            ("attempts", .number("0")), ("{ from: ip, default: none }", .string("none")),
            ("status", .number("202")), ("url", .string("http://h/end")), ("{ from: .gone, default: [1] }", .array([.number("1")])),
        ] as [(String, JSONValue)])
    func `a response gives a variable a value with its type`(yaml: String, value: JSONValue) throws {
        #expect(
            try Self.capture(yaml).value(in: Self.facts(), of: Self.id) == CapturedValue(value, from: Self.id, at: Self.server))
    }

    @Test func `a body is captured as text, and may be a secret`() throws {
        #expect(
            try Self.capture("{ from: body, secret: true }").value(in: Self.facts("plain"), of: Self.id)
                == CapturedValue(.string("plain"), isSecret: true, from: Self.id, at: Self.server))
    }

    @Test(
        arguments: [
            (".gone", ".gone finds nothing in the body"), (".none", ".none finds nothing in the body"),
            ("header:x-a", "the response has no header `x-a`"), ("cookie:a", "the response sets no cookie `a`"),
        ])
    func `what gives nothing says so, and where`(yaml: String, reason: String) throws {
        let capture = try Self.capture(yaml)
        let error = #expect(throws: CaptureError.self) { try capture.value(in: Self.facts(), of: Self.id) }
        #expect(error?.description == "shop.yaml:2:45: nothing to capture for x: \(reason)")
    }

    @Test func `without a response there is nothing to capture`() throws {
        let request = EventScript.request("http://h/")
        let error = NetworkError(.cannotConnect, phase: .connection, type: "tcp.refused", message: "Nobody listens on h:80.")
        let facts = ResponseFacts(
            Response(originalRequest: request, error: error, metrics: OperationMetrics()), body: Data())
        let capture = try Self.capture("status")
        let thrown = #expect(throws: CaptureError.self) { try capture.value(in: facts, of: Self.id) }
        #expect(thrown?.message == "nothing to capture for x: there is no response: Nobody listens on h:80.")
    }
}
