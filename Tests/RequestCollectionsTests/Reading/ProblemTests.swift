import Foundation
import Testing

@testable import RequestCollections

/// The exact sentence of everything that can be wrong in a file, with its line and column.
@Suite struct ProblemTests {
    private static func problems(_ text: String) -> [String] { RequestCollection.of(text).problems.map(\.description) }

    /// Who comes from another program opens its file first.
    @Test(
        arguments: [
            ("p.json", #"{"info": {"name": "a"}, "item": []}"#), ("p.json", "[{}]"), ("api.yaml", "openapi: 3.1.0\npaths: {}\n"),
            ("a.http", "GET http://a.test/\nAccept: b: c\n"), ("a.hurl", "GET http://a.test/\n"), ("a.har", #"{"log": {}}"#),
            ("a.bru", "meta {\n  name: a\n}\n"), ("dir/a", "turn: stone"), ("a.yaml", "name: a\nservices: {}"),
            ("v1.json", #"{"id": 1, "name": "a", "requests": [{}]}"#), ("a.sh", "turnstone send http://a.test/ -d 'a: b'"),
            ("a.json", "{\"a\":\n\"turnstone\", \"b\": 1}"),
        ])
    func `another program's file is for import`(path: String, text: String) {
        #expect(
            RequestCollection.of(text, path: path).problems.map(\.description) == [
                "\(path):1:1: this is no collection, which begins with `turnstone: 1`; if it is another program's file, "
                    + "`turnstone import \(path) -o NAME.yaml` makes a collection of it"
            ])
    }

    @Test(
        arguments: [
            ("a.yaml", "requests: { a: { gett: http://a.test/ } }"), ("a.yaml", "- a"), ("a.yaml", "a: b: c"),
            ("a.yaml", "name: a"), ("a.yaml", "variabels: {}"), ("a.yaml", "name: a\nrequets: {}\nx: 1"),
            ("a.yaml", "request: { a: {} }\nx: 1"), ("a.yaml", "Turnstone: 1\nx: 1"), ("a.json", #"{"turnston": 1, "x": 2}"#),
            ("a.json", #"{"turnstone": 1, "nam": 1}"#), ("a.json", #"{ "turnstone": 1,"#), ("a", "turnstone: 1\na: b: c"),
            ("-", "a: ["),
        ])
    func `what is meant for a collection is told what is wrong in it`(path: String, text: String) {
        let problems = RequestCollection.of(text, path: path).problems
        #expect(!problems.isEmpty && problems.allSatisfy { !$0.message.hasPrefix("this is no collection") }, "\(problems)")
    }

    @Test(
        arguments: [
            ("my shop.json", "'my shop.json'"), ("a`id`.json", "'a`id`.json'"), ("o'n.json", "'o'\\''n.json'"), ("-", "FILE"),
        ])
    func `the command for import is one that a shell takes`(path: String, word: String) {
        let problems = RequestCollection.of("GET http://a.test/", path: path).problems
        #expect(problems.map(\.message).first?.contains("`turnstone import \(word) -o NAME.yaml`") == true)
    }

    @Test func `a file of a collection's directory isn't another program's`() throws {
        let directory = try TemporaryDirectory([
            "shop/_collection.yaml": "turnstone: 1\n", "shop/orders/list.yaml": "get: http://a.test/\n",
            "shop/api.json": #"{"openapi": "3.1.0"}"#,
        ])
        let other = try RequestCollection.load(path: directory.path("shop/api.json")).problems
        #expect(other.first?.message.hasPrefix("this is no collection") == true)
        let problems = try RequestCollection.load(path: directory.path("shop/orders/list.yaml")).problems
        let message = try #require(problems.first?.message)
        #expect(message.hasPrefix("this is a part of the collection /") && message.hasSuffix("/shop; name that directory instead"))
    }

    @Test func `nothing is added to another program's file`() throws {
        let directory = try TemporaryDirectory(["compose.yaml": "services:\n  a: {}\n"])
        let collection = try RequestCollection.load(path: directory.path("compose.yaml"))
        var edits: [CollectionEdit] = [.addFolder("new")]
        edits.append(.add(RequestDefinition(id: "a", method: "GET", url: "http://a.test/", location: .none)))
        for edit in edits {
            #expect { try collection.check(edit) } throws: { ($0 as? CollectionProblem)?.message.hasPrefix("this is no") == true }
            #expect(throws: CollectionProblem.self) { try collection.applying(edit) }
        }
        #expect(throws: CollectionProblem.self) { try collection.applying(collection.setting("a", to: "b", in: nil)) }
    }

    @Test(
        arguments: [
            ("", ["shop.yaml:1:1: the file is empty; a collection begins with `turnstone: 1` and has `requests`"]),
            ("- a", ["shop.yaml:1:1: `a collection` takes a map, not a list"]),
            (
                "name: x",
                ["shop.yaml:1:1: the file doesn't say which version of the format it has; add the line `turnstone: 1`"]
            ),
            ("turnstone: 2", ["shop.yaml:1:12: the file has version 2 of the format; this program reads version 1"]),
            ("turnstone: one", ["shop.yaml:1:12: `turnstone` takes a whole number, not `one`"]),
            ("turnstone: 1\nvariabels: {}", ["shop.yaml:2:1: unknown key `variabels` in a collection; did you mean `variables`?"]),
            (
                "turnstone: 1\nxyz: {}",
                [
                    "shop.yaml:2:1: unknown key `xyz` in a collection; known are turnstone, name, description, variables, environments, defaults, set-up, tear-down, requests"
                ]
            ),
            ("turnstone: 1\nrequests: []", ["shop.yaml:2:11: `requests` takes a map of requests and folders, not a list"]),
            (
                "turnstone: 1\nname: a\nname: b",
                ["shop.yaml:3:1: `name` is there twice, first in line 2; a repeated parameter or header is a list"]
            ),
            (
                "turnstone: 1\nenvironments: { a: { extends: stagin }, staging: {} }",
                ["shop.yaml:2:31: the environment `a` extends `stagin`, which isn't there; did you mean `staging`?"]
            ),
            (
                "turnstone: 1\nenvironments:\n  a: { extends: b }\n  b: { extends: a }",
                [
                    "shop.yaml:3:17: the environment `a` extends itself: a → b → a",
                    "shop.yaml:4:17: the environment `b` extends itself: b → a → b",
                ]
            ),
            (
                "turnstone: 1\nvariables: { 1a: x }",
                ["shop.yaml:2:14: `1a` can't name a variable: it takes letters, digits, `_`, `-` and `.`, a letter or `_` first"]
            ),
            (
                "turnstone: 1\nvariables: { a: { secret: { envv: X } } }",
                ["shop.yaml:2:29: unknown key `envv` in secret; did you mean `env`?"]
            ),
            (
                "turnstone: 1\nvariables: { a: { secret: { env: X, file: y } } }",
                ["shop.yaml:2:27: a secret has one source: `env`, `command`, `file` or `prompt`"]
            ),
            (
                "turnstone: 1\nvariables: { a: .inf }",
                ["shop.yaml:2:17: JSON has no number `.inf`; put it in quotes to send it as text"]
            ),
            (
                "a: b: c",
                [
                    "shop.yaml:1:5: this is not YAML: mapping values are not allowed in this context; a text with a colon and a space in it "
                        + "stands in quotes"
                ]
            ),
            (
                "a: { accept: */* }",
                [
                    "shop.yaml:1:15: this is not YAML: did not find expected alphabetic or numeric character (while scanning an alias that "
                        + "starts in line 1); a text that begins with `*` or `&` stands in quotes"
                ]
            ),
            (
                "a: { b: .c[0] }",
                [
                    "shop.yaml:1:11: this is not YAML: did not find expected ',' or '}' (while parsing a flow mapping that starts in "
                        + "line 1); between brackets and braces `[` is a sign of YAML's own, and `.c[0]` has one: put it in quotes, "
                        + "or write `b: .c[0]` on a line of its own, without braces around it"
                ]
            ),
            (
                #"a: { body: /\d{4}/ }"#,
                [
                    "shop.yaml:1:15: this is not YAML: did not find expected ',' or '}' (while parsing a flow mapping that starts in "
                        + "line 1); between brackets and braces `{` is a sign of YAML's own, and `/\\d{4}/` has one: "
                        + "write `body: /\\d{4}/` on a line of its own, without braces around it"
                ]
            ),
            (
                "a: { body: { $.a[0]: x } }",
                [
                    "shop.yaml:1:17: this is not YAML: did not find expected ',' or '}' (while parsing a flow mapping that starts in "
                        + "line 1); between brackets and braces `[` is a sign of YAML's own, and `$.a[0]` has one: put it in quotes, "
                        + "or write `$.a[0]: …` on a line of its own, without braces around it"
                ]
            ),
            (
                "a: @b",
                [
                    "shop.yaml:1:4: this is not YAML: found character that cannot start any token (while scanning for the next token that "
                        + "starts in line 1); a text that begins with `@`, `%` or a backtick stands in quotes, and spaces indent, not tabs"
                ]
            ),
            ("a: {{host}}/login", ["shop.yaml:1:4: a value that begins with `{{` stands in quotes: `\"{{name}}\"`"]),
            ("a:\n  - {{host}}", ["shop.yaml:2:5: a value that begins with `{{` stands in quotes: `\"{{name}}\"`"]),
            ("a: { b: {{ now() }} }", ["shop.yaml:1:9: a value that begins with `{{` stands in quotes: `\"{{name}}\"`"]),
            (
                "ä: {{response(\"l\", \".a\", max_age: \"1h\")}}",
                ["shop.yaml:1:4: a value that begins with `{{` stands in quotes: `\"{{name}}\"`"]
            ),
            ("a: { <<: x }", ["shop.yaml:1:10: `<<` takes a map or a list of maps, such as `<<: *common`"]),
            ("a: *x", ["shop.yaml:1:4: no value before this has the anchor `&x`"]),
            ("turnstone: 1\n---\nturnstone: 1", ["shop.yaml:2:1: a second document starts here; a file of a collection holds one"]),
        ])
    func `a wrong file says what and where`(text: String, sentences: [String]) {
        #expect(Self.problems(text) == sentences)
    }

    @Test(
        arguments: [
            ("gett: x", "3:6: unknown key `gett` in a request; did you mean `get`?"),
            ("heders: {}", "3:6: unknown key `heders` in a request; did you mean `headers`?"),
            ("post: http://x/", "3:6: both `get` and `post` are there; a request has one method"),
            ("url: http://x/", "3:6: `url` can't stand beside `get`, which says method and URL"),
            ("headers: [a]", "3:15: `headers` takes a map of names and values, not a list"),
            ("headers: { a: [[b]] }", "3:21: `a` takes text, a list of texts, or `{ value:, enabled: }`, not a list in a list"),
            ("headers: { a: { valeu: b } }", "3:22: unknown key `valeu` in a row; did you mean `value`?"),
            ("headers: { a: { value: b, enabled: no } }", "3:41: `enabled` takes `true` or `false`, not `no`"),
            ("headers: { a: b, a: c }", "3:23: `a` is there twice, first in line 3; a repeated parameter or header is a list"),
            ("timeouts: { idle: 5 }", "3:24: `idle` takes `never` or a duration (200ms, 3s, 1m, 1h), not `5`"),
            ("timeouts: { idle: 0ms }", "3:24: `idle` takes `never` or a duration (200ms, 3s, 1m, 1h), not `0ms`"),
            ("timeouts: { ilde: 5s }", "3:18: unknown key `ilde` in timeouts; did you mean `idle`?"),
            ("timeouts: 5s", "3:16: `timeouts` takes a map of `connect`, `idle`, `attempt` or `operation`, not `5s`"),
            ("redirects: { follow: sometimes }", "3:27: `follow` takes `always`, `never` or `same-host`, not `sometimes`"),
            ("redirects: { max: many }", "3:24: `max` takes a whole number from 0 to 10000, not `many`"),
            ("tls: { verify: 1 }", "3:21: `verify` takes `true` or `false`, not `1`"),
            ("http: 4", "3:12: `http` takes `auto`, `1.0`, `1.1`, `2`, `2-prior-knowledge`, `3` or `3-only`, not `4`"),
            ("response: { limit: much }", "3:25: `limit` takes a number of bytes (4096, 10MB, 1MiB), not `much`"),
            ("resolve: a:80:1.2.3.4", "3:15: `resolve` takes a list of texts, not `a:80:1.2.3.4`"),
            ("priority: urgent", "3:16: `priority` takes `very-low`, `low`, `normal`, `high` or `very-high`, not `urgent`"),
            ("auth: { baisc: {} }", "3:14: unknown key `baisc` in auth; did you mean `basic`?"),
            ("auth: { basic: { usr: x } }", "3:23: unknown key `usr` in basic; did you mean `user`?"),
            ("body: { jsno: {} }", "3:14: unknown key `jsno` in body; did you mean `json`?"),
            ("body: {}", "3:12: `body` is empty; write `body: none` for no body"),
            ("body: { text: a, file: b }", "3:23: both `text` and `file` are there; a request has one body"),
            ("body: { text: [a] }", "3:20: `text` takes text, not a list"),
            (
                "body: { json: { a: 1, a: 2 } }",
                "3:28: `a` is there twice, first in line 3; a repeated parameter or header is a list"
            ),
            ("body: { json: { a: !x 1 } }", nil),
            (
                "body: { multipart: { a: { value: x, file: y } } }",
                "3:42: both `value` and `file` are there; the part `a` has one content"
            ),
            ("name: !name x", "3:12: the tag `!name` has no meaning in a collection; leave it out"),
            ("name: !!str 5", nil),
            ("retry: { attemps: 3 }", "3:15: unknown key `attemps` in retry; did you mean `attempts`?"),
            ("needs: { b: { max-age: soon } }", "3:29: `max-age` takes a duration (200ms, 3s, 1m, 1h), not `soon`"),
            ("expect: { statsu: 200 }", "3:16: unknown key `statsu` in expect; did you mean `status`?"),
            ("mock: { delay: long }", "3:21: `delay` takes a duration (200ms, 3s, 1m) or two of them (`100ms..2s`), not `long`"),
        ] as [(String, String?)])
    func `a wrong request says what and where, and leaves its neighbours`(line: String, sentence: String?) {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { b: { get: http://x/ }, a: { get: http://x/,\n     \(line) } }")
        #expect(collection.problems.map(\.description) == (sentence.map { ["shop.yaml:\($0)"] } ?? []))
        #expect(collection.requests.map(\.id.rawValue) == ["b", "a"])
        #expect(collection.request(RequestID(rawValue: "b"))?.problems == [])
        #expect(collection.request(RequestID(rawValue: "a"))?.problems == collection.problems)
    }

    @Test(
        arguments: [
            ("{}", "3:3: the request has no URL; give it one with its method, such as `get: https://example.com/`"),
            ("{ url: http://x/ }", "3:3: `url` is there without `method`"),
            ("{ method: GET }", "3:3: `method` is there without `url`"),
            ("{ method: A B, url: http://x/ }", "3:16: `A B` can't be a method; it takes letters, digits and !#$%&'*+-.^_`|~"),
            ("http://x/", "3:3: the request `a` takes a map such as `get: https://example.com/`, not `http://x/`"),
            ("", "3:3: the request `a` takes a map such as `get: https://example.com/`, not nothing"),
        ])
    func `a request without a URL says so`(value: String, sentence: String) {
        let collection = RequestCollection.requests("  a: \(value)\n")
        #expect(collection.problems.map(\.description) == ["shop.yaml:\(sentence)"])
    }

    @Test func `of two requests with one name the first counts`() {
        let collection = RequestCollection.requests("  a: { get: http://1/ }\n  a: { get: http://2/ }")
        #expect(
            collection.problems.map(\.message) == ["`a` is there twice, first in line 3; a repeated parameter or header is a list"])
        #expect(collection.requests.map(\.url) == ["http://1/"])
    }

    @Test func `a slash can't be in a name`() {
        #expect(
            RequestCollection.requests("  a/b: { get: http://x/ }").problems.map(\.description) == [
                "shop.yaml:3:3: `a/b` can't name a request or folder: a `/` separates the levels of the tree"
            ])
    }

    @Test func `columns count characters, not bytes`() {
        #expect(
            RequestCollection.of("turnstone: 1\nname: \"äöü🐦\" x").problems.map(\.description).first?.hasPrefix("shop.yaml:2:14: ")
                == true)
    }

    // MARK: Hostile input

    @Test func `bytes that aren't UTF-8 are an error with their place`() {
        let bytes = Array("turnstone: 1\nname: ab".utf8) + [0xFF, 0x0A]
        #expect(
            RequestCollection.load(path: "shop.yaml", bytes: bytes).problems.map(\.description) == [
                "shop.yaml:2:9: this byte is not UTF-8"
            ])
        #expect(
            RequestCollection.of("turnstone: 1\nname: \u{1}").problems.map(\.description) == [
                "shop.yaml:2:7: a control character can't stand here"
            ])
    }

    @Test func `ten thousand levels are refused`() {
        let text = String(repeating: "[", count: 10_000)
        #expect(Self.problems(text) == ["shop.yaml:1:66: lists and maps are nested more than 64 deep"])
    }

    @Test func `sixty-five levels are refused where they begin`() {
        let text = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(Self.problems(text) == ["shop.yaml:1:66: lists and maps are nested more than 64 deep"])
    }

    @Test func `aliases that multiply are refused`() {
        var text = "turnstone: 1\nvariables:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let alias = "*a\(level - 1)"
            text += "  a\(level): &a\(level) [\(Array(repeating: alias, count: 10).joined(separator: ", "))]\n"
        }
        let problems = Self.problems(text)
        #expect(problems.count == 1)
        #expect(problems[0].hasSuffix("the file has more than 2000000 values, each alias counted with what it stands for"))
    }

    @Test func `a file that is too large isn't read`() throws {
        let directory = try TemporaryDirectory()
        try directory.write("", to: "large.yaml")
        try #require(FileHandle(forWritingAtPath: directory.path("large.yaml"))).truncate(atOffset: 100 << 20)
        #expect(
            throws: CollectionFileError(
                path: directory.path("large.yaml"),
                message: "has 104857600 bytes; a file of a collection has at most 16777216")
        ) {
            try RequestCollection.load(path: directory.path("large.yaml"))
        }
    }
}
