import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

/// Which secret goes where with a request.
@Suite struct SecretUseTests {
    private static let variables = """
        variables:
          host: https://api.test
          token: { secret: { env: TOKEN } }
          pin: { secret: { prompt: Pin } }
          home: { secret: { env: HOME_KEY }, for: https://api.test }
          away: { secret: { env: AWAY_KEY }, for: [https://other.test, "https://*.third.test"] }
          bearer: "Bearer {{token}}"
          plain: p
          map: { key: "{{token}}", other: 1 }
          base: { secret: { env: BASE } }
          bare: { secret: { env: BARE } }
        environments: { prod: { key: { secret: { file: key.txt } } } }
        """

    private static let answers: [TemplateRequirement: TemplateAnswer] = [
        .secret(.environment("TOKEN")): .init(.string("t0k\"en/é")), .secret(.prompt("Pin")): .init(.string("77")),
        .secret(.environment("HOME_KEY")): .init(.string("h0me-key")),
        .secret(.environment("AWAY_KEY")): .init(.string("aw4y-key")),
        .secret(.environment("BASE")): .init(.string("https://hidden.test/v1")),
        .secret(.environment("BARE")): .init(.string("https://hidden.test")), .secret(.file("key.txt")): .init(.string("k3y")),
        .prompt(.init(message: "Code", isSecret: true)): .init(.string("c0de"), isSecret: true),
    ]

    private static func resolve(
        _ request: String, environment: String? = nil, variables: [String: JSONValue] = [:],
        captured: [String: CapturedValue] = [:], isShown: Bool = false
    ) throws -> ResolvedRequest {
        let collection = RequestCollection.of(
            "turnstone: 1\n\(Self.variables)\nrequests: { a: \(request), login: { get: http://l/ } }")
        #expect(collection.problems == [])
        let definition = try #require(collection.request(RequestID(rawValue: "a")))
        var sources = TemplateEnvironment(
            trust: .everything, processEnvironment: ["SHOP_TOKEN": "sh0p-token", "LANG": "C"], captured: captured,
            answers: isShown ? [:] : answers,
            mode: isShown ? .show : .fill)
        sources.seed = 1
        return try collection.resolve(definition, environment: environment, variables: variables, with: sources)
    }

    private static func uses(_ resolved: ResolvedRequest) -> [String] {
        resolved.secretUses.map { "\($0.secret.name) in \($0.part) to \($0.origin.map(\.description) ?? "?")" }
    }

