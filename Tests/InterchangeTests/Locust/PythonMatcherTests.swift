import Foundation
import ServerTesting
import Testing

@testable import Interchange
@testable import RequestCollections

/// Python must say of each value what we say.
@Suite struct PythonMatcherTests {
    private static let wanted = [
        "5", "5.0", "'5'", "true", "~", "text", "exists", "missing", "empty", "'> 4'", "'<= 5'", "'!= 5'", "'== 5'", "4..6",
        "'< 300ms'",
        "'> 1KB'", "/^t.x/", "/TEXT/i", "contains 5", "contains ex", "starts with te", "ends with xt", "is string", "is number",
        "is integer", "is boolean", "is array", "is object", "is null", "length 4", "'length > 1'", "not text", "'not > 4'",
        "[5, text]",
        "{ equals: [1, 2] }", "{ equals: { a: 1 } }", "{ each: '> 0' }", "{ all: [exists, '> 4'] }", "{ contains: { a: 1 } }",
        "{ one-of: [5, a] }", "{ not: { length: 2 } }", "{ matches: '[0-9]' }",
        "not 5", "not true", "not null", "not contains 5", "{ not: [5, text] }", "not empty", "not is number", "not 4..6", "'text'",
        "'exists'",
        "9007199254740993", "not contains ex", "not contains text", "not /t/", "not starts with t", "not length 2", "not is null",
        "{ not: { each: '> 0' } }", "{ not: { each: is text } }", "{ not: { contains: { a: 1 } } }", "{ not: [missing, empty] }",
    ]
    private static let values = [
        "5", "5.0", "4.5", "0", "\"5\"", "\"text\"", "\"\"", "true", "false", "null", "[]", "[1,2]", "[5]", "{}", "{\"a\":1}",
        "{\"a\":1,\"b\":2}", "\"200ms\"", "\"400ms\"", "\"2KB\"", "\"TEXT\"", "[\"text\"]", "9007199254740992",
    ]

    @Test(arguments: [MatcherKind.json, .text, .bytes])
    func `each matcher holds for the same values in Python`(kind: MatcherKind) throws {
        let theirKind: PythonMatcher.Kind = kind == .json ? .json : kind == .text ? .text : .measured
        let template = PythonTemplate(collection: RequestCollection(path: "a.yaml", name: "a"), directory: "")
        var lines: [String] = []
        var ours: [String] = []
        var context = MatchContext()
        for text in Self.wanted {
            let document = try YAMLDocument(path: "a.yaml", bytes: Array("a: \(text)\n".utf8))
            var reader = MatcherReader(path: "a.yaml", kind: kind)
            let node = try #require(document.root?.pairs?.first?.value)
            let matcher = reader.read(node)
            // Of what is no JSON not everything can be expected.
            if kind != .json, !reader.problems.isEmpty { continue }
            #expect(reader.problems == [], "\(text)")
            let expression = try PythonMatcher(template: template, kind: theirKind).expression(matcher)
            for value in Self.values {
                let json = try #require(JSONParser.parse(value))
                lines.append(
                    "print(\(PythonText.string("\(text) of \(value)")), bool((lambda it: \(expression))(json.loads(\(PythonText.string(value))))))"
                )
                ours.append("\(text) of \(value) \(matcher.matches(json, kind, &context) ? "True" : "False")")
            }
            lines.append("print(\(PythonText.string("\(text) of nothing")), bool((lambda it: \(expression))(MISSING)))")
            ours.append("\(text) of nothing \(matcher.matches(nil, kind, &context) ? "True" : "False")")
        }
        let code = lines.joined(separator: "\n")
        let theirs = try Self.run(code, after: LocustRuntime(usedBy: code))
        #expect(theirs.count == ours.count)
        #expect(zip(theirs, ours).filter { $0 != $1 }.map(\.0) == [])
    }

    @Test(arguments: [
        (".a", ["1"]), (".b[0].c", ["2"]), (".b[-1].c", ["3"]), (".b[].c", ["2", "3"]), (".b[0:1]", ["[{\"c\": 2}]"]),
        (".x.y", ["null"]),
        (".b[7]", ["null"]), (".a.b?", []), ("..|.c?", ["2", "3"]), (".", [#"{"a": 1, "b": [{"c": 2}, {"c": 3}]}"#]),
        (".a.b", ["LookupError"]), (".a[]", ["LookupError"]), (".x[]", ["LookupError"]), (".[\"a\"]", ["1"]),
    ])
    func `a path finds the same in Python`(filter: String, found: [String]) throws {
        let path = PythonPath.arguments(filter)
        let code = """
            try:
                values = find(b'{"a": 1, "b": [{"c": 2}, {"c": 3}]}'\(path.map { ", \($0)" }.joined()))
                for value in values: print("null" if value is MISSING else json.dumps(value))
            except LookupError:
                print("LookupError")
            """
        let lines = try Self.run(code, after: LocustRuntime(usedBy: code))
        #expect(lines.filter { filter != "..|.c?" || $0 != "null" } == found)
    }

    @Test func `templates give in Python what they give here`() throws {
        let collection = RequestCollection.of("turnstone: 1\nrequests: {}")
        let template = PythonTemplate(collection: collection, directory: "")
        let code = try [
            "{{base64(\"a b\")}}", "{{sha256(\"a\")}}", "{{sha256(\"a\", encoding: \"base64\")}}",
            "{{hmac(\"a\", \"k\", algorithm: \"sha512\")}}",
            "{{\"x\" | default(\"y\")}}", "{{null | default(\"y\")}}", "a{{\"{{\"}}b",
        ].map { "print(\(try template.text($0)))" }.joined(separator: "\n")
        let scope = try VariableScope(collection, environment: nil, given: [:], sources: TemplateEnvironment())
        var ours = scope
        #expect(
            try Self.run(code, after: LocustRuntime(usedBy: code)) == [
                ours.text("{{base64(\"a b\")}}", at: nil).text, ours.text("{{sha256(\"a\")}}", at: nil).text,
                ours.text("{{sha256(\"a\", encoding: \"base64\")}}", at: nil).text,
                ours.text("{{hmac(\"a\", \"k\", algorithm: \"sha512\")}}", at: nil).text, "x", "y", "a{{b",
            ])
    }

    private static func run(_ code: String, after runtime: LocustRuntime) throws -> [String] {
        let head = "ENVIRONMENT, ENVIRONMENTS, VARIABLES = None, {}, {}"
        let output = try Python.run([Python.locust, head, runtime.imports, runtime.text, code].joined(separator: "\n\n"))
        return output.split(separator: "\n").map(String.init)
    }
}

extension MatcherKind: CustomTestStringConvertible {
    public var testDescription: String {
        switch self {
        case .json: "json"
        case .bytes: "bytes"
        default: "text"
        }
    }
}
