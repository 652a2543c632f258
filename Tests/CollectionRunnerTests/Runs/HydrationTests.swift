import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import CollectionRunner

@Suite struct HydrationTests {
    private let request = Request(
        url: URL(string: "http://shop/orders?a=1")!, method: .post, headers: [.accept: "*/*", .cookie: "a=1", .cookie: "b=2"],
        body: .data(Data("hello".utf8)))

    private func apply(_ output: String) throws -> Request? {
        try HydrationMessage.apply(Data(output.utf8), to: request, name: "the command `sign`")
    }

    @Test func `a command reads the request as JSON`() {
        #expect(
            HydrationMessage(request).text
                == #"{"method":"POST","url":"http://shop/orders?a=1","headers":{"Accept":"*/*","Cookie":["a=1","b=2"]},"body":"hello"}"#
        )
        var other = request
        other.body = .data(Data([0xFF, 0x00]))
        other.headers = [:]
        #expect(
            HydrationMessage(other).text
                == #"{"method":"POST","url":"http://shop/orders?a=1","headers":{},"body_base64":"/wA="}"#)
        other.body = .file(path: "/tmp/b")
        #expect(HydrationMessage(other).text.hasSuffix(#""body_file":"/tmp/b"}"#))
    }

    @Test func `it changes what it names, and nothing else`() throws {
        #expect(try apply(" \n") == nil)
        #expect(try apply("{}") == request)
        let changed = try #require(
            try apply(#"{"url":"http://other/","headers":{"accept":null,"X-Sign":"s","cookie":["c=3"]},"body":"new"}"#))
        #expect(changed.url.absoluteString == "http://other/")
        #expect(changed.method == .post)
        #expect(changed.headers.map { "\($0.name): \($0.value)" } == ["cookie: c=3", "X-Sign: s"])
        #expect(changed.body == .data(Data("new".utf8)))
        #expect(try apply(#"{"body":null,"method":"PURGE"}"#)?.body == RequestBody.none)
        #expect(try apply(#"{"body_base64":"/wA="}"#)?.body == .data(Data([0xFF, 0])))
    }

    @Test(
        arguments: [
            ("signed", "must print a JSON object, or nothing, and printed: signed"),
            (
                #"{"heders":{}}"#,
                "gives `heders`, which can't be set so; it may give method, url, headers, body, body_base64, body_file"
            ),
            (#"{"headers":{"a b":"c"}}"#, "gives the header `a b`, which is no header's name"),
            (#"{"headers":{"a":1}}"#, "gives the header `a` something that isn't text"),
            (#"{"headers":{"a":["b",1]}}"#, "gives the header `a` something that isn't text"),
            (#"{"headers":{"a":"b\r\nc: d"}}"#, "gives the header `a` a line break or another control character"),
            (#"{"method":"a b"}"#, "gives `a b`, which is no method"),
            (#"{"body_base64":"*"}"#, "gives a `body_base64` that isn't base64"),
        ])
    func `what it may not give is named`(output: String, message: String) {
        #expect(throws: HydrationError("the command `sign` \(message)")) { try apply(output) }
    }

    @Test func `of a secret that it prints no part is quoted`() {
        let secret = String(repeating: "0123456789", count: 20)
        #expect(throws: HydrationError("c must print a JSON object, or nothing, and printed: \(Redactor.mask)")) {
            try HydrationMessage.apply(Data(secret.utf8), to: request, name: "c", hiding: Redactor([secret]))
        }
    }

    private static let signed = """
        requests:
          signed:
            get: http://shop/a
            hydrate: [sh, sign.sh, "{{key}}"]
          failing:
            get: http://shop/b
            hydrate: echo no key >&2; exit 4
        variables: { key: k-1 }
        """

    @Test func `the request goes out as the command leaves it`() async throws {
        let script = #"read request; printf '{"headers":{"x-key":"%s","x-size":"%s"}}' "$1" "${#request}""#
        let bench = try RunnerBench(Self.signed, files: ["sign.sh": script])
        let result = try await bench.run("signed")
        #expect(result.isPassed, "\(String(describing: result.failure)) \(String(describing: result.response?.error))")
        #expect(bench.transport.requests[0].headers[HTTPField.Name("x-key")!] == "k-1")
        #expect(Int(bench.transport.requests[0].headers[HTTPField.Name("x-size")!] ?? "") ?? 0 > 40)
    }

    @Test func `a command that fails is why nothing is sent`() async throws {
        let bench = try RunnerBench(Self.signed)
        let result = try await bench.run("failing")
        #expect(bench.sent == [])
        #expect(result.response?.error?.code == .hydrationFailed)
        #expect(result.response?.error?.message.contains("failed with exit status 4: no key") == true)
    }
}