    /// The parts of a text that are masked.
    private static func masked(_ request: Request, _ part: RequestSecrets.Part) -> [String] {
        let text =
            switch part {
            case .url: request.url.absoluteString
            case .header(let name): HTTPField.Name(name).flatMap { request.headers[$0] } ?? ""
            case .body: if case .data(let data) = request.body { String(decoding: data, as: UTF8.self) } else { "" }
            }
        let bytes = Array(text.utf8)
        return request.secrets.uses.filter { $0.part == part }.flatMap { use in
            use.ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ("{ get: '{{host}}/x' }", []),
        ("{ get: '{{host}}/x?t={{token}}' }", ["token in the URL to https://api.test"]),
        (
            "{ get: '{{host}}/:t', path: { t: '{{token}}' }, query: { p: '{{pin}}' } }",
            ["token in the URL to https://api.test", "pin in the URL to https://api.test"]
        ),
        ("{ get: '{{host}}', headers: { x-a: 'v1 {{token}}', x-b: '{{plain}}' } }", ["token in `x-a` to https://api.test"]),
        ("{ get: '{{host}}', headers: { x-a: '{{bearer}}' } }", ["token in `x-a` to https://api.test"]),
        (
            "{ get: '{{host}}', headers: { x-a: '{{base64(token)}}', x-b: '{{sha256(pin)}}', x-c: \"{{hmac('t', key: token)}}\" } }",
            ["token in `x-a` to https://api.test", "pin in `x-b` to https://api.test", "token in `x-c` to https://api.test"]
        ),
        ("{ get: '{{host}}', headers: { x-a: '{{none | default(token)}}' } }", ["token in `x-a` to https://api.test"]),
        (
            "{ get: '{{host}}', cookies: { a: '{{token}}' }, headers: { cookie: 'b={{pin}}' } }",
            ["pin in `cookie` to https://api.test", "token in `cookie` to https://api.test"]
        ),
        ("{ get: '{{host}}', auth: { bearer: '{{token}}' } }", ["token in `authorization` to https://api.test"]),
        ("{ get: '{{host}}', auth: { basic: { user: u, password: '{{pin}}' } } }", ["pin in `authorization` to https://api.test"]),
        ("{ get: '{{host}}', auth: { api-key: { name: X-Key, value: '{{token}}' } } }", ["token in `x-key` to https://api.test"]),
        ("{ get: '{{host}}', auth: { api-key: { name: X-Key, value: literal } } }", ["api-key in `x-key` to https://api.test"]),
        (
            "{ get: '{{host}}', auth: { api-key: { name: k, value: literal, in: query } } }",
            ["api-key in the URL to https://api.test"]
        ),
        (
            "{ get: '{{host}}', auth: { api-key: { name: k, value: '{{token}}', in: cookie } } }",
            ["token in `cookie` to https://api.test"]
        ),
        ("{ get: '{{host}}', auth: { digest: { user: u, password: '{{pin}}' } } }", ["pin in `auth: digest` to https://api.test"]),
        (
            "{ get: '{{host}}', auth: { aws-sigv4: { access-key: A, secret-key: '{{token}}' } } }",
            ["token in `auth: aws-sigv4` to https://api.test"]
        ),
        (
            "{ get: '{{host}}', auth: { oauth2: { grant: client-credentials, token-url: 'https://login.test/t', client-id: c, client-secret: '{{token}}' } } }",
            ["token in the request for a token to https://login.test"]
        ),
        ("{ get: '{{host}}', proxy: 'http://u:{{pin}}@proxy.test:3128' }", ["pin in the proxy to http://proxy.test:3128"]),
        ("{ post: '{{host}}', body: { text: 'a {{token}}' } }", ["token in the body to https://api.test"]),
        ("{ post: '{{host}}', body: { json: { a: '{{token}}', b: '{{map}}' } } }", ["token in the body to https://api.test"]),
        ("{ post: '{{host}}', body: { form: { a: '{{pin}}', b: '{{plain}}' } } }", ["pin in the body to https://api.test"]),
        ("{ post: '{{host}}', body: { multipart: { a: '{{pin}}' } } }", ["pin in the body to https://api.test"]),
        (
            "{ post: '{{host}}', body: { graphql: { query: q, variables: { a: '{{pin}}' } } } }",
            ["pin in the body to https://api.test"]
        ),
        ("{ get: '{{base}}/x' }", ["base in the URL to https://hidden.test"]),
        ("{ get: 'https://u:{{pin}}@api.test/' }", ["pin in the URL to https://api.test"]),
        (
            "{ get: '{{host}}', headers: { x-a: '{{env(\"SHOP_TOKEN\")}}', x-b: '{{env(\"LANG\")}}' } }",
            ["$SHOP_TOKEN in `x-a` to https://api.test"]
        ),
        ("{ get: '{{host}}', headers: { x-a: '{{prompt(\"Code\", secret: true)}}' } }", ["Code in `x-a` to https://api.test"]),
        ("{ get: '{{host}}', headers: { x-a: '{{home}}' } }", ["home in `x-a` to https://api.test"]),
        ("{ get: 'https://a.third.test', headers: { x-a: '{{away}}' } }", ["away in `x-a` to https://a.third.test"]),
    ])
    func `a secret is known through everything that is made of it`(request: String, uses: [String]) throws {
        let resolved = try Self.resolve(request)
        #expect(Self.uses(resolved) == uses)
        // And before anybody is asked for it.
        if !request.contains("{{base}}"), !request.contains("cookie") {
            #expect(Self.uses(try Self.resolve(request, isShown: true)) == uses)
        }
    }

    @Test func `who sends it knows where in the request they stand`() throws {
        let request = try Self.resolve(
            """
            { post: '{{host}}/a/{{pin}}', query: { t: 'x {{token}}' }, headers: { x-a: ' v1 {{token}};{{pin}} ' }, cookies: { c: '{{pin}}' },
              auth: { basic: { user: ada, password: '{{pin}}' } }, body: { json: { a: 'b{{token}}', n: '{{plain}}' } } }
            """
        ).request
        #expect(Self.masked(request, .url) == ["77", "t0k%22en%2F%C3%A9"])
        #expect(Self.masked(request, .header("x-a")) == ["t0k\"en/é", "77"])
        #expect(Self.masked(request, .header("cookie")) == ["77"])
        #expect(Self.masked(request, .header("authorization")) == [Data("ada:77".utf8).base64EncodedString()])
        #expect(Self.masked(request, .body) == [#"t0k\"en/é"#])
        #expect(request.secrets.uses.allSatisfy { $0.origins == [OriginPattern("https://api.test")!] })
    }

    @Test func `a form and a text keep apart what is secret in them`() throws {
        let form = try Self.resolve("{ post: '{{host}}', body: { form: { 'a b': 'x {{token}}', c: '{{pin}}' } } }").request
        #expect(form.body == .data(Data("a+b=x+t0k%22en%2F%C3%A9&c=77".utf8)))
        #expect(Self.masked(form, .body) == ["t0k%22en%2F%C3%A9", "77"])
        // Of a multipart body it is known that there is one.
        let parts = try Self.resolve("{ post: '{{host}}', body: { multipart: { a: '{{pin}}' } } }").request
        #expect(parts.secrets.uses == [.init(part: .body, name: "pin", origins: [OriginPattern("https://api.test")!])])
    }

