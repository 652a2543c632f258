import Foundation
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct CheckTests {
    private static let text = """
        turnstone: 1
        environments: { here: { host: "http://shop" }, there: { base: "http://shop" } }
        requests:
          a: { get: "{{host}}/a" }
          b:
            get: http://shop/b?x={{c}}
            capture: { b: .b }
            expect:
              body: { .detail: not found, .state: "missing", .zip: 007, id: exists }
          c: { get: "http://shop/c?x={{b}}", capture: { c: .c }, heders: {} }
          d: { get: "http://shop/d?x={{e}}" }
          e: { get: "http://shop/e?x={{d}}", capture: { e: .e, d: .d }, needs: d, expect: { status: 42 } }
        """

    /// A transport that answers nothing: `check` must not ask it for anything.
    private static func check(_ words: String..., text: String = text, input: String = "") async throws -> CommandLineRun {
        let (directory, path) = try ShopFile.make(text)
        defer { withExtendedLifetime(directory) {} }
        let transport = ScriptedTransport { _ in .respond() }
        let run = await CommandLineRun.run(["check"] + (input.isEmpty ? [path] : []) + words, input: input, transport: transport)
        #expect(transport.requests.isEmpty)
        return CommandLineRun(
            status: run.status, output: run.output.replacing(path, with: "shop.yaml"),
            errors: run.errors.replacing(path, with: "shop.yaml"))
    }

    @Test(arguments: [
        "body: '{\"user\":\"u\",\"password\":\"hunter22\"}'", "body: '{\"password\" : \"hunter22\"}'",
        "body: 'user=a&password=hunter22'",
    ])
    func `a body that is a text is told of without its password`(line: String) async throws {
        let shown = try await Self.check(text: "turnstone: 1\nrequests:\n  a:\n    post: http://h/\n    \(line)\n")
        #expect(shown.status == .usage)
        #expect(shown.output.contains("`body` takes"), "\(shown.output)")
        #expect(!shown.output.contains("hunter22"), "\(shown.output)")
    }

    @Test func `a keyword that no schema has is told of, with the nearest one, and annotations aren't`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let schema = """
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "c", "x-own": 1, "requird": ["a"],
             "properties": {"requird": {"typ": "string", "example": "x", "xml": {}, "enum": [{"foo": 1}], "default": {"bar": 2}}},
             "discriminator": {"propertyName": "a"}, "externalDocs": {"url": "http://h/"}, "mustHave": 1,
             "allOf": [{"$ref": "#/shared/a%20b"}, {"$ref": "more.json#/types/c"}], "shared": {"a b": {}}}
            """
        for (name, text) in [
            ("_collection.yaml", "turnstone: 1\n"), ("order.json", schema),
            ("more.json", #"{"types": {"c": {"type": "object"}}}"#),
            ("own.json", #"{"$schema": "http://h/own", "requird": 1}"#),
            ("a.yaml", "get: http://h/\nexpect:\n  body: { schema: order.json }\n"),
            ("b.yaml", "get: http://h/\nexpect:\n  body: { schema: own.json }\n"),
        ] {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }
        let shown = await CommandLineRun.run(["check", directory.path], transport: ScriptedTransport { _ in .respond() })
        #expect(shown.status == .success)
        let lines = shown.output.split(separator: "\n").map(String.init).sorted()
        #expect(lines.count == 3, "\(shown.output)")
        for (keyword, way) in [("mustHave", ""), ("requird", "; did you mean `required`?"), ("typ", "; did you mean `type`?")] {
            let end =
                "a.yaml:3:3: warning: `\(keyword)` in the schema \(directory.path)/order.json checks nothing: JSON Schema has "
                + "no such keyword\(way)"
            #expect(lines.contains { $0.hasSuffix(end) }, "\(end)\n\(shown.output)")
        }
    }

    @Test func `on GitHub each finding is an annotation at its line, and a step shows ten`() async throws {
        let (directory, path) = try ShopFile.make(
            "turnstone: 1\nrequests:\n"
                + (1...12).map { "  r\($0): { get: \"http://h/{{v\($0)}}\", expect: { body: { .a: not found } } }\n" }.joined())
        defer { withExtendedLifetime(directory) {} }
        func check(_ environment: [String: String]) async -> [String] {
            let run = await CommandLineRun.run(
                ["check", path], transport: ScriptedTransport { _ in .nothing }, environment: environment)
            return run.output.components(separatedBy: "\n").filter { $0.hasPrefix("::") }
        }
        #expect(await check([:]) == [])
        let lines = await check(["GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": directory.path])
        let file = path.dropFirst(directory.path.count + 1)
        #expect(lines.count == 20)
        #expect(lines.first?.hasPrefix("::error file=\(file),line=3,col=") == true, "\(lines)")
        #expect(lines[9] == "::error title=turnstone check::and 3 more; the log has them")
        #expect(lines[10].hasPrefix("::warning file=\(file),line=3,col="))
    }

    @Test func `mistakes are errors, and words that may be meant otherwise are warnings, each with its place`() async throws {
        let run = try await Self.check()
        #expect(run.status == .usage)
        #expect(
            run.output.split(separator: "\n").map(String.init) == [
                "shop.yaml:4:13: error: the variable `host` has no value in the environment `there`; `here` would set it",
                "shop.yaml:9:24: warning: `not found` holds for everything but `found`; the text itself stands in quotes, and "
                    + "`not \"found\"` says that the opposite is meant",
                "shop.yaml:9:60: warning: `007` is the number 7; in quotes it is the text",
                "shop.yaml:9:65: warning: `id` is a program for jq; the member of that name is `.id`",
                "shop.yaml:9:65: error: `id`: id/0 is not defined at <top-level>, line 1:",
                "shop.yaml:10:58: error: unknown key `heders` in a request; did you mean `headers`?",
                "shop.yaml:12:72: error: the requests need each other in a circle: d → e → d",
                "shop.yaml:12:93: warning: no status is `42`",
            ])
        #expect(run.errors == "4 errors and 4 warnings in 5 requests\n")
    }

    @Test func `a part of a collection is checked, in one environment`() async throws {
        let run = try await Self.check("a", "--env", "here", text: Self.text.replacing("not found", with: "not \"found\""))
        #expect(run.status == .success)
        #expect(run.output.contains("error") == false)
        #expect(run.errors.hasSuffix("in 1 request\n"))
        let there = try await Self.check("a", "--env", "there", "--var", "host=http://other")
        #expect(there.status == .success)
        #expect(try await Self.check("a", "--env", "nowhere").status == .usage)
    }

    @Test func `nothing is run or read for it`() async throws {
        let marker = FileManager.default.temporaryDirectory.appending(path: "turnstone-\(UUID().uuidString)").path
        let run = try await Self.check(
            text: """
                turnstone: 1
                variables: { a: { secret: { command: [touch, "\(marker)"] } }, b: { secret: { file: /nowhere/b } } }
                requests:
                  a:
                    post: 'http://shop/{{command("touch", "\(marker)")}}/{{env("NOBODY_SETS_THIS")}}/{{file("/dev/null")}}'
                    auth: { basic: { user: "{{a}}", password: "{{b}}" } }
                    body: { multipart: { a: { file: '/nowhere/{{env("NOBODY_SETS_THIS")}}' } } }
                    hydrate: touch "\(marker)"
                """)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output == "")
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test func `files that are sent, and programs for jq, are looked at`() async throws {
        let run = await CommandLineRun.run(
            ["check", "-"],
            input: """
                turnstone: 1
                requests:
                  a: { post: http://shop/, body: { file: nowhere.bin }, mock: { file: nowhere.json } }
                  b: { post: http://shop/, body: { multipart: { a: { file: nowhere.png }, b: { file: /dev/null } } } }
                  c:
                    get: http://shop/
                    capture: { x: ".a | nope" }
                    expect: { body: { ".s >": 1, ".a | error": 1, "!exit 3": 1 } }

                """, environment: ["PATH": "/usr/bin:/bin"])
        #expect(run.status == .usage)
        let lines = run.output.split(separator: "\n")
        #expect(
            lines.prefix(3) == [
                "-:3:42: error: there is no file `nowhere.bin`", "-:3:57: error: there is no file `nowhere.json`",
                "-:4:47: error: there is no file `nowhere.png`",
            ])
        #expect(lines.dropFirst(3).count == 2, "\(lines)")
        #expect(lines.dropFirst(3).first?.hasPrefix("-:7:16: error: `.a | nope`: ") == true)
        #expect(lines.last?.hasPrefix("-:8:23: error: `.s >`: ") == true)
    }

    @Test func `all that a request reads is looked for, wherever its name stands`() async throws {
        let run = await CommandLineRun.run(
            ["check", "-"],
            input: """
                turnstone: 1
                requests:
                  a: { get: "http://shop/", tls: { ca: nope1.pem } }
                  b: { get: "http://shop/", tls: { certificate: nope2.p12 } }
                  c: { get: "http://shop/", auth: { netrc: nope3 } }
                  d: { get: 'http://shop/{{file("nope4")}}', headers: { x: '{{file("nope5.txt")}}' } }
                  e: { get: "http://shop/", hydrate: ./nope6.sh }
                  f: { get: "http://shop/", hydrate: [./nope7, -x], headers: { a: '{{file("/dev/null")}}' } }
                  g: { get: "http://shop/", hydrate: cat ./nope8, tls: { ca: /dev/null } }

                """)
        #expect(run.status == .usage)
        let found = run.output.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 3) }
        #expect(
            found.map { "\($0[1])\($0[3])" } == [
                "3 error: there is no file `nope1.pem`", "4 error: there is no file `nope2.p12`",
                "5 error: there is no file `nope3`", "6 error: there is no file `nope4`",
                "6 error: there is no file `nope5.txt`", "7 error: there is no file `./nope6.sh`",
                "8 error: there is no file `./nope7`",
            ], "\(run.output)")
    }

    @Test func `a URL to which nothing can be sent is found, with what is wrong with it`() async throws {
        let run = await CommandLineRun.run(
            ["check", "-"],
            input: """
                turnstone: 1
                requests:
                  a: { get: "http://exa mple/" }
                  b: { get: "http://ada:hunter2@h:99999/?token=hunter2" }
                  c: { get: "http://[x]/" }
                  d: { get: "http://h:8080/a b?c=|", headers: { x: '{{env("HOST")}}' } }

                """)
        #expect(
            run.output == """
                -:3:13: error: `http://exa mple/` can't be requested: a host can't be named “exa mple”
                -:4:13: error: `http://ada:******@h:99999/?token=******` can't be requested: there is no port 99999; the last is 65535
                -:5:13: error: `http://[x]/` can't be requested: [x] is no address of IPv6

                """)
    }
}

