import Foundation
import HTTPTypes
import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// `-F` and `--data-urlencode`, read as curl 7.88 was seen to read them.
@Suite struct CurlFormTests {
    private static func imported(_ options: String) throws -> ImportedText {
        try ImportedText("curl \(options) http://h/", path: "curl", as: .curl)
    }

    private static func form(_ imported: ImportedText) -> [String] {
        guard case .form(let rows)? = imported.collection.requests.first?.body else { return [] }
        return rows.map { "\($0.name)=\($0.value)" }
    }

    private static func part(_ argument: String) throws -> (BodyDefinition.Part, [String]) {
        let imported = try imported("-F '\(argument)'")
        guard case .multipart(let parts)? = imported.collection.requests.first?.body else {
            Issue.record("\(imported.yaml)")
            return (BodyDefinition.Part(name: "", content: .text("")), [])
        }
        return (try #require(parts.first), imported.notes)
    }

    @Test(
        arguments: [
            ("f=@t;type=text/plain; charset=utf-8", "text/plain; charset=utf-8", nil),
            ("f=@t;type=text/plain;charset=utf-8;filename=u", "text/plain;charset=utf-8", "u"),
            ("f=@t;filename=\"a;b\";type=a/b; c=d", "a/b; c=d", "a;b"), ("f=@t; type=a/b", "a/b", nil),
        ] as [(String, String?, String?)])
    func `a file's type has its parameters`(argument: String, type: String?, fileName: String?) throws {
        let (part, notes) = try Self.part(argument)
        #expect(part.content == .file("t"))
        #expect(part.contentType == type && part.fileName == fileName)
        #expect(notes == [])
    }

    @Test(arguments: [
        ("f=@t;headers=\"X-P: 1\"", "`headers=X-P: 1` of the part `f`"),
        ("f=@t;encoder=base64", "`encoder=base64` of the part `f`"),
        ("f=@t;foo=bar", "`;foo=bar` of the part `f`, which curl leaves out, too; `--form-string` keeps a semicolon"),
    ])
    func `what a part can't have is said`(argument: String, note: String) throws {
        let (part, notes) = try Self.part(argument)
        #expect(part.content == .file("t"))
        #expect(notes == ["- POST h: \(note)"])
    }

    @Test func `a text ends at a semicolon, and quotes keep one`() throws {
        #expect(try Self.part("n=a; b").0.content == .text("a"))
        #expect(try Self.part("n=\"a;b\"c;type=x/y").0.content == .text("a;b"))
    }

    @Test func `what export writes for an upload is an upload again`() throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { a: { post: \"http://h/\", body: { multipart: { f: { file: t.txt } } } } }")
        let request = try #require(collection.requests.first)
        let command = try CurlExport(request, in: collection).command
        let again = try ImportedText(command, path: "curl", as: .curl)
        #expect(
            again.collection.requests.first?.body
                == .multipart([
                    .init(name: "f", content: .file("t.txt"), fileName: "t.txt", contentType: "text/plain; charset=utf-8")
                ]),
            "\(command)\n\(again.yaml)")
    }

