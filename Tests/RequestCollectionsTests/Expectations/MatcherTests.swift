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
            ("'!= 3'", .compares(.notEqual, .init("3"))), ("== exists", .equals(.string("exists"))),
            ("not missing", .not(.missing)), ("not \"missing\"", .not(.equals(.string("missing")))),
            ("not 5", .not(.equals(.number("5")))),
            ("not true", .not(.equals(.boolean(true)))), ("not null", .not(.missing)), ("each 5", .each(.equals(.number("5")))),
            ("contains 5", .contains(.number("5"))), ("contains 05", .contains(.string("05"))),
            ("<a>x</a>", .equals(.string("<a>x</a>"))),
            ("<= x", .equals(.string("<= x"))), ("1..5", .range(.init("1"), .init("5"))),
            ("'> {{min}}'", .compares(.greater, .init("{{min}}"))), ("/a.c/", .matches("a.c", ignoringCase: false)),
            ("/a/i", .matches("a", ignoringCase: true)), ("/usr/local", .equals(.string("/usr/local"))),
            ("contains b c", .contains(.string("b c"))), ("starts with \"x \"", .startsWith("x ")), ("ends with z", .endsWith("z")),
            ("is integer", .type(.integer)), ("is it", .equals(.string("is it"))),
            ("length > 3", .length(.compares(.greater, .init("3")))),
            ("length 3", .length(.equals(.number("3")))), ("not empty", .not(.empty)), ("each is string", .each(.type(.string))),
            ("[a, '> 3']", .any([.equals(.string("a")), .compares(.greater, .init("3"))])),
            ("{ equals: exists }", .equals(.string("exists"))),
            ("{ equals: { a: [1] } }", .equals(.object([.init(name: "a", value: .array([.number("1")]))]))),
            ("{ type: array, length: 2 }", .all([.type(.array), .length(.equals(.number("2")))])),
            ("{ not: { one-of: [1, x] } }", .not(.any([.equals(.number("1")), .equals(.string("x"))]))),
            ("{ all: ['> 1', '< 5'] }", .all([.compares(.greater, .init("1")), .compares(.less, .init("5"))])),
            ("{ matches: '^a' }", .matches("^a", ignoringCase: false)), ("{ exists: false }", .missing),
            ("{ contains: 1 }", .contains(.number("1"))), ("{ starts-with: a }", .startsWith("a")),
            ("{ ends-with: a }", .endsWith("a")),
            ("{ each: exists }", .each(.exists)), ("{ any: '> 3' }", .some(.compares(.greater, .init("3")))),
            ("is uuid", .type(.uuid)), ("not is sorted", .not(.type(.sorted))),
            ("'> 2027-01-01'", .compares(.greater, .init("2027-01-01"))), ("2027-01-01", .equals(.string("2027-01-01"))),
            ("'< now + 1d'", .compares(.less, .init("now + 1d"))), ("now - 1h..now", .range(.init("now - 1h"), .init("now"))),
        ] as [(String, Matcher)])
    func `what a value must be is read from a text, a list or a map`(yaml: String, matcher: Matcher) throws {
        #expect(try Self.matcher(yaml, .json) == matcher)
    }

    @Test(arguments: [
        "exists", "missing", "empty", "not found", "/x/", "1..5", "contains x", "starts with x", "ends with x", "is string",
        "length 3", "each > 0",
        "2xx", "null", "true", "5", "> zero", "!= x", "== x", "<a>x</a>", "<{{tag}}>", "> {{who}} wrote", " x ", "a\nb\n", "",
        "{{a}}..{{b}}",
        "> 5 apples", "2027-01-01",
    ])
    func `a text in quotes is itself, to the last space`(text: String) throws {
        for yaml in [ScalarWriter.doubleQuoted(text), "'\(text)'", "!!str \(ScalarWriter.doubleQuoted(text))"]
        where !text.contains("\n") || yaml.hasPrefix("\"") {
            #expect(try Self.matcher(yaml, .json) == .equals(.string(text)), "\(yaml)")
            #expect(try Self.matcher(yaml, .text) == .equals(.string(text)), "\(yaml)")
        }
        #expect(try Self.matcher("{ contains: \(ScalarWriter.doubleQuoted(text)) }", .json) == .contains(.string(text)))
    }

    @Test(
        arguments: [
            ("'> 0'", .compares(.greater, .init("0"))), ("\"<=1.5\"", .compares(.atMost, .init("1.5"))),
            ("' != 3 '", .compares(.notEqual, .init("3"))), ("'== 3'", .compares(.equal, .init("3"))),
            ("'< 300ms'", .compares(.less, .init("300ms"))), ("'>= 10KB'", .compares(.atLeast, .init("10KB"))),
            ("'> {{min}}'", .compares(.greater, .init("{{min}}"))), ("'> {{min}}ms'", .compares(.greater, .init("{{min}}ms"))),
            ("not '> 0'", .not(.compares(.greater, .init("0")))), ("{ not: '> 0' }", .not(.compares(.greater, .init("0")))),
        ] as [(String, Matcher)])
    func `the six signs before a number, a size, a duration or a template are operators in quotes, too`(
        yaml: String, matcher: Matcher
    )
        throws
    {
        #expect(try Self.matcher(yaml, .json) == matcher)
    }

    private static let aboutJSON =
        "is about a value of JSON: it stands below a filter, such as `body: { .items: … }`; `.` is the whole body"

    @Test(arguments: [
        ("'2xx'", MatcherKind.status, "`\"2xx\"` is a text in quotes; leave them out: `2xx`"),
        ("'1s..2s'", .duration, "`\"1s..2s\"` is a text in quotes; leave them out: `1s..2s`"),
        ("{ then: bas64 }", .text, "`bas64` is no step; did you mean `base64`?"),
        (
            "{ not: { then: base64 } }", .text,
            "`then` is about the whole value: it stands in the outermost map of an expectation, or in each of the outermost `all`"
        ),
        ("ok", .status, "`ok` isn't a status or a class of them (`404`, `2xx`), nor a comparison such as `< 500`"),
        (
            "'> 2027-13-01'", .json,
            "`> 2027-13-01` compares with `2027-13-01`, which isn't a number, a duration, a number of bytes or a date"
        ),
        ("is number", .text, "`is number` \(aboutJSON)"), ("each > 0", .text, "`each > 0` \(aboutJSON)"),
        ("{ not: { each: 1 } }", .text, "`each` \(aboutJSON)"), ("{ type: string }", .text, "`type` \(aboutJSON)"),
        ("{ not: { equals: { a: 1 } } }", .text, "`equals` with a list or a map \(aboutJSON)"),
        ("{ one-of: [1, [2]] }", .text, "`one-of` with a list or a map \(aboutJSON)"),
        ("{ contains: [1] }", .text, "`contains` with a list or a map \(aboutJSON)"),
    ])
    func `what can't be is said`(yaml: String, kind: MatcherKind, message: String) throws {
        let document = try YAMLDocument(path: "m", bytes: Array("a: \(yaml)".utf8))
        var reader = MatcherReader(path: "m", kind: kind)
        _ = reader.read(try #require(document.root?["a"]))
        #expect(reader.problems.map(\.message) == [message])
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
            ("'> 0'", "0.5", true), ("'> 0'", "0", false), ("'> 0'", "\"text\"", false), ("'> 0'", "\"1\"", false),
            ("'> 1s'", "\"2s\"", true),
            ("'!= 3'", "4", true), ("'!= 3'", "3", false),
            ("'>= 3'", "3", true), ("'<= 3'", "3.1", false), ("'== 3'", "3", true), ("'< 3'", "2", true),
            ("1..5", "5", true), ("1..5", "5.1", false), ("/^a.c$/", "\"abc\"", true), ("/B/", "\"abc\"", false),
            ("/B/i", "\"abc\"", true),
            ("/5/", "157", false), ("not /z/", "157", false), ("contains b", "\"abc\"", true),
            ("contains b", "[\"a\", \"b\"]", true),
            ("contains b", "[\"ab\"]", false),
            ("contains b", "{\"b\": 1}", true), ("{ contains: { a: 1 } }", "{\"a\": 1, \"b\": 2}", true),
            ("{ contains: { a: 2 } }", "{\"a\": 1}", false), ("starts with a", "\"abc\"", true), ("ends with a", "\"abc\"", false),
            ("is string", "\"\"", true), ("is number", "1.5", true), ("is integer", "1.5", false), ("is integer", "2.0", true),
            ("is boolean", "false", true), ("is array", "[]", true), ("is object", "[]", false), ("is null", "null", true),
            ("length 3", "\"äöü\"", true), ("length > 1", "[1]", false), ("length 1", "{\"a\": 1}", true), ("length 1", "1", false),
            ("[a, b]", "\"b\"", true), ("[a, b]", "\"c\"", false), ("not /x/", "\"abc\"", true),
            ("9007199254740993", "9007199254740993", true), ("9007199254740993", "9007199254740992", false),
            ("'> 9007199254740992'", "9007199254740993", true), ("'!= 9007199254740993'", "9007199254740992", true),
            ("not 5", "5", false), ("not 5", "6", true), ("not 5", "\"5\"", false), ("not 5", "null", false),
            ("not a", "\"b\"", true),
            ("not > 5", "6", false), ("not > 5", "\"x\"", false), ("not > 5", "4", true), ("{ not: [a, b] }", "\"c\"", true),
            ("not missing", "1", true), ("contains a", "false", false), ("not contains z", "157", false),
            ("contains 5", "157", false), ("starts with '['", "[1]", false), ("ends with '}'", "{}", false),
            ("not contains 7", "[\"7\"]", false), ("not contains 7", "[]", true), ("not contains 7", "[8]", true),
            ("{ not: { each: '> 0' } }", "[]", false), ("{ not: { each: '> 0' } }", "[\"a\"]", false),
            ("{ not: { each: '> 0' } }", "[0]", true), ("{ not: { each: '> 0' } }", "1", false),
            ("not length 1", "5", false), ("not length 1", "[]", true), ("not empty", "0", false), ("not empty", "\"a\"", true),
            ("is integer", "9007199254740993.5", false), ("is integer", "1e-400", false), ("is integer", "1.5e1", true),
            ("is integer", "-0.0", true),
            ("{ contains: \"\\n\" }", "\"a\\r\\nb\"", true), ("{ ends-with: \"\\n\" }", "\"a\\r\\n\"", true),
            ("{ starts-with: e }", "\"e\u{301}\"", true), ("/\\n/", "\"a\\r\\nb\"", true), ("not /e/", "\"e\u{301}\"", false),
            ("\u{E9}", "\"e\u{301}\"", false), ("length 2", "\"e\u{301}\"", true),
            ("{ matches: /b/ }", "\"abc\"", true), ("{ matches: /B/i }", "\"abc\"", true),
            ("{ not: { matches: /b/ } }", "\"abc\"", false), ("{ matches: '/b/' }", "\"a/b/\"", true),
            ("not is string", "1", true), ("not is string", "\"a\"", false), ("each > 0", "[]", false),
            ("not empty", "null", false),
            ("contains 5", "[5]", true), ("contains 5", "\"a5\"", true), ("'not found'", "\"no item\"", false),
            ("'not found'", "\"not found\"", true), ("'missing'", "null", false), ("'missing'", "\"missing\"", true),
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
        for (yaml, count, holds) in [
            ("1KB", 1000, true), ("1KB", 1024, false), ("1KiB", 1024, true), ("not 1KB", 1000, false), ("not 1KB", 999, true),
            ("[1KB, 2KB]", 2000, true), ("{ equals: 1KB }", 1000, true), ("{ not: { one-of: [1KB] } }", 1000, false),
            ("1000", 1000, true), ("not 0B", 0, false),
        ] {
            #expect(try Self.matcher(yaml, .bytes).matches(.number("\(count)"), .bytes) == holds, "\(yaml) of \(count)")
        }
        #expect(try !Self.matcher("{ one-of: [expired] }", .duration).matches(.string("soon"), .duration))
        #expect(try Self.matcher("{ one-of: [expired] }", .duration).matches(.string("expired"), .duration))
    }

    @Test func `what isn't there matches nothing but missing and not`() throws {
        for yaml in ["exists", "empty", "5", "/x/", "'> 0'", "is null", "length 0"] {
            #expect(try !Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
        }
        for yaml in ["missing", "not exists", "[5, missing]"] {
            #expect(try Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
        }
        // A header that isn't there has no wrong value; a filter that finds nothing may be a mistake.
        for yaml in ["not empty", "not length 3"] {
            #expect(try !Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
            #expect(try !Self.matcher(yaml, .text).matches(nil, .text), "\(yaml)")
        }
        #expect(try !Self.matcher("not is string", .json).matches(nil, .json))
        for yaml in ["not /x/", "not 5", "not a", "not contains a", "not > 5"] {
            #expect(try !Self.matcher(yaml, .json).matches(nil, .json), "\(yaml)")
            #expect(try Self.matcher(yaml, .text).matches(nil, .text), "\(yaml)")
        }
    }

    @Test func `a matcher is shown as it may be written`() throws {
        for text in ["exists", "> 0", "1..5", "/a/i", "contains x", "starts with x", "is string", "length > 3", "2xx", "not empty"]
        {
            #expect(try MatcherText(kind: text == "is string" ? .json : .status).parse(text).description == text)
        }
        for text in ["not found", "exists", "5", "null", "/x/", "> 0", "", " x", "a\nb"] {
            #expect(Matcher.equals(.string(text)).description == ScalarWriter.doubleQuoted(text))
        }
        #expect(Matcher.equals(.string("not")).description == "not")
    }

    @Test(arguments: [
        ("'> 2026-11-21'", #""2026-11-21T00:00:01Z""#, true), ("'> 2026-11-21'", #""2026-11-21""#, false),
        ("'<= 2026-11-22T10:00:00Z'", #""2026-11-22T12:00:00+02:00""#, true), ("'> 2026-11-21'", "5", false),
        ("2026-11-01..2026-11-30", #""2026-11-22""#, true), ("not '> 2026-11-21'", #""x""#, false),
        ("'> 2026-11-21'", #""now""#, false), ("is date", #""2026-11-22""#, true), ("is date", #""2026-22-11""#, false),
        ("is ipv4", #""127.0.0.1""#, true),
        ("is ipv4", #""127.1""#, false), ("is ipv6", #""::1""#, true),
        ("is uuid", #""01CC0F54-8885-4a1d-9121-ae5d316a33c5""#, true),
        ("is uuid", #""01cc0f54""#, false), ("is sorted", "[1, 9, 10]", true), ("is sorted", "[\"b\", \"a\"]", false),
        ("is unique", "[1, 2, 1]", false), ("is unique", "[[1], [2]]", true), ("{ any: '> 2' }", "[1, 3]", true),
        ("{ any: '> 2' }", "[]", false), ("{ not: { any: '> 2' } }", "[1]", true), ("{ contains: null }", "[1, null]", true),
        ("{ not: { contains: null } }", #"["a"]"#, true), ("{ contains: null }", #""a""#, false),
        // Of another type neither it nor its opposite holds.
        ("not is uuid", #""x""#, true), ("not is uuid", "5", false), ("not is date", "null", false), ("not is ipv4", "[]", false),
        ("not is sorted", "[2, 1]", true), ("not is sorted", "5", false), ("{ length: not 3 }", "[1]", true),
        ("{ length: not 3 }", "5", false), ("length > 0", "true", false),
    ])
    func `dates, addresses, order and nothing in a list`(yaml: String, json: String, holds: Bool) throws {
        let value = try #require(JSONParser.parse(json))
        #expect(try Self.matcher(yaml, .json).matches(value, .json) == holds)
    }
}

extension Matcher {
    /// Regular expressions are asked here.
    fileprivate func matches(_ value: JSONValue?, _ kind: MatcherKind) -> Bool {
        var context = MatchContext()
        return matches(value, kind, &context)
    }
}
