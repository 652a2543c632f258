import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct UntilTests {
    private static func read(_ lines: String...) -> RequestDefinition? {
        RequestCollection.of("turnstone: 1\nrequests:\n  a:\n    get: http://a/\n" + lines.map { "    \($0)\n" }.joined())
            .request(RequestID(rawValue: "a"))
    }

    @Test func `block style and flow style say the same`() throws {
        let flow = Self.read(
            "until: { status: 200, body: { .state: done }, within: 1m, every: 2s, tries: 9, give-up: { status: 5xx } }")
        let block = Self.read(
            "until:", "  status: 200", "  body:", "    .state: done", "  within: 1m", "  every: 2s", "  tries: 9", "  give-up:",
            "    status: 5xx")
        let until = try #require(flow?.until)
        #expect(flow?.withoutLocations == block?.withoutLocations)
        #expect(flow?.problems == [])
        #expect(until.conditions.map(\.subject) == [.status, .filter(".state")])
        #expect(until.giveUp.map(\.subject) == [.status])
        #expect(
            until.description == "status is 200, body .state is done, within 60s, every 2s, at most 9 times, unless status is 5xx")
    }

    @Test func `a duration alone waits for what is expected`() throws {
        let request = try #require(Self.read("until: 10s", "expect: { status: 200 }"))
        #expect(request.until?.limit == .seconds(10))
        #expect(request.until?.pause == .seconds(1))
        #expect(request.until?.conditions(of: request.expectations) == request.expectations)
        #expect(Self.read("until: 200ms", "expect: { status: 200 }")?.until?.pause == .milliseconds(200))
    }

    @Test(
        arguments: [
            (
                "until: 10s",
                "5:5: `until` doesn't say what the answer must be, and there is no `expect`; say it here, as in `until: { status: 200, within: 30s }`, or in `expect`"
            ),
            ("until: soon", "5:12: `until` takes a duration (200ms, 3s, 1m, 1h) or a map"),
            ("until: { status: 200, within: 0s }", "5:35: `within` must be more than nothing"),
            (
                "until: { status: 200, every: 0s }",
                "5:34: `every` must be more than nothing: without a pause the server has no rest"
            ),
            (
                "until: { status: 200, every: 2m }",
                "5:34: `every` is 2m, and `within` 30s: it would be sent once; make `within` longer"
            ),
            ("until: { status: 200, tries: 0 }", "5:34: `tries` takes a whole number from 1 to 1000000, not `0`"),
            ("until: { statu: 200 }", "5:14: unknown key `statu` in until; did you mean `status`?"),
        ]) func `what is wrong with it is said with its place`(line: String, message: String)
    {
        let problems = Self.read(line)?.problems.map { "\($0.location.line):\($0.location.column): \($0.message)" } ?? []
        #expect(problems.first?.hasPrefix(message) == true, "\(problems)")
    }

    @Test(arguments: [
        "until: 10s", "until: { status: 200 }", "until: { body: { .a: done }, within: 1m, give-up: { status: 404 } }",
    ])
    func `what is written is read as the same`(line: String) throws {
        let request = try #require(Self.read(line, "expect: { status: 200 }"))
        let without = try SavingTests.lines("    get: http://a/\n    \(line)\n    expect: { status: 200 }") { $0.until = nil }
        #expect(!without.contains("until"))
        let written = try SavingTests.lines("    get: http://a/\n    expect: { status: 200 }") { $0.until = request.until }
        let read = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n\(written)\n").request(RequestID(rawValue: "a"))
        #expect(read?.withoutLocations == request.withoutLocations, "\(written)")
    }
}
