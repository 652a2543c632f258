import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct ResolveTests {
    /// The request `f/a` in a collection with what is given.
    private static func resolve(
        _ request: String, collection: String = "", folder: String = "{}", environment: String? = nil,
        variables: [String: JSONValue] = [:], sources: TemplateEnvironment = TemplateEnvironment(trust: .everything),
        path: String = "shop.yaml"
    ) throws -> ResolvedRequest {
        let collection = RequestCollection.of(
            "turnstone: 1\n\(collection)\nrequests: { f: { defaults: \(folder), requests: { a: \(request) } } }", path: path)
        #expect(collection.problems == [])
        let definition = try #require(collection.request(RequestID(rawValue: "f/a")))
        return try collection.resolve(definition, environment: environment, variables: variables, with: sources)
    }

    private static func headers(_ request: Request) -> [String] { request.headers.map { "\($0.name.canonicalName): \($0.value)" } }

    private static func bodyText(_ request: Request) -> String? {
        if case .data(let data) = request.body { String(decoding: data, as: UTF8.self) } else { nil }
    }

    @Test(arguments: [
        ("headers: { User-Agent: null, accept: null }", ["Accept", "User-Agent"]), ("headers: { X-A: null }", []),
        ("headers: { User-Agent: { value: me, enabled: false } }", []), ("headers: { user-agent: me }", []),
        ("query: { a: 1 }", []),
    ])
    func `null leaves out what a request would have without being told`(line: String, omitted: [String]) throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            defaults: { headers: { Accept: a/b, User-Agent: you } }
            requests: { a: { get: http://h/, \(line) } }
            """)
        #expect(collection.problems == [])
        let resolved = try collection.resolve(try #require(collection.requests.first), environment: nil)
        #expect(resolved.configuration.transport.omittedHeaders == omitted)
    }

    @Test(arguments: ["text: x", "json: [1]", "form: { a: b }", "multipart: { a: b }", "graphql: \"{ a }\""])
    func `null leaves out the type that a body would have`(body: String) throws {
        let given = "{ post: http://h/, headers: { content-type: null }, body: { \(body) } }"
        #expect(try Self.resolve(given).request.headers[.contentType] == nil)
        let inherited = try Self.resolve(
            "{ post: http://h/, body: { \(body) } }", folder: "{ headers: { Content-Type: null } }")
        #expect(inherited.request.headers[.contentType] == nil)
        let off = "{ post: http://h/, headers: { Content-Type: { value: a/b, enabled: false } }, body: { \(body) } }"
        #expect(try Self.resolve(off).request.headers[.contentType] != nil)
    }

    @Test func `null in the defaults leaves out, too, and a request takes it back`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            defaults: { headers: { Accept: null } }
            requests: { a: { get: http://h/ }, b: { get: http://h/, headers: { accept: x/y } } }
            """)
        let omitted = try collection.requests.map {
            try collection.resolve($0, environment: nil).configuration.transport.omittedHeaders
        }
        #expect(omitted == [["Accept"], []])
    }

    @Test(
        arguments: [
            ("{ get: http://h/a }", "http://h/a"),
            ("{ get: http://h }", "http://h"),
            ("{ get: ' HTTPS://h/a b?q=ä#f ' }", "HTTPS://h/a%20b?q=%C3%A4#f"),
            ("{ get: 'http://h/100%25/5%' }", "http://h/100%25/5%25"),
            ("{ get: 'http://h/:id/x', path: { id: 'a/b c?' } }", "http://h/a%2Fb%20c%3F/x"),
            ("{ get: 'http://h:80/:id.json', path: { id: 7 } }", "http://h:80/7.json"),
            ("{ get: 'http://h/v1/:id:cancel/12:30/:5', path: { id: 7 } }", "http://h/v1/7:cancel/12:30/:5"),
            (
                "{ get: http://h/, query: { 'a b': 'ä&=+', c: [1, 2], d: { value: x, enabled: false }, e: '' } }",
                "http://h/?a%20b=%C3%A4%26%3D%2B&c=1&c=2&e="
            ),
            ("{ get: 'http://h/?x=1#f', query: { y: 2 } }", "http://h/?x=1&y=2#f"),
            ("{ get: 'http://h/?', query: { y: 2 } }", "http://h/?y=2"),
            ("{ get: '{{base}}/:id', path: { id: '{{x}}' }, query: { q: '{{x}}' } }", "http://v/1/p%20q?q=p%20q"),
        ])
    func `a URL is put together`(request: String, url: String) throws {
        let resolved = try Self.resolve(request, collection: "variables: { base: http://v/1, x: p q }")
        #expect(resolved.request.url.absoluteString == url)
    }

    @Test func `defaults are merged, the nearest wins, null and off remove`() throws {
        let resolved = try Self.resolve(
            "{ get: http://h/, headers: { Accept: own, x-off: { value: x, enabled: false }, x-null: }, query: { q: own } }",
            collection: """
                defaults:
                  headers: { accept: far, x-off: far, x-null: far, x-gone: far, x-far: [1, 2] }
                  query: { q: far, r: far }
                  cookies: { a: far }
                """,
            folder: "{ headers: { ACCEPT: near, x-gone: null, x-near: n }, cookies: { b: near } }")
        #expect(Self.headers(resolved.request) == ["x-far: 1", "x-far: 2", "x-near: n", "accept: own", "cookie: a=far; b=near"])
        #expect(resolved.request.url.absoluteString == "http://h/?r=far&q=own")
        let folder = ValueOrigin.Source.defaults(RequestID(rawValue: "f"))
        #expect(
            resolved.origins.map(\.subject) == [
                .url, .query("r"), .query("q"), .header("x-far"), .header("x-far"), .header("x-near"), .header("Accept"),
                .cookie("a"), .cookie("b"),
            ])
        #expect(
            resolved.origins.map(\.source) == [
                .request, .defaults(nil), .request, .defaults(nil), .defaults(nil), folder, .request, .defaults(nil), folder,
            ])
        #expect(resolved.origins[1].location == SourceLocation(path: "shop.yaml", line: 4, column: 20))
    }

    @Test(
        arguments: [
            ("{ get: http://h/ }", "{}", []),
            ("{ get: http://h/ }", "{ auth: { bearer: '{{t}}' } }", ["authorization: Bearer secret"]),
            ("{ get: http://h/, auth: inherit }", "{ auth: { bearer: x } }", ["authorization: Bearer x"]),
            ("{ get: http://h/, auth: none }", "{ auth: { bearer: x } }", []),
            (
                "{ get: http://h/, auth: { basic: { user: ü, password: 'p:q' } } }", "{ auth: { bearer: x } }",
                ["authorization: Basic w7w6cDpx"]
            ),
            ("{ get: http://h/, headers: { Authorization: own } }", "{ auth: { bearer: x } }", ["authorization: own"]),
            ("{ get: http://h/, cookies: { a: 1 }, headers: { cookie: b=2 } }", "{}", ["cookie: b=2; a=1"]),
        ])
    func `credentials are sent as the nearest level says`(request: String, folder: String, headers: [String]) throws {
        let resolved = try Self.resolve(request, collection: "variables: { t: secret }", folder: folder)
        #expect(Self.headers(resolved.request) == headers)
    }

    @Test(
        arguments: [
            ("{ text: 'a {{x}}' }", "a p q", "text/plain; charset=utf-8"),
            (
                "{ json: { a: '{{n}}', b: [1, '{{x}}'] } }", "{\n  \"a\": 5,\n  \"b\": [\n    1,\n    \"p q\"\n  ]\n}",
                "application/json"
            ),
            ("{ json: '{ \"a\":   {{n}} }' }", "{ \"a\":   5 }", "application/json"),
            (
                "{ form: { 'a b': 'x&y ~*ä', c: [1, '{{x}}'], d: { value: 1, enabled: false } } }",
                "a+b=x%26y+%7E*%C3%A4&c=1&c=p+q", "application/x-www-form-urlencoded"
            ),
        ])
    func `a body is encoded, and says its type`(body: String, text: String, type: String) throws {
        let request = try Self.resolve("{ post: http://h/, body: \(body) }", collection: "variables: { x: p q, n: 5 }").request
        #expect(Self.bodyText(request) == text)
        #expect(Self.headers(request) == ["content-type: \(type)"])
    }

    @Test func `a header's type wins over the body's`() throws {
        let request = try Self.resolve("{ post: http://h/, headers: { Content-Type: text/x }, body: { json: 1 } }").request
        #expect(Self.headers(request) == ["content-type: text/x"])
        #expect(Self.bodyText(request) == "1")
        #expect(try Self.resolve("{ post: http://h/, body: none }").request.body == .none)
    }

    @Test func `a file beside the request is sent as it is`() throws {
        let directory = try TemporaryDirectory(["a.json": "{}"])
        let request = try Self.resolve(
            "{ put: http://h/, body: { file: '{{name}}.json' } }", collection: "variables: { name: a }",
            path: directory.path("c.yaml")
        ).request
        #expect(request.body == .file(path: directory.path("a.json")))
        #expect(Self.headers(request) == ["content-type: application/json"])
    }

    @Test func `a multipart body is streamed from its files, with its length known`() throws {
        let large = String(repeating: "0123456789", count: 20_000)
        let directory = try TemporaryDirectory(["a.txt": large])
        let request = try Self.resolve(
            "{ post: http://h/, body: { multipart: { t: ä, f: { file: a.txt, filename: 'x\"y' }, off: { value: 1, enabled: false } } } }",
            path: directory.path("c.yaml")
        ).request
        let type = try #require(request.headers[.contentType])
        let boundary = try #require(type.split(separator: "boundary=").last)
        let expected = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"t\"", "", "ä",
            "--\(boundary)", "Content-Disposition: form-data; name=\"f\"; filename=\"x%22y\"",
            "Content-Type: text/plain; charset=utf-8", "", large, "--\(boundary)--", "",
        ].joined(separator: "\r\n")
        guard case .stream(let stream) = request.body else {
            Issue.record("not a stream")
            return
        }
        #expect(stream.length == Int64(expected.utf8.count))
        #expect(stream.isReplayable)
        for _ in 1...2 {
            let reader = try stream.open()
            var bytes = Data()
            while case .bytes(let piece) = try reader.read(atMost: 7001, wake: {}) {
                #expect((1...7001).contains(piece.count))
                bytes += piece
            }
            reader.close()
            #expect(String(decoding: bytes, as: UTF8.self) == expected)
        }
        try directory.write("short", to: "a.txt")
        let reader = try stream.open()
        let error = #expect(throws: NetworkError.self) {
            while case .bytes = try reader.read(atMost: 1 << 16, wake: {}) {}
        }
        #expect(
            error?.message
                == "The part \"f\" can't be sent: \(directory.path("a.txt")) became shorter before it was sent; it had 200000 bytes."
        )
    }

    @Test func `HSH-1 response.hash asks for the digest of the body`() throws {
        #expect(try Self.resolve("{ get: http://h/, response: { hash: sha256 } }").configuration.hash == .sha256)
        #expect(try Self.resolve("{ get: http://h/ }").configuration.hash == nil)
    }

    @Test(arguments: [
        ("multipart/mixed", "multipart/mixed; boundary=turnstone-"),
        ("multipart/form-data", "multipart/form-data; boundary=turnstone-"),
        ("Multipart/Related; type=\"a/b\"", "Multipart/Related; type=\"a/b\"; boundary=turnstone-"),
        ("multipart/form-data; boundary=xyz", "multipart/form-data; boundary=xyz"),
        ("multipart/form-data; boundary=\"x y\"", "multipart/form-data; boundary=\"x y\""), ("a/b", "a/b"),
    ])
    func `a type of one's own parts the body as the body is parted`(given: String, start: String) throws {
        let request = try Self.resolve(
            "{ post: http://h/, headers: { Content-Type: '\(given)' }, body: { multipart: { a: 1 } } }"
        ).request
        let type = try #require(request.headers[.contentType])
        #expect(type.hasPrefix(start))
        guard let boundary = ContentType(type)["boundary"] else { return }
        let text = try #require(Self.bodyText(request))
        #expect(text.hasPrefix("--\(boundary)\r\n") && text.hasSuffix("--\(boundary)--\r\n"))
    }

    @Test func `a multipart body without files is in memory`() throws {
        let request = try Self.resolve("{ post: http://h/, body: { multipart: { a: 1 } } }").request
        #expect(Self.bodyText(request)?.contains("name=\"a\"\r\n\r\n1\r\n--") == true)
    }

    @Test func `settings are merged level by level, and paths are relative to the file`() throws {
        let resolved = try Self.resolve(
            "{ get: http://h/, timeouts: { idle: never }, tls: { verify: false }, response: { keep: none }, priority: high }",
            collection: """
                variables: { p: http://proxy:1 }
                defaults:
                  timeouts: { connect: 3s, idle: 10s }
                  redirects: { follow: never }
                  tls:
                    { ca: ca.pem, certificate: /abs/me.pem, passphrase: "{{p}}", pins: [a.pem, sha256//b], min-version: "1.2",
                      max-version: "1.3", ciphers: [HIGH] }
                  proxy: "{{p}}"
                """,
            folder:
                "{ redirects: { max: 3, keep-auth: always }, http: 2, compression: false, response: { limit: 1KiB }, resolve: [x], unix-socket: s, expect-continue: true, cookie-jar: \"{{p}}\", priority: low }",
            // None of the files is there.
            sources: TemplateEnvironment(mode: .show),
            path: "/collections/shop.yaml")
        var configuration = RequestConfiguration()
        configuration.timeouts.connect = .seconds(3)
        configuration.timeouts.idle = nil
        configuration.redirects = RedirectConfiguration(policy: .never, limit: 3, keepCredentials: .always)
        configuration.consumption = .none
        configuration.limits.bodyBytes = 1024
        configuration.transport.httpVersion = .http2
        configuration.transport.acceptsCompression = false
        configuration.transport.tls.verifies = false
        configuration.transport.tls.authorities = "/collections/ca.pem"
        configuration.transport.tls.certificate = "/abs/me.pem"
        configuration.transport.tls.pins = ["/collections/a.pem", "sha256//b"]
        configuration.transport.tls.passphrase = Passphrase("http://proxy:1")
        configuration.transport.tls.minimumVersion = .tls1_2
        configuration.transport.tls.maximumVersion = .tls1_3
        configuration.transport.tls.ciphers = ["HIGH"]
        configuration.transport.proxy = "http://proxy:1"
        configuration.transport.resolve = ["x"]
        configuration.transport.unixSocket = "/collections/s"
        configuration.transport.expectsContinue = true
        configuration.cookies = CookieConfiguration(acceptance: .always, sends: true, jar: "http://proxy:1")
        #expect(resolved.configuration == configuration)
        #expect(resolved.priority == .high)
        let origin = try #require(resolved.origins.first { $0.subject == .setting("timeouts.connect") })
        #expect(
            origin
                == ValueOrigin(
                    .setting("timeouts.connect"), from: .defaults(nil),
                    at: .init(path: "/collections/shop.yaml", line: 4, column: 15)))
    }

    @Test func `secrets are found in each form in which they are sent`() throws {
        let secret = TemplateRequirement.secret(.environment("S"))
        let resolved = try Self.resolve(
            "{ post: http://h/, auth: { basic: { user: u, password: '{{s}}' } }, query: { q: '{{s}}' }, body: { json: { p: '{{s}}' } } }",
            collection: "variables: { s: { secret: { env: S } } }",
            sources: TemplateEnvironment(trust: .everything, answers: [secret: TemplateAnswer(.string("a\"b c"))]))
        let redactor = resolved.redactor
        #expect(redactor.text(resolved.request.url.absoluteString) == "http://h/?q=••••••")
        #expect(redactor.text(Self.bodyText(resolved.request) ?? "") == "{\n  \"p\": \"••••••\"\n}")
        #expect(resolved.request.headers[.authorization].map(redactor.text) == "Basic ••••••")
        #expect(
            resolved.origins.last
                == ValueOrigin(.variable("s"), from: .variables(nil), at: .init(path: "shop.yaml", line: 2, column: 14)))
    }

    @Test(
        arguments: [
            ("{ get: '' }", "3:54: `` isn't a URL: it is empty"),
            ("{ get: example.com/x }", "3:54: `example.com/x` isn't a URL: it has no scheme; write `http://example.com/x`"),
            ("{ get: /relative }", "3:54: `/relative` isn't a URL: it is a path, and has no host; write `http://HOST/relative`"),
            ("{ get: //h/x }", "3:54: `//h/x` isn't a URL: it has no scheme; write `http://h/x`"),
            ("{ get: 'htp:/h/x' }", "3:54: `htp:/h/x` isn't a URL: it begins with `htp:/`; write `http://h/x`"),
            (
                "{ get: 'localhost:8080/x' }",
                "3:54: `localhost:8080/x` isn't a URL: it has no scheme; write `http://localhost:8080/x`"
            ),
            ("{ get: 'ftp://h/' }", "3:54: `ftp://h/` can't be sent: the schemes are http and https"),
            ("{ get: 'http:///x' }", "3:54: `http:///x` isn't a URL"),
            ("{ get: \"http://h/a\\nb\" }", "3:54: the URL contains a line break or another control character"),
            ("{ get: 'http://{{hst}}/' }", "3:54: the variable `hst` has no value; did you mean `host`?"),
            (
                "{ get: 'http://h/:id' }",
                "3:54: `:id` in the URL has no value; `path: { id: … }` gives it one, and `%3A` is the colon itself"
            ),
            (
                "{ get: 'http://h/:id', path: { di: 1 } }",
                "3:54: `:id` in the URL has no value; did you mean `di`? `path: { id: … }` gives it one, and `%3A` is the colon itself"
            ),
            (
                "{ get: http://h/, headers: { x: \"a\\r\\nb: c\" } }",
                "3:76: the header `x` would contain a line break, which ends a header; encode it, or take it out"
            ),
            (
                "{ get: http://h/, headers: { x: \"{{lines}}\" } }",
                "3:76: the header `x` would contain a line break, which ends a header; encode it, or take it out"
            ),
            ("{ get: http://h/, headers: { x: \"a\\0\" } }", "3:76: the header `x` would contain a control character"),
            (
                "{ get: http://h/, headers: { \"x\\n\": a } }",
                "3:76: `x\\n` can't be the name of a header; it takes letters, digits and !#$%&'*+-.^_`|~"
            ),
            (
                "{ get: http://h/, cookies: { x: a;b } }",
                "3:76: the cookie `x` can't be sent: a `;` or a control character would end it; encode it"
            ),
            (
                "{ get: http://h/, auth: { basic: { user: 'a:b', password: c } } }",
                "3:65: the user of basic authentication can't contain a `:` (RFC 7617)"
            ),
            (
                "{ get: http://h/, auth: { bearer: \"a\\nb\" } }",
                "3:65: the header `authorization` would contain a line break, which ends a header; encode it, or take it out"
            ),
            (
                "{ post: http://h/, body: { file: /no/such } }",
                "3:80: the body's file /no/such can't be read: no such file or directory"
            ),
            (
                "{ post: http://h/, body: { graphql: { file: /no/such } } }",
                "3:83: the query's file /no/such can't be read: no such file or directory"
            ),
            (
                "{ get: http://h/, mock: { file: /no/such } }",
                "3:65: the body's file /no/such can't be read: no such file or directory"
            ),
            (
                "{ get: http://h/, expect: { time: { total: '< {{host}}' } } }",
                "3:83: `{{host}}` became `h`, which isn't a duration (200ms, 3s, 1m, 1h, 14d)"
            ),
        ])
    func `a request that can't be sent says why, and where`(request: String, sentence: String) {
        let error = #expect(throws: ResolutionError.self) {
            try Self.resolve(request, collection: "variables: { host: h, lines: \"a\\nb\" }")
        }
        #expect(error?.description == "shop.yaml:\(sentence)")
    }

    @Test func `a request with problems in its file isn't sent`() throws {
        let collection = RequestCollection.requests("  a: { get: http://h/, heders: {} }")
        let error = #expect(throws: ResolutionError.self) {
            try collection.resolve(try #require(collection.requests.first), environment: nil)
        }
        #expect(error?.code == .definition)
        #expect(error?.description == "shop.yaml:3:24: unknown key `heders` in a request; did you mean `headers`?")
    }

    @Test func `every shipped request resolves`() throws {
        for path in ShippedCollections.paths {
            let collection = try RequestCollection.load(path: path)
            for request in collection.requests {
                #expect(throws: Never.self, "\(request.id)") {
                    try collection.resolve(
                        request, environment: nil, variables: ["token": "t"], with: TemplateEnvironment(mode: .show))
                }
            }
        }
    }
}
