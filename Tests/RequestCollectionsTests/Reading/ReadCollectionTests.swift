import Foundation
import NetworkLayer
import OrderedCollections
import Testing

@testable import RequestCollections

@Suite struct ReadCollectionTests {
    /// The example of the format's page.
    static let page = """
        # yaml-language-server: $schema=./turnstone.schema.json
        turnstone: 1
        name: Shop
        variables:
          host: http://127.0.0.1:8080
        environments:
          local: {}
          staging: { host: https://staging.example.com, token: { secret: { env: STAGING_TOKEN } } }
          production:
            extends: staging
            host: https://api.example.com
            token: { secret: { command: [pass, show, shop/token] } }
        defaults:                                  # deep-merged into everything below; nearer wins; null removes
          headers: { accept: application/json }
          timeouts: { connect: 3s, idle: 10s, attempt: 15s, operation: 60s }
          retry: { attempts: 4, on: [connection, timeout, 429, 503], backoff: { first: 200ms, factor: 2, max: 5s, jitter: full }, retry-after: honour }
          redirects: { follow: always, max: 20, keep-auth: same-origin }
        requests:
          login:
            post: "{{host}}/login"                 # the method is the key: one line, one diff
            body: { json: { user: "{{user}}", password: "{{password}}" } }
            capture: { token: .access_token }      # a jq path into the body; also header:, cookie:, status
          orders:                                  # a folder has `requests`
            defaults: { auth: { bearer: "{{token}}" } }
            requests:
              create:
                post: "{{host}}/orders"
                needs: { login: { max-age: 1h } }  # run it first, unless its capture is younger than this
                query: { notify: [mail, sms], dry: { value: "1", enabled: false } }
                body: { json: { sku: A7, qty: 2 } }
                priority: high
                expect:
                  status: 201
                  header: { content-type: /json/ }
                  body: { .id: exists, .total: "> 0" }
                  time: { wait: "< 300ms", total: "< 800ms" }
                  attempts: 1
                  redirects: 0
                  tls: { valid-for: "> 14d" }
        """

    @Test func `the example of the format's page is read as a whole`() throws {
        let collection = RequestCollection.of(Self.page)
        #expect(collection.problems == [])
        #expect(collection.name == "Shop")
        func at(_ line: Int, _ column: Int) -> SourceLocation { SourceLocation(path: "shop.yaml", line: line, column: column) }
        #expect(collection.variables == [.init(name: "host", value: .text("http://127.0.0.1:8080"), location: at(5, 3))])
        #expect(
            Array(collection.environments.values) == [
                .init(name: "local", location: at(7, 3)),
                .init(
                    name: "staging",
                    variables: [
                        .init(name: "host", value: .text("https://staging.example.com"), location: at(8, 14)),
                        .init(name: "token", value: .secret(.environment("STAGING_TOKEN")), location: at(8, 49)),
                    ], location: at(8, 3)),
                .init(
                    name: "production", extends: "staging",
                    variables: [
                        .init(name: "host", value: .text("https://api.example.com"), location: at(11, 5)),
                        .init(name: "token", value: .secret(.command(["pass", "show", "shop/token"])), location: at(12, 5)),
                    ], location: at(9, 3)),
            ])
        #expect(collection.defaults.headers == [.init(name: "accept", value: "application/json", location: at(14, 14))])
        #expect(collection.defaults.settings.timeouts.operation == .after(.seconds(60)))
        #expect(collection.defaults.settings.followRedirects == .always)
        #expect(collection.requests.map(\.id.rawValue) == ["login", "orders/create"])

