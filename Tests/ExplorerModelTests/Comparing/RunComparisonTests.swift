import ExplorerModel
import ExplorerTesting
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@Suite struct RunComparisonTests {
    private func run(_ title: String, _ status: HTTPResponse.Status = .ok, _ headers: HTTPFields = [:], _ body: String?)
        -> ComparedRun
    {
        var response = Response(.success())
        response.info?.head.status = status
        response.info?.head.headers = headers
        return ComparedRun(title: title, date: nil, response: response, body: body, bodyNote: body == nil ? "not text" : nil)
    }

    private func lines(_ old: ComparedRun, _ new: ComparedRun) -> [String] {
        let lines = RunComparison(old, new).lines.map(\.text)
        // The times are those of the story.
        guard let start = lines.firstIndex(where: { $0.hasPrefix("time") }),
            let end = lines.firstIndex(where: { $0.hasPrefix("headers") })
        else {
            return lines
        }
        return Array(lines[..<start] + lines[end...])
    }

    @Test func `two that are alike say so`() {
        let run = run("login", .ok, [.contentType: "text/plain"], "a\nb")
        #expect(
            lines(run, run) == [
                "- login", "+ login", "", "result  the same", "  200 OK", "", "headers  the same", "", "body  the same",
            ])
    }

    @Test func `what differs is below each other, the older first`() {
        let old = run("login", .ok, [.contentType: "text/plain", .eTag: "1", .server: "a"], "one\ntwo\nthree")
        let new = run("login", .notFound, [.contentType: "text/plain", .eTag: "2", .via: "b"], "one\n2\nthree")
        #expect(
            lines(old, new) == [
                "- login", "+ login", "", "result", "- 200 OK", "+ 404 Not Found", "", "headers  1 the same", "- etag: 1",
                "+ etag: 2", "- server: a", "+ via: b", "", "body  1 line gone, 1 new", "  one", "- two", "+ 2", "  three",
            ])
    }

    @Test func `credentials differ behind their masks`() {
        func sent(_ query: String, _ headers: HTTPFields) -> ComparedRun {
            var run = run("login", .ok, headers, "")
            run.response.originalRequest.url = URL(string: "http://a:hunter2@h/?\(query)")!
            return run
        }
        let old = sent("token=hunter2&page=1", [.setCookie: "sid=hunter2; Path=/", .location: "/b?api_key=hunter2"])
        let new = sent("token=hunter2-b&page=2", [.setCookie: "sid=hunter2-b; Path=/c", .location: "/c?api_key=hunter2"])
        let lines = lines(old, new)
        #expect(!lines.contains { $0.contains("hunter2") })
        #expect(lines.contains("- GET http://a:••••••@h/?token=••••••&page=1"))
        #expect(lines.contains("- set-cookie: sid=••••••; Path=/"))
        #expect(lines.contains("+ location: /c?api_key=••••••"))
    }

    @Test func `times have the difference beside them`() {
        let run = run("login", .ok, [:], "")
        let failed = ComparedRun(title: "login", date: nil, response: Response(.tlsFailure()), body: "")
        let total = RunComparison(run, failed).lines.map(\.text).first { $0.hasPrefix("  total") }
        let bar = String(repeating: "█", count: 5) + String(repeating: "░", count: 23)
        #expect(total == "  total      374 ms     64 ms    -310 ms  \(bar)")
    }

    @Test func `a body that isn't there has its reason`() {
        #expect(lines(run("a", .ok, [:], nil), run("b", .ok, [:], "x")).last == "body  not text")
    }

    @Test(arguments: [
        ("a\nb", "a\nb", [LineDifference.Piece.skipped(2)]),
        ("", "a", [.removed(""), .added("a")]),
        ("a\nb\nc", "a\nc", [.same("a"), .removed("b"), .same("c")]),
        ("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\nsix", [.skipped(3), .same("4"), .same("5"), .removed("6"), .added("six")]),
        (
            "x\n1\n2\n3\n4\n5\ny", "1\n2\n3\n4\n5\nz",
            [
                .removed("x"), .same("1"), .same("2"), .skipped(1), .same("4"), .same("5"), .removed("y"), .added("z"),
            ]
        ),
    ])
    func `lines that differ have a few around them`(old: String, new: String, pieces: [LineDifference.Piece]) {
        #expect(LineDifference(old, new).pieces == pieces)
    }

    @Test func `line feeds behind carriage returns end lines`() {
        #expect(LineDifference("a\r\nb\r\n", "a\r\nc\r\n").pieces == [.same("a\r"), .removed("b\r"), .added("c\r"), .same("")])
    }

    @Test func `texts with nothing in common aren't gone through for ever`() {
        let old = (0..<5_000).map { "a\($0)" }.joined(separator: "\n")
        let new = (0..<5_000).map { "b\($0)" }.joined(separator: "\n")
        let difference = LineDifference(old, new)
        #expect(difference.pieces == [.unknown(old: 5_000, new: 5_000)])
        #expect(difference.removed == 5_000)
    }
}
