import Testing

@testable import RequestCollections

@Suite struct RequestKeyTests {
    private static func request(_ lines: String = "get: http://h/") throws -> RequestDefinition {
        let text = lines.split(separator: "\n").map { "    \($0)\n" }.joined()
        let request = try #require(RequestCollection.requests("  a:\n\(text)").request("a"))
        try #require(request.problems == [])
        return request
    }

    @Test(
        "what is typed reads back as it was typed",
        arguments: [
            (RequestKey.when, "{ plan: [pro, team], order_id: exists }"), (.forEach, "{ sku: [A7, B9] }"),
            (.forEach, "{ page: { pages: .next, at-most: 3 } }"), (.forEach, "{ user: { file: users.csv } }"), (.repeat, "10"),
            (.until, "{ status: 200, within: 30s, every: 2s, give-up: { body: { .state: failed } } }"), (.tearDown, "delete"),
            (.tearDown, "[delete, logout]"), (.hydrate, "./sign.sh --key 7"), (.hydrate, "[sign, \"a b\"]"),
            (.description, "what it is for: all: of it"), (.tags, "[smoke, slow]"),
            (.variables, "{ page: 2, host: \"http://h/\", key: { secret: { env: KEY } } }"),
        ])
    func roundTrip(_ key: RequestKey, _ text: String) throws {
        var request = try Self.request()
        try request.setTyped(text, of: key)
        let written = request.typed(key)
        var again = try Self.request()
        try again.setTyped(written, of: key)
        #expect(again == request)
        #expect(again.typed(key) == written)
        #expect(!written.isEmpty)
        try again.setTyped("", of: key)
        #expect(try again == Self.request())
    }

    @Test(
        "what can't be is refused in the reader's words, and changes nothing",
        arguments: [
            (RequestKey.when, "{}", "names no variable"), (.forEach, "{ a: [1], b: [2] }", "takes one variable"),
            (.repeat, "0", "repeat"), (.repeat, "many", "repeat"), (.until, "30s", "doesn't say what the answer must be"),
            (.until, "{ status: 200, within: 1s, every: 5s }", "it would be sent once"), (.tags, "{ a: 1 }", "tags"),
            (.variables, "{ \"a b\": 1 }", "a b"), (.when, "{ plan: [", "expected"),
            (.tearDown, "delete\nhydrate: rm", "isn't one line"),
        ])
    func refused(_ key: RequestKey, _ text: String, _ words: String) throws {
        var request = try Self.request()
        let error = #expect(throws: InvalidFieldText.self) { try request.setTyped(text, of: key) }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(try request == Self.request())
    }

    @Test func `what only the whole request can say is asked of it`() throws {
        var request = try Self.request("get: http://h/\nexpect: { status: 200 }\nrepeat: 3")
        try request.setTyped("30s", of: .until)
        #expect(request.until?.within == .seconds(30))
        #expect(throws: InvalidFieldText.self) { try request.setTyped("{ n: 1..3 }", of: .forEach) }
    }

    @Test func `each key is saved as it was typed, and merged by itself`() throws {
        let typed: [(RequestKey, String)] = [
            (.when, "{ plan: pro }"), (.forEach, "{ sku: [A7, B9] }"), (.until, "{ status: 200, within: 5s }"),
            (.tearDown, "b"), (.hydrate, "./sign.sh"), (.description, "words"), (.tags, "[slow]"), (.variables, "{ page: \"2\" }"),
        ]
        var lines = ""
        for (key, text) in typed {
            lines = try SavingTests.lines("    get: http://h/\n") { try? $0.setTyped(text, of: key) }
            #expect(lines.contains("\(key.name): \(text)"), "\(lines)")
        }
        let base = try Self.request()
        var mine = base
        try mine.setTyped("{ plan: pro }", of: .when)
        let theirs = try Self.request("get: http://h/\nuntil: { status: 200 }")
        let (merged, conflicts) = RequestEdit(from: base, to: mine).rebased(onto: theirs)
        #expect(conflicts == [])
        #expect(merged.typed(.when) == "{ plan: pro }")
        #expect(merged.until?.conditions.count == 1)
    }

    @Test func `a part and a query are saved in their places`() throws {
        let parts = try SavingTests.lines("    post: http://h/\n    body:\n      multipart:\n        title: Cat  # of the cat\n") {
            $0.partRows.append(.init(name: "photo", value: "{ file: cat.png, type: image/png }"))
        }
        #expect(parts.contains("        title: Cat  # of the cat\n        photo: { file: cat.png, type: image/png }\n"), "\(parts)")
        let query = try SavingTests.lines(
            "    post: http://h/\n    body:\n      graphql:\n        query: \"{ me }\"  # who\n        operation: Me\n"
        ) {
            $0.body = .graphql(.init(query: .text("{ me }"), operation: "You", variables: "{\n  \"id\": 7\n}"))
        }
        #expect(
            query.contains("        query: \"{ me }\"  # who\n        operation: You\n        variables: { id: 7 }\n"), "\(query)")
    }

    @Test(arguments: [
        "Cat", "{{title}}", "{ value: \"{ x }\" }", "{ file: a.bin, filename: b.bin }", "{ value: x, type: text/html }",
    ])
    func `a part reads back as it was typed`(_ text: String) throws {
        var request = try Self.request("post: http://h/\nbody: { multipart: { a: b } }")
        request.partRows = [.init(name: "p", value: text)]
        #expect(request.partRows.map(\.value) == [text])
    }
}
