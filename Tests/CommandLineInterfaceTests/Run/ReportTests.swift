import Foundation
import Interchange
import NetworkLayer
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ReportTests {
    private func report(_ format: String) async throws -> String {
        let run = try await RunBench.run("login", "wrong", "unknown", "mocked", "--quiet", "--report", "\(format)=-")
        return run.output
    }

    @Test func `JUnit has a suite a collection, a case a request, and why it failed`() async throws {
        let text = try await report("junit")
        #expect(text.contains(#"<testsuites name="turnstone" tests="4" failures="2" errors="1" time="0.000">"#))
        #expect(text.contains(#"<testsuite id="0" name="Shop" tests="4" failures="2" errors="1" skipped="0""#))
        #expect(text.contains(#"<testcase name="login" classname="Shop" time="0.000"/>"#))
        #expect(
            text.contains(#"<failure type="expectation" message="shop.yaml:19:7: expected status to be 201, and found 200 OK">"#))
        #expect(
            text.contains("found 200 OK&#10;shop.yaml:20:17: expected header x-a to be &quot;b&quot;, and found nothing</failure>"))
        #expect(text.contains(#"<error type="not-sent" message="shop.yaml:21:19: the variable `nowhere` has no value">"#))
    }

    /// By the plugin's `junit-10.xsd` of 3.1.6; a report with anything else is refused as a whole.
    @Test func `JUnit has no attribute that Jenkins' xUnit plugin refuses`() async throws {
        let known: [String: Set<String>] = [
            "testsuites": ["name", "time", "tests", "failures", "errors"],
            "testsuite": ["id", "name", "tests", "failures", "errors", "skipped", "time", "timestamp"],
            "testcase": ["name", "classname", "time"], "failure": ["type", "message"], "error": ["type", "message"],
            "skipped": ["message"], "properties": [], "property": ["name", "value"], "system-out": [],
        ]
        let directory = try TemporaryDirectory()
        try directory.write(
            "collection/shop.yaml",
            """
            turnstone: 1
            requests:
              ok: { get: http://a/, mock: { status: 200 }, expect: { status: 200 } }
              wrong: { get: http://a/, mock: { status: 200 }, expect: { status: 404 } }
              last: { get: http://a/ }
            """)
        try directory.write("collection/broken.yaml", "turnstone: 1\nrequests: [")
        let run = await CommandLineRun.run([
            "run", directory.file("collection"), "--mocks", "--fail-fast", "--no-history", "--quiet", "--report", "junit=-",
        ])
        var seen: Set<String> = []
        for element in run.output.matches(of: /<([a-z-]+)((?: [a-z]+="[^"]*")*)\/?>/).map(\.output) {
            let names = element.2.matches(of: /([a-z]+)="/).map { String($0.output.1) }
            #expect(known[String(element.1)]?.isSuperset(of: names) == true, "\(element.0)")
            seen.insert(String(element.1))
        }
        #expect(seen.isSuperset(of: known.keys), "\(run.output)\(run.errors)")
    }

    @Test func `a HAR is for its owner alone, and the others may be read as the umask allows`() async throws {
        let directory = try TemporaryDirectory()
        let mask = umask(0o022)
        defer { umask(mask) }
        var modes: [String: Int] = [:]
        for format in ReportFormat.allCases.map(\.rawValue) {
            let path = directory.file(format)
            _ = try await RunBench.run("login", "--quiet", "--report", "\(format)=\(path)")
            modes[format] = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(
            modes == [
                "har": 0o600, "junit": 0o644, "tap": 0o644, "json": 0o644, "html": 0o644, "github": 0o644, "markdown": 0o644,
                "hdr": 0o644,
            ])
    }

    @Test func `TAP has a line a request, and why it failed below it`() async throws {
        let text = try await report("tap")
        #expect(text.contains("TAP version 14\n1..4\nok 1 - login\nnot ok 2 - wrong\n  ---\n  reasons:\n"))
        #expect(text.contains("    - \"shop.yaml:19:7: expected status to be 201, and found 200 OK\"\n"))
        #expect(text.contains("  status: 200\n  duration_us: 0\n  ...\nnot ok 3 - unknown\n"))
    }

    @Test(arguments: [
        (#""nl\nnot ok 2 - forged""#, "ok 1 - nl␊not ok 2 - forged"), (#""a\e[31m""#, "ok 1 - a␛[31m"),
        (#""x # TODO later""#, "ok 1 - x ＃ TODO later"), (#""x\r# skip""#, "ok 1 - x␍＃ skip"), (#""\u202Ex""#, "ok 1 - ‹U+202E›x"),
        (#""\\\u0301#\u0301 x""#, "ok 1 - \\\\\u{301}\\#\u{301} x"),
    ])
    func `no name makes a line, a directive or an escape in TAP`(name: String, line: String) async throws {
        let run = try await RunBench.run(
            "--mocks", "--report", "tap=-",
            text: "turnstone: 1\nrequests:\n  \(name): { get: http://a/, mock: { status: 200 } }\n")
        #expect(run.output == "TAP version 14\n1..1\n\(line)\n")
    }

    /// What a CI runner reads out of a log, at the beginning of a line.
    private static let runnerCommands = ["::", "##[", "##vso[", "##teamcity["]

    @Test(arguments: [[], ["--report", "tap=-"], ["--report", "junit=-"]], ["::error::x", "##[error]x", "##vso[task.x]y"])
    func `nothing of a collection or a server begins a line that a CI runner takes for a command`(
        options: [String], command: String
    ) async throws {
        let run = try await RunBench.run(
            ["--mocks"] + options,
            text: """
                turnstone: 1
                name: "shop\\n\(command)"
                requests:
                  "\(command)": { get: http://a/, mock: { status: 200, body: "x\\n\(command)\\n" }, expect: { body: "y\\n\(command)" } }
                  "a\\r\(command)": { get: http://a/, mock: { status: 200 }, expect: { header: { x: "\(command)" } } }

                """)
        #expect(run.status == .expectationFailed)
        for line in (run.output + run.errors).split(whereSeparator: \.isNewline) {
            let text = line.drop { $0 == " " }
            #expect(!Self.runnerCommands.contains { text.hasPrefix($0) }, "\(line)")
        }
    }

    @Test func `JSON has everything, with places`() async throws {
        let text = try await report("json")
        guard case .object(let members) = JSONParser.parse(text) else { return #expect(Bool(false)) }
        #expect(members.map(\.name) == ["counts", "date", "duration_us", "problems", "runs", "version"])
        #expect(text.contains(#""expected" : "201""#))
        #expect(text.contains(#""what" : "header x-a""#))
        #expect(text.contains(#""verdict" : "broken""#))
    }

    @Test func `HTML is one page that needs nothing else, with all texts escaped`() async throws {
        let run = try await RunBench.run(
            "--report", "html=-",
            text: "turnstone: 1\nname: <b>&\nrequests: { a: { get: http://a/, expect: { header: { x: \"a<script>b\" } } } }")
        #expect(run.output.contains("<h1>&lt;b&gt;&amp;</h1>"))
        #expect(run.output.contains("&lt;script&gt;"))
        let page = run.output[try #require(run.output.range(of: "<!doctype html>")).lowerBound...]
        #expect(!page.contains("<script"))
        #expect(!run.output.contains("http-equiv"))
        #expect(!run.output.contains("src="))
        #expect(run.output.contains("<details class=\"failed\" open>"))
    }

    @Test func `HAR has an entry an attempt`() async throws {
        let run = try await RunBench.run("orders", "--quiet", "--report", "har=-")
        let start = try #require(run.output.firstIndex(of: "{"))
        let end = try #require(run.output.lastIndex(of: "}"))
        let document = try JSONDecoder().decode(HARDocument.self, from: Data(run.output[start...end].utf8))
        #expect(document.log.entries.map(\.request.url) == ["http://shop/login", "http://shop/orders"])
    }

    @Test(arguments: [("a<b>\"c\"&d", "a&lt;b&gt;&quot;c&quot;&amp;d"), ("a\u{1}b\nc", "a?b&#10;c"), ("ü\u{FFFE}", "ü?")])
    func `XML gets only what it has a place for`(text: String, escaped: String) {
        #expect(JUnitReport.escaped(text) == escaped)
    }
}