    @Test func `what is captured as a secret, and what is given for one, is one`() throws {
        let login = RequestID(rawValue: "login")
        let captured = [
            "session": CapturedValue(.string("s-1"), isSecret: true, from: login), "id": CapturedValue(.number("4"), from: login),
        ]
        let request = "{ get: '{{host}}', headers: { x-a: '{{session}}', x-b: '{{id}}', x-c: '{{token}}' } }"
        let resolved = try Self.resolve(request, variables: ["token": "giv3n-token"], captured: captured)
        #expect(Self.uses(resolved) == ["session in `x-a` to https://api.test", "token in `x-c` to https://api.test"])
        #expect(resolved.secretUses.map(\.secret.source) == [.response(login), .given])
        #expect(resolved.secrets == ["s-1", "giv3n-token"])
    }

    @Test func `a secret of an environment says so`() throws {
        let resolved = try Self.resolve("{ get: '{{host}}', headers: { x-a: '{{key}}' } }", environment: "prod")
        #expect(resolved.secretUses.map(\.secret) == [SecretLabel("key", .reference(.file("key.txt"), environment: "prod"))])
    }

    // MARK: What may not be

    @Test(arguments: [
        (
            "{ get: 'https://other.test/', headers: { x-a: '{{home}}' } }",
            "`home` is for https://api.test, and `x-a` sends it to https://other.test"
        ),
        (
            "{ get: '{{host}}', headers: { x-a: '{{home}}-{{away}}' } }",
            "`away` is for https://other.test, https://*.third.test, `home` is for https://api.test, and both are in `x-a`: there is no server that may get both"
        ),
        (
            "{ get: '{{host}}', auth: { oauth2: { grant: client-credentials, token-url: 'https://login.test/t', client-id: c, client-secret: '{{home}}' } } }",
            "`home` is for https://api.test, and the request for a token sends it to https://login.test"
        ),
    ])
    func `a secret that is for other servers isn't sent to this one`(request: String, message: String) throws {
        let error = #expect(throws: ResolutionError.self) { try Self.resolve(request) }
        #expect(error?.code == .notAllowed)
        #expect(error?.message == message)
    }

    @Test(arguments: [
        ("{ get: 'https://{{token}}.test/' }", "a part of the address can't be one"),
        ("{ get: 'https://api.test:{{pin}}/' }", "a part of the address can't be one"),
        ("{ get: '{{bare}}.evil.test/' }", "a part of the address can't be one"),
        ("{ get: '{{host}}', headers: { 'x-{{token}}': a } }", "the name of a header can't be one"),
        ("{ get: '{{host}}', hydrate: [./sign, '{{token}}'] }", "an argument of `hydrate` shows it to everybody"),
        (
            "{ get: '{{host}}', headers: { x: '{{command(\"sign\", base64(pin))}}' } }",
            "an argument of `command()` shows it to everybody"
        ),
    ])
    func `a secret can't be an address, a name or an argument`(request: String, message: String) throws {
        let error = #expect(throws: ResolutionError.self) { try Self.resolve(request) }
        #expect(error?.code == .secret)
        #expect(error?.message.contains(message) == true)
        #expect(error?.message.contains("t0k") == false)
    }

    @Test func `for takes origins alone`() {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            variables:
              a: { secret: { env: A }, for: https://a.test/path }
              b: { secret: { env: B }, for: [] }
              c: { for: x, secret: x, other: 1 }
            """)
        #expect(
            collection.problems.map(\.message) == [
                "`for` takes origins such as `https://api.example.com` or `https://*.example.com`, not `https://a.test/path`",
                "`for` is empty, so the secret may go nowhere",
            ])
        #expect(collection.variables.last?.origins == nil)
    }

    /// Foundation encodes all of a query again for the sake of one bracket: a secret in it would be another text, which nobody masks.
    @Test func `brackets are encoded, and nothing beside them twice`() throws {
        for (request, url) in [
            ("{ get: 'http://h/p[0]/a%20b?f[0]={{token}}&g=%5B#x[%41]#' }", "p%5B0%5D/a%20b?f%5B0%5D=*&g=%5B#x%5B%41%5D%23"),
            ("{ get: 'http://h/?f[{{pin}}]=a%20b', query: { 'g[1]': '{{token}} b' } }", "?f%5B77%5D=a%20b&g%5B1%5D=*%20b"),
        ] {
            let resolved = try Self.resolve(request).request
            let shown = resolved.url.absoluteString
            #expect(
                shown == "http://h/"
                    + url.replacing("*", with: shown.contains("?f%5B0%5D") ? "t0k%22en/%C3%A9" : "t0k%22en%2F%C3%A9"))
            #expect(Redactor(["t0k\"en/é"]).text(shown) == "http://h/" + url.replacing("*", with: Redactor.mask))
        }
        #expect(
            try Self.resolve("{ get: 'http://u[x:%41@[::1]:80/a' }").request.url.absoluteString == "http://u%5Bx:%41@[::1]:80/a")
    }
}
