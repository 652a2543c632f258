import Testing

@testable import Interchange
@testable import RequestCollections

/// What real Hurl (7.1) reads otherwise than our own reader does.
@Suite struct HurlExportTests {
    private func export(_ text: String, path: String = "shop.yaml") throws -> ExportedCollection {
        let collection = RequestCollection.of(text, path: path)
        #expect(collection.problems == [])
        return try HurlExport(collection, requests: collection.requests).result
    }

    @Test func `few characters stand for themselves in a name`() throws {
        let text = try export(
            """
            turnstone: 1
            requests:
              a: { post: http://h.test/, body: { multipart: { 'a(b)': x, "'": y, '[c]': z, 'ä.$d-_@': w, 'e:#f': v } } }
            """
        ).text
        for line in [
            #"a\u{28}b\u{29}: x"#, #"\u{27}: y"#, #"\u{5b}c\u{5d}: z"#, "ä.$d-_@: w", ##"e\:\#f: v"##,
        ] { #expect(text.contains("\n\(line)\n"), "\(text)") }
        guard case .multipart(let parts)? = try ImportedText(text, path: "a.hurl", as: .hurl).collection.requests.first?.body else {
            Issue.record("\(text)")
            return
        }
        #expect(parts.map(\.name) == ["a(b)", "'", "[c]", "ä.$d-_@", "e:#f"])
    }

    @Test func `a name in a query or form is encoded, since Hurl sends it as it stands`() throws {
        let names = "'a b': x, 'c[d]': y, ü: z, 'e%20': w"
        let text = try export(
            "turnstone: 1\nrequests: { a: { post: http://h.test/, query: { \(names) }, body: { form: { \(names) } } } }"
        ).text
        for line in [#"a\u{25}20b: x"#, #"c\u{25}5Bd\u{25}5D: y"#, #"\u{25}C3\u{25}BC: z"#, #"e\u{25}2520: w"#] {
            #expect(text.split(separator: "\n").count { $0 == line } == 2, "\(text)")
        }
        let again = try #require(try ImportedText(text, path: "a.hurl", as: .hurl).collection.requests.first)
        guard case .form(let rows)? = again.body else {
            Issue.record("\(text)")
            return
        }
        for rows in [again.query, rows] { #expect(rows.map(\.name) == ["a b", "c[d]", "ü", "e%20"]) }
    }

    @Test func `dot segments are sent as they are, and what isn't encoded in a URL is said`() throws {
        let exported = try export(
            """
            turnstone: 1
            variables: { host: "http://h.test", odd: a b, even: ab }
            requests: { a: { get: "{{host}}/x/../{{odd}}/{{even}}" } }
            """)
        #expect(exported.text.contains("\npath-as-is: true\n"), "\(exported.text)")
        #expect(
            exported.notes.map(\.text) == ["`{{odd}}` goes into a URL or form as it is: Hurl doesn't encode it there"])
    }

    @Test func `an item of a list, and a member of a map, is its value there`() throws {
        let exported = try export(
            """
            turnstone: 1
            variables: { ids: [11, 12], user: { name: ada, ids: [{ at: x }] } }
            requests: { a: { get: "http://h.test/{{ids[-1]}}/{{user.name}}/{{user.ids[0].at}}" } }
            """)
        #expect(exported.text.contains("GET http://h.test/12/ada/x\n"), "\(exported.text)")
    }

    @Test func `an item keeps its type, has no default, and is no constant where an environment or a credential is behind it`()
        throws
    {
        let exported = try export(
            #"""
            turnstone: 1
            variables: { ids: [11], user: { age: 7, name: ada }, token: [t-1], other: { a: 1 } }
            environments: { live: { other: { a: 2 } } }
            requests:
              a:
                post: "http://h.test/{{user.name | default('x')}}?t={{token[0]}}&o={{other.a}}"
                body: { json: { qty: "{{ids[0]}}", age: "{{user.age}}", name: "{{user.name}}" } }
            """#)
        for line in [#"  "qty": 11,"#, #"  "age": 7,"#, #"  "name": "ada""#] {
            #expect(exported.text.contains(line), "\(exported.text)")
        }
        #expect(exported.text.contains("POST http://h.test/ada"), "\(exported.text)")
        #expect(!exported.text.contains("t-1") && !exported.text.contains("=1") && exported.notes.count >= 2, "\(exported.text)")
    }

    @Test func `braces in JSON that are no template aren't one there either`() throws {
        let exported = try export(
            "turnstone: 1\nrequests: { a: { post: http://h.test/, body: { json: { b: '{{\"{{\"}}these}}' } } } }")
        #expect(exported.text.contains(#""b": "\u007b\u007bthese}}""#), "\(exported.text)")
    }

    @Test func `a certificate is named from the collection's directory, as files are`() throws {
        let exported = try export(
            "turnstone: 1\nrequests: { a: { post: http://h.test/, tls: { ca: ca.pem, key: /abs/k.pem }, body: { file: b.json } } }",
            path: "some/where/shop.yaml")
        for line in ["cacert: ca.pem", "key: /abs/k.pem", "file,b.json;"] {
            #expect(exported.text.contains(line), "\(exported.text)")
        }
        #expect(exported.notes.contains { $0.text.contains("run hurl there, with --file-root .") })
    }

    @Test func `a file of variables has what each looks like, and no line of another's making`() throws {
        let exported = try export(
            """
            turnstone: 1
            variables: { host: "http://h.test", version: "1.50", quoted: '"x"', padded: " x ", flag: "true", count: 5 }
            environments:
              a/b: { bad: "x\\nhost=http://evil.test" }
              A/B: { host: "http://other.test" }
            requests: { a: { get: "{{host}}/" } }
            """)
        let files = exported.files.filter { $0.path.hasSuffix(".vars") }
        #expect(files.map(\.path) == ["a-b.vars", "a-b-2.vars"])
        #expect(
            files.first?.text
                == "host=http://h.test\nversion=\"1.50\"\nquoted=\"\"x\"\"\npadded=\" x \"\nflag=\"true\"\ncount=5\n")
        #expect(exported.notes.contains { $0.text == "the variable `bad`: a file of variables holds no line break" })
    }

    @Test(arguments: [
        ("connection: { to: ['a.test:443:b.test:8443'] }", "connect-to: a.test:443:b.test:8443"),
        ("connection: { family: ipv4 }", "ipv4: true"), ("connection: { rate: 2KiB }", "limit-rate: 2048"),
        ("tls: { pins: [sha256//x] }", "pinnedpubkey: sha256//x"), ("tls: { certificate: me.pem }", "cert: me.pem"),
        ("auth: { ntlm: { user: a, password: b } }", "ntlm: true\nuser: a:b"), ("auth: negotiate", "negotiate: true\nuser: :"),
        ("auth: netrc", "netrc: true"),
    ])
    func `an option is written, and read again as it was`(line: String, option: String) throws {
        let collection = RequestCollection.of("turnstone: 1\nrequests: { a: { get: http://h.test/, \(line) } }")
        let exported = try HurlExport(collection, requests: collection.requests).result
        #expect(exported.text.contains("\n\(option)\n"), "\(exported.text)")
        let imported = try ImportedText(exported.text, path: "a.hurl", as: .hurl, keepsSecrets: true)
        #expect(imported.notes == [])
        let (before, after) = (try #require(collection.requests.first), try #require(imported.collection.requests.first))
        #expect(after.auth ?? imported.collection.defaults.auth == before.auth)
        #expect(after.settings.connection == before.settings.connection)
        #expect(after.settings.pins == before.settings.pins)
        #expect(after.settings.certificate == before.settings.certificate)
    }
}
