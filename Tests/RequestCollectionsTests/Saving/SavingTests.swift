import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

/// Each edit with the file before and after, byte for byte.
@Suite struct SavingTests {
    typealias Edit = @Sendable (inout RequestDefinition) -> Void

    /// The file after an edit of the request `a`.
    static func after(_ text: String, _ edit: Edit) throws -> String {
        let collection = RequestCollection.of(text)
        #expect(collection.problems == [])
        let stored = try #require(collection.request(RequestID(rawValue: "a")))
        var draft = stored
        edit(&draft)
        let change = try collection.change(to: draft, from: stored, in: Array(text.utf8))
        #expect(change.collection.request(stored.id)?.withoutPlaces == draft.withoutPlaces)
        guard let file = change.files.first else { return text }
        #expect(file.before == Array(text.utf8))
        return String(decoding: file.after ?? [], as: UTF8.self)
    }

    /// The lines of `requests: { a: ... }` after an edit, in a file that has something before and behind.
    static func lines(_ lines: String, _ edit: Edit) throws -> String {
        let head = "# a comment\nturnstone: 1\n\nrequests:\n  a:\n"
        let tail = "\n  # behind\n  b: { get: 'http://b/' }  # the other\n"
        let text = try after(head + lines + tail, edit)
        try #require(text.hasPrefix(head) && text.hasSuffix(tail), "\(text)")
        return String(text.dropFirst(head.count).dropLast(tail.count))
    }

