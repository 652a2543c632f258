import Testing

@testable import RequestCollections

@Suite struct ExpectationHintsTests {
    private static func hints(_ expect: String) -> [String] {
        ExpectationHints.find(in: Array("requests:\n  a:\n    get: http://h/\n    expect:\n      \(expect)\n".utf8), path: "a.yaml")
            .map { String($0.description.prefix { $0 != ";" }) }
    }

    @Test(arguments: [
        ("body: { .a: not found }", "a.yaml:5:19: `not found` holds for everything but `found`"),
        ("header: { a: not found }", "a.yaml:5:20: `not found` holds for everything but `found`"),
        ("body: { .a: [1, not found] }", "a.yaml:5:23: `not found` holds for everything but `found`"),
        ("body: { .a: { all: [not found] } }", "a.yaml:5:27: `not found` holds for everything but `found`"),
        ("body: { .a: 0x10 }", "a.yaml:5:19: `0x10` is the number 16"), ("status: 20", "a.yaml:5:15: no status is `20`"),
        ("body: { .a: on }", "a.yaml:5:19: `on` is a text"),
        ("body: { .a: Exists }", "a.yaml:5:19: `Exists` is a text as it stands"),
        ("body: { .a: is text }", "a.yaml:5:19: `is text` is a text as it stands"),
        ("body: { .a: is sting }", "a.yaml:5:19: `is sting` is a text as it stands"),
        ("body: matches /a/", "a.yaml:5:13: `matches /a/` is a text as it stands"),
        ("body: { .a: <= many }", "a.yaml:5:19: `<= many` is a text as it stands"),
        ("body: { .a: '/\\d+/' }", "a.yaml:5:19: `\"/\\d+/\"` is a text, since it stands in quotes"),
        ("body: { .a: '1..5' }", "a.yaml:5:19: `\"1..5\"` is a text, since it stands in quotes"),
        ("body: { .a: '!= b' }", "a.yaml:5:19: `\"!= b\"` is a text, since it stands in quotes"),
        ("body: { .a: 'contains b' }", "a.yaml:5:19: `\"contains b\"` is a text, since it stands in quotes"),
        ("body: { .a: 'not empty' }", "a.yaml:5:19: `\"not empty\"` is a text, since it stands in quotes"),
        ("body: { .a: '=> 5' }", "a.yaml:5:19: `\"=> 5\"` is a text"),
        ("body: { .a: '=< 5' }", "a.yaml:5:19: `\"=< 5\"` is a text"),
        ("body: { .a: => 5 }", "a.yaml:5:19: `=> 5` is a text as it stands"),
        ("body: { .a: lenght 3 }", "a.yaml:5:19: `lenght 3` is a text as it stands"),
        ("body: contians b", "a.yaml:5:13: `contians b` is a text as it stands"),
        ("body: strats with b", "a.yaml:5:13: `strats with b` is a text as it stands"),
        (
            "body: /a #b/",
            "a.yaml:5:13: this ends at ` #`, behind which YAML takes everything for a comment: `{ matches: '…' }` takes it in quotes"
        ),
        ("body: { id: 5 }", "a.yaml:5:15: `id` is a program for jq"),
        ("body: { '.a | env': 5 }", "a.yaml:5:15: `env` reaches out of the body, which a filter may not"),
    ])
    func `what may be meant otherwise is said`(expect: String, hint: String) {
        #expect(Self.hints(expect) == [hint])
    }

    @Test(arguments: [
        "status: [200, 2xx, not 404]", "status: '< 300'",
        "body: { .a: exists, .b: missing, .c: not empty, .d: 'missing', .e: 'not found', .f: not \"found\", .g: { not: \"found\" } }",
        "body: { .a: 1.10, .b: 1e3, .c: '007', .d: true, .e: is string, .f: is ready, .g: length > 3, length: 3, keys: exists }",
        "body: { .a: '> 0', .b: '/orders/', .c: /usr/local, .d: '2026-01-01', .e: { equals: '1..5' }, .h: lengths in metres, .i: 'a => b', .f: not 5, .g: each > 0 }",
        "body: /a/ # a comment with a /", "header: { a: on, b: 007, c: not /x/ }", "time: { total: < 1s }",
    ])
    func `what is clear is not`(expect: String) {
        #expect(Self.hints(expect) == [])
    }

    @Test(arguments: [
        "not equals X", "not contain X", "not > many", "not =< 3", "not ~ x", "not is strin", "not lenght 3", "not starts-with x",
        "not match x", "not [5, 6]", "not exist", "not includes x", "each not matches x",
    ])
    func `behind "not" what is no operator is found, since nearly every answer would do`(matcher: String) {
        let text = "requests:\n  a:\n    get: http://h/\n    expect:\n      body:\n        .a: \(matcher)\n"
        let hints = ExpectationHints.find(in: Array(text.utf8), path: "a.yaml", onlyBlind: true)
        #expect(hints.map { "\($0.location)" } == ["a.yaml:6:13"])
        #expect(hints.first?.message.hasSuffix("in quotes it would be clear that it is meant") == true)
    }

    @Test(arguments: [
        "not found", "not \"equals X\"", "not > 3", "not /x/", "not exists", "not length 3", "equals X", "not contains x",
        "not {{x}}",
        "{ not: active }", "{ not: { not: is strin } }", "not 1..5", "not A7", "not /login",
    ])
    func `what may stand behind "not" is not`(matcher: String) {
        let text = "requests:\n  a:\n    get: http://h/\n    expect:\n      body:\n        .a: \(matcher)\n"
        #expect(ExpectationHints.find(in: Array(text.utf8), path: "a.yaml", onlyBlind: true) == [])
    }

    @Test func `only what a request expects is looked at, and each place once`() {
        let text = """
            x-common: &c { status: 200, body: { .a: not found } }
            requests:
              a: { get: http://h/, body: { json: { expect: { body: not found } } }, expect: *c }
              b: { get: http://h/, expect: { body: { .a: &n not found, .b: *n } } }
            """
        #expect(ExpectationHints.find(in: Array(text.utf8), path: "a.yaml").map(\.location.line) == [4])
        #expect(ExpectationHints.find(in: Array("a: [".utf8), path: "a.yaml") == [])
    }
}
