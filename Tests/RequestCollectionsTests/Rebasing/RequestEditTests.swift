import Testing

@testable import RequestCollections

/// Two versions of a request that were made from the same one, as one.
@Suite struct RequestEditTests {
    private static func request(_ text: String) throws -> RequestDefinition {
        let lines = text.split(separator: "\n").map { "    \($0)\n" }.joined()
        let request = try #require(RequestCollection.requests("  a:\n\(lines)").request("a"))
        try #require(request.problems == [])
        return request
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var base: String
        var mine: @Sendable (inout RequestDefinition) -> Void
        var theirs: String
        /// What the merged request says.
        var expected: @Sendable (inout RequestDefinition) -> Void
        /// Entries in which both differ; mine is merged then.
        var conflicts: [String]

        init(
            _ name: String, _ base: String, theirs: String, mine: @escaping @Sendable (inout RequestDefinition) -> Void,
            _ conflicts: [String] = [], expected: @escaping @Sendable (inout RequestDefinition) -> Void
        ) {
            testDescription = name
            self.base = base
            self.mine = mine
            self.theirs = theirs
            self.expected = expected
            self.conflicts = conflicts
        }
    }

    private static let rows = "get: http://h/\nheaders:\n  a: 1\n  b: 2\n  c: 3"

    static let cases = [
        Case("different headers", rows, theirs: "get: http://h/\nheaders:\n  a: 1\n  b: 2\n  c: theirs") {
            $0.headers[0].value = "mine"
        } expected: {
            $0.headers[0].value = "mine"
        },
        Case(
            "the same header", rows, theirs: "get: http://h/\nheaders:\n  a: theirs\n  b: 2\n  c: 3",
            mine: { $0.headers[0].value = "mine" }, ["headers.a"]
        ) {
            $0.headers[0].value = "mine"
        },
        Case("the same header in the same way", rows, theirs: "get: http://h/\nheaders:\n  a: 9\n  b: 2\n  c: 3") {
            $0.headers[0].value = "9"
        } expected: { _ in
        },
        Case("both add one", rows, theirs: "get: http://h/\nheaders:\n  t: theirs\n  a: 1\n  b: 2\n  c: 3") {
            $0.headers.append(.init(name: "m", value: "mine"))
        } expected: {
            $0.headers.append(.init(name: "m", value: "mine"))
        },
        Case(
            "both add the same one", rows, theirs: "get: http://h/\nheaders:\n  a: 1\n  b: 2\n  c: 3\n  d: theirs",
            mine: { $0.headers.append(.init(name: "d", value: "mine")) }, ["headers.d"]
        ) {
            $0.headers[3].value = "mine"
        },
        Case("I take one away, they another", rows, theirs: "get: http://h/\nheaders:\n  a: 1\n  b: 2") {
            $0.headers.remove(at: 0)
        } expected: {
            $0.headers.remove(at: 0)
        },
        Case(
            "I take away what they change", rows, theirs: "get: http://h/\nheaders:\n  a: theirs\n  b: 2\n  c: 3",
            mine: { $0.headers.remove(at: 0) }, ["headers.a"]
        ) {
            $0.headers.remove(at: 0)
        },
        Case(
            "I change what they take away", rows, theirs: "get: http://h/\nheaders:\n  b: 2\n  c: 3",
            mine: { $0.headers[0].value = "mine" }, ["headers.a"]
        ) {
            $0.headers.insert(.init(name: "a", value: "mine"), at: 0)
        },
        Case("I rename one, they change another", rows, theirs: "get: http://h/\nheaders:\n  a: 1\n  b: theirs\n  c: 3") {
            $0.headers[0].name = "mine"
        } expected: {
            $0.headers[0].name = "mine"
        },
        Case(
            "I rename what they take away", rows, theirs: "get: http://h/\nheaders:\n  b: 2\n  c: 3",
            mine: { $0.headers[0].name = "mine" }
        ) {
            $0.headers.insert(.init(name: "mine", value: "1"), at: 0)
        },
        Case(
            "I switch one off, they bring them into another order", rows, theirs: "get: http://h/\nheaders:\n  c: 3\n  b: 2\n  a: 1"
        ) {
            $0.headers[0].isEnabled = false
        } expected: {
            $0.headers[2].isEnabled = false
        },
        Case(
            "repeated names are one list", "get: http://h/\nquery:\n  x: [1, 2]", theirs: "get: http://h/\nquery:\n  x: [1, 2, 3]",
            mine: { $0.query[0].value = "mine" }, ["query.x"]
        ) {
            $0.query = [.init(name: "x", value: "mine"), .init(name: "x", value: "2")]
        },
        Case("method and URL are one", "get: http://h/", theirs: "get: http://theirs/", mine: { $0.method = "DELETE" }, ["url"]) {
            $0.method = "DELETE"
            $0.url = "http://h/"
        },
        Case(
            "a URL, and everything else", "get: http://h/",
            theirs:
                "get: http://h/\nname: N\ntags: [t]\nauth: { bearer: t }\nbody: { text: t }\ntimeouts: { idle: 3s }\nretry: none\nexpect: { status: 200 }"
        ) {
            $0.url = "http://mine/"
        } expected: {
            $0.url = "http://mine/"
        },
        Case(
            "settings by key", "get: http://h/\ntimeouts: { idle: 3s, connect: 1s }\ntls: { verify: true }",
            theirs: "get: http://h/\ntimeouts: { idle: 3s, connect: 9s }\ntls: { verify: false }",
            mine: {
                $0.settings.timeouts.idle = .never
                $0.settings.verifiesTLS = nil
            }, ["tls.verify"]
        ) {
            $0.settings.timeouts.idle = .never
            $0.settings.verifiesTLS = nil
        },
        Case(
            "a text body is one, however many lines it has", "post: http://h/\nbody:\n  text: |\n    a\n    b",
            theirs: "post: http://h/\nbody:\n  text: |\n    a\n    theirs", mine: { $0.body = .text("mine\nb\n") }, ["body.text"]
        ) {
            $0.body = .text("mine\nb\n")
        },
        Case(
            "a JSON body that is YAML, by member", "post: http://h/\nbody: { json: { a: 1, b: { c: 2, d: [3] } } }",
            theirs: "post: http://h/\nbody: { json: { a: 1, b: { c: 9, d: [3] }, e: 4 } }"
        ) {
            $0.body = .json("{\n  \"a\": 8,\n  \"b\": {\n    \"c\": 2,\n    \"d\": [\n      3\n    ]\n  }\n}")
        } expected: {
            $0.body = .json("{\n  \"a\": 8,\n  \"b\": {\n    \"c\": 9,\n    \"d\": [\n      3\n    ]\n  },\n  \"e\": 4\n}")
        },
        Case(
            "a member of a JSON body that both change", "post: http://h/\nbody: { json: { a: { b: 1 } } }",
            theirs: "post: http://h/\nbody: { json: { a: { b: 2 } } }",
            mine: { $0.body = .json("{\n  \"a\": {\n    \"b\": 3\n  }\n}") }, ["body.json.a.b"]
        ) {
            $0.body = .json("{\n  \"a\": {\n    \"b\": 3\n  }\n}")
        },
        Case(
            "a JSON body that is a text is merged by member, too", "post: http://h/\nbody: { json: '{\"a\":1,\"b\":2}' }",
            theirs: "post: http://h/\nbody: { json: '{\"a\":1,\"b\":9}' }", mine: { $0.body = .json("{\"a\":9,\"b\":2}") }
        ) {
            $0.body = .json("{\n  \"a\": 9,\n  \"b\": 9\n}")
        },
        Case(
            "a form by name", "post: http://h/\nbody: { form: { a: 1, b: 2 } }",
            theirs: "post: http://h/\nbody: { form: { a: 1, b: 9 } }"
        ) {
            $0.body = .form([.init(name: "a", value: "8"), .init(name: "b", value: "2")])
        } expected: {
            $0.body = .form([.init(name: "a", value: "8"), .init(name: "b", value: "9")])
        },
        Case(
            "parts by name", "post: http://h/\nbody: { multipart: { a: 1, b: 2 } }",
            theirs: "post: http://h/\nbody: { multipart: { a: 1, b: 9 } }"
        ) {
            $0.body = .multipart([.init(name: "a", content: .text("8")), .init(name: "b", content: .text("2"))])
        } expected: {
            $0.body = .multipart([.init(name: "a", content: .text("8")), .init(name: "b", content: .text("9"))])
        },
        Case(
            "another kind of body", "post: http://h/\nbody: { form: { a: 1 } }",
            theirs: "post: http://h/\nbody: { form: { a: 2 } }", mine: { $0.body = .text("mine") }, ["body"]
        ) {
            $0.body = .text("mine")
        },
    ]

