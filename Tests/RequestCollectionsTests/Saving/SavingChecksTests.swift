import Testing

@testable import RequestCollections

/// What a request needs, expects and captures, typed in rows and saved.
@Suite struct `Saving checks` {
    @Test(
        arguments: [
            ("status", "201"), ("status", "2xx"), ("status", "[200, 204]"), ("status", "!= 500"), (".id", "exists"),
            (".total", "> 0"), (".name", "ada"), (".name", "\"5\""), (".items", "length > 0"), (".items[].id", "is string"),
            ("header etag", "/^W/"), ("header etag", "/{{tag}} b/"), ("cookie sid", "starts with {{a}}, b"),
            ("time total", "< 300ms"), ("size", "1KB..10KB"), ("body", "contains hello: world"),
            (".a", "not missing"), (".b", "{{user}}"), (".c", "true"), ("error", "timeout"), ("tls valid-for", "> 14d"),
            (".d", "# no comment"), ("cookie sid", "exists"), ("cookie sid secure", "true"), ("cookie sid max-age", "> 1h"),
            ("cookie sid same-site", "Lax"), ("locations", "/login/"), ("ip", "127.0.0.1"), ("polls", "< 3"),
            ("link next", "exists"),
            ("retries", "0"), ("redirects", "1"), ("attempts", "1"), ("http", "2"), ("url", "/login$/"),
        ]) func `stand in the file as they were typed, and are read back`(subject: String, matcher: String) throws
    {
        let text = try SavingTests.lines("    get: http://a/", { $0.expectationRows = [.init(name: subject, value: matcher)] })
        let read = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n\(text)\n")
        #expect(read.problems == [], "\(text)")
        let rows = read.request(RequestID(rawValue: "a"))?.expectationRows ?? []
        #expect(rows.map(\.name) == [subject])
        let again = try ExpectationDefinition(subject: subject, matcher: rows.first?.value ?? "", location: .none)
        let typed = try ExpectationDefinition(subject: subject, matcher: matcher, location: .none)
        #expect(again == typed)
    }

    @Test func `leave what stands beside them as it is, comments included`() throws {
        let after = try SavingTests.lines(
            "    get: http://a/\n    expect:\n      status: 200 # fine\n      body: { .id: exists }\n    capture: { id: .id }"
        ) {
            $0.expectationRows.append(.init(name: ".name", value: "> 3"))
            $0.captureRows.append(.init(name: "etag", value: "header:etag"))
            $0.needRows.append(.init(name: "b", value: "10m"))
        }
        #expect(after.contains("      status: 200 # fine\n"))
        #expect(after.contains(".id: exists") && after.contains(".name: \"> 3\""))
        #expect(after.contains("id: .id") && after.contains("etag: header:etag"))
        #expect(after.contains("max-age: 10m"))
    }

    @Test(
        arguments: [
            // An attribute joins the value, and leaves it again.
            ("sid: exists", ["cookie sid: exists", "cookie sid secure: true"]),
            ("sid: { secure: true, value: abc }", ["cookie sid: abc"]),
            ("sid: { value: abc, secure: true }", ["cookie sid: abc", "cookie sid secure: false"]),
            // Words for the value beside attributes stay words.
            ("sid: { starts-with: a, secure: true }", ["cookie sid: starts with a", "cookie sid http-only: true"]),
            ("sid: { starts-with: a, secure: true }", ["cookie sid: starts with a"]),
            ("sid: { starts-with: a, secure: true }", ["cookie sid: starts with b", "cookie sid secure: true"]),
            ("sid: { secure: true }\n        other: x", ["cookie other: x", "cookie sid: exists"]),
        ]) func `of a cookie are one map of its value and its attributes`(cookies: String, rows: [String]) throws
    {
        let rows = rows.map { row in
            let words = row.split(separator: ":", maxSplits: 1)
            return RequestDefinition.Row(name: String(words[0]), value: String(words[1].dropFirst()))
        }
        let after = try SavingTests.lines("    get: http://a/\n    expect:\n      cookie:\n        \(cookies)  # mine") {
            $0.expectationRows = rows
        }
        let read = RequestCollection.of("turnstone: 1\nrequests:\n  a:\n\(after)\n")
        #expect(read.problems == [], "\(after)")
        let found = read.request(RequestID(rawValue: "a"))?.expectationRows ?? []
        #expect(Set(found.map { "\($0.name): \($0.value)" }) == Set(rows.map { "\($0.name): \($0.value)" }), "\(after)")
    }

    @Test func `go when their last row goes`() throws {
        let after = try SavingTests.lines("    get: http://a/\n    expect: { status: 200 }\n    needs: b") {
            $0.expectationRows = []
            $0.needRows = []
        }
        #expect(after == "    get: http://a/")
    }

    @Test func `keep what a row doesn't show`() throws {
        let after = try SavingTests.lines("    get: http://a/\n    capture: { token: { from: .t, secret: true } }") {
            $0.captureRows[0].value = ".token"
        }
        #expect(after.contains("from: .token") && after.contains("secret: true"))
        let steps = try SavingTests.lines("    get: http://a/\n    expect: { body: { .t: { then: base64, contains: a } } }") {
            $0.expectationRows[0].value = "contains b"
        }
        #expect(steps.contains("base64") && steps.contains("contains: b") && !steps.contains("contains: a"))
    }

    @Test(
        arguments: [
            ("statu", "200", "nothing of a response is called `statu`"),
            ("cookie sid Path", "/", "nothing of a response is called `cookie sid Path`"), ("status", "ok", "isn't a status"),
            ("time total", "> 3", "isn't a duration"),
        ]) func `say what is wrong with them`(subject: String, matcher: String, message: String)
    {
        #expect {
            try RequestDefinition.checkExpectation(.init(name: subject, value: matcher))
        } throws: { error in
            (error as? CollectionProblem)?.message.contains(message) ?? false
        }
    }
}
