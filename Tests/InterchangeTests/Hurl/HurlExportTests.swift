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
            "turnstone: 1\nrequests: { a: { get: http://h.test/, query: { 'a(b)': x, \"'\": y, '[c]': z, 'ä.$d-_@': w, 'e:#f': v } } }"
        ).text
        for line in [
            #"a\u{28}b\u{29}: x"#, #"\u{27}: y"#, #"\u{5b}c\u{5d}: z"#, "ä.$d-_@: w", ##"e\:\#f: v"##,
        ] { #expect(text.contains("\n\(line)\n"), "\(text)") }
        let again = try ImportedText(text, path: "a.hurl", as: .hurl).collection.requests.first?.query.map(\.name)
        #expect(again == ["a(b)", "'", "[c]", "ä.$d-_@", "e:#f"])
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
