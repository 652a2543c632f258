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
            (#"curl -T 'dir/a b.txt' http://h/up/"#, "put: http://h/up/a%20b.txt\nbody: { file: dir/a b.txt }"),
            (#"curl -T a.txt http://h"#, "put: http://h/a.txt\nbody: { file: a.txt }"),
            (#"curl -T a.txt http://h/b"#, "put: http://h/b\nbody: { file: a.txt }"),
            (#"curl --url-query x 'http://h/a#b'"#, "get: http://h/a?x"),
            (#"curl -x http://p:1 -U 'a:b@c' http://h/"#, "get: http://h/\nproxy: http://{{proxy_credentials}}@p:1"),
            (
                #"curl -F 'f=@a.txt,"b,c.txt";type=text/x' http://h/"#,
                "post: http://h/\nbody:\n  multipart: { f: [{ file: a.txt }, { file: \"b,c.txt\", type: text/x }] }"
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
        ]) func `a command is what curl makes of it`(command: String, yaml: String) throws
    {
        #expect(try Self.request(command) == yaml)
    }

    @Test(arguments: [
        ("-T a.txt", "curl sends the file a.txt without a Content-Type; here its name says one"),
        ("-F f=@a,b", "curl puts the files of `f` into one part (multipart/mixed); here each is a part"),
        ("-F 'f=<a;type=text/x'", "a line end at the end of the file a, if it has one"),
        ("--data-urlencode n@a", "a line end at the end of the file a, if it has one"), ("-U a:b", "the option --proxy-user"),
    ])
    func `what is sent otherwise is said`(options: String, note: String) throws {
        let notes = try ImportedText("curl \(options) http://h/x", path: "curl", as: .curl).notes
        #expect(notes.contains { $0.contains(note) }, "\(notes)")
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
