import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Synchronization
import Testing

@testable import CommandLineInterface

/// What the long form of `for-each` says, what stands around loops, and what a run tells of them.
@Suite struct RunLoopsTests {
    /// Each request's path, in the order in which they were sent, and what the run said. An answer's token is `of-` and the path's end.
    private func run(
        _ words: [String] = [], failing: Set<String> = [], environment: [String: String] = [:], of requests: String
    ) async throws -> (sent: [String], CommandLineRun) {
        let (directory, path) = try ShopFile.make("turnstone: 1\n\(requests)\n")
        defer { withExtendedLifetime(directory) {} }
        let sent = Mutex<[String]>([])
        let transport = ScriptedTransport { request in
            let path = request.request.url.path()
            sent.withLock { $0.append(path) }
            let token = path.split(separator: "/").last ?? ""
            return .respond(
                status: failing.contains(path) ? .serviceUnavailable : .ok, headers: [.contentType: "application/json"],
                body: Data(#"{"token":"of-\#(token)","ids":[7,8,9],"none":[],"done":\#(token == "2")}"#.utf8))
        }
        let shown = await CommandLineRun.run(
            ["run", path, "--trust", "--no-history"] + words, transport: transport,
            environment: environment.merging(["HOME": directory.path]) { own, _ in own })
        func cleaned(_ text: String) -> String { text.replacing(path, with: "shop.yaml") }
        return (
            sent.withLock { $0 }, CommandLineRun(status: shown.status, output: cleaned(shown.output), errors: cleaned(shown.errors))
        )
    }

    // MARK: What a loop says

    private static let named = """
        requests:
          create:
            for-each: { as: user, in: [{ name: ada, role: x }, { name: bob, role: x }], title: "{{user.role}} {{loop.number}}", jobs: 1 }
            get: "http://shop/{{loop.index}}/{{loop.number}}/{{user.name}}"
          same: { get: "http://shop/{{n}}", for-each: { as: n, in: 1..2, title: twice } }
          round: { get: "http://shop/{{loop.index}}/{{repeat}}", repeat: 2 }
        """

    @Test func `an item has the title that its loop gives it, and each knows its number`() async throws {
        let (sent, shown) = try await run(of: Self.named)
        #expect(sent == ["/0/1/ada", "/1/2/bob", "/1", "/2", "/0/1", "/1/2"])
        #expect(shown.output.contains("✓ create[x 1]  200 OK") && shown.output.contains("✓ create[x 2]  200 OK"), "\(shown.output)")
        #expect(shown.output.contains("✓ same[twice]") && shown.output.contains("✓ same[twice#2]"), "\(shown.output)")
        #expect(try await run(["create[x 2]"], of: Self.named).sent == ["/1/2/bob"])
        let dry = try await run(["create", "--dry-run"], of: Self.named).1
        #expect(dry.output.contains("/0/1/ada") && dry.output.contains("/1/2/bob"), "\(dry.output)")
    }

    @Test func `a list of loops goes through every combination, the first outermost`() async throws {
        let shop = """
            requests:
              health: { get: "http://shop/{{region}}/{{plan}}/{{loop.index}}", for-each: [{ region: [eu, us] }, { plan: [a, b] }] }
              f:
                for-each: [{ n: 1..2 }, { as: m, in: [x], title: "is {{m}}" }]
                requests: { r: { get: "http://shop/{{n}}{{m}}" }, s: { get: "http://shop/{{m}}{{n}}" } }
            """
        let (sent, shown) = try await run(of: shop)
        #expect(sent == ["/eu/a/0", "/eu/b/1", "/us/a/0", "/us/b/1", "/1x", "/x1", "/2x", "/x2"])
        #expect(
            shown.output.contains("✓ health[region=us, plan=a]") && shown.output.contains("✓ f/s[n=2, is x]"), "\(shown.output)")
        #expect(try await run(["health[region=us, plan=a]"], of: shop).sent == ["/us/a/0"])
    }

    private static let counted = """
        requests:
          list: { get: http://shop/list, capture: { ids: .ids, none: .none } }
          few: { get: "http://shop/few/{{a}}", for-each: { as: a, in: "{{ids}}", at-least: 4 } }
          many: { get: "http://shop/many/{{b}}", for-each: { as: b, in: "{{ids}}", at-most: 2 } }
          enough: { get: "http://shop/enough/{{c}}", for-each: { as: c, in: "{{ids}}", at-least: 3, at-most: 3, jobs: 2 } }
          empty: { get: "http://shop/{{d}}", for-each: { as: d, in: "{{none}}", at-least: 1 } }
          pages: { get: "http://shop/{{e}}", for-each: { as: e, in: { pages: .nothing, start: p }, at-least: 2 } }
        """

    @Test(arguments: [[], ["--jobs", "8"]])
    func `too few and too many items are failures`(words: [String]) async throws {
        let (sent, shown) = try await run(words, of: Self.counted)
        #expect(Set(sent) == ["/list", "/enough/7", "/enough/8", "/enough/9", "/p"])
        #expect(shown.status == .expectationFailed)
        for (name, reason) in [
            ("few", "`for-each` has 3 items, and `at-least` wants 4"), ("many", "`for-each` has 3 items, and `at-most` allows 2"),
            ("empty", "`for-each` has 0 items, and `at-least` wants 1"),
        ] { #expect(shown.output.contains("✗ \(name)\n    shop.yaml:") && shown.output.contains(reason), "\(shown.output)") }
        #expect(shown.output.contains("✗ pages[1]") && shown.output.contains("`for-each` has 1 item, and `at-least` wants 2"))
    }

    // MARK: Undoing

    @Test func `what undoes has nothing that undoes it, and a run says so before it sends anything`() async throws {
        let (sent, shown) = try await run(
            of: """
                requests:
                  a: { get: http://shop/a, tear-down: b }
                  b: { get: http://shop/b, tear-down: c }
                  c: { get: http://shop/c }
                """)
        #expect(sent == [] && shown.status == .usage)
        #expect(
            shown.errors.contains("shop.yaml:4:39: `b` is a tear-down itself, and nothing comes after those"), "\(shown.errors)")
    }

    // MARK: Events

    private static let eventful = """
        variables: { plan: free }
        set-up: login
        tear-down: logout
        requests:
          login: { post: http://shop/login }
          logout: { post: http://shop/logout }
          no: { get: http://shop/no, when: { plan: pro } }
          bad: { get: http://shop/bad, expect: { status: 200 } }
          held: { get: http://shop/held, needs: bad }
          each: { get: "http://shop/{{n}}", for-each: { n: 1..3 }, delay: { before: 3ms, between: 1ms..2ms } }
          job: { get: "http://shop/{{m}}", for-each: { m: [1, 2] }, until: { body: { .done: true }, every: 1ms, tries: 2 } }
        """

    @Test func `events tell of the plan, of what isn't sent, of waits, polls and items`() async throws {
        let (_, shown) = try await run(["--events", "jsonl"], failing: ["/bad"], of: Self.eventful)
        let events = shown.output.split(separator: "\n").compactMap { JSONParser.parse(String($0)) }
        func all(_ name: String) -> [JSONValue] { events.filter { $0["event"] == .string(name) } }
        #expect(events.first?["event"] == "plan" && all("plan").count == 1)
        guard case .array(let nodes)? = events.first?["nodes"] else { throw CancellationError() }
        #expect(nodes.count == 10)
        #expect(
            nodes[0].text(pretty: false) == #"{"node":1,"request":"login","method":"POST","step":"set_up","needed":true}"#
                && nodes[9]["step"] == "tear_down")
        #expect(all("skipped").map { $0["request"] } == ["no"])
        #expect(
            all("skipped")[0]["reason"]
                == "shop.yaml:8:38: `when` wants `plan` to be \"pro\", and it is \"free\"")
        #expect(all("blocked").map { $0["request"] } == ["held"] && all("blocked")[0]["node"] == .number("4"))
        #expect(
            all("delayed").map { $0["iteration"] } == ["n=1", "n=2", "n=3"] && all("delayed")[0]["delay_us"] == .number("3000"))
        for event in all("delayed").dropFirst() {
            guard case .number(let digits)? = event["delay_us"], let delay = Int(digits) else { throw CancellationError() }
            #expect((1_000...2_000).contains(delay))
        }
        #expect(all("set_up").map { $0["verdict"] } == ["passed"] && all("tear_down").map { $0["request"] } == ["logout"])
        #expect(all("iteration_started").count == 5)
        #expect(all("iteration_ended").map { $0["verdict"] } == ["passed", "passed", "passed", "failed", "passed"])
        let polls = all("poll").map { [$0["iteration"], $0["number"], $0["unmet"]] }
        #expect(
            polls == [
                ["m=1", .number("1"), "body .done false"], ["m=1", .number("2"), "body .done false"], ["m=2", .number("1"), nil],
            ])
        #expect(all("poll").map { $0["next_us"] } == [.number("1000"), nil, nil])
        for event in events.dropFirst() { #expect(event["request"] != nil, "\(event)") }
    }

    // MARK: Secrets and summaries

    @Test func `an item that is a secret shows in no title`() async throws {
        let shop = """
            variables: { pin: { secret: { env: SHOP_PIN } } }
            requests:
              before: { get: "http://shop/x/{{n}}", for-each: { n: [pin-48151623] }, expect: { status: 201 } }
              each: { get: "http://shop/x", headers: { x: "{{pin}}" }, for-each: { n: [a, pin-48151623] }, expect: { status: 201 } }
              after: { get: http://shop/x, needs: each, for-each: { as: n, in: [pin-48151623], title: "is {{n}}" } }
            """
        let reports = try TemporaryDirectory()
        let formats = ["junit", "tap", "json", "html", "github", "markdown"]
        let words = formats.flatMap { ["--report", "\($0)=\(reports.file($0))"] } + ["--events", "jsonl", "-v"]
        let (sent, shown) = try await run(words, environment: ["SHOP_PIN": "pin-48151623"], of: shop)
        #expect(sent.count == 3)
        let texts =
            try formats.map { try String(contentsOfFile: reports.file($0), encoding: .utf8) } + [shown.output, shown.errors]
        // By its number in place of the secret, which is known before the plan is told.
        #expect(shown.errors.contains("✗ each[n=a]") && shown.errors.contains("✗ each[2]"), "\(shown.errors)")
        for (name, text) in zip(formats + ["output", "errors"], texts) { #expect(!text.contains("48151623"), "\(name): \(text)") }
    }

    private static func failing(_ count: Int) -> String {
        let requests = (0..<count).map { "  r\($0): { get: http://h/b, mock: { status: 404 }, expect: { status: 200 } }" }
        return "requests:\n\(requests.joined(separator: "\n"))"
    }

    @Test func `GitHub's summary of a step gets what failed, behind what is there`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("summary.md", "before\n")
        let environment = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": path]
        let (_, shown) = try await run(["--mocks"], environment: environment, of: Self.failing(2))
        #expect(shown.status == .expectationFailed)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("before\n### turnstone: 2 failed in "), "\(text)")
        #expect(text.contains("\n```text\n✗ r1  404 Not Found"), "\(text)")
        #expect(text.contains("expected status to be 200, and found 404 Not Found"))
    }

    @Test func `nothing in a summary ends its fence`() async throws {
        let shop = "requests:\n  r: { get: http://h/, mock: { body: \"````\\n# x\" }, expect: { body: \"a```b\" } }"
        let (_, shown) = try await run(["--mocks", "--report", "markdown=-"], of: shop)
        let lines = shown.output.split(separator: "\n").map(String.init)
        let fences = lines.filter { $0.hasPrefix("```") }
        #expect(fences.count == 2 && fences[0].hasPrefix(fences[1]) && fences[1].count > 4, "\(shown.output)")
        #expect(!lines.contains("# x"))
    }
}
