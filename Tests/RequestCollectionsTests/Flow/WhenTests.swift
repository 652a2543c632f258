import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct WhenTests {
    private static func collection(_ line: String) -> RequestCollection {
        .of(
            """
            turnstone: 1
            variables: { plan: free, n: 3, list: [a, b], key: { secret: { env: SHOP_KEY } } }
            environments: { staging: { stage: staging } }
            requests:
              a:
                get: http://a/{{unknown | default("x")}}
                \(line)
              b: { get: http://a/, capture: { order: .id } }
            """)
    }

    private static func resolve(_ line: String, _ variables: [String: JSONValue] = [:], environment: String? = nil) throws
        -> ResolvedRequest
    {
        let collection = collection(line)
        let request = try #require(collection.request(RequestID(rawValue: "a")))
        return try collection.resolve(request, environment: environment, variables: variables)
    }

    @Test(arguments: [
        "when: { plan: free }", "when: { plan: [pro, free], n: 3 }", "when: { n: \"> 2\" }", "when: { list: contains b }",
        "when: { nothing: missing }", "when: { plan: exists, list: length 2 }", "when: { plan: /^fr/ }", "when: { plan: not pro }",
        "when: { plan: \"{{plan}}\" }", "when: { any: [{ plan: pro }, { n: 3 }] }",
        "when: { plan: free, any: [{ n: 4, plan: free }, { n: 3, list: contains a }] }", "when: { any: [{ plan: free }] }",
    ])
    func `it is sent when all holds`(line: String) throws {
        _ = try Self.resolve(line)
    }

    @Test(arguments: [
        ("when: { plan: pro }", "`when` wants `plan` to be \"pro\", and it is \"free\""),
        ("when: { plan: free, n: 4 }", "`when` wants `n` to be 4, and it is 3"),
        ("when: { n: \"3\" }", "`when` wants `n` to be \"3\", and it is 3"),
        ("when: { stage: staging }", "`when` wants `stage` to be \"staging\", and it has no value"),
        ("when: { plan: missing }", "`when` wants `plan` to be missing, and it is \"free\""),
        (
            "when: { any: [{ plan: pro }, { n: 3, list: contains c }] }",
            "`when` wants any of these: `plan` to be \"pro\", and it is \"free\"; or `list` to contain \"c\", and it is [\"a\",\"b\"]"
        ),
        ("when: { n: 4, any: [{ plan: free }] }", "`when` wants `n` to be 4, and it is 3"),
        ("when: { n: 3, any: [{ plan: pro }] }", "`when` wants any of these: `plan` to be \"pro\", and it is \"free\""),
    ])
    func `and skipped with the reason when something doesn't, before anything else is looked at`(line: String, message: String) {
        let error = #expect(throws: ResolutionError.self) { try Self.resolve(line) }
        #expect(error?.code == .condition)
        #expect(error?.message == message)
        #expect(error?.location?.line == 7)
    }

    @Test(arguments: [
        "when: { plam: pro }", "when: { any: [{ n: 4 }, { n: 5, plam: pro }] }", "when: { plam: not pro }",
        "when: { plam: \"> 1\" }",
    ])
    func `a name that nothing can give is no reason to skip it for ever`(line: String) {
        let error = #expect(throws: ResolutionError.self) { try Self.resolve(line) }
        #expect(error?.code == .variable)
        #expect(error?.message == "the variable `plam` has no value; did you mean `plan`?")
    }

    @Test(arguments: [
        ("when: { on: true }", "true", true), ("when: { on: true }", "false", false), ("when: { on: not true }", "true", false),
        ("when: { on: \"> 17\" }", "40", true), ("when: { on: \"> 17\" }", "4", false), ("when: { on: 7 }", "7", true),
        ("when: { on: \"7\" }", "7", true), ("when: { on: [1, x] }", "x", true),
    ])
    func `a text from outside is a number or true by its look`(line: String, text: String, holds: Bool) {
        do {
            _ = try Self.resolve(line, ["on": .string(text)])
            #expect(holds)
        } catch {
            #expect((error as? ResolutionError)?.code == .condition)
            #expect(!holds)
        }
    }

    @Test func `what is given, and the environment, count`() throws {
        _ = try Self.resolve("when: { plan: pro }", ["plan": "pro"])
        _ = try Self.resolve("when: { stage: staging }", environment: "staging")
    }

    @Test func `a secret is read before it is judged, and never told`() {
        let line = "when: { key: s3sam3 }"
        let collection = Self.collection(line)
        let request = collection.request(RequestID(rawValue: "a"))!
        let error = #expect(throws: ResolutionError.self) { try collection.resolve(request, environment: nil) }
        #expect(error?.code == .notAllowed || error?.code == .unmet)
        #expect(collection.wants(of: [request], environment: nil).contains { $0.want.kind == "env" })
    }

    @Test(
        arguments: [
            ("when: {}", "7:11: `when` names no variable"),
            ("when: pro", "7:11: `when` takes a map, not `pro`"),
            ("when: { 1x: pro }", "7:13: `1x` can't name a variable"),
            ("when: { plan: { then: trim, equals: a } }", "7:19: `then` is for what comes of a response, not for `when`"),
            ("when: { any: [{}] }", "7:19: a map of `any` names no variable, and would always hold"),
            ("when: { any: [{ any: [{ n: 3 }] }] }", "7:21: `any` doesn't stand in another `any`"),
            ("when: { any: { plan: pro } }", "7:18: `any` takes a list of maps, of which one must hold"),
            ("when: { any: [] }", "7:18: `any` takes a list of maps, of which one must hold"),
            ("when: { any: [{ n: 3 }, x] }", "7:18: `any` takes a list of maps, of which one must hold"),
            ("when: { any: [{ 1x: 3 }] }", "7:21: `1x` can't name a variable"),
            ("when: { plan: [] }", "7:19: an expectation with no value in its list can't hold"),
        ]) func `what is wrong with it is said with its place`(line: String, message: String)
    {
        let problems = Self.collection(line).problems.map { "\($0.location.line):\($0.location.column): \($0.message)" }
        #expect(problems.contains { $0.hasPrefix(message) }, "\(problems)")
    }

    @Test(arguments: [
        ("when: { plam: pro }", ["the variable `plam` has no value; did you mean `plan`?"]), ("when: { plam: exists }", []),
        ("when: { stage: staging }", []), ("when: { order: 3 }", []), ("when: { plan: pro }", []),
    ])
    func `a name that nothing gives is a mistake`(line: String, messages: [String]) {
        let collection = Self.collection(line)
        let request = collection.request(RequestID(rawValue: "a"))!
        #expect(collection.complaints(about: request, environment: nil).map(\.message) == messages)
    }

    @Test(arguments: [
        "when: { plan: [pro, team], n: \"> 2\", x: missing }", "for-each: { sku: [A7, 7, true] }",
        "for-each: { user: [{ name: ada, n: 1 }, { name: bob, n: 2 }] }",
        "when: { n: 3, any: [{ plan: pro, x: missing }, { list: contains a }] }", "when: { any: [x, y] }",
        "for-each: { as: sku, in: [A7, B9], title: \"{{sku}} {{loop.number}}\", jobs: 2, at-least: 1, at-most: 2 }",
        "for-each: [{ region: [eu, us] }, { as: size, in: 1..3, title: \"{{size}}\" }]",
        "for-each: { user: { csv: users.dat, types: { n: number } } }", "for-each: { as: id, in: \"{{list}}\", at-least: 2 }",
        "for-each: { c: { lines: notes.log } }", "for-each: { c: { json: a, at: .b } }",
    ])
    func `what is written is read as the same`(line: String) throws {
        let request = try #require(Self.collection(line).request(RequestID(rawValue: "a")))
        let written = try SavingTests.lines("    get: http://a/") {
            $0.when = request.when
            $0.forEach = request.forEach
        }
        let read = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n\(written)\n").request(RequestID(rawValue: "a"))
        #expect(read?.withoutLocations.when == request.withoutLocations.when, "\(written)")
        #expect(read?.withoutLocations.forEach == request.withoutLocations.forEach, "\(written)")
        #expect(read?.problems == [])
    }
}
