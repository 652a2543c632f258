import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

/// What a command means that other readers of it miss.
@Suite struct CurlDetailTests {
    /// The first request, in YAML from the method on, without the name.
    private static func request(_ command: String) throws -> String {
        let imported = try ImportedText(command, path: "curl", as: .curl)
        let lines = imported.yaml.split(separator: "\n").drop { $0 != "requests:" }.dropFirst(2)
        return lines.prefix { $0.hasPrefix("    ") }
            .filter { !$0.hasPrefix("    name:") && !["    redirects: { follow: never }", "    compression: false"].contains($0) }
            .map { String($0.dropFirst(4)) }
            .joined(separator: "\n")
    }

    @Test(
        arguments: [
            (
                #"curl --json '{"a":' --json '1}' http://h/"#,
                "post: http://h/\nheaders: { Accept: application/json }\nbody: { json: { a: 1 } }"
            ),
            (#"curl --url-query 'a=b c%20' --url-query '+d=e%20f&g' http://h/"#, "get: http://h/?a=b%20c%2520&d=e%20f&g"),
            (#"curl --url-query 'x y' --url-query '=z&' http://h/?p=1"#, "get: http://h/?p=1&x+y&z%26"),
            (#"curl --url-query 'q@f.txt' http://h/"#, "get: http://h/\nquery: { q: '{{file(\"f.txt\")}}' }"),
            (#"curl -G -d flag -d a=b http://h/"#, "get: http://h/?flag\nquery: { a: b }"),
            (
                #"curl -d 'a=b&flag' http://h/"#,
                "post: http://h/\nheaders: { Content-Type: application/x-www-form-urlencoded }\nbody: { text: a=b&flag }"
            ),
            (
                #"curl -d a=b --data-urlencode 'x y' http://h/"#,
                "post: http://h/\nheaders: { Content-Type: application/x-www-form-urlencoded }\nbody: { text: a=b&x+y }"
            ),
            (#"curl --data-urlencode 'a=b c' -d d=e http://h/"#, "post: http://h/\nbody: { form: { a: b c, d: e } }"),
            (
                #"curl -T 'dir/a b.txt' http://h/up/"#,
                "put: http://h/up/a%20b.txt\nheaders: { Content-Type: null }\nbody: { file: dir/a b.txt }"
            ),
            (#"curl -T a.txt http://h"#, "put: http://h/a.txt\nheaders: { Content-Type: null }\nbody: { file: a.txt }"),
            (#"curl -T a.txt http://h/b"#, "put: http://h/b\nheaders: { Content-Type: null }\nbody: { file: a.txt }"),
            (#"curl --url-query x 'http://h/a#b'"#, "get: http://h/a?x"),
            (#"curl -x http://p:1 -U 'a:b@c' http://h/"#, "get: http://h/\nproxy: http://{{proxy_credentials}}@p:1"),
            (
                #"curl -F 'f=@a.txt,"b,c.txt";type=text/x' http://h/"#,
                "post: http://h/\nbody:\n  multipart:\n    f:\n      - { file: a.txt, type: text/plain }\n      - { file: \"b,c.txt\", type: text/x }"
            ),
            (#"curl -r 600 http://h/"#, "get: http://h/\nheaders: { Range: bytes=600- }"),
            (#"curl -e 'http://r/;auto' http://h/"#, "get: http://h/\nheaders: { Referer: http://r/ }"),
            (#"curl http://h/a/./b/../c"#, "get: http://h/a/c"),
            (#"curl --path-as-is http://h/a/../b"#, "get: http://h/a/../b"),
            (#"curl http://h/users/{id}"#, #"get: http://h/users/{{id}}"#),
            (#"curl -g 'http://h/{a,b}[1]'"#, "get: http://h/{a,b}[1]"),
            ("curl -d @- http://h/ <<< 'a=b'", "post: http://h/\nbody: { form: { a: b } }"),
            ("curl -d @/dev/stdin http://h/ <<EOF\na=b\nEOF", "post: http://h/\nbody: { form: { a: b } }"),
            ("curl http://h/${ID:-7}", #"get: http://h/{{env("ID") | default("7")}}"#),
            ("if true; then\n  curl http://h/in\nfi", "get: http://h/in"),
            // What is a value of an option begins no other request, and an option may be shortened.
            ("curl -d --next=1 http://h/", "post: http://h/\nbody: { form: { \"--next\": 1 } }"),
            ("curl -s -: http://h/", "get: http://h/"), ("curl -T '' http://h/", "get: http://h/"),
            (
                "curl --data-bin @a http://h/ -H content-type:a/b",
                "post: http://h/\nheaders: { content-type: a/b }\nbody: { file: a }"
            ), ("curl --netrc http://h/", "get: http://h/\nauth: netrc"),
            ("curl --head http://h/", "head: http://h/"),
            // A header of cookies where they are no pairs.
            ("curl -b 'a=b;c' http://h/", "get: http://h/\nheaders: { Cookie: \"{{cookie}}\" }"),
            (#"curl -b 'a="b;c"' http://h/"#, "get: http://h/\nheaders: { Cookie: \"{{cookie}}\" }"),
            ("curl -b =b http://h/", "get: http://h/\nheaders: { Cookie: \"{{cookie}}\" }"),
            ("curl -b 'a=b;' -b c=d http://h/", "get: http://h/\ncookies: { a: b, c: d }"),
            ("curl -b a=b -H 'Cookie: c=d' http://h/", "get: http://h/\nheaders: { Cookie: \"{{cookie}}\" }"),
            ("curl -u a:b -H Authorization: http://h/", "get: http://h/\nheaders: { Authorization: null }"),
            (
                #"curl -G --json '{"a":1}' http://h/"#,
                "get: http://h/?{\"a\":1}\nheaders: { Content-Type: application/json, Accept: application/json }"
            ),
            // The values that a script gives.
            ("A='X-T: 5'; curl -H \"$A\" http://h/", "get: http://h/\nheaders: { X-T: 5 }"),
            ("A='a=b; c=d'; curl -b \"$A\" http://h/", "get: http://h/\ncookies: { a: b, c: d }"),
            ("M=PUT; curl -X $M http://h/", "put: http://h/"),
            (
                "B=@b; curl --data-binary $B -H content-type:a/b http://h/",
                "post: http://h/\nheaders: { content-type: a/b }\nbody: { file: b }"
            ),
            ("F=a=@b; curl -F $F http://h/", "post: http://h/\nbody: { multipart: { a: { file: b } } }"),
            ("O='-d a=b'; curl $O http://h/", "post: http://h/\nbody: { form: { a: b } }"),
            // PowerShell's lines and quotes.
            ("curl.exe -X PUT `\n  -H \"X-T: `\"1`\"\" `\r\n  http://h/", "put: http://h/\nheaders: { X-T: '\"1\"' }"),
            (
                "curl.exe http://h/ `\n  -d '{\\\"a\\\": \"it''s\"}' `\n -H content-type:application/json",
                "post: http://h/\nbody: { json: { a: it's } }"
            ),
        ]) func `a command is what curl makes of it`(command: String, yaml: String) throws
    {
        #expect(try Self.request(command) == yaml)
    }

    @Test(arguments: [
        ("-T a -T b", "the file b, for which there is no URL"),
        ("-T '{a,b}'", "the files that `{a,b}` stands for, each of which curl sends; here it is one name"),
        ("-b a=b -H 'Cookie: c=d'", "the cookies of `-b`, which curl leaves out, too, beside a header `Cookie`"),
        ("-u a:b -H Authorization:", "the user or the token, which curl leaves out, too: `-H Authorization:`"),
        ("-H \"$FIELD\"", "the header `$FIELD`: its name is in a variable"),
        ("-F f=@a,b", "curl puts the files of `f` into one part (multipart/mixed); here each is a part"),
        ("-F 'f=<a;type=text/x'", "a line end at the end of the file a, if it has one"),
        ("--data-urlencode n@a", "a line end at the end of the file a, if it has one"), ("-U a:b", "the option --proxy-user"),
    ])
    func `what is sent otherwise is said`(options: String, note: String) throws {
        let notes = try ImportedText("curl \(options) http://h/x", path: "curl", as: .curl).notes
        #expect(notes.contains { $0.contains(note) }, "\(notes)")
    }

    @Test func `a variable has the value that the script has given it by then`() throws {
        let imported = try ImportedText(
            "X=1; curl http://h/$X\nX=2\nX=2; curl http://h/$X\nX_2=4; curl http://h/$X_2/$X", path: "curl", as: .curl)
        #expect(imported.collection.requests.map(\.url) == ["{{host}}/{{X}}", "{{host}}/{{X_2}}", "{{host}}/{{X_2_2}}/{{X_2}}"])
        #expect(imported.collection.variables.map(\.name) == ["host", "X", "X_2", "X_2_2"])
    }

    @Test func `each URL has its own file to upload`() throws {
        let imported = try ImportedText("curl -T a http://h/1/ -T b http://h/2/ http://h/3", path: "curl", as: .curl)
        #expect(
            imported.collection.requests.map { "\($0.method) \($0.url)" } == [
                "PUT {{host}}/1/a", "PUT {{host}}/2/b", "GET {{host}}/3",
            ])
        #expect(imported.collection.requests.map(\.body) == [.file("a"), .file("b"), nil])
    }

    @Test(arguments: [("-A ''", "User-Agent"), ("-H user-agent:", "User-Agent"), ("-H 'Accept: '", "Accept")])
    func `a field that curl is told to leave out is left out`(options: String, name: String) throws {
        let imported = try ImportedText("curl \(options) http://h/x", path: "curl", as: .curl)
        #expect(imported.notes == [])
        let request = try #require(imported.collection.requests.first)
        let resolved = try imported.collection.resolve(request, environment: nil)
        #expect(resolved.configuration.transport.omittedHeaders == [name])
        #expect(try imported.command("get-x").lowercased().contains("--header \(name.lowercased()):"))
    }

    @Test(
        arguments: [
            ("http://h/{a,b}", ["http://h/a", "http://h/b"]), ("http://h/[1-3]", ["http://h/1", "http://h/2", "http://h/3"]),
            ("http://h/[08-12:2]", ["http://h/08", "http://h/10", "http://h/12"]),
            ("http://h/[a-c:2]", ["http://h/a", "http://h/c"]),
            ("http://h/{a,b}[1-2]", ["http://h/a1", "http://h/a2", "http://h/b1", "http://h/b2"]),
            ("http://h/\\{a,b\\}", ["http://h/{a,b}"]), ("http://h/{{x}}", ["http://h/{{x}}"]),
            ("http://[::1]/", ["http://[::1]/"]),
            ("http://h/{id}", ["http://h/{{id}}"]), ("http://h/[1-900]", nil), ("http://h/{a,b", ["http://h/{a,b"]),
        ] as [(String, [String]?)]) func `a URL with braces and brackets is several`(url: String, urls: [String]?)
    {
        #expect(CurlURL.expanded(url) == urls)
    }

    @Test func `what a command does that a request can't is said`() throws {
        let imported = try ImportedText(
            "curl -H Host: http://h/\ncurl 'http://h/[1-999]'\ncurl http://h/$1\ncurl http://h/${A%x}", path: "curl", as: .curl)
        #expect(
            imported.notes == [
                "- GET h: `-H Host:`: a request always says its host",
                "- line 2: http://h/[1-999] stands for more than 50 URLs; there is one request of it, with braces as they are",
                "- GET /{{env(\"A\")}}: `${A%x}`: only its variable is taken",
                "GET /{{argument_1}}: `$1`, an argument of the script, is the variable `argument_1` now",
            ])
    }
}
