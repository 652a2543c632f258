import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The request as it was sent` {
    private func lines(_ headers: HTTPFields, _ head: String) -> [String] {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request(headers: headers))
        script.send(at: script.connect(at: 2, tcp: 1), head)
        return SentRequestText.lines(script.metrics.attempts[0]).map(\.text)
    }

    @Test func `shows what was added, changed and left out on the way`() {
        let lines = lines(
            [.accept: "*/*", .acceptEncoding: "identity", .init("X-Draft")!: "1"],
            "GET /orders HTTP/1.1\r\nHost: api.example.org\r\naccept: */*\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(
            lines == [
                "  GET /orders HTTP/1.1", "+ Host: api.example.org", "  accept: */*", "~ Accept-Encoding: gzip  written: identity",
                "- x-draft: 1", "", "  + added on the way out   - written, but not sent", "  no body",
            ])
    }

    @Test func `credentials are masked`() {
        let lines = lines([.authorization: "Bearer abc"], "GET / HTTP/1.1\r\nAuthorization: Bearer abc\r\n\r\n")
        #expect(
            lines == ["  GET / HTTP/1.1", "  Authorization: Bearer ••••••", "", "  every field as it was written", "  no body"])
    }

    @Test func `pairs repeated fields one by one`() {
        let name = HTTPField.Name("X-Tag")!
        let lines = lines(
            HTTPFields([HTTPField(name: name, value: "a"), HTTPField(name: name, value: "b")]),
            "GET / HTTP/1.1\r\nX-Tag: b\r\nX-Tag: a\r\n\r\n")
        #expect(lines.prefix(3) == ["  GET / HTTP/1.1", "  X-Tag: b", "  X-Tag: a"])
    }
}
