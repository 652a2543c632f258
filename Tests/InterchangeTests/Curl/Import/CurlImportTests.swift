import FoundationEssentials
import NetworkLayer
import RequestCollections
import Testing

@testable import Interchange

@Suite struct CurlImportTests {
    private static func imported(_ command: String) throws -> ImportedText {
        try ImportedText(command, path: "curl", as: .curl)
    }

    /// What stands below the request's name.
    private static func request(_ command: String) throws -> String {
        let yaml = try imported(command).yaml
        let lines = yaml.split(separator: "\n").drop { $0 != "requests:" }.dropFirst(2)
        // What each command says that says neither `-L` nor `--compressed`.
        let usual = ["    redirects: { follow: never }", "    compression: false"]
        return lines.filter { !$0.hasPrefix("    name:") && !usual.contains(String($0)) }.map { $0.dropFirst(4) }
            .joined(separator: "\n")
    }

    @Test func `quotes are quotes whatever stands behind them`() throws {
        let imported = try Self.imported("curl 'http://h/' -d 'a'\u{301}\"'\u{301}\"")
        let id = try #require(imported.collection.requests.first?.id.rawValue)
        #expect(try imported.command(id).hasSuffix("--data-raw 'a\u{301}'\\''\u{301}'"), "\(imported.yaml)")
    }

