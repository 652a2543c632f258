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

    /// What curl 7.88.1 sent for each of these.
    @Test(
        arguments: [
            ("a= b ", "b", nil, nil), ("a=\" b \"", " b ", nil, nil), ("a=b;TYPE=x/y", "b", "x/y", nil),
            ("a=b;type=x/y;type=v/w", "b", "x/y;type=v/w", nil), ("a=b;type=x/y;filename=u;type=v/w", "b", "v/w", "u"),
            ("a=b;type=x/y ; charset=utf-8 ;filename=u", "b", "x/y ; charset=utf-8", "u"),
            ("a=b;filename=\"u\\\"v\\\\w\\x\"", "b", nil, "u\"v\\w\\x"),
            ("a=\"b\\n\\\"\\\\\"", "b\\n\"\\", nil, nil),
            ("a=\"b", "\"b", nil, nil), ("a=b;filename= u ;type= x/y", "b", "x/y", "u"), ("a= @t", "@t", nil, nil),
            ("a=b\u{301};type=x/y", "b\u{301}", "x/y", nil), ("a=\u{301}y", "\u{301}y", nil, nil), ("a=b,c", "b,c", nil, nil),
            ("a=b;type=x/\"y;z\"", "b", "x/\"y;z\"", nil),
        ] as [(String, String, String?, String?)])
    func `a text in a form is what curl sends`(argument: String, text: String, type: String?, fileName: String?) throws {
        let form = try #require(CurlFormArgument(argument, isLiteral: false))
        let content = try #require(form.contents.first)
        #expect(form.name.utf8.elementsEqual("a".utf8))
        #expect(content.source == .text && content.text.utf8.elementsEqual(text.utf8))
        #expect(content.type == type && content.fileName == fileName)
        let imported = try Self.part(argument)
        #expect(imported.0.content == .text(text) && imported.0.contentType == type && imported.0.fileName == fileName)
        #expect(imported.1 == [])
        // --form-string takes nothing apart.
        let literal = try #require(CurlFormArgument(argument, isLiteral: true)?.contents.first?.text)
        #expect(literal.unicodeScalars.elementsEqual(argument.unicodeScalars.dropFirst(2)))
    }

    @Test(
        arguments: [
            ("a=@ t.txt", "t.txt", "text/plain"), ("a=@t.txt;filename=", "t.txt", "text/plain"),
            ("a=@t.txt ;type=x/y", "t.txt", "x/y"),
            ("a=@a.json", "a.json", "application/octet-stream"),
            ("a=@t.txt;filename=z.png", "t.txt", "image/png"), ("a=@d,\u{301}e", "d", nil), ("a=@q.PNG", "q.PNG", nil),
            ("a=@t.html", "t.html", "text/html"), ("a=@t.txt;filename=z", "t.txt", "text/plain"),
        ] as [(String, String, String?)])
    func `a file in a form is the one that curl sends, with its type`(argument: String, path: String, type: String?) throws {
        let (part, _) = try Self.part(argument)
        #expect(part.content == .file(path))
        #expect(part.contentType == type)
    }

    @Test func `what curl puts into a form in another way is said`() throws {
        let group = try Self.imported("-F 'a=(;type=multipart/mixed' -F 'b=c' -F '=)'")
        #expect(group.collection.requests.first?.body == .multipart([.init(name: "b", content: .text("c"))]))
        #expect(
            group.notes == ["- POST h: curl puts the parts from `a=(` to `=)` into one part; here each is one of the form itself"])
        for (argument, note) in [
            ("a", "`a` of `--form`, which has no `=`: curl refuses it"), ("=b", "a part without a name has an empty one here"),
            ("a=b;type=foo", "the type `foo` of the part `a`, which curl refuses: it has no `/`"),
        ] {
            #expect(try Self.imported("-F b=c -F '\(argument)'").notes == ["- POST h: \(note)"])
        }
        let named = try Self.part("a=<t;filename=u")
        #expect(named.0.fileName == nil)
        #expect(try Self.part("a=<\"b;c\"").1 == ["- POST h: a line end at the end of the file b;c, if it has one"])
    }

    @Test func `standard input is what the script gives`() throws {
        func requests(_ options: String) throws -> ImportedText {
            try ImportedText("curl \(options) http://h/ <<< hi", path: "a.sh", as: .curl)
        }
        #expect(
            try requests("-F 'a=<-' -F b=@-").collection.requests.first?.body
                == .multipart([
                    .init(name: "a", content: .text("hi\n")), .init(name: "b", content: .text("hi\n"), fileName: "-"),
                ]))
        #expect(Self.form(try requests("--data-urlencode a@-")) == ["a=hi\n"])
        let missing = try Self.imported("-F a=@- --url-query b@-")
        #expect(
            missing.notes == [
                "- POST h: the text of `b@-`, which comes from standard input",
                "- POST h: the part `a`, which comes from standard input",
            ])
    }

    @Test(arguments: [
        ("-F \"a=<$FILE\"", "'{{file(env(\"FILE\"))}}'"), ("--data-urlencode \"a@$FILE\"", "'{{file(env(\"FILE\"))}}'"),
        ("--data-urlencode \"@${FILE:-t.txt}\"", "'{{file(env(\"FILE\") | default(\"t.txt\"))}}'"),
        ("-F \"a=${A:-b;c,d}\"", "a: '{{env(\"A\") | default(\"b;c,d\")}}'"),
        ("--data-urlencode \"${A:-a=b}\"", "'{{env(\"A\") | default(\"a=b\")}}'"),
        ("-u \"${U:-a:b}:c\"", "user: '{{env(\"U\") | default(\"a:b\")}}'"),
        ("-b \"a=${C:-b;c}\"", "{{env(\"C\") | default(\"b;c\")}}"),
        ("-T \"$FILE\"", "{{env(\"FILE\")}}"), ("-F \"a=$X\u{301}\"", "a: '{{env(\"X\")}}\u{301}'"),
        ("-d \"a=$(cat \"b c\")\"", "{{cat__b_c_}}"),
    ])
    func `a variable of the shell stays whole, whatever stands in it`(options: String, yaml: String) throws {
        let imported = try Self.imported(options)
        #expect(imported.yaml.contains(yaml), "\(imported.yaml)")
        let text = imported.yaml + imported.notes.joined()
        #expect(!text.unicodeScalars.contains { (0xF700...0xF8FF).contains($0.value) }, "\(text)")
        #expect(!text.contains("%EF%A3%B0"))
    }

    @Test func `what curl would have encoded of a variable, and a file of several, are told of`() throws {
        let whole = try Self.imported("--data-urlencode \"$X\"")
        #expect(
            whole.notes == [
                "- POST h: curl encodes what `$X` stands for, but for a name and `=` at its start; here it is sent as it is"
            ])
        let path = try Self.imported("-F \"a=<$DIR/x\"")
        #expect(path.notes.contains { $0.contains("`file()` takes a text or one variable") }, "\(path.notes)")
    }

    @Test func `an accent behind a sign of a form doesn't take it away`() throws {
        func form(_ options: String) throws -> [[String]] {
            guard case .form(let rows)? = try Self.imported(options).collection.requests.first?.body else { return [] }
            return rows.map { [$0.name, $0.value] }
        }
        #expect(try form("-d 'a=b&\u{301}c=d'") == [["a", "b"], ["\u{301}c", "d"]])
        #expect(try form("--data-urlencode 'a=\u{301}b'") == [["a", "\u{301}b"]])
        #expect(try form("--data-urlencode 'a+b=c'") == [["a b", "c"]])
        #expect(try Self.imported("--data-urlencode 'd&e=f g'").collection.requests.first?.body == .text("d&e=f%20g"))
        let cookies = try Self.imported("-b 'a=b;\u{301}c=d'").collection.requests.first?.cookies.map(\.name)
        #expect(cookies == ["a", "\u{301}c"])
        let header = try Self.imported("-H 'X-T: \u{301}a'").collection.requests.first?.headers.first?.value
        #expect(header?.unicodeScalars.first == "\u{301}")
    }

    @Test(arguments: [
        ("a&\u{301}b", ["a", "\u{301}b"]), ("{{x}}&{{\"&\"}}", ["{{x}}", "", ""]), ("{{'{{{'}}&", ["{{\"{{\"}}{", ""]),
        ("{{ \"{{\" }}", ["{{\"{{\"}}"]), ("{{a", ["{{\"{{\"}}a"]),
    ])
    func `a text of ours is taken apart as it is read`(text: String, parts: [String]) {
        #expect(TemplateText(own: text).split(at: "&").map(\.text) == parts)
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
