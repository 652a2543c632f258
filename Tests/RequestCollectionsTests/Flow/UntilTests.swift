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
        #expect(request.until?.pause == .fixed(.seconds(1)))
        #expect(request.until?.conditions(of: request.expectations) == request.expectations)
        #expect(Self.read("until: 200ms", "expect: { status: 200 }")?.until?.pause == .fixed(.milliseconds(200)))
    }

    @Test(
        arguments: [
            (
                "until: 10s",
                "5:5: `until` doesn't say what the answer must be, and there is no `expect`; say it here, as in `until: { status: 200, within: 30s }`, or in `expect`"
            ),
            (
                "until: { status: 200, every: { first: 2s, max: 1s } }",
                "5:34: `max` is 1s, and `first` 2s: no pause is shorter than the first"
            ),
            ("until: { status: 200, every: { first: 0s } }", "5:34: `every` must be more than nothing"),
            ("until: { status: 200, every: { max: 0s } }", "5:34: `every` must be more than nothing"),
            ("until: { status: 200, every: { first: 40s } }", "5:34: `every` is 40s, and `within` 30s: it would be sent once"),
            ("until: { status: 200, every: { frist: 1s } }", "5:36: unknown key `frist` in every; did you mean `first`?"),
            ("until: { status: 200, every: { factor: 0.5 } }", "5:44: `factor` takes a number from 1 to 100, not `0.5`"),
            (
                "until: { status: 200, every: {} }",
                "5:34: `every` takes one of `first`, `factor`, `max` and `jitter`, and this map is empty"
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
        "until: 10s", "until: { status: 200 }", "until: { status: 200, every: 2s }",
        "until: { status: 200, every: { first: 10ms, factor: 2, max: 1s } }",
        "until: { status: 200, every: { factor: 1.5, jitter: full } }",
        "until: { body: { .a: done }, within: 1m, give-up: { status: 404 } }",
    ])
    func `what is written is read as the same`(line: String) throws {
        let request = try #require(Self.read(line, "expect: { status: 200 }"))
        let without = try SavingTests.lines("    get: http://a/\n    \(line)\n    expect: { status: 200 }") { $0.until = nil }
        #expect(!without.contains("until"))
        let written = try SavingTests.lines("    get: http://a/\n    expect: { status: 200 }") { $0.until = request.until }
        let read = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n\(written)\n").request(RequestID(rawValue: "a"))
        #expect(read?.withoutLocations == request.withoutLocations, "\(written)")
    }

    @Test func `pauses grow up to the longest, as those of retries do`() throws {
        let until = try #require(Self.read("until: { status: 200, every: { first: 10ms, factor: 2, max: 1s } }")?.until)
        let pauses = (1...9).map { until.pause.after(poll: $0, random: 0) }
        #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 1000, 1000].map { Duration.milliseconds($0) })
        #expect(until.pause.longest == .seconds(1))
        #expect(until.description == "status is 200, within 30s, every 10ms, growing by 2 up to 1s")
        // What isn't said is as in `retry`, but for chance.
        let some = try #require(Self.read("until: { status: 200, every: { factor: 3 } }")?.until)
        #expect((1...4).map { some.pause.after(poll: $0, random: 0) } == [0.2, 0.6, 1.8, 5].map { Duration.seconds($0) })
        let long = try #require(Self.read("until: { status: 200, within: 1m, every: { first: 8s } }")?.until)
        #expect((1...3).map { long.pause.after(poll: $0, random: 0) } == [8, 8, 8].map { Duration.seconds($0) })
        let random = try #require(Self.read("until: { status: 200, every: { first: 1s, jitter: equal } }")?.until)
        #expect(random.pause.after(poll: 1, random: 0) == .milliseconds(500))
        #expect(random.pause.after(poll: 1, random: 0.5) == .milliseconds(750))
    }

    @Test(arguments: ["2s", "first 10ms, factor 2, max 1s", "factor 1.5, jitter full"])
    func `an editor's line is read as it is shown`(line: String) throws {
        let pause = try #require(PollPause(line: line))
        #expect(pause.written.line == line)
    }

    @Test(arguments: ["", "soon", "first", "first 10ms, last 1s", "factor many"])
    func `and no other`(line: String) { #expect(PollPause(line: line) == nil) }
}