    @Test(arguments: [#"{"a": "é", "b": [1, 2.50]}"#, "[]", "plain: text", "12", #"{"a": 1, "a": 2}"#])
    func `the body of a mock is saved however it was typed`(typed: String) throws {
        // What stands there then is read as the same.
        let text = try Self.lines("    get: http://a/") { draft in
            var mock = MockDefinition(location: .none)
            mock.body = .init(typed: typed)
            draft.mock = mock
        }
        #expect(text.hasPrefix("    get: http://a/\n    mock: { body: "), "\(text)")
    }

    @Test(arguments: ["{{host", "{{host | foo}}", "{{host}"])
    func `a template that isn't one is named as the reason why it isn't saved`(template: String) throws {
        let problem = #expect(throws: CollectionProblem.self) {
            try Self.lines("    get: http://a/") { $0.headers = [.init(name: "x", value: template)] }
        }
        #expect(problem?.message.hasPrefix("`a` would be wrong in its file: ") == true, "\(problem?.message ?? "")")
    }

    @Test func `a folder's loop, condition and steps move down with the lines above them`() throws {
        let folder = """
              f:
                when: { plan: pro }
                for-each: { n: [1, 2] }
                set-up: b
                tear-down: [b]
                requests: { b: { get: http://b/ } }

            """
        let head = "turnstone: 1\nvariables: { plan: pro }\ntear-down: f/b\nrequests:\n  a:\n    get: http://a/\n"
        let after = try Self.after(head + folder) { draft in
            draft.headers = [.init(name: "x", value: "1"), .init(name: "y", value: "2")]
            draft.tearDown = [NeedDefinition(name: "f/b", location: .none)]
        }
        #expect(after.hasSuffix(folder))
        #expect(after.contains("    headers:\n      x: 1\n      y: 2\n") && after.contains("    tear-down: f/b\n"), "\(after)")
    }

    @Test func `a loop is written with what gives its items`() throws {
        let place = SourceLocation.none
        let pages = ForEachDefinition.Pages(
            next: CaptureDefinition(
                name: "c", source: .header("link"), then: [try ValueStep("/<(.*?)>/")], fallback: .null, location: place),
            start: .number("1"), atMost: 7)
        let file = try Self.lines("    get: http://a/") {
            $0.forEach = ForEachDefinition("c", [], file: ItemFile(path: "x.json", place: ".a"), location: place)
        }
        #expect(file.contains("    for-each: { c: { file: x.json, at: .a } }"), "\(file)")
        #expect(try Self.lines(file) { $0.forEach = nil } == "    get: http://a/")
        for (source, lines) in [
            (nil, "    for-each: { c: [1, 2] }"), (.list("ids"), "    for-each: { c: \"{{ids}}\" }"),
            (.pages(pages), "    for-each: { c: { pages: \"header:link: /<(.*?)>/\", start: 1, at-most: 7 } }"),
        ] as [(ForEachDefinition.Source?, String)] {
            let items: [JSONValue] = source == nil ? [.number("1"), .number("2")] : []
            let text = try Self.lines("    get: http://a/") {
                $0.forEach = ForEachDefinition("c", items, from: source, location: place)
            }
            #expect(text.contains(lines), "\(text)")
            #expect(try Self.lines(text) { $0.forEach = nil } == "    get: http://a/")
        }
    }

    @Test func `what PyYAML can't read between braces is quoted`() throws {
        let braces = try Self.lines("    get: http://a/\n    query: { q: 1 }") { $0.query[0].value = "a?b" }
        #expect(braces == "    get: http://a/\n    query: { q: \"a?b\" }")
        let block = try Self.lines("    get: http://a/\n    query:\n      q: 1") { $0.query[0].value = "a?b" }
        #expect(block == "    get: http://a/\n    query:\n      q: a?b")
    }

    @Test func `how often a request is sent is written, changed and taken away`() throws {
        let twice = try Self.lines("    get: http://a/") { $0.repeats = 2 }
        #expect(twice == "    get: http://a/\n    repeat: 2")
        let often = try Self.lines(twice + " # often") { $0.repeats = 3 }
        #expect(often == "    get: http://a/\n    repeat: 3 # often")
        #expect(try Self.lines(often) { $0.repeats = nil } == "    get: http://a/")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var before: String
        var after: String
        var edit: Edit

        init(_ name: String, _ before: String, _ after: String, _ edit: @escaping Edit) {
            (self.name, self.before, self.after, self.edit) = (name, before, after, edit)
        }

        var testDescription: String { name }
    }

    static let rows: [Case] = [
        Case(
            "nothing changes", "    get: http://a/\n    headers:  {  x :  1 }", "    get: http://a/\n    headers:  {  x :  1 }",
            { _ in }),
        Case(
            "a value keeps its quotes and its comment",
            "    get: http://a/\n    headers:\n      one: 'x' # c1\n\n      # c2\n      two:   \"y\"   # c3",
            "    get: http://a/\n    headers:\n      one: 'it''s' # c1\n\n      # c2\n      two:   \"a\\\"b\"   # c3",
            {
                $0.headers[0].value = "it's"
                $0.headers[1].value = "a\"b"
            }),
        Case(
            "a quote with an accent behind it is a quote",
            "    get: http://a/\n    headers:\n      one: 'x' # c1\n      two: \"y\"",
            "    get: http://a/\n    headers:\n      one: 'x''\u{301}, three: ''\u{301}' # c1\n      two: \"\\\"\u{301}\"",
            {
                $0.headers[0].value = "x'\u{301}, three: '\u{301}"
                $0.headers[1].value = "\"\u{301}"
            }),
        Case(
            "a plain value gets quotes only when it needs them",
            "    get: http://a/\n    query: { p: 1, q: x, r: x }",
            "    get: http://a/\n    query: { p: 2, q: \"a, b\", r: '{{\"x\"}}' }",
            {
                $0.query[0].value = "2"
                $0.query[1].value = "a, b"
                $0.query[2].value = "{{\"x\"}}"
            }),
        Case(
            "a value is removed from, and put into, its place",
            "    get: http://a/\n    query:\n      p:\n      q: \"\" # c",
            "    get: http://a/\n    query:\n      p: on\n      q: null2 # c",
            {
                $0.query[0].value = "on"
                $0.query[0].isEnabled = true
                $0.query[1].value = "null2"
            }
        ).with(after: "    get: http://a/\n    query:\n      p: on\n      q: \"null2\" # c"),
        Case(
            "a row is switched off, in a block",
            "    get: http://a/\n    headers:\n      one: 'x' # c1\n      two: y",
            "    get: http://a/\n    headers:\n      one: { value: 'x', enabled: false } # c1\n      two: y",
            { $0.headers[0].isEnabled = false }),
        Case(
            "a row is switched off between brackets", "    get: http://a/\n    headers: { one: a b, two: y }",
            "    get: http://a/\n    headers: { one: { value: a b, enabled: false }, two: y }", { $0.headers[0].isEnabled = false }),
        Case(
            "a row is switched on again",
            "    get: http://a/\n    headers:\n      one: { value: \"x\", enabled: false } # c1\n      two:\n        # c2\n        enabled: false\n        value: y",
            "    get: http://a/\n    headers:\n      one: \"x\" # c1\n      two:\n        # c2\n        enabled: true\n        value: y",
            {
                $0.headers[0].isEnabled = true
                $0.headers[1].isEnabled = true
            }),
        Case(
            "a row that is off changes its value", "    get: http://a/\n    headers: { one: { enabled: false, value: x } }",
            "    get: http://a/\n    headers: { one: { enabled: false, value: y } }", { $0.headers[0].value = "y" }),
        Case(
            "a row gets another name", "    get: http://a/\n    headers:\n      one: x # c1\n      two: y",
            "    get: http://a/\n    headers:\n      three: x # c1\n      two: y", { $0.headers[0].name = "three" }),
        Case(
            "a row is added at the end of a block",
            "    get: http://a/\n    headers:\n        one: x # c1\n    # c2\n    priority: low",
            "    get: http://a/\n    headers:\n        one: x # c1\n        two: \"y: z\"\n    # c2\n    priority: low",
            { $0.headers.append(.init(name: "two", value: "y: z")) }),
        Case(
            "a row is added in the middle and one in front", "    get: http://a/\n    headers:\n      one: x\n      two: y",
            "    get: http://a/\n    headers:\n      zero: \"\"\n      one: x\n      half: { value: h, enabled: false }\n      two: y",
            {
                $0.headers.insert(.init(name: "half", value: "h", isEnabled: false), at: 1)
                $0.headers.insert(.init(name: "zero", value: ""), at: 0)
            }),
        Case(
            "a row is added between brackets", "    get: http://a/\n    headers: { one: x }\n    query: {}\n    cookies: {a: 1}",
            "    get: http://a/\n    headers: { one: x, two: y }\n    query: { q: 1 }\n    cookies: {z: 0, a: 1}",
            {
                $0.headers.append(.init(name: "two", value: "y"))
                $0.query.append(.init(name: "q", value: "1"))
                $0.cookies.insert(.init(name: "z", value: "0"), at: 0)
            }),
        Case(
            "a row is added between brackets over several lines",
            "    get: http://a/\n    headers: {\n      one: x,   # c1\n      two: y,\n    }",
            "    get: http://a/\n    headers: {\n      one: x,\n      new: z,   # c1\n      two: y,\n      last: w,\n    }",
            {
                $0.headers.insert(.init(name: "new", value: "z"), at: 1)
                $0.headers.append(.init(name: "last", value: "w"))
            }),
        Case(
            "the first row of all is added", "    get: http://a/\n    body: { text: x }",
            "    get: http://a/\n    headers:\n      one: x\n    body: { text: x }",
            { $0.headers.append(.init(name: "one", value: "x")) }),
        Case(
            "a row is deleted, its neighbours' comments stay",
            "    get: http://a/\n    headers:\n      # c1\n      one: x # gone\n      # c2\n      two: y\n\n      three: z",
            "    get: http://a/\n    headers:\n      # c1\n      # c2\n      two: y",
            {
                $0.headers.remove(at: 2)
                $0.headers.remove(at: 0)
            }
        ).with(after: "    get: http://a/\n    headers:\n      # c1\n      # c2\n      two: y\n"),
        Case(
            "rows are deleted between brackets", "    get: http://a/\n    headers: { a: 1, b: 2, c: 3, d: 4, e: 5 }",
            "    get: http://a/\n    headers: { b: 2, c: 3 }",
            { $0.headers = [$0.headers[1], $0.headers[2]] }),
        Case(
            "the last row of all is deleted",
            "    get: http://a/\n    headers:\n      one: x\n    query: { q: 1 }\n    priority: low",
            "    get: http://a/\n    priority: low",
            {
                $0.headers = []
                $0.query = []
            }),
        Case(
            "rows change places, each with its comment",
            "    get: http://a/\n    headers:\n      one: x # c1\n      two: 'y' # c2\n      three: z",
            "    get: http://a/\n    headers:\n      two: 'y' # c2\n      three: z\n      one: x # c1",
            { $0.headers.append($0.headers.removeFirst()) }),
        Case(
            "rows change places between brackets", "    get: http://a/\n    headers: { a: 1, b: '2', c: 3 }",
            "    get: http://a/\n    headers: { b: '2', c: 3, a: 1 }", { $0.headers.append($0.headers.removeFirst()) }),
        Case(
            "a list grows and shrinks", "    get: http://a/\n    query: { n: [mail, sms], m: one, o: [x, y] }",
            "    get: http://a/\n    query: { n: [mail, fax, sms], m: [one, two], o: [y] }",
            {
                $0.query.insert(.init(name: "n", value: "fax"), at: 1)
                $0.query.insert(.init(name: "m", value: "two"), at: 4)
                $0.query.remove(at: 5)
            }),
        Case(
            "a list in a block",
            "    get: http://a/\n    query:\n      n:\n        - mail # c1\n        - sms\n      m:\n      - x",
            "    get: http://a/\n    query:\n      n:\n        - mail # c1\n        - { value: sms, enabled: false }\n        - fax\n      m:\n      - y",
            {
                $0.query[1].isEnabled = false
                $0.query.insert(.init(name: "n", value: "fax"), at: 2)
                $0.query[3].value = "y"
            }),
    ]

    @Test(arguments: rows)
    func `a row is edited`(_ test: Case) throws {
        let written = try Self.lines(test.before, test.edit)
        #expect(written == test.after)
    }

    static let others: [Case] = [
        Case(
            "the URL and the method change in one line", "    get: http://a/   # c\n    query: { q: 1 }",
            "    post: \"{{host}}/b\"   # c\n    query: { q: 1 }",
            {
                $0.method = "POST"
                $0.url = "{{host}}/b"
            }),
        Case(
            "a method that is no key", "    # c1\n    get: 'http://a/' # c2",
            "    # c1\n    method: PURGE\n    url: 'http://a/' # c2",
            { $0.method = "PURGE" }),
        Case(
            "the method QUERY, while `query` has the parameters", "    query: { q: 1 }\n    get: http://a/",
            "    query: { q: 1 }\n    method: QUERY\n    url: http://a/",
            { $0.method = "QUERY" }),
        Case(
            "parameters, while `query` has the URL", "    query: http://a/",
            "    method: QUERY\n    url: http://a/\n    query:\n      q: 1",
            { $0.query = [.init(name: "q", value: "1")] }),
        Case(
            "the long form stays", "    url: http://a/\n    method: PURGE", "    url: http://b/\n    method: GET",
            {
                $0.method = "GET"
                $0.url = "http://b/"
            }),
        Case(
            "name, description and tags", "    name: A\n    get: http://a/",
            "    get: http://a/\n    description: \"x # y\"\n    tags: [a, \"b, c\"]",
            {
                $0.name = nil
                $0.description = "x # y"
                $0.tags = ["a", "b, c"]
            }),
        Case(
            "a text in a block keeps its block",
            "    get: http://a/\n    body:\n      text: |  # c\n          one\n\n           two\n\n    priority: low",
            "    get: http://a/\n    body:\n      text: |  # c\n          one\n          {{x}}: two\n\n          three\n\n    priority: low",
            { $0.body = .text("one\n{{x}}: two\n\nthree\n") }),
        Case(
            "a text loses its last line break", "    get: http://a/\n    body:\n      text: |\n        one\n    priority: low",
            "    get: http://a/\n    body:\n      text: |-\n        two\n    priority: low", { $0.body = .text("two") }),
        Case(
            "a text becomes empty", "    get: http://a/\n    body:\n      text: |\n        one\n        two\n    priority: low",
            "    get: http://a/\n    body:\n      text: \"\"\n    priority: low", { $0.body = .text("") }),
        Case(
            "a text gets several lines", "    get: http://a/\n    body:\n        text: one # c\n    priority: low",
            "    get: http://a/\n    body:\n        text: |- # c\n          one\n          two\n    priority: low",
            { $0.body = .text("one\ntwo") }),
        Case(
            "a text of several lines between brackets", "    get: http://a/\n    body: { text: one }",
            "    get: http://a/\n    body:\n      text: |-\n        one\n        two", { $0.body = .text("one\ntwo") }),
        Case(
            "what is no JSON keeps its lines", "    get: http://a/\n    body: { json: { a: 1 } } # c\n    priority: low",
            "    get: http://a/\n    body: # c\n      json: |-\n        {ZZ\n          \"a\": 1\n        }\n    priority: low",
            { $0.body = .json("{ZZ\n  \"a\": 1\n}") }),
        Case(
            "JSON as YAML changes value by value",
            "    get: http://a/\n    body:\n      json:\n        # c1\n        user: 'x' # c2\n        list: [1, { a: b }]\n        deep:\n          on: true\n          off: ~",
            "    get: http://a/\n    body:\n      json:\n        # c1\n        user: 'y' # c2\n        list: [1, { a: \"5\" }, null]\n        deep:\n          on: 1.50\n          new: { a: [] }",
            { $0.body = .json("{\"user\":\"y\",\"list\":[1,{\"a\":\"5\"},null],\"deep\":{\"on\":1.50,\"new\":{\"a\":[]}}}") }),
        Case(
            "JSON as text stays text", "    get: http://a/\n    body:\n      json: |\n        {\"a\":  1}\n    priority: low",
            "    get: http://a/\n    body:\n      json: |\n        {\"a\":  2,\n         \"b\": {{x}}}\n    priority: low",
            { $0.body = .json("{\"a\":  2,\n \"b\": {{x}}}\n") }),
        Case(
            "JSON that YAML can't hold becomes a text", "    get: http://a/\n    body: { json: { a: 1 } }",
            "    get: http://a/\n    body: { json: '{\"a\": {{x}}}' }", { $0.body = .json("{\"a\": {{x}}}") }),
        Case(
            "a body gets another kind", "    get: http://a/\n    body: { text: x } # c\n    priority: low",
            "    get: http://a/\n    body: { file: a.json } # c\n    priority: low", { $0.body = .file("a.json") }),
        Case(
            "a body is added, as JSON", "    get: http://a/\n    priority: low",
            "    get: http://a/\n    body:\n      json: { a: [1, x], b: \"true\" }\n    priority: low",
            { $0.body = .json("{\n  \"a\": [\n    1,\n    \"x\"\n  ],\n  \"b\": \"true\"\n}") }
        ).with(after: "    get: http://a/\n    body: { json: { a: [1, x], b: \"true\" } }\n    priority: low"),
        Case(
            "a body is removed", "    get: http://a/\n    body:\n      text: |\n        x\n    priority: low",
            "    get: http://a/\n    priority: low",
            { $0.body = nil }),
        Case(
            "a body is switched to none", "    get: http://a/\n    body:\n      text: |\n        x\n    priority: low",
            "    get: http://a/\n    body: none\n    priority: low", { $0.body = BodyDefinition.none }),
        Case(
            "fields of a form", "    get: http://a/\n    body:\n      form:\n        a: 1 # c\n        b: 2",
            "    get: http://a/\n    body:\n      form:\n        a: x y # c\n        b: { value: 2, enabled: false }",
            {
                guard case .form(var rows) = $0.body else { return }
                rows[0].value = "x y"
                rows[1].isEnabled = false
                $0.body = .form(rows)
            }),
        Case(
            "parts of a multipart body",
            "    get: http://a/\n    body:\n      multipart:\n        a: x # c\n        b: { file: p.png, type: image/png }\n        c: [1, 2]",
            "    get: http://a/\n    body:\n      multipart:\n        a: { value: x, type: text/x } # c\n        b: { file: q.png, type: image/png, enabled: false }\n        c: [1, 3]\n        d: { file: f }",
            {
                $0.body = .multipart([
                    .init(name: "a", content: .text("x"), contentType: "text/x"),
                    .init(name: "b", content: .file("q.png"), contentType: "image/png", isEnabled: false),
                    .init(name: "c", content: .text("1")), .init(name: "c", content: .text("3")),
                    .init(name: "d", content: .file("f")),
                ])
            }),
        Case(
            "auth is added, changed and inherited", "    get: http://a/\n    priority: low",
            "    get: http://a/\n    auth:\n      basic: { user: u, password: \"{{p}}\" }\n    priority: low",
            { $0.auth = .basic(user: "u", password: "{{p}}") }),
        Case(
            "a password", "    get: http://a/\n    auth: { basic: { user: u, password: 'p' } } # c",
            "    get: http://a/\n    auth: { basic: { user: u, password: 'q' } } # c",
            { $0.auth = .basic(user: "u", password: "q") }),
        Case(
            "a bearer token instead",
            "    get: http://a/\n    auth:\n      basic: # c\n        user: u\n        password: p\n    priority: low",
            "    get: http://a/\n    auth:\n      bearer: t # c\n    priority: low", { $0.auth = .bearer("t") }),
        Case(
            "auth is switched off", "    get: http://a/\n    auth: { bearer: x }", "    get: http://a/\n    auth: none",
            { $0.auth = AuthDefinition.none }),
        Case(
            "settings",
            "    get: http://a/\n    timeouts: { idle: 5s, attempt: 1m }\n    http: 2\n    resolve: [a, b]\n    tls:\n      verify: false # c",
            "    get: http://a/\n    timeouts: { idle: 1500ms, attempt: 1m, operation: never }\n    redirects: { max: 3 }\n    resolve: [a, c]\n    tls:\n      verify: true # c",
            {
                $0.settings.timeouts.idle = .after(.milliseconds(1500))
                $0.settings.timeouts.operation = .never
                $0.settings.httpVersion = nil
                $0.settings.resolve = ["a", "c"]
                $0.settings.verifiesTLS = true
                $0.settings.maxRedirects = 3
            }),
        Case(
            "how we show who we are", "    get: http://a/\n    tls: { certificate: me.p12 }",
            "    get: http://a/\n    tls: { certificate: me.p12, passphrase: \"{{p12}}\", max-version: 1.2, ciphers: [HIGH] }",
            {
                $0.settings.passphrase = "{{p12}}"
                $0.settings.maximumTLSVersion = .tls1_2
                $0.settings.ciphers = ["HIGH"]
            }),
        Case(
            "the last setting of a group", "    get: http://a/\n    timeouts: { idle: 5s }\n    priority: low",
            "    get: http://a/\n    priority: low",
            { $0.settings.timeouts.idle = nil }),
        Case(
            "an alias for one value is replaced, the anchor stays", "    get: &u http://a/\n    query: { u: *u, v: *u }",
            "    get: &u http://a/\n    query: { u: x, v: *u }", { $0.query[0].value = "x" }),
    ]

    @Test(arguments: others)
    func `a part is edited`(_ test: Case) throws {
        let written = try Self.lines(test.before, test.edit)
        #expect(written == test.after)
    }

    @Test func `a whole request between brackets`() throws {
        let before = "turnstone: 1\nrequests: { a: { get: http://a/, query: { q: 1 } }, b: { get: http://b/ } }"
        let after = try Self.after(before) {
            $0.headers.append(.init(name: "x", value: "y"))
            $0.query = []
            $0.body = .text("a\nb")
        }
        #expect(
            after
                == "turnstone: 1\nrequests: { a: { get: http://a/, headers: { x: y }, body: { text: \"a\\nb\" } }, b: { get: http://b/ } }"
        )
    }

