import Testing

@testable import RequestCollections

@Suite struct MatcherTests {
    /// The matcher of a value in YAML, which must have nothing wrong in it.
    private static func matcher(_ yaml: String, _ kind: MatcherKind) throws -> Matcher {
        let document = try YAMLDocument(path: "m", bytes: Array("a: \(yaml)".utf8))
        var reader = MatcherReader(path: "m", kind: kind)
        let matcher = reader.read(try #require(document.root?["a"]))
        #expect(reader.problems == [])
        return matcher
    }

    @Test(
        arguments: [
            ("exists", .exists), ("missing", .missing), ("~", .missing), ("empty", .empty), ("true", .equals(.boolean(true))),
            ("5", .equals(.number("5"))), ("'5'", .equals(.string("5"))), ("hello there", .equals(.string("hello there"))),
            ("'> 0'", .compares(.greater, .init("0"))), ("'<=1.5'", .compares(.atMost, .init("1.5"))),
            ("'!= 3'", .compares(.notEqual, .init("3"))), ("'!= x'", .not(.equals(.string("x")))),
            ("'== \"exists\"'", .equals(.string("exists"))), ("1..5", .range(.init("1"), .init("5"))),
            ("'> {{min}}'", .compares(.greater, .init("{{min}}"))), ("/a.c/", .matches("a.c", ignoringCase: false)),
            ("/a/i", .matches("a", ignoringCase: true)), ("/usr/local", .equals(.string("/usr/local"))),
            ("contains b c", .contains(.string("b c"))), ("starts with \"x \"", .startsWith("x ")), ("ends with z", .endsWith("z")),
            ("is integer", .type(.integer)), ("is it", .equals(.string("is it"))),
            ("length > 3", .length(.compares(.greater, .init("3")))),
            ("length 3", .length(.equals(.string("3")))), ("not empty", .not(.empty)), ("each is string", .each(.type(.string))),
            ("[a, '> 3']", .any([.equals(.string("a")), .compares(.greater, .init("3"))])),
            ("{ equals: exists }", .equals(.string("exists"))),
            ("{ equals: { a: [1] } }", .equals(.object([.init(name: "a", value: .array([.number("1")]))]))),
            ("{ type: array, length: 2 }", .all([.type(.array), .length(.equals(.number("2")))])),
            ("{ not: { one-of: [1, x] } }", .not(.any([.equals(.number("1")), .equals(.string("x"))]))),
            ("{ all: ['> 1', '< 5'] }", .all([.compares(.greater, .init("1")), .compares(.less, .init("5"))])),
            ("{ matches: '^a' }", .matches("^a", ignoringCase: false)), ("{ exists: false }", .missing),
            ("{ contains: 1 }", .contains(.number("1"))), ("{ starts-with: a }", .startsWith("a")),
            ("{ ends-with: a }", .endsWith("a")),
            ("{ each: exists }", .each(.exists)),
        ] as [(String, Matcher)])
    func `what a value must be is read from a text, a list or a map`(yaml: String, matcher: Matcher) throws {
        #expect(try Self.matcher(yaml, .json) == matcher)
    }

    @Test func `a status may be a class, and a time has a unit`() throws {
        #expect(try Self.matcher("2xx", .status) == .statusClass(2))
        #expect(try Self.matcher("[200, 3xx]", .status) == .any([.equals(.number("200")), .statusClass(3)]))
        #expect(try Self.matcher("'< 300ms'", .duration) == .compares(.less, .init("300ms")))
        #expect(try Self.matcher("10ms..2s", .duration) == .range(.init("10ms"), .init("2s")))
        #expect(try Self.matcher("'< 10KB'", .bytes) == .compares(.less, .init("10KB")))
    }

    private static func json(_ text: String) throws -> JSONValue { try #require(JSONParser.parse(text)) }

    @Test(
        arguments: [
            ("5", "5", true), ("5", "5.0", true), ("5", "\"5\"", false), ("'5'", "5", false), ("a", "\"a\"", true),
            ("{ equals: { a: 1, b: [2] } }", "{\"b\": [2.0], \"a\": 1}", true),
            ("{ equals: { a: 1 } }", "{\"a\": 1, \"b\": 2}", false),
            ("exists", "0", true), ("exists", "null", false), ("missing", "null", true), ("missing", "false", false),
            ("empty", "[]", true), ("empty", "\"\"", true), ("empty", "{}", true), ("empty", "0", false),
            ("not empty", "[1]", true),
            ("'> 0'", "0.5", true), ("'> 0'", "0", false), ("'> 0'", "\"text\"", false), ("'> 0'", "\"1\"", true),
            ("'!= 3'", "4", true), ("'!= 3'", "3", false),
            ("'>= 3'", "3", true), ("'<= 3'", "3.1", false), ("'== 3'", "3", true), ("'< 3'", "2", true),
            ("1..5", "5", true), ("1..5", "5.1", false), ("/^a.c$/", "\"abc\"", true), ("/B/", "\"abc\"", false),
            ("/B/i", "\"abc\"", true),
            ("/5/", "157", true), ("contains b", "\"abc\"", true), ("contains b", "[\"a\", \"b\"]", true),
            ("contains b", "[\"ab\"]", false),
            ("contains b", "{\"b\": 1}", true), ("{ contains: { a: 1 } }", "{\"a\": 1, \"b\": 2}", true),
            ("{ contains: { a: 2 } }", "{\"a\": 1}", false), ("starts with a", "\"abc\"", true), ("ends with a", "\"abc\"", false),
            ("is string", "\"\"", true), ("is number", "1.5", true), ("is integer", "1.5", false), ("is integer", "2.0", true),
            ("is boolean", "false", true), ("is array", "[]", true), ("is object", "[]", false), ("is null", "null", true),
            ("length 3", "\"äöü\"", true), ("length > 1", "[1]", false), ("length 1", "{\"a\": 1}", true), ("length 1", "1", false),
            ("[a, b]", "\"b\"", true), ("[a, b]", "\"c\"", false), ("not /x/", "\"abc\"", true),
            ("each is string", "[\"a\", 1]", false), ("each > 0", "[1, 2]", true),
            ("{ all: ['> 1', '< 5'] }", "3", true), ("{ all: ['> 1', '< 5'] }", "5", false),
        ])
    func `a value of JSON matches or not`(yaml: String, json: String, isMatch: Bool) throws {
        #expect(try Self.matcher(yaml, .json).matches(Self.json(json), .json) == isMatch)
    }

    @Test(
        arguments: [
            ("5", "5", true), ("true", "true", true), ("'> 3'", "5", true), ("'> 3'", "x", false), ("'< 10KB'", "2KB", true),
            ("'< 10KB'", "2s", false),
        ])
    func `in what has no types a text may be a number`(yaml: String, text: String, isMatch: Bool) throws {
        #expect(try Self.matcher(yaml, .text).matches(.string(text), .text) == isMatch)
    }

    @Test func `durations and bytes are compared by their size, and what is neither as a text`() throws {
        #expect(try Self.matcher("1s", .duration).matches(.string("1000ms"), .duration))
        #expect(try Self.matcher("{ one-of: [1KB] }", .bytes).matches(.string("1000"), .bytes))
        #expect(try !Self.matcher("{ one-of: [expired] }", .duration).matches(.string("soon"), .duration))
        #expect(try Self.matcher("{ one-of: [expired] }", .duration).matches(.string("expired"), .duration))
    }

    @Test func `what isn't there matches nothing but missing and not`() throws {
        for yaml in ["exists", "empty", "5", "/x/", "'> 0'", "is null", "length 0"] {
            #expect(try !Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
        }
        for yaml in ["missing", "not exists", "not /x/", "[5, missing]"] {
            #expect(try Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
        }
    }

    @Test func `a matcher is shown as it may be written`() throws {
        for text in ["exists", "> 0", "1..5", "/a/i", "contains x", "starts with x", "is string", "length > 3", "2xx", "not empty"]
        {
            #expect(try MatcherText(kind: .status).parse(text).description == text)
        }
    }
}