    @Test func `a file in a form is encoded, whatever else is in the form`() throws {
        let imported = try Self.imported("--data-urlencode 'a&b' --data-urlencode n@amp")
        #expect(
            Self.form(imported) == ["a&b=", "n={{file(\"amp\")}}"], "\(imported.yaml)")
        #expect(
            imported.notes.contains(
                "- POST h: the field `a&b` has no `=` in curl; here it is sent with one, so that what templates stand for is encoded"
            ), "\(imported.notes)")
        let alone = try Self.imported("--data-urlencode @amp")
        #expect(Self.form(alone) == ["{{file(\"amp\")}}="], "\(alone.yaml)")
        let query = try Self.imported("-G -d flag --data-urlencode n@amp --data-urlencode 'c&'")
        #expect(query.collection.requests.first?.query.map(\.name) == ["flag", "n", "c&"], "\(query.yaml)")
        let raw = try Self.imported(#"-d "$DATA" --data-urlencode n@amp"#)
        #expect(raw.notes.contains { $0.contains("isn't encoded") }, "\(raw.notes)")
    }

    @Test(arguments: ["--noproxy '*' -x http://p:1", "-x http://p:1 --noproxy '*'", "-x http://p:1 -U a:b --noproxy '*'"])
    func `no proxy for any host goes before a proxy, wherever it stands`(options: String) throws {
        let imported = try Self.imported(options)
        #expect(imported.collection.requests.first?.settings.proxy == "", "\(imported.yaml)")
        #expect(imported.notes == [])
        #expect(try Self.imported("-x http://p:1 --noproxy a --noproxy '*'").collection.requests.first?.settings.proxy == "")
        #expect(
            try Self.imported("-x http://p:1 --noproxy '*' --noproxy a").collection.requests.first?.settings.proxy == "http://p:1")
    }

    @Test func `a variable of the shell in an option of the connection is one`() throws {
        #expect(try Self.imported(#"-x "$PROXY""#).collection.requests.first?.settings.proxy == "{{env(\"PROXY\")}}")
    }

    @Test(arguments: ["text/plain", "TEXT/Plain"])
    func `a type that is said is sent`(type: String) throws {
        let imported = try Self.imported("-d x -H 'Content-Type: \(type)'")
        let request = try #require(imported.collection.requests.first)
        #expect(try imported.collection.resolve(request, environment: nil).request.headers[.contentType] == type)
    }

    @Test func `half of a surrogate pair stays as it is written`() throws {
        for body in [#"{"z":"\ud800"}"#, #"{"z":["\ude00\ud83d"]}"#] {
            let imported = try Self.imported("--json '\(body)'")
            let request = try #require(imported.collection.requests.first)
            #expect(
                try imported.collection.resolve(request, environment: nil).request.body == .data(.init(body.utf8)),
                "\(imported.yaml)")
        }
        let whole = try Self.imported(#"--json '{"z":"\ud83d\ude00"}'"#)
        #expect(whole.yaml.contains("😀"), "\(whole.yaml)")
    }

    @Test func `carriage returns in quotes are sent, where the script's lines end without them`() throws {
        func body(_ script: String) throws -> BodyDefinition? {
            try ImportedText(script, path: "a.sh", as: .curl).collection.requests.first?.body
        }
        #expect(try body("curl http://h/ \\\n  --data-raw 'a\r\nb'\n") == .text("a\r\nb"))
        // Saved on Windows.
        #expect(try body("# Say it\r\ncurl http://h/ \\\r\n  --data-raw 'a\r\nb'\r\n") == .text("a\nb"))
        let mixed = try ImportedText("# Say it\r\ncurl http://h/ \\\r\n  -d a=b\r\n\n", path: "a.sh", as: .curl)
        #expect(mixed.collection.requests.first?.name == "Say it")
        #expect(Self.form(mixed) == ["a=b"])
    }

    @Test func `control characters and other bytes of a shell's quotes`() throws {
        let imported = try Self.imported(#"--data-raw $'\cA\c?\q\'\?'"#)
        #expect(imported.collection.requests.first?.body == .text("\u{1}\u{7F}\\q'?"), "\(imported.yaml)")
        let bytes = try Self.imported(#"--data-raw $'\xe9'"#)
        #expect(bytes.notes == ["- line 1: the bytes in `$'…'` that aren't UTF-8; put them into a file, and send that"])
    }

    @Test func `the place behind a name is none of it`() throws {
        let imported = try ImportedText("# post-a  my c.yaml:4:3\ncurl -d a=b http://h/a\n", path: "a.sh", as: .curl)
        #expect(imported.collection.requests.first?.name == nil)
        #expect(imported.collection.requests.first?.id.rawValue == "post-a")
        let other = try ImportedText("# Say it at 4:3\ncurl http://h/a\n", path: "a.sh", as: .curl)
        #expect(other.collection.requests.first?.name == "Say it at 4:3")
    }

    @Test func `a browser's command for Windows is read as it is meant there`() throws {
        let text =
            "curl ^\"http://h/a?b=c^&d=^%^22^\" ^\r\n  -H ^\"accept: */*^\" ^\r\n  -H ^\"x-a: ^\\^\"b^\\^\"^\" ^\r\n"
            + "  --data-raw ^\"^{^\\^\"z^\\^\":^\\^\"1^\\^\"^}^\" &\r\ncurl ^\"http://h/b^\"\r\n"
        let imported = try ImportedText(text, path: "a.cmd", as: .curl)
        let requests = imported.collection.requests
        #expect(requests.map(\.url) == ["{{host}}/a", "{{host}}/b"], "\(imported.yaml)")
        #expect(requests.first?.query.map { "\($0.name)=\($0.value)" } == ["b=c", "d=\""])
        #expect(requests.first?.headers.map(\.value).contains("\"b\"") == true, "\(imported.yaml)")
        #expect(requests.first?.body == .json("{\n  \"z\": \"1\"\n}"), "\(imported.yaml)")
        #expect(ImportKind.curl == (try ImportKind.detect(ImportSource(path: "a.cmd", text: text))))
        let old = try ImportedText("curl \"http://h/a\" ^\n  -H \"a: b\"", path: "a.cmd", as: .curl)
        #expect(old.collection.requests.map(\.url) == ["http://h/a"])
        #expect(old.collection.requests.first?.headers.map(\.value) == ["b"])
    }
}
