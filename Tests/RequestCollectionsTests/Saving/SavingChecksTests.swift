import Testing

@testable import RequestCollections

/// What a request needs, expects and captures, typed in rows and saved.
@Suite struct `Saving checks` {
    @Test(
        arguments: [
            ("status", "201"), ("status", "2xx"), ("status", "[200, 204]"), ("status", "!= 500"), (".id", "exists"),
            (".total", "> 0"), (".name", "ada"), (".name", "\"5\""), (".items", "length > 0"), (".items[].id", "is string"),
            ("header etag", "/^W/"), ("time total", "< 300ms"), ("size", "1KB..10KB"), ("body", "contains hello: world"),
            (".a", "not missing"), (".b", "{{user}}"), (".c", "true"), ("error", "timeout"), ("tls valid-for", "> 14d"),
            (".d", "# no comment"),
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
    }

    @Test(
        arguments: [
            ("statu", "200", "nothing of a response is called `statu`"), ("status", "ok", "isn't a status"),
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