        let create = try #require(collection.request(RequestID(rawValue: "orders/create")))
        #expect(create.method == "POST")
        #expect(create.url == "{{host}}/orders")
        #expect(
            create.query == [
                .init(name: "notify", value: "mail", location: at(29, 27)),
                .init(name: "notify", value: "sms", location: at(29, 33)),
                .init(name: "dry", value: "1", isEnabled: false, location: at(29, 39)),
            ])
        #expect(create.body == .json("{\n  \"sku\": \"A7\",\n  \"qty\": 2\n}"))
        #expect(create.settings.priority == .high)
        #expect(create.needs == [NeedDefinition(name: "login", maxAge: .seconds(3600), location: at(28, 18))])
        #expect(
            create.expectations.map { "\($0.location.line):\($0.location.column) \($0.subject): \($0.matcher)" } == [
                "33:11 status: 201", "34:21 header content-type: /json/", "35:19 body .id: exists", "35:32 body .total: > 0",
                "36:19 time wait: < 300ms", "36:36 time total: < 800ms", "37:11 attempts: 1", "38:11 redirects: 0",
                "39:18 tls valid-for: > 14d",
            ])
        #expect(create.location == at(26, 7))
        #expect(create.places["url"] == at(27, 15))
        #expect(collection.folders(around: create.id).map(\.defaults.auth) == [.bearer("{{token}}")])
    }

    @Test func `the directory form is the same tree`() throws {
        let directory = try TemporaryDirectory([
            "_collection.yaml": "turnstone: 1\nname: Shop\nvariables: { host: http://localhost }\n",
            "login.yaml": "post: '{{host}}/login'\n",
            "orders/_folder.yaml": "name: All orders\ndefaults: { auth: { bearer: t } }\n",
            "orders/create.yaml": "post: '{{host}}/orders'\nbody: { file: create.body.json }\n",
            "orders/create.body.json": "{}",
            "orders/schema.body.yaml": "not: a request",
            "orders/.hidden.yaml": "not: a request",
            "bodies/large.json": "{}",
        ])
        let collection = try RequestCollection.load(path: directory.path)
        #expect(collection.problems == [])
        #expect(collection.name == "Shop")
        #expect(collection.requests.map(\.id.rawValue) == ["login", "orders/create"])
        #expect(collection.nodes.map(\.id.rawValue) == ["login", "orders"])
        let folder = try #require(collection.folders(around: RequestID(rawValue: "orders/create")).first)
        #expect(folder.name == "All orders")
        #expect(folder.defaults.auth == .bearer("t"))
        #expect(collection.request(RequestID(rawValue: "orders/create"))?.location.path == directory.path("orders/create.yaml"))
        #expect(
            Set(collection.files.keys.map { $0.dropFirst(directory.path.count + 1) }) == [
                "_collection.yaml", "login.yaml", "orders/_folder.yaml", "orders/create.yaml",
            ])
    }

    @Test func `one broken file leaves the rest usable, and is shown`() throws {
        let directory = try TemporaryDirectory([
            "_collection.yaml": "turnstone: 1\n",
            "a.yaml": "get: http://localhost/a\n",
            "b.yaml": "get: [unclosed\n",
            "c.yaml": "get: http://localhost/c\n",
            "d.yaml": "",
        ])
        let collection = try RequestCollection.load(path: directory.path)
        #expect(collection.requests.map(\.id.rawValue) == ["a", "b", "c", "d"])
        #expect(
            collection.problems.map { $0.description.replacing(directory.path + "/", with: "") } == [
                "b.yaml:2:1: this is not YAML: did not find expected ',' or ']' (while parsing a flow sequence that starts in line 1)"
                    + "; between brackets and braces a text with one of them or a comma in it stands in quotes",
                "d.yaml:1:1: the file is empty; a request begins with its method and URL, such as `get: https://example.com/`",
            ])
        #expect(collection.request(RequestID(rawValue: "b"))?.problems.count == 1)
        #expect(collection.request(RequestID(rawValue: "c"))?.problems == [])
    }

    @Test func `two files of one request are a problem`() throws {
        let directory = try TemporaryDirectory([
            "_collection.yaml": "turnstone: 1\n", "a.yaml": "get: http://localhost/a\n", "a.yml": "get: http://localhost/a\n",
        ])
        let collection = try RequestCollection.load(path: directory.path)
        #expect(collection.requests.map(\.location.path) == [directory.path("a.yaml")])
        #expect(
            collection.problems.map(\.description) == [
                "\(directory.path)/a.yml:1:1: and \(directory.path)/a.yaml are both the request `a`; keep one of them"
            ])
    }

    @Test func `many requests in a directory, read on all cores, keep their order`() throws {
        let names = (0..<300).map { "r\(1000 + $0)" }
        var files = ["_collection.yaml": "turnstone: 1\n"]
        for name in names { files["\(name).yaml"] = "get: http://localhost/\(name)\n" }
        let directory = try TemporaryDirectory(files)
        let collection = try RequestCollection.load(path: directory.path)
        #expect(collection.requests.map(\.url) == names.map { "http://localhost/\($0)" })
    }

    @Test func `a path that can't be read is an error that says why`() {
        #expect(throws: CollectionFileError(path: "/nowhere/shop.yaml", message: "can't be read: no such file or directory")) {
            try RequestCollection.load(path: "/nowhere/shop.yaml")
        }
    }

    @Test func `a directory of collections names them`() throws {
        let directory = try TemporaryDirectory([
            "one/_collection.yaml": "turnstone: 1\n", "two.yaml": "turnstone: 1\n", "notes.txt": "", "other/file.txt": "",
        ])
        #expect(try RequestCollection.collections(at: directory.path) == [directory.path("one"), directory.path("two.yaml")])
        #expect(try RequestCollection.collections(at: directory.path("one")) == [directory.path("one")])
        #expect(try RequestCollection.collections(at: directory.path("two.yaml")) == [directory.path("two.yaml")])
    }

    @Test func `every setting is read`() throws {
        let collection = RequestCollection.requests(
            """
              all:
                get: http://localhost/
                timeouts: { connect: 200ms, idle: never, attempt: 1.5m, operation: 1h }
                redirects: { follow: same-host, max: 3, keep-auth: always }
                tls:
                  { verify: false, ca: ca.pem, certificate: me.pem, key: me.key, passphrase: "{{p}}", pins: [sha256//x],
                    min-version: "1.2", max-version: "1.3", ciphers: [TLS_AES_128_GCM_SHA256, HIGH] }
                http: 1.1
                compression: false
                proxy: ""
                resolve: ["a:80:127.0.0.1"]
                unix-socket: /run/x.sock
                expect-continue: true
                response: { keep: file, limit: 10MB, hash: sha256 }
                priority: very-low
                retry: none
            """)
        #expect(collection.problems == [])
        var settings = RequestSettings()
        settings.timeouts.connect = .after(.milliseconds(200))
        settings.timeouts.idle = .never
        settings.timeouts.attempt = .after(.seconds(90))
        settings.timeouts.operation = .after(.seconds(3600))
        settings.followRedirects = .sameHost
        settings.maxRedirects = 3
        settings.keepAuth = .always
        settings.verifiesTLS = false
        settings.authorities = "ca.pem"
        settings.certificate = "me.pem"
        settings.key = "me.key"
        settings.passphrase = "{{p}}"
        settings.pins = ["sha256//x"]
        settings.minimumTLSVersion = .tls1_2
        settings.maximumTLSVersion = .tls1_3
        settings.ciphers = ["TLS_AES_128_GCM_SHA256", "HIGH"]
        settings.httpVersion = .http1
        settings.compression = false
        settings.proxy = ""
        settings.resolve = ["a:80:127.0.0.1"]
        settings.unixSocket = "/run/x.sock"
        settings.expectContinue = true
        settings.keepResponse = .file
        settings.responseLimit = 10_000_000
        settings.responseHash = .sha256
        settings.retry.isOn = false
        settings.priority = .veryLow
        #expect(collection.requests.first?.settings == settings)
        #expect(collection.requests.first?.places["timeouts.idle"] == SourceLocation(path: "shop.yaml", line: 5, column: 33))
    }

    @Test(
        arguments: [
            ("{ text: hello }", BodyDefinition.text("hello")),
            ("none", BodyDefinition.none),
            ("{ file: a.json }", .file("a.json")),
            ("{ json: '{\"a\":  1}' }", .json("{\"a\":  1}")),
            (
                "{ json: [1, 1.50, 0x10, true, null, ~, yes, 'x', [], {}] }",
                .json("[\n  1,\n  1.50,\n  16,\n  true,\n  null,\n  null,\n  \"yes\",\n  \"x\",\n  [],\n  {}\n]")
            ),
            ("{ json: 5 }", .json("5")),
            ("{ graphql: { query: '{ me }' } }", .graphql(.init(query: .text("{ me }")))),
            (
                "{ multipart: { a: x, b: { file: p.png, type: image/png, enabled: false }, c: [{ value: y, filename: n }, z] } }",
                .multipart([
                    .init(name: "a", content: .text("x")),
                    .init(name: "b", content: .file("p.png"), contentType: "image/png", isEnabled: false),
                    .init(name: "c", content: .text("y"), fileName: "n"),
                    .init(name: "c", content: .text("z")),
                ])
            ),
        ])
    func `every kind of body is read`(text: String, body: BodyDefinition) {
        let collection = RequestCollection.requests("  a: { post: http://localhost/, body: \(text) }")
        #expect(collection.problems == [])
        #expect(collection.requests.first?.body == body)
    }

    @Test(
        arguments: [
            ("none", AuthDefinition.none), ("inherit", .inherit), ("{ bearer: t }", .bearer("t")),
            ("{ basic: { user: u, password: p } }", .basic(user: "u", password: "p")),
            ("{ digest: { user: u, password: p } }", .digest(user: "u", password: "p")),
            ("{ ntlm: { user: 'D\\u', password: p } }", .ntlm(user: "D\\u", password: "p")),
            ("negotiate", .negotiate), ("netrc", .netrc(path: nil)), ("{ netrc: ./netrc }", .netrc(path: "./netrc")),
            ("{ api-key: { name: k, value: v } }", .apiKey(.init(name: "k", value: "v"))),
            ("{ api-key: { name: k, value: v, in: query } }", .apiKey(.init(name: "k", value: "v", place: .query))),
            (
                "{ aws-sigv4: { access-key: a, secret-key: s, session-token: t, region: r, service: s3 } }",
                .awsSigV4(.init(accessKey: "a", secretKey: "s", sessionToken: "t", region: "r", service: "s3"))
            ),
            (
                "{ aws-sigv4: { access-key: a, secret-key: s, expires: 15m, provider: osc } }",
                .awsSigV4(.init(accessKey: "a", secretKey: "s", provider: "osc", expires: .seconds(900)))
            ),
            (
                "{ oauth2: { token-url: t, client-id: c, client-secret: s, scope: [a, b], audience: x, client-auth: body } }",
                .oauth2(
                    .init(
                        grant: .clientCredentials, tokenURL: "t", clientID: "c", clientSecret: "s", clientAuthentication: .body,
                        scope: "a b", audience: "x"))
            ),
            (
                "{ oauth2: { grant: password, token-url: t, client-id: c, user: u, password: p } }",
                .oauth2(.init(grant: .password(user: "u", password: "p"), tokenURL: "t", clientID: "c"))
            ),
            (
                "{ oauth2: { grant: authorization-code, token-url: t, client-id: c, authorization-url: a, redirect: r } }",
                .oauth2(.init(grant: .authorizationCode(authorizationURL: "a", redirect: "r"), tokenURL: "t", clientID: "c"))
            ),
            (
                "{ oauth2: { grant: device-code, token-url: t, client-id: c, device-url: d } }",
                .oauth2(.init(grant: .deviceCode(deviceURL: "d"), tokenURL: "t", clientID: "c"))
            ),
            (
                "{ oauth2: { grant: refresh-token, token-url: t, client-id: c, refresh-token: r } }",
                .oauth2(.init(grant: .refreshToken("r"), tokenURL: "t", clientID: "c"))
            ),
        ])
    func `every kind of auth is read`(text: String, auth: AuthDefinition) {
        let collection = RequestCollection.requests("  a: { get: http://localhost/, auth: \(text) }")
        #expect(collection.problems == [])
        #expect(collection.requests.first?.auth == auth)
    }

    @Test func `null is a row that is off`() {
        let collection = RequestCollection.requests(
            "  a: { get: http://localhost/, headers: { accept: , x: ~, y: 'null', z: \"\" } }")
        #expect(collection.problems == [])
        #expect(
            collection.requests.first?.headers.map { "\($0.name)=\($0.value) \($0.isEnabled)" } == [
                "accept= false", "x= false", "y=null true", "z= true",
            ])
    }

    @Test func `the long form takes any method`() {
        let collection = RequestCollection.requests("  a: { method: PROPFIND, url: http://localhost/ }")
        #expect(collection.problems == [])
        #expect(collection.requests.first?.method == "PROPFIND")
    }

    @Test func `the shipped collections have no problems`() throws {
        #expect(!ShippedCollections.paths.isEmpty)
        for path in ShippedCollections.paths {
            let collection = try RequestCollection.load(path: path)
            #expect(collection.problems == [])
            #expect(!collection.requests.isEmpty)
        }
    }
}