    @Test(arguments: cases)
    func `each entry is as the one says who changed it`(step: Case) throws {
        let base = try Self.request(step.base)
        let theirs = try Self.request(step.theirs)
        var mine = base
        step.mine(&mine)
        let (merged, conflicts) = RequestEdit(from: base, to: mine).rebased(onto: theirs)
        var expected = theirs
        step.expected(&expected)
        #expect(merged.withoutLocations == expected.withoutLocations)
        #expect(conflicts.map(\.entry) == step.conflicts)
        // Theirs taken instead: then there is nothing left of what was in conflict.
        let taken = RequestEdit(from: base, to: mine).rebased(onto: theirs, yielding: Set(step.conflicts))
        #expect(taken.conflicts == [])
        if step.conflicts.count == 1, step.testDescription != "settings by key" {
            #expect(taken.definition.withoutLocations == theirs.withoutLocations)
        }
    }

    @Test func `a conflict says what was there, and what each made of it`() throws {
        let base = try Self.request("get: http://h/\nheaders:\n  a: 1\nbody: { text: x }")
        var mine = base
        mine.headers[0].isEnabled = false
        mine.body = nil
        let theirs = try Self.request("get: http://h/\nheaders:\n  a: [1, 2]\nbody: { text: y }")
        #expect(
            RequestEdit(from: base, to: mine).rebased(onto: theirs).conflicts == [
                EditConflict(entry: "headers.a", base: "1", mine: "{ value: 1, enabled: false }", theirs: "[1, 2]"),
                EditConflict(entry: "body", base: "{ text: x }", mine: nil, theirs: "{ text: y }"),
            ])
    }

    @Test func `checks and captures are the file's`() throws {
        let base = try Self.request("get: http://h/\nexpect: { status: 200 }")
        var mine = base
        mine.url = "http://mine/"
        let theirs = try Self.request("get: http://h/\nexpect: { status: 201 }\ncapture: { x: .id }")
        let (merged, conflicts) = RequestEdit(from: base, to: mine).rebased(onto: theirs)
        #expect(conflicts == [])
        #expect(merged.url == "http://mine/")
        #expect(merged.withoutLocations.expectations == theirs.withoutLocations.expectations)
        #expect(merged.withoutLocations.captures == theirs.withoutLocations.captures)
    }
}
