import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

@Suite struct HurlImportTests {
    private func read(_ text: String) throws -> (requests: [RequestDefinition], notes: [ImportNote], collection: ImportedCollection)
    {
        let source = ImportSource(path: "chain.hurl", text: text)
        let kind = try ImportKind.detect(source)
        #expect(kind == .hurl)
        let collection = try ImportKind.hurl.read(source)
        let requests = collection.nodes.compactMap { if case .request(let request) = $0 { request.definition } else { nil } }
        return (requests, collection.notes, collection)
    }

    @Test("Entries become requests in their order, with what is captured and asserted")
    func chain() throws {
        let (requests, notes, _) = try read(
            """
            # Signs in.
            POST https://shop.example.com/login
            [Form]
            user: ada
            HTTP 201
            [Captures]
            token: jsonpath "$.data.token" redact
            [Asserts]
            header "content-type" contains "json"
            jsonpath "$.items" count == 2

            GET https://shop.example.com/orders
            Authorization: Bearer {{token}}
            [Query]
            page: 2
            [Options]
            location: true
            retry: 3
            retry-interval: 200
            HTTP 200
            """)
        #expect(notes.isEmpty, "\(notes)")
        try #require(requests.count == 2)
        #expect(requests.map { $0.method } == ["POST", "GET"])
        #expect(requests[0].description == "Signs in.")
        #expect(requests[0].body == .form([.init(name: "user", value: "ada")]))
        #expect(requests[0].captures.map(\.name) == ["token"])
        #expect(requests[0].captures.first?.source == .filter(".data.token"))
        #expect(requests[0].captures.first?.isSecret == true)
        #expect(requests[0].expectations.map(\.subject) == [.status, .header("content-type"), .filter(".items")])
        #expect(requests[0].settings.followRedirects == .never)
        #expect(requests[1].headers == [.init(name: "Authorization", value: "Bearer {{token}}")])
        #expect(requests[1].query == [.init(name: "page", value: "2")])
        #expect(requests[1].settings.followRedirects == nil && requests[1].settings.maxRedirects == 50)
        #expect(requests[0].settings.compression == false)
        #expect(requests[1].until?.tries == 4)
        #expect(requests[1].until?.every == .fixed(.milliseconds(200)))
    }

    @Test("Bodies, parts, cookies and basic authentication come along")
    func bodies() throws {
        let (requests, notes, _) = try read(
            """
            PUT http://localhost/a
            {"name": "{{name}}", "n": [1, 2]}
            HTTP 200

            POST http://localhost/b
            [BasicAuth]
            ada: pa:ss
            [Cookies]
            sid: 1
            [Multipart]
            note: hi
            scan: file,a.png; image/png
            HTTP *

            POST http://localhost/c
            file,data.bin;
            HTTP 200

            POST http://localhost/d
            base64,SGk=;
            HTTP 200
            """)
        #expect(notes.isEmpty, "\(notes)")
        try #require(requests.count == 4)
        if case .json(let text)? = requests[0].body { #expect(text.contains("{{name}}")) } else { Issue.record("no JSON") }
        #expect(requests[1].auth == .basic(user: "ada", password: "pa:ss"))
        #expect(requests[1].cookies == [.init(name: "sid", value: "1")])
        #expect(
            requests[1].body
                == .multipart([
                    .init(name: "note", content: .text("hi")),
                    .init(name: "scan", content: .file("a.png"), contentType: "image/png"),
                ]))
        #expect(requests[1].expectations.isEmpty)
        #expect(requests[2].body == .file("data.bin"))
        #expect(requests[3].body == .text("Hi"))
    }

