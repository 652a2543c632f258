import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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

    @Test func `one line says what a run has otherwise than the one before`() throws {
        func change(_ old: ComparedRun, _ new: ComparedRun, _ usual: UsualTime? = nil) -> String {
            RunChange(old, new, usual: usual).line.text
        }
        let old = run("login", .ok, [.eTag: "1", .server: "a", .date: "1"], "one\ntwo")
        var new = run("login", .ok, [.eTag: "2", .server: "b", .via: "c", .date: "2"], "one\ntwo")
        let total = try #require(new.response.metrics.total)
        #expect(change(old, old) == "same body · +0 µs")
        #expect(change(old, new) == "same body · +0 µs · server a → b · 1 more headers")
        let usual = try #require(UsualTime(Dictionary(uniqueKeysWithValues: (1...6).map { (Int64($0), total - .milliseconds(2)) })))
        #expect(change(old, old, usual) == "same body · +2 ms (6 runs)")
        new.response.info?.head.status = .notFound
        new.body = "one\n2\nthree"
        new.response.info?.head.headers = old.response.info?.head.headers ?? [:]
        #expect(change(old, new) == "200 → 404 · body: +2 -1 line · +0 µs")
    }

    @Test func `what a run has otherwise is asked for unasked, of the same environment alone, and stands below its headline`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("login")
        explorer.run(.success(operation: 1), of: "login", body: Data("a".utf8))
        explorer.run(.success(operation: 2), of: "login", in: "staging", body: Data("a".utf8))
        #expect(!explorer.takeEffects().contains { if case .findChange = $0 { true } else { false } })
        explorer.run(.success(operation: 3), of: "login", body: Data("a".utf8))
        let (before, id) = (OperationID(rawValue: 1), OperationID(rawValue: 3))
        #expect(explorer.takeEffects().contains(.findChange(before, id)))
        let old = run("login", .ok, [:], "a")
        explorer.send(.changeFound(id, RunChange(old, old, usual: nil)))
        expectScreen(explorer.state, "80x24-change")
        explorer.press(.focusResponse, .compare)
        #expect(explorer.takeEffects().contains(.compareRuns(before, id)))
    }

    @Test func `JSON is compared by what it says, and not by its lines`() {
        func json(_ text: String) -> ComparedRun {
            var run = run("orders", .ok, [:], text)
            run.json = JSONParser.parse(text)
            return run
        }
        let old = json(#"{"id":7,"total":58.40,"lines":[{"id":"a","qty":1},{"id":"b","qty":2}],"tags":["x","y"],"a-b":null}"#)
        let new = json(
            #"{"tags":["x","z","y"],"total":61.00,"id":7,"lines":[{"id":"c","qty":9},{"qty":3,"id":"b"}],"links":{"self":"/7"}}"#)
        #expect(
            lines(old, new).suffix(8) == [
                "body  9 of 13 values differ", #"- ["a-b"]  null"#, #"+ .tags[1]  "z""#, "≠ .total  58.40 → 61.00",
                #"- .lines[0]  {"id":"a","qty":1}"#, #"+ .lines[0]  {"id":"c","qty":9}"#, "≠ .lines[1].qty  2 → 3",
                #"+ .links  {"self":"/7"}"#,
            ])
        #expect(
            lines(json(#"{"a":1,"b":[]}"#), json(#"{"b": [], "a": 1}"#)).last
                == "body  the same values, in another order or layout")
    }

    @Test(arguments: [
        ("1", "2", [JSONDifference.Change.changed(".", from: .number("1"), to: .number("2"))]),
        ("[1,2,3]", "[1,3]", [.removed("[1]", .number("2"))]),
        ("[1,2]", "[1,{}]", [.changed("[1]", from: .number("2"), to: .object([]))]),
        ("{}", "[]", [.changed(".", from: .object([]), to: .array([]))]),
        (#"[{"id":1},{"id":1}]"#, #"[{"id":1},{"id":2}]"#, [.changed("[1].id", from: .number("1"), to: .number("2"))]),
        (#"{"a":{"b":[[1],[2]]}}"#, #"{"a":{"b":[[1],[2,3]]}}"#, [.added(".a.b[1][1]", .number("3"))]),
    ])
    func `each difference has its place`(old: String, new: String, changes: [JSONDifference.Change]) throws {
        #expect(JSONDifference(try #require(JSONParser.parse(old)), try #require(JSONParser.parse(new))).changes == changes)
    }

    @Test func `long arrays with nothing in common aren't gone through for ever`() {
        let old = JSONValue.array((0..<5_000).map { .number("\($0)") })
        let new = JSONValue.array((5_000..<10_000).map { .number("\($0)") })
        #expect(JSONDifference(old, new).differing == 5_000)
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

    @Test func `a wait that is as long as usual is no alarm`() throws {
        func lines(_ waits: [Int]) -> [String] {
            var usual: [Int64: Duration] = [:]
            for (number, wait) in waits.enumerated() { usual[Int64(number)] = .milliseconds(wait) }
            let retried = ComparedRun(title: "login", date: nil, response: Response(.retries()), body: "")
            let times = UsualTime(usual).map { ["wait": $0] } ?? [:]
            return RunComparison(run("login", .ok, [:], ""), retried, usual: times).lines.map(\.text)
        }
        let words = "  wait: nothing unusual, the last 5 runs took 1 ms to 2 s"
        #expect(lines([1, 40, 50, 60, 2_000]).contains(words))
        #expect(!lines([1, 40, 50, 2_000]).contains { $0.contains("nothing unusual") })
        #expect(!lines([1, 2, 3, 4, 5]).contains { $0.contains("nothing unusual") })
    }

    @Test func `a total that is as long as usual is grey, and one that isn't stands out`() throws {
        let failed = ComparedRun(title: "login", date: nil, response: Response(.tlsFailure()), body: "")
        func total(_ longest: Int) throws -> (role: ThemeRole?, notes: [String]) {
            var totals: [Int64: Duration] = [:]
            for (number, total) in [60, 61, 62, 63, longest].enumerated() { totals[Int64(number)] = .milliseconds(total) }
            let usual = ["total": try #require(UsualTime(totals))]
            let lines = RunComparison(run("login", .ok, [:], ""), failed, usual: usual).lines
            let difference = lines.first { $0.text.hasPrefix("  total") }?.spans.first { $0.text.contains("-310 ms") }
            return (difference?.role, lines.map(\.text).filter { $0.contains("nothing unusual") })
        }
        #expect(try total(400).role == .dim)
        #expect(try total(400).notes == ["  total: nothing unusual, the last 5 runs took 60 ms to 400 ms"])
        #expect(try total(370).role == .success)
        #expect(try total(370).notes == [])
    }

    @Test func `which of them was sent with a change is said`() {
        var changed = run("login", .ok, [:], "")
        changed.whatIf = "HTTP 1.1"
        let heads = RunComparison(run("login", .ok, [:], ""), changed).lines.prefix(2).map(\.text)
        #expect(heads == ["- login  as it is", "+ login  what if: HTTP 1.1"])
    }

    @Test func `the waterfalls meet where one wants them to`() {
        var explorer = ExplorerDriver()
        let retried = ComparedRun(title: "login", date: nil, response: Response(.retries()), body: "")
        explorer.send(.runsCompared(Comparison(RunComparison(run("login", .ok, [:], ""), retried))))
        func row(_ name: String) -> String {
            guard case .comparison(let comparison) = explorer.state.overlay else { return "" }
            return comparison.lines.map(\.text).first { $0.hasPrefix(name) } ?? ""
        }
        func begin(_ sign: Character) -> Int? { Array(row("  total")).firstIndex(of: sign) }
        #expect(row("time").hasSuffix("from the start"))
        let start = begin("█")
        #expect(begin("░") == nil)
        explorer.press("}")
        #expect(row("time").hasSuffix("meeting where they send"))
        explorer.press("}")
        #expect(row("time").hasSuffix("meeting at the first byte"))
        // The longer one stays where it is; the shorter one, which it covers, begins later.
        #expect(begin("█") == start)
        explorer.press("}")
        #expect(row("time").hasSuffix("from the start"))
        explorer.press("{")
        #expect(row("time").hasSuffix("meeting at the first byte"))
        #expect(explorer.state.overlay != nil)
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
