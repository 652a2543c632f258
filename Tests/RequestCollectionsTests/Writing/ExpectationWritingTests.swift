import NetworkLayerTesting
import Testing

@testable import RequestCollections

/// Random expectations, from fixed seeds: what is written of them is read as the same again.
@Suite struct ExpectationWritingTests {
    private func expectations(_ collection: RequestCollection) -> [ExpectationDefinition] {
        collection.requests.flatMap(\.withoutPlaces.expectations).map {
            ExpectationDefinition($0.subject, then: $0.steps, $0.matcher, location: .none)
        }
    }

    @Test(arguments: 0..<400)
    func `random expectations read back as they were written`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let text = "turnstone: 1\nrequests:\n  a:\n    get: http://h/\n    expect: \(RandomExpectation.all(&random))\n"
        let collection = RequestCollection.of(text)
        // Not every matcher is one for every subject.
        guard collection.problems.isEmpty else { return }
        let written = try collection.text()
        let read = RequestCollection.of(written)
        #expect(read.problems == [], "\(text)\n\(written)")
        #expect(expectations(read) == expectations(collection), "\(text)\n\(written)")
    }

    @Test(arguments: [
        "{ body: { .a: { then: [base64, json], all: [exists] } } }", "{ body: { .a: { all: [contains x] } } }",
        "{ cookie: { sid: { secure: true, http-only: true, value: x, path: / } } }",
        "{ cookie: { sid: { secure: true, value: { then: [upper], equals: X } }, b: c } }",
        "{ tls: { names: { then: [sort, first], equals: a } } }",
        "{ body: { matches: '/x/' } }", "{ body: { matches: '/x/', contains: a } }", "{ header: { a: [{ matches: '/a, b/i' }] } }",
        "{ body: { matches: /x } }", "{ body: { matches: //x// } }",
        "{ header: { a: { all: [{ then: [nth 0], equals: b }, /c/, { then: [count], equals: 2 }] } } }",
        "{ body: { all: [{ then: [sha256], equals: '12' }, { all: [contains x, contains y] }, [a, b]] } }",
        "{ cookie: { sid: { all: [{ then: [upper], equals: X }, exists] } } }",
        "{ cookie: { sid: { secure: true, value: { all: [{ then: [upper], equals: X }, exists] } } } }",
        "{ body: { .a: { all: [{ then: [json, .b], equals: 1 }, { then: [json, .c], equals: 2 }] } }, locations: { all: [{ then: count, equals: 1 }, /a/] } }",
    ])
    func `each of these is read as it is written`(expect: String) throws {
        let collection = RequestCollection.of("turnstone: 1\nrequests: { a: { get: http://h/, expect: \(expect) } }")
        try #require(collection.problems == [])
        let written = try collection.text()
        let read = RequestCollection.of(written)
        #expect(read.problems == [], "\(written)")
        #expect(expectations(read) == expectations(collection), "\(written)")
    }
}

private enum RandomExpectation {
    private static let words = [
        "exists", "missing", "empty", "'> 0'", "'!= 3'", "1..5", "/a+/i", "/a b/", "contains x", "starts with x", "ends with 'x y'",
        "\"text\"", "\"exists\"", "12", "\"12\"", "true", "null", "is string", "is sorted", "length 3", "not 5",
        "'not \"missing\"'",
        "not contains x", "not is null", "each is number", "a b", "\" x \"", "\"{{x}}\"", "'> {{x}}'", "2xx", "'== 3'", "\"\"",
        "contains 7", "'> 2026-01-01'", "\"a\\nb\"", "'\"q\"'", "10ms..2s", "'< 10KB'", "\"/x/\"", "\"> zero\"", "'not not 5'",
    ]
    private static let json = ["1", "\"1\"", "x", "[a, 1]", "{ b: null }", "[]", "{}", "true", "null", "\"exists\"", "\"\""]
    private static let steps = ["base64", "json", ".a.b", "/id=(\\d+)/", "/x/i", "nth -1", "split ;", "param q", "count", "lower"]

    private static func pick(_ texts: [String], _ random: inout SeededGenerator) -> String { texts.randomElement(using: &random)! }

    private static func list(_ random: inout SeededGenerator, _ item: (inout SeededGenerator) -> String) -> String {
        "[\((0..<Int.random(in: 1...3, using: &random)).map { _ in item(&random) }.joined(separator: ", "))]"
    }

    private static func pair(_ random: inout SeededGenerator, depth: Int) -> (String, String) {
        let inner: (inout SeededGenerator) -> String = { matcher(&$0, depth: depth + 1) }
        return switch Int.random(in: 0..<12, using: &random) {
        case 0: ("equals", pick(json, &random))
        case 1: ("not", inner(&random))
        case 2: ("one-of", list(&random) { pick(json, &$0) })
        case 3: ("all", list(&random, inner))
        case 4: ("each", inner(&random))
        case 5: ("any", inner(&random))
        case 6: ("matches", pick(["\"a{2,3}\"", "/x/i", "\"/x/\"", "x"], &random))
        case 7: ("contains", pick(json, &random))
        case 8: ("starts-with", pick(["a", "\" b\"", "\"exists\""], &random))
        case 9: ("length", pick(["3", "'> 1'", "1..2"], &random))
        case 10: ("type", pick(["string", "object", "unique"], &random))
        default: ("exists", pick(["true", "false"], &random))
        }
    }

    private static func pairs(_ random: inout SeededGenerator, depth: Int) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let pair = pair(&random, depth: depth)
            if !pairs.contains(where: { $0.0 == pair.0 }) { pairs.append(pair) }
        }
        return pairs
    }

    private static func map(_ pairs: [(String, String)]) -> String {
        "{ \(pairs.map { "\($0.0): \($0.1)" }.joined(separator: ", ")) }"
    }

    private static func matcher(_ random: inout SeededGenerator, depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth > 2 ? 3 : 6), using: &random) {
        case 0...2: pick(words, &random)
        case 3: list(&random) { matcher(&$0, depth: depth + 1) }
        case 4 where depth == 0:
            map([("then", list(&random) { "'\(pick(steps, &$0))'" })] + pairs(&random, depth: depth))
        default: map(pairs(&random, depth: depth))
        }
    }

    private static func cookie(_ random: inout SeededGenerator) -> String {
        let attributes = [("secure", "true"), ("http-only", "false"), ("path", "/a"), ("max-age", "'> 1h'"), ("same-site", "Lax")]
        let some = attributes.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
        if some.isEmpty { return matcher(&random) }
        return map(Array(some) + (Bool.random(using: &random) ? [("value", matcher(&random))] : []))
    }

    static func all(_ random: inout SeededGenerator) -> String {
        // The file's own order of keys is the writer's.
        var entries: [(String, String)] = []
        let filters = [".a", "'.items[].price'", "'.a | length'", "xpath://h1"].shuffled(using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: entries.append(("status", matcher(&random)))
        case 1: entries.append(("header", map([("etag", matcher(&random)), ("x-a", matcher(&random))])))
        case 2: entries.append(("cookie", map([("sid", cookie(&random)), ("b", cookie(&random))])))
        case 3: entries.append(("body", matcher(&random)))
        case 4: entries.append(("tls", map([("names", matcher(&random)), ("valid-for", "'> 14d'")])))
        default: entries.append(("body", map(filters.prefix(3).map { ($0, matcher(&random)) })))
        }
        if Bool.random(using: &random) { entries.append(("size", "'> 1KB'")) }
        return map(entries)
    }
}