/// What the page on editors gives Visual Studio Code reads what `turnstone check` prints.
@Suite struct ProblemMatcherTests {
    private struct Tasks: Decodable {
        struct Task: Decodable { var args: [String], problemMatcher: Matcher }
        struct Matcher: Decodable { var pattern: Pattern }
        struct Pattern: Decodable { var regexp: String, file: Int, line: Int, column: Int, severity: Int, message: Int }
        var tasks: [Task]
    }

    @Test func `the task's pattern takes each finding apart`() async throws {
        let page = URL(filePath: #filePath).appending(path: "../../../../docs/editors.md").standardized
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```json\n").dropFirst()
        let block = try #require(blocks.first?.components(separatedBy: "```").first)
        let task = try #require(try JSONDecoder().decode(Tasks.self, from: Data(block.utf8)).tasks.first)
        let (directory, path) = try ShopFile.make(
            """
            turnstone: 1
            requests:
              a: { get: "http://127.0.0.1:9/{{nowhere}}" }
              b: { get: "http://127.0.0.1:9/", expct: { status: 200 } }

            """)
        defer { withExtendedLifetime(directory) {} }
        let run = await CommandLineRun.run(task.args + [path])
        let pattern = try Regex(task.problemMatcher.pattern.regexp)
        let findings = run.output.split(separator: "\n").compactMap { line -> [String]? in
            guard let match = try? pattern.wholeMatch(in: String(line)) else { return nil }
            let places = task.problemMatcher.pattern
            return [places.file, places.line, places.column, places.severity, places.message]
                .map { match[$0].substring.map(String.init) ?? "" }
        }
        #expect(
            findings == [
                [path, "3", "13", "error", "the variable `nowhere` has no value"],
                [path, "4", "36", "error", "unknown key `expct` in a request; did you mean `expect`?"],
            ], "\(run.output)")
    }
}