    @Test func `a script becomes a collection`() throws {
        let imported = try ImportedText(
            #"""
            #!/bin/sh
            # Create an order
            # It takes a while.
            HOST=https://shop.example.com
            set -e

            # Create an order
            # It takes a while.
            curl -sS -X POST "$HOST/orders?dry=1" \
              -H "Authorization: Bearer $SHOP_TOKEN" \
              -H 'Content-Type: application/json' \
              --data-raw '{"sku":"it'\''s","qty":2,"for":"{{user}}"}' | jq .id

            curl -u ada:hunter2 ${HOST}/me; curl "$HOST/$(date)"
            """#, path: "shop.sh")
        #expect(
            imported.yaml == #"""
                turnstone: 1
                name: shop
                variables:
                  HOST: https://shop.example.com
                  password: { secret: { env: SHOP_PASSWORD } }
                  user: '{{prompt("user")}}'
                  date: '{{prompt("date")}}'
                defaults: { redirects: { follow: never }, compression: false }
                requests:
                  create-an-order:
                    name: Create an order
                    description: It takes a while.
                    post: "{{HOST}}/orders"
                    query: { dry: 1 }
                    auth: { bearer: '{{env("SHOP_TOKEN")}}' }
                    body: { json: { sku: it's, qty: 2, for: "{{user}}" } }
                  get-me:
                    name: GET /me
                    get: "{{HOST}}/me"
                    auth: { basic: { user: ada, password: "{{password}}" } }
                  get-date:
                    name: GET /{{date}}
                    get: "{{HOST}}/{{date}}"

                """#)
        #expect(
            imported.notes == [
                "- line 5: the command `set`",
                "- GET /{{date}}: `$(date)`: no command of a script is run; it is the variable `date` now",
                "what curl prints isn't given to `jq`; `capture` and `expect` look into a response",
            ])
        #expect(imported.secrets == ["SHOP_PASSWORD: the password of GET /me"])
    }

    @Test(
        arguments: [
            (#"curl example.com"#, "get: http://example.com"),
            (#"curl -I http://h/"#, "head: http://h/"),
            (#"curl -XPURGE http://h/"#, "method: PURGE\nurl: http://h/"),
            (#"curl -d a=b -d 'c=d%20e+f' http://h/"#, "post: http://h/\nbody: { form: { a: b, c: d e f } }"),
            (
                #"curl -d '{"a":1}' http://h/"#,
                "post: http://h/\nheaders: { Content-Type: application/x-www-form-urlencoded }\nbody: { json: { a: 1 } }"
            ),
            (
                #"curl --json '{"a":1}' http://h/"#,
                "post: http://h/\nheaders: { Accept: application/json }\nbody: { json: { a: 1 } }"
            ),
            (
                #"curl -d @a.txt -H 'Content-Type: text/x' http://h/"#,
                "post: http://h/\nheaders: { Content-Type: text/x }\nbody: { file: a.txt }"
            ),
            (#"curl -G -d a=b --data-urlencode 'q=x y&z' http://h/?p=1"#, #"get: http://h/"# + "\nquery: { p: 1, a: b, q: x y&z }"),
            (#"curl --data-urlencode 'q@f.txt' http://h/"#, "post: http://h/\nbody: { form: { q: '{{file(\"f.txt\")}}' } }"),
            (
                #"curl -F 'a="1;b"' -F 'f=@x.png;type=image/png;filename="y;z.png"' http://h/"#,
                "post: http://h/\nbody:\n  multipart:\n    a: 1;b\n    f: { file: x.png, filename: y;z.png, type: image/png }"
            ),
            (
                #"curl -F 'a={"b":"c"}' -F 't=<n.txt' http://h/"#,
                "post: http://h/\nbody: { multipart: { a: '{\"b\":\"c\"}', t: '{{file(\"n.txt\")}}' } }"
            ),
            (#"curl -T up.bin http://h/"#, "put: http://h/up.bin\nheaders: { Content-Type: null }\nbody: { file: up.bin }"),
            (
                #"curl -H 'X-Empty;' -H 'Accept:' -A me -e http://r/ -b 'a=1; b=2' http://h/"#,
                "get: http://h/\nheaders:\n  X-Empty: \"\"\n  Accept: null\n  User-Agent: me\n  Referer: http://r/\ncookies: { a: 1, b: 2 }"
            ),
            (#"curl --digest http://a:b@h/"#, "get: http://h/\nauth: { digest: { user: a, password: \"{{password}}\" } }"),
            (#"curl --ntlm http://a:b@h/"#, "get: http://h/\nauth: { ntlm: { user: a, password: \"{{password}}\" } }"),
            (
                #"curl --data-urlencode '=x y' http://h/"#,
                "post: http://h/\nheaders: { Content-Type: application/x-www-form-urlencoded }\nbody: { text: x+y }"
            ),
            (#"curl --digest -u 'a:{{p}}' http://h/"#, "get: http://h/\nauth: { digest: { user: a, password: \"{{p}}\" } }"),
            (
                #"curl --aws-sigv4 aws:amz:eu-west-1:s3 -u 'k:{{s}}' http://h/"#,
                "get: http://h/\nauth:\n  aws-sigv4:\n    access-key: k\n    secret-key: \"{{s}}\"\n    region: eu-west-1\n    service: s3"
            ),
            (
                #"curl --aws-sigv4 osc -u 'k:{{s}}' http://h/"#,
                "get: http://h/\nauth:\n  aws-sigv4: { access-key: k, secret-key: \"{{s}}\", provider: osc }"
            ),
            (#"curl -n http://h/"#, "get: http://h/\nauth: netrc"),
            (#"curl -n -u 'a:{{p}}' http://h/"#, "get: http://h/\nauth: { basic: { user: a, password: \"{{p}}\" } }"),
            (#"curl --netrc-file f -u 'a:{{p}}' http://h/"#, "get: http://h/\nauth: { basic: { user: a, password: \"{{p}}\" } }"),
            (#"curl --netrc-file f http://h/"#, "get: http://h/\nauth: { netrc: f }"),
            (
                #"curl -E me.p12:{{p}} --cert-type P12 --tlsv1.2 --tls-max 1.3 --ciphers A:B --tls13-ciphers TLS_C http://h/"#,
                "get: http://h/\ntls:\n  certificate: me.p12\n  passphrase: \"{{p}}\"\n  min-version: 1.2\n  max-version: 1.3\n  ciphers: [A, B, TLS_C]"
            ),
            (
                #"curl -k --http1.1 -x http://p:1 -m 2.5 --connect-timeout 3 --retry 2 --cacert ca.pem http://h/"#,
                "get: http://h/\ntimeouts: { connect: 3s, operation: 2500ms }\nretry: { attempts: 3 }\ntls: { verify: false, ca: ca.pem }\nhttp: 1.1\nproxy: http://p:1"
            ),
            ("curl $'http://h/\\u00e9\\x41' -d $'a=it\\'s'", "post: http://h/éA\nbody: { form: { a: it's } }"),
            ("curl http://h/a/:b", "get: http://h/a/%3Ab"),
            (
                "curl -d @- -H 'content-type: text/plain' http://h/ <<'EOF'\nto $HOME\nEOF",
                "post: http://h/\nheaders: { content-type: text/plain }\nbody: { text: to $HOME }"
            ),
            (
                "curl --data-binary @- -H 'content-type: text/plain' http://h/ <<EOF\nto $HOME\nand on\nEOF\n",
                "post: http://h/\nheaders: { content-type: text/plain }\nbody:\n  text: |\n    to {{env(\"HOME\")}}\n    and on"
            ),
            ("curl http://h/ -o out.txt -w '%{http_code}' -fsSL > x 2>&1", "get: http://h/\nredirects: { max: 50 }"),
        ]) func `options say what is sent`(command: String, yaml: String) throws
    {
        let request = try Self.request(command)
        #expect(request == yaml)
    }

    @Test(arguments: [
        ("curl http://h/a", "redirects: { follow: never }"), ("curl -L http://h/a", "redirects: { max: 50 }"),
        ("curl --location http://h/a", "redirects: { max: 50 }"), ("curl --follow http://h/a", "redirects: { max: 50 }"),
        ("curl -L --no-location http://h/a", "redirects: { follow: never }"),
        ("curl -sSfL --max-redirs 3 http://h/a", "redirects: { max: 3 }"),
        ("curl --max-redirs 3 http://h/a", "redirects: { follow: never, max: 3 }"),
        ("curl --location-trusted http://h/a", "redirects: { max: 50, keep-auth: always }"),
        ("curl -L --max-redirs 50 --compressed http://h/a", "redirects: { max: 50 }"),
        ("curl -L --max-redirs 20 http://h/a", "redirects: { max: 20 }"),
    ])
    func `redirects are followed when the command says so, and as many as by curl`(command: String, yaml: String) throws {
        let imported = try Self.imported(command)
        #expect(imported.yaml.split(separator: "\n").first { $0.contains("redirects") }.map { String($0.dropFirst(4)) } == yaml)
        #expect(imported.yaml.contains("    compression: false\n") == !command.contains("--compressed"))
        #expect(imported.notes == [] && imported.collection.problems == [])
    }

    @Test func `most redirects are written once where all commands follow them`() throws {
        let imported = try Self.imported("curl -L http://h/a\ncurl -L http://h/b\ncurl -L http://h/c\ncurl http://h/d")
        let lines = imported.yaml.split(separator: "\n").filter { $0.contains("redirects") }
        #expect(lines == ["defaults: { redirects: { max: 50 }, compression: false }", "    redirects: { follow: never }"])
    }

    @Test(arguments: [
        ("curl -L -X POST -d x http://h/", true), ("curl -L -X DELETE http://h/", true), ("curl -L -X GET -d x http://h/", true),
        ("curl -L -X GET http://h/", false), ("curl -L -I http://h/", false), ("curl -L -d x http://h/", false),
        ("curl -L -T f http://h/a", false), ("curl -X PUT http://h/", false),
    ])
    func `what curl does with the method after a redirect is said where it differs`(command: String, isSaid: Bool) throws {
        let notes = try Self.imported("\(command)\n\(command)").notes.filter { $0.contains("repeats the method of `-X`") }
        #expect(notes.count == (isSaid ? 1 : 0))
    }

    @Test func `only --compressed asks for compression, and decodes it`() throws {
        func accepts(_ command: String) throws -> [Bool] {
            let collection = try Self.imported(command).collection
            return try collection.requests.map {
                try collection.resolve($0, environment: nil).configuration.transport.acceptsCompression
            }
        }
        #expect(try accepts("curl http://h/a") == [false])
        #expect(try accepts("curl --compressed http://h/a") == [true])
        #expect(try accepts("curl --compressed --no-compressed -H 'Accept-Encoding: gzip' http://h/a") == [false])
        let most = "curl http://h/a\ncurl http://h/b\ncurl --compressed http://h/c\ncurl http://h/d"
        #expect(try accepts(most) == [false, false, true, false])
        #expect(try Self.imported(most).yaml.split(separator: "\n").count { $0.contains("compression:") } == 2)
        #expect(try accepts("curl --compressed http://h/a\ncurl --compressed http://h/b\ncurl http://h/c") == [true, true, false])
        // What reads these files, and a URL that is pasted, is no curl.
        let file = try ImportedText("### a\ncurl http://h/a\n### b\nGET http://h/b\n", path: "a.http")
        #expect(!file.yaml.contains("compression") && !file.yaml.contains("redirects"), "\(file.yaml)")
        #expect(try PastedRequest("http://h/a").definition.settings == RequestSettings())
        #expect(try PastedRequest("curl http://h/a").definition.settings.compression == false)
    }

    @Test func `of several commands the one that follows redirects says it`() throws {
        let imported = try Self.imported("curl http://h/a\ncurl -L http://h/b\ncurl http://h/c\ncurl http://h/d")
        let lines = imported.yaml.split(separator: "\n").filter { $0.contains("redirects") }
        #expect(
            lines == [
                "defaults: { redirects: { follow: never }, compression: false }", "    redirects: { follow: always, max: 50 }",
            ])
        let policies = try imported.collection.requests.map {
            try imported.collection.resolve($0, environment: nil).configuration.redirects.policy
        }
        #expect(policies == [.never, .always, .never, .never])
    }

    @Test(arguments: [
        ("'http://h/?'", "/?", ""), ("'http://h/a?'", "/a?", ""), ("'http://h/a?b=1&'", "/a?b=1&", ""), ("'http://h?'", "/?", ""),
        ("'http://h/a?&a=1'", "/a?&a=1", ""), ("'http://h/a?a=1&&b=2'", "/a?a=1&&b=2", ""), ("'http://h/a?&'", "/a?&", ""),
        ("'http://h/a?a&b='", "/a?a&b=", ""), ("'http://h/a?=x'", "/a?=x", ""), ("'http://h/a?#x'", "/a?", ""),
        ("'http://h/a?a=1;b=2'", "/a?a=1;b=2", ""), ("'http://h/a#?'", "/a", ""), ("'http://h/a?a=1#f'", "/a?a=1", ""),
        ("http://h/a -G -d b=1 -d c", "/a?b=1&c", ""), ("'http://h/a?' -G -d c", "/a?c", ""),
        ("'http://h/a?x&' -G -d c", "/a?x&c", ""), ("'http://h/a?x=1&' -G -d c=2", "/a?x=1&c=2", ""),
        ("http://h/a -G -d '&a=1'", "/a?&a=1", ""), ("http://h/a -G -d 'a=1&'", "/a?a=1&", ""), ("http://h/a -G -d ''", "/a", ""),
        ("http://h/a -G -d 'a=1&&b=2'", "/a?a=1&&b=2", ""), ("http://h/a -G -d '' -d =x", "/a?=x", ""),
        ("'http://h/a?x' --url-query b=1 --url-query +c -G -d d=1", "/a?x&b=1&c&d=1", ""),
        ("http://h/a -d 'a=1&'", "/a", "a=1&"), ("http://h/a -d '&a=1'", "/a", "&a=1"),
        ("http://h/a -d a=1 -d '' -d b=2", "/a", "a=1&&b=2"),
        ("http://h/a -d 'a=%zz'", "/a", "a=%zz"), ("http://h/a -d 'a=1 '", "/a", "a=1 "), ("http://h/a -d 'a&b='", "/a", "a&b="),
        ("http://h/a -d 'a=1;b=2'", "/a", "a=1;b=2"), ("http://h/a -d '' --data-urlencode 'a=b c'", "/a", "a=b+c"),
    ])
    func `a query and a form are sent as curl sends them, with what is empty in them`(
        words: String, target: String, body: String
    ) throws {
        let imported = try Self.imported("curl -g \(words)")
        let request = try #require(imported.collection.requests.first)
        let sent = try imported.collection.resolve(request, environment: nil).request
        let text = sent.url.absoluteString.dropFirst("http://h".count).prefix { $0 != "#" }
        #expect(text.hasPrefix("/") ? text == target : "/\(text)" == target, "\(imported.yaml)")
        if case .data(let data) = sent.body {
            #expect(String(decoding: data, as: UTF8.self) == body)
        } else {
            #expect(body.isEmpty)
        }
        #expect(imported.notes == [] && imported.collection.problems == [])
        let again = try Self.imported(try imported.command(request.id.rawValue))
        let copy = try #require(again.collection.requests.first)
        #expect(try again.collection.resolve(copy, environment: nil).request.url == sent.url)
    }

    @Test func `several URLs and --next are requests of their own`() throws {
        let imported = try Self.imported("curl http://h/a http://h/b --next -d x=y http://h/c")
        #expect(
            imported.yaml.hasSuffix(
                """
                variables:
                  host: http://h
                defaults: { redirects: { follow: never }, compression: false }
                requests:
                  get-a:
                    name: GET /a
                    get: "{{host}}/a"
                  get-b:
                    name: GET /b
                    get: "{{host}}/b"
                  post-c:
                    name: POST /c
                    post: "{{host}}/c"
                    body: { form: { x: y } }

                """))
    }

    @Test func `what can't come along is said`() throws {
        let imported = try Self.imported("curl -K rc -b jar.txt -c jar.txt --interface eth0 -d @- http://h/")
        #expect(
            imported.notes == [
                "- GET h: the option --config", "- GET h: the cookies of the file jar.txt; `cookie-jar` keeps a jar of its own",
                "- GET h: the cookie jar jar.txt; `cookie-jar` keeps one of a name",
                "- GET h: the body, which comes from standard input",
            ])
    }

    @Test func `a password that curl would ask for is asked for`() throws {
        let imported = try Self.imported("curl -u ada http://h/")
        #expect(imported.yaml.contains("  password_ada: { secret: { prompt: Password of ada } }\n"))
        #expect(imported.yaml.contains("basic: { user: ada, password: \"{{password_ada}}\" }"))
    }

    @Test(
        arguments: [
            ("curl 'http://h/", "curl:1:1: a text in single quotes has no end"),
            ("curl http://h/ \\\n -d \"x", "curl:2:1: a text in double quotes has no end"),
            ("curl $(", "curl:1:1: `$(` has no end"),
            ("curl -s", "curl:1:1: curl has no URL here"),
            ("echo", "curl:1:1: has no command for curl in it"),
        ]) func `a command that isn't whole is refused with its line`(command: String, problem: String)
    {
        do {
            _ = try Self.imported(command)
            Issue.record("it was imported")
        } catch {
            #expect("\(error)" == problem)
        }
    }

    @Test func `what Turnstone exports comes back the same`() throws {
        let command = #"""
            curl 'https://h/a?q=x%20y' \
              --request PUT \
              --header 'x-one: 1' \
              --header 'Content-Type: application/json' \
              --data-raw '{
              "a": "it'\''s"
            }' \
              --insecure
            """#
        let sent = try Self.imported(command).command("put-a")
        #expect(sent.replacing(" \\\n  --compressed", with: "") == command)
    }

    @Test func `a scheme that the server chooses is named`() throws {
        let imported = try ImportedText("curl --anyauth -u 'a:{{p}}' http://h/\n", path: "curl.sh")
        #expect(imported.yaml.contains("auth: { digest: { user: a, password: \"{{p}}\" } }"), "\(imported.yaml)")
        #expect(imported.notes.first?.hasPrefix("- GET h: `--anyauth`: the server chooses there") == true, "\(imported.notes)")
    }
}
