import Foundation
import NetworkLayer
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct FailureStoryTests {
    private static let text = """
        turnstone: 1
        requests:
          a:
            get: http://h/a
            mock: { status: 200, body: { ok: "true", list: [{ p: 1 }, { p: 0 }, { p: null }], m: { a: 1, c: 2, d: [1] } } }
            expect:
              body:
                .ok: true
                .list[].p: "> 0"
                .m: { equals: { a: 2, b: 3, d: [1, 2] } }
          b: { get: http://h/b, mock: { status: 404 }, expect: { status: 200, size: 0 } }
        """

    @Test func `a failure says types, items and differences below it`() async throws {
        let run = try await RunBench.run("--mocks", text: Self.text)
        #expect(
            run.output.contains(
                """
                    shop.yaml:8:9: expected body .ok to be the boolean true, and found the text "true"
                      hint: for the text, write .ok: "true"
                    shop.yaml:9:9: expected body .list[].p to be > 0, and found 0 in 2 of 3: [1] 0, [2] null
                      .list[1]: {"p":0}
                """), "\(run.output)")
        #expect(run.output.contains("\n      .a: 2 ≠ 1\n      - .b: 3\n      - .d[1]: 2\n"), "\(run.output)")
        #expect(!run.output.contains("again") && !run.output.contains(" | "))
    }

    @Test(arguments: [
        (#"{ order: { id: 1, totals: 2 } }"#, ".order.total: 2", "it has: id, totals\n      hint: .order.totals?"),
        (#"{}"#, ".a: exists", "it is empty"),
        (#"{ a: "x y" }"#, #".a: "x\u00A0y""#, "character 2: U+00A0 expected, and U+0020 found"),
        (#"{ a: "x " }"#, ".a: x", "character 2: the end expected, and U+0020 found"),
    ])
    func `what can't be seen is said`(body: String, expect: String, evidence: String) async throws {
        let text = "turnstone: 1\nrequests: { a: { get: http://h/a, mock: { body: \(body) }, expect: { body: { \(expect) } } } }\n"
        let run = try await RunBench.run("--mocks", text: text)
        #expect(run.output.contains("\n      \(evidence)\n"), "\(run.output)")
    }

    @Test(arguments: [
        (#"{ order: [] }"#, #"".order[0].a": 2"#, ".order is a list of 0"),
        (#"{ order: null }"#, ".order.a.b: 2", ".order is null"), (#"{}"#, ".a: exists", "the body has no \"a\""),
    ])
    func `the first line says where a path ends`(body: String, expect: String, reason: String) async throws {
        let text = "turnstone: 1\nrequests: { a: { get: http://h/a, mock: { body: \(body) }, expect: { body: { \(expect) } } } }\n"
        let run = try await RunBench.run("--mocks", text: text)
        #expect(run.output.contains(", and found nothing: \(reason)\n"), "\(run.output)")
    }

    @Test func `-v says all of it: lines of the file, what was sent and answered, and commands`() async throws {
        let run = try await RunBench.run("--mocks", "-v", text: Self.text)
        for part in [
            "      8 | .ok: true\n        | ^^^\n", "      11 | … status: 200 …\n         |   ^^^^^^\n", "      + .c: 2\n",
            "\n\n    request\n      GET http://h/a\n", "\n    response\n      HTTP/1.1 200\n", "\"ok\": \"true\"",
            "\n    times\n", "\n      attempt 1 ", "\n    again\n      turnstone run ", " a\n      curl ",
        ] {
            #expect(run.output.contains(part), "\(part)\n\(run.output)")
        }
    }

    @Test(arguments: ["{{missing}}", "hop"])
    func `the command that sends it again masks what stands in the file, also where nothing can be sent`(step: String) async throws
    {
        let text = """
            turnstone: 1
            requests:
              a:
                get: "https://ada:hunter2hunter2@h/\(step)?token=babbage-1834"
                auth: { basic: { user: ada, password: lovelace1815 } }
                tls: { certificate: a.pem, key: a.key, passphrase: engine-of-1843 }
                mock: { status: 404 }
                expect: { status: 200 }
            """
        let run = try await RunBench.run("--mocks", "-v", text: text)
        #expect(run.output.contains("curl ") == (step == "hop"), "\(run.output)")
        #expect(run.output.contains("token=••••••") && !run.output.contains("%E2%80%A2"), "\(run.output)")
        // `ada:••••••` in base64 would pass for a password.
        #expect(!run.output.contains("YWRhOuKAouKAou"))
        for secret in ["hunter2hunter2", "lovelace1815", "engine-of-1843", "babbage-1834"] {
            #expect(!run.output.contains(secret), "\(secret)\n\(run.output)")
        }
    }

    @Test func `what failed can be sent again by its number in the history`() async throws {
        let state = try TemporaryDirectory()
        let run = try await RunBench.run("wrong", "mocked", "--mocks", environment: ["XDG_STATE_HOME": state.path])
        #expect(run.output.contains("\n    again: turnstone history replay 1\n"), "\(run.output)")
        #expect(run.output.components(separatedBy: "again:").count == 2)
    }

    @Test(arguments: ["junit", "html"])
    func `reports have all of it`(format: String) async throws {
        let run = try await RunBench.run("--mocks", "--report", "\(format)=-", text: Self.text)
        for part in [
            "8 | .ok: true", "to be the boolean true, and found the text &quot;true&quot;", ".a: 2 ≠ 1", "GET http://h/a",
            "HTTP/1.1 200",
            "turnstone run",
        ] {
            #expect(run.output.contains(part), "\(part)\n\(run.output)")
        }
        if format == "junit" { #expect(run.output.contains("<system-out>")) }
    }

    // MARK: GitHub

    private static let failing = """
        turnstone: 1
        requests:
          "a, b: 50%": { get: http://h/b, mock: { status: 404 }, expect: { status: 200 } }
          "x\\n::error::y": { get: http://h/b, mock: { status: 404 }, expect: { status: 200 } }
        """

    @Test(arguments: [(["--report", "github"], [:]), ([], ["GITHUB_ACTIONS": "true"])] as [([String], [String: String])])
    func `GitHub gets an annotation for each failure, with everything escaped`(
        words: [String], environment: [String: String]
    ) async throws {
        let run = try await RunBench.run(["--mocks"] + words, environment: environment, text: Self.failing)
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(lines.count == 2)
        let first = try #require(lines.first)
        #expect(
            first.hasPrefix("::error file=shop.yaml,line=3,col=68,title=a%2C b%3A 50%25::shop.yaml:3:68: expected status"),
            "\(first)")
        #expect(run.status == .expectationFailed)
    }

    @Test func `annotations go where the talk goes, and paths are below the workspace`() async throws {
        let (directory, path) = try ShopFile.make(Self.failing)
        defer { withExtendedLifetime(directory) {} }
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        let workspace = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let run = await CommandLineRun.run(
            ["run", path, "--trust", "--mocks", "--report", "json=-"],
            environment: ["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": workspace])
        #expect(JSONParser.parse(run.output) != nil)
        let name = URL(filePath: path).lastPathComponent
        #expect(
            run.errors.contains("\n::error file=\(name),line=3,") || run.errors.hasPrefix("::error file=\(name),"), "\(run.errors)")
    }

    @Test func `the tenth annotation says how many more there are`() async throws {
        let requests = (0..<30).map { "  r\($0): { get: http://h/b, mock: { status: 404 }, expect: { status: 200 } }" }
        let text = "turnstone: 1\nrequests:\n\(requests.joined(separator: "\n"))\n"
        let run = try await RunBench.run("--mocks", "--report", "github", text: text)
        let lines = run.output.split(separator: "\n").filter { $0.hasPrefix("::") }
        #expect(lines.count == 10)
        #expect(lines.last == "::error title=turnstone::and 21 more requests failed; the log has them")
    }

    @Test func `repeating prints percentiles of each request apart`() async throws {
        let run = try await RunBench.run("login", "mocked", "--mocks", "--repeat", "3", "--quiet")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(
            lines.filter { $0.contains("  closed, 1 at once: ") }.map { $0.prefix { $0 != " " } } == ["login", "mocked"],
            "\(run.output)")
        #expect(lines.contains("✓ 3 × 200") && lines.contains("✓ 3 × 202"), "\(run.output)")
    }
}