    @Test func `line breaks of the file stay what they are`() throws {
        let before =
            "turnstone: 1\r\nrequests:\r\n  a:\r\n    get: http://a/\r\n    headers:\r\n      x: 1 # c\r\n    body:\r\n      text: |\r\n        one\r\n"
        let after = try Self.after(before) {
            $0.headers.append(.init(name: "y", value: "2"))
            $0.body = .text("one\ntwo\n")
        }
        #expect(
            after
                == before.replacing(" # c\r\n", with: " # c\r\n      y: 2\r\n").replacing("one\r\n", with: "one\r\n        two\r\n")
        )
    }

    @Test(arguments: ["", "\n", "\n\n\n", "\n# end", "\n  # end\n"])
    func `the end of the file stays as it is`(end: String) throws {
        let before = "turnstone: 1\nrequests:\n  a:\n    get: http://a/\n    headers:\n      x: 1"
        #expect(try Self.after(before + end) { $0.headers[0].value = "2" } == before.dropLast() + "2" + end)
        #expect(try Self.after(before + end) { $0.headers.append(.init(name: "y", value: "2")) } == before + "\n      y: 2" + end)
        #expect(try Self.after(before + end) { $0.headers = [] } == before.replacing("\n    headers:\n      x: 1", with: "") + end)
    }

    @Test func `what isn't ASCII, and a byte order mark, don't shift an edit`() throws {
        let before =
            "\u{FEFF}# ä\nturnstone: 1\nname: \"🐦 \u{301}\"\nrequests:\n  a: { name: 鳥, get: http://ä/, query: { ö: ü, p: 1 } }\n"
        #expect(try Self.after(before) { $0.query[1].value = "é" } == before.replacing("p: 1", with: "p: é"))
    }

    @Test(
        arguments: [
            (
                "a: { get: http://a/, headers: *h }",
                "shop.yaml:4:33: this is `*h`, a copy of what has the anchor `&h`; edit it there, in the file"
            ),
            (
                "a: { get: http://a/, headers: &i { x: 1 } }\n  c: { get: http://c/, headers: *i }",
                "shop.yaml:4:33: this has the anchor `&i`, and other places would change with it; edit it in the file"
            ),
            (
                "a:\n    get: http://a/\n    headers:\n      ? x\n      : 1",
                "shop.yaml:7:9: this form of a key can't be edited in place; edit it in the file"
            ),
        ])
    func `what can't be edited in place says why`(request: String, sentence: String) {
        let text = "turnstone: 1\ndefaults: { headers: &h { x: 1 } }\nrequests:\n  \(request)\n"
        let error = #expect(throws: CollectionProblem.self) { try Self.after(text) { $0.headers[0].value = "2" } }
        #expect(error?.description == sentence)
    }

    @Test func `a request with problems isn't saved`() throws {
        let collection = RequestCollection.requests("  a: { get: http://a/, x: 1 }")
        let error = #expect(throws: CollectionProblem.self) { try collection.saving(try #require(collection.requests.first)) }
        #expect(
            error?.description
                == "shop.yaml:3:24: unknown key `x` in a request; known are \(FormatTable.request.keys.map(\.name).joined(separator: ", "))"
        )
    }

    @Test func `keys that nothing acts on yet stay`() throws {
        let text = ReadCollectionTests.page
        let collection = RequestCollection.of(text)
        var draft = try #require(collection.request(RequestID(rawValue: "orders/create")))
        draft.query[0].value = "post"
        let change = try collection.change(to: draft, from: try #require(collection.request(draft.id)), in: Array(text.utf8))
        #expect(
            change.files.map { String(decoding: $0.after ?? [], as: UTF8.self) } == [
                text.replacing("[mail, sms]", with: "[post, sms]")
            ])
    }
}

extension SavingTests {
    @Test func `an edit above them leaves everything that is defined below as it was`() throws {
        let text = """
            turnstone: 1
            requests:
              login: { get: http://h/ }
              a:
                get: http://a/
                auth: { oauth2: { grant: client-credentials, token-url: http://h/token, client-id: x, client-secret: y } } # c1
                body: { graphql: { query: "{ me }", variables: { a: 1 } } }
                retry: { attempts: 3, on: [503] }
                response: { hash: sha256 }
                needs: { login: { max-age: 1h } } # c2
                hydrate: [sign, --now]
                capture: { token: .access_token }   # c3
                expect:
                  status: 2xx
                  body: { .id: exists }
                mock: { status: 200, headers: { x: y }, delay: 1ms..2ms }

            """
        try #require(RequestCollection.of(text).problems == [])
        #expect(
            try Self.after(text) { $0.headers = [.init(name: "x", value: "1")] }
                == text.replacing("    auth:", with: "    headers:\n      x: 1\n    auth:"))
    }
}

extension SavingTests.Case {
    func with(after: String) -> Self { Self(name, before, after, edit) }
}