    /// Of Hurl's own test files.
    @Test(
        "What filters make is asked in our words",
        arguments: [
            (#"jsonpath "$.tags[0]" > "te""#, #".tags[0] | type == "string" and . > "te": true"#),
            (#"jsonpath "$.tags[0]" not <= "te""#, #".tags[0] | type == "string" and (. <= "te" | not): true"#),
            ("redirects isEmpty", "redirects: 0"), ("redirects not isEmpty", "redirects: not 0"),
            (#"jsonpath "$.file" base64Decode base64Encode == "0Y==""#, #".file → base64 → to-base64: 0Y=="#),
            (#"jsonpath "$.x" base64UrlSafeDecode base64UrlSafeEncode == "PD""#, #".x → base64url → to-base64url: PD"#),
            (#"jsonpath "$.text" htmlEscape == "a &gt; b""#, ".text → to-html: a &gt; b"),
            (#"jsonpath "$.url" urlEncode == "https%3A//x""#, ".url → to-url: https%3A//x"),
            (
                #"jsonpath "$.score" toInt == 1"#,
                #".score | select(type == "number" or test("^[+-]?[0-9]+$")) | tonumber | trunc: 1"#
            ),
            (
                #"jsonpath "$.score" toInt not == 1"#,
                #".score | select(type == "number" or test("^[+-]?[0-9]+$")) | tonumber | trunc: { all: [is integer, not 1] }"#
            ),
            (#"header "x" toInt > 3"#, #"header x → number: { all: [is integer, "> 3"] }"#),
            (
                #"header "expires" toDate "%a, %d %b %Y %H:%M:%S GMT" dateFormat "%Y" == "2015""#,
                "header expires → date %Y: \"2015\""
            ),
            (
                #"cookie "LSID[Expires]" dateFormat "%a, %d %b %Y %H:%M:%S" == "Wed, 13 Jan 2021 22:23:01""#,
                "cookie LSID expires: == Wed, 13 Jan 2021 22:23:01 GMT"
            ),
            (#"header "x-fruit" isCollection"#, "header x-fruit → count: > 1"),
            (#"md5 toHex == "5289""#, "body → md5: \"5289\""),
            (
                #"jsonpath "$..*[?(@.name)]" count == 5"#,
                "[.. | .[]? | .[]? | select((.name)? != null)] | if length == 0 then empty elif length == 1 then .[0] else . end: length 5"
            ),
            (
                #"jsonpath "$.fruit..[?(@.US == 100)].US" == 100"#,
                "[.fruit | .. | .[]? | select((.US)? == 100) | .US] | if length == 0 then empty elif length == 1 then .[0] else . end: 100"
            ),
            (
                #"jsonpath "$.list[*][0]" not exists"#,
                "[.list[][0]?] | if length == 0 then empty elif length == 1 then .[0] else . end: not exists or is null"
            ),
            (
                #"jsonpath "$.f[?(@.c[?(@=='x')])]" count == 2"#,
                #"[.f[] | select(([(.c[] | select(. == "x"))?] | length) > 0)] | if length == 0 then empty elif length == 1 then .[0] "#
                    + "else . end: length 2"
            ),
        ])
    func filters(line: String, expected: String) throws {
        let (requests, notes, _) = try read("GET http://localhost/\nHTTP *\n[Asserts]\n\(line)\n")
        #expect(notes.isEmpty, "\(notes)")
        let expectation = try #require(requests.first?.expectations.first)
        let what = ([expectation.subject.description] + expectation.steps.map(\.description)).joined(separator: " → ")
        #expect("\(what.replacing(/^body (?=[.\[])/, with: "")): \(expectation.matcherText)" == expected)
    }

    @Test(
        "A date as text that no date has is no date",
        arguments: [
            #"cookie "LSID[Expires]" dateFormat "%a, %d %b %Y %H:%M:%S" == "Thu, 13 Jan 2021 22:23:01""#,
            #"cookie "LSID[Expires]" dateFormat "%Y" == "2021""#,
        ])
    func datesOfCookies(line: String) throws {
        let (requests, notes, _) = try read("GET http://localhost/\nHTTP *\n[Asserts]\n\(line)\n")
        #expect(notes.count == 1 && notes[0].text.contains("compared as a date"), "\(notes)")
        #expect(requests.first?.expectations == [])
    }

    @Test("What is laxer here is named")
    func laxer() throws {
        let (_, notes, _) = try read(
            """
            GET http://localhost/
            HTTP 200
            [Asserts]
            jsonpath "$.n" isInteger
            header "X-Fruit" == "Banana"
            header "X-Fruit" contains "Banana"
            """)
        #expect(
            notes.map(\.text) == [
                "where an answer has a header several times, one of its values is enough here, and none is there: X-Fruit",
                "the assert `jsonpath \"$.n\" isInteger`: 1.0 is a float there, and an integer here",
            ])
    }

    @Test(
        "A user goes by the scheme that the options say, in whatever order they stand",
        arguments: [
            ("user: k:s\ndigest: true", AuthDefinition.digest(user: "k", password: "s")),
            ("ntlm: true\nuser: k:s", .ntlm(user: "k", password: "s")),
            (
                "user: K:S\naws-sigv4: aws:amz:eu-west-1:s3",
                .awsSigV4(AWSSigV4Definition(accessKey: "K", secretKey: "S", region: "eu-west-1", service: "s3"))
            ), ("user: k:s", .basic(user: "k", password: "s")), ("digest: false\nuser: k:s", .basic(user: "k", password: "s")),
        ])
    func schemes(options: String, auth: AuthDefinition) throws {
        let (requests, notes, _) = try read("GET http://localhost/\n[Options]\n\(options)\n")
        #expect(requests.first?.auth == auth)
        #expect(notes.isEmpty, "\(notes)")
    }

    @Test("Several asserts about one thing are one expectation, and can be written")
    func several() throws {
        let (requests, notes, _) = try read(
            """
            GET http://localhost/captures
            HTTP 200
            [Captures]
            param1: header "header1"
            [Asserts]
            header "header1" == "{{param1}}"
            header "header1" == "{{given}}"
            header "header1" startsWith "val"
            variable "param1" == "value1"
            jsonpath "$.a" exists
            jsonpath "$.a" == 5
            jsonpath "$.a" == 5
            sha256 == hex,7b22;
            jsonpath "$.b" toInt == 3
            jsonpath "$.b" isString
            jsonpath "$.c" first == 1
            jsonpath "$.c" nth -2 == 2
            bytes count == 4
            """)
        // Of one body a file can say what its members are, or what it is as a whole.
        #expect(
            notes.filter(\.isLoss).map(\.text) == [
                "the assert `header \"header1\" == \"{{param1}}\"`: `param1` comes from the same response; here it is known only to "
                    + "those that follow",
                "the assert `sha256 == hex,7b22;`: a collection can't hold what it says",
            ])
        try #require(requests.count == 1)
        #expect(
            requests[0].expectations.map(\.subject) == [
                .status, .header("header1"), .filter(".a"),
                .filter(#".b | select(type == "number" or test("^[+-]?[0-9]+$")) | tonumber | trunc"#), .filter(".b"),
                .filter(".c[0]"),
                .filter(".c[-2]"),
                .size,
            ])
        #expect(
            requests[0].expectations[1].matcher
                == .all([.equals(.string("{{given}}")), .startsWith("val"), .equals(.string("value1"))]))
    }

    @Test("Asserts that do different things to one value stand side by side, and so do those about the text and about its members")
    func sideBySide() throws {
        let (requests, notes, _) = try read(
            """
            GET http://localhost/
            HTTP 200
            [Asserts]
            md5 == hex,8b1a;
            sha256 == hex,185f;
            body == "Hello"
            header "x" count == 2
            header "x" nth 1 == "b"
            cookie "a" == "1"
            cookie "a[Path]" == "/"
            cookie "a[Secure]" not exists
            redirects nth 0 location endsWith "/a"
            cookie "b" == "2"
            header "y" == "3"
            cookie "a[HttpOnly]" exists
            redirects nth 1 location endsWith "/b"

            GET http://localhost/
            HTTP 200
            [Asserts]
            body contains "id"
            jsonpath "$.id" == 1
            body not contains "x"
            """)
        #expect(notes.filter(\.isLoss).isEmpty, "\(notes)")
        try #require(requests.count == 2)
        #expect(
            requests[0].expectations.map { "\($0.subject) \($0.steps.map(\.description))" } == [
                "status []", "body [\"md5\"]", "body [\"sha256\"]", "body []", "header x []", "header x [\"nth 1\"]", "header y []",
                "cookie a []", "cookie a path []", "cookie a secure []", "cookie a http-only []", "cookie b []",
                "locations [\"nth 0\"]", "locations [\"nth 1\"]",
            ])
        #expect(requests[1].expectations.map(\.subject) == [.status, .filter("/(?s).*/"), .filter(".id")])
        #expect(
            requests[1].expectations[1].matcher
                == .all([.contains(.string("id")), .not(.contains(.string("x")))]))
    }

    @Test("Entries that are repeated, skipped, saved or waited for without end say so in our words")
    func flow() throws {
        let (requests, notes, collection) = try read(
            """
            GET http://localhost/a/./b/../c?d=../e
            [Options]
            repeat: 3
            header: X-Y: z
            output: out/{{id}}.json
            HTTP 200

            GET http://localhost/a/../c
            [Options]
            skip: true
            path-as-is: true
            HTTP 200

            GET http://localhost/
            [Options]
            skip: {{isProd}}
            repeat: -1
            HTTP 200

            GET http://localhost/
            [Options]
            retry: -1
            HTTP 200
            base64,SGk=;
            """)
        #expect(notes.map(\.text) == ["the option `repeat: -1`"])
        try #require(requests.count == 4)
        #expect(requests[0].url == "http://localhost/a/c?d=../e")
        #expect(requests[0].repeats == 3)
        #expect(requests[0].headers == [.init(name: "X-Y", value: "z")])
        #expect(requests[0].settings.savesResponse == "out/{{id}}.json")
        #expect(requests[1].url == "http://localhost/a/../c")
        #expect(requests[1].when?.description == "skip is false")
        guard case .request(let skipped) = collection.nodes[1] else { return }
        #expect(skipped.variables.map(\.value) == [.json(.boolean(true))])
        #expect(requests[2].when?.description == "isProd is false")
        #expect(requests[3].until?.within == .seconds(86_400) && requests[3].until?.tries == nil)
        #expect(requests[3].expectations.last?.steps == [.word(.hex)])
        #expect(requests[3].expectations.last?.matcher == .equals(.string("4869")))
    }

    @Test("What several entries capture comes from the last of them before, which goes first")
    func captors() throws {
        let (_, _, collection) = try read(
            """
            GET http://localhost/a
            HTTP 200
            [Captures]
            csrf: jsonpath "$.csrf"

            POST http://localhost/b?{{csrf}}
            HTTP 200
            [Captures]
            csrf: jsonpath "$.csrf"
            id: jsonpath "$.id"

            DELETE http://localhost/{{id}}
            X-Csrf: {{csrf}}
            """)
        let made = try collection.assembled(ImportOptions(path: "chain.yaml"))
        #expect(made.unset.isEmpty)
        #expect(made.collection.variables.map(\.name) == ["host"])
        #expect(made.collection.requests.map { $0.needs.map(\.name) } == [[], ["get-a"], ["post-b"]])
    }

    @Test("Bytes are compared in hexadecimal, and JSON in a text is read first")
    func steps() throws {
        let (requests, notes, _) = try read(
            """
            GET http://localhost/a
            HTTP 200
            [Asserts]
            jsonpath "$.file" base64Decode == hex,d188;
            jsonpath "$.json" jsonpath "$.message" == "Hello"
            """)
        #expect(notes.isEmpty, "\(notes)")
        let expectations = requests.first?.expectations.dropFirst() ?? []
        #expect(expectations.map(\.steps) == [[.word(.base64), .word(.hex)], [.word(.json), .path(".message")]])
        #expect(expectations.map(\.matcher) == [.equals(.string("d188")), .equals(.string("Hello"))])
    }

    @Test("A path that may find several values gives one as it is, and of none nothing; what follows the asserts is the body")
    func paths() throws {
        let (requests, notes, collection) = try read(
            """
            GET http://localhost/a
            [Options]
            variable: n=5
            variable: t="5"
            variable: on=true
            HTTP 200
            [Asserts]
            jsonpath "$.e[?(@.id=='x')].id" == "x"
            jsonpath "$.e[*]" not exists
            {"e": []}

            GET http://localhost/b
            HTTP 200
            """)
        #expect(notes.isEmpty, "\(notes)")
        try #require(requests.count == 2)
        let one = "if length == 0 then empty elif length == 1 then .[0] else . end"
        #expect(
            requests[0].expectations.map(\.subject) == [
                .status, .filter("."), .filter("[.e[] | select((.id)? == \"x\") | .id] | \(one)"), .filter("[.e[]] | \(one)"),
            ])
        #expect(collection.variables.map(\.value) == [.json(.number("5")), .text("5"), .json(.boolean(true))])
    }

    @Test("What can't be said is named with its line")
    func losses() throws {
        let (requests, notes, _) = try read(
            """
            GET http://localhost/
            [Options]
            proxy-nonsense: 5
            HTTP 200
            [Asserts]
            jsonpath "$.a" isNonsense
            """)
        #expect(requests.count == 1)
        #expect(notes.map { $0.place } == ["line 3", "line 6"])
        let areLosses = notes.allSatisfy { $0.isLoss }
        #expect(areLosses)
    }
}
