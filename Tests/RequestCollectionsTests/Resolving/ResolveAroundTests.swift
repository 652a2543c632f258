import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

/// What a resolved request has besides its URL, headers and body.
@Suite struct ResolveAroundTests {
    private static func resolve(
        _ request: String, defaults: String = "{}", sources: TemplateEnvironment = TemplateEnvironment(trust: .everything, seed: 1)
    ) throws -> ResolvedRequest {
        let collection = RequestCollection.of(
            "turnstone: 1\nvariables: { u: me, p: pw, n: 5 }\ndefaults: \(defaults)\nrequests: { b: { get: http://h/, capture: { c: .id } }, a: \(request) }",
            path: "/c/shop.yaml")
        #expect(collection.problems == [])
        return try collection.resolve(try #require(collection.request(RequestID(rawValue: "a"))), environment: nil, with: sources)
    }

    @Test(
        arguments: [
            ("{ digest: { user: '{{u}}', password: '{{p}}' } }", Authentication.digest(Credential("me:pw"))),
            ("{ ntlm: { user: 'D\\{{u}}', password: '{{p}}' } }", .ntlm(Credential("D\\me:pw"))),
            ("negotiate", .negotiate), ("netrc", .netrc(file: nil)), ("{ netrc: my.netrc }", .netrc(file: "/c/my.netrc")),
            (
                "{ aws-sigv4: { access-key: '{{u}}', secret-key: '{{p}}', region: r } }",
                .awsSigV4(AWSSignature(accessKey: "me", secretKey: "pw", region: "r"))
            ),
            (
                "{ aws-sigv4: { access-key: '{{u}}', secret-key: '{{p}}', session-token: '{{p}}', expires: 1h, provider: osc } }",
                .awsSigV4(
                    AWSSignature(accessKey: "me", secretKey: "pw", sessionToken: "pw", provider: "osc", expires: .seconds(3600)))
            ),
        ])
    func `kinds of auth that the transport speaks are its options`(auth: String, authentication: Authentication) throws {
        let resolved = try Self.resolve("{ get: http://h/, auth: \(auth) }")
        #expect(resolved.configuration.transport.authentication == authentication)
        #expect(resolved.request.headers == [:])
        #expect(resolved.origins.map(\.subject).contains(.auth))
    }

    @Test(
        arguments: [
            ("header", "http://h/?a=1", ["x-key: me"]), ("query", "http://h/?a=1&x-key=me", []),
            ("cookie", "http://h/?a=1", ["cookie: x-key=me"]),
        ])
    func `an api-key is a header, a parameter or a cookie`(place: String, url: String, headers: [String]) throws {
        let resolved = try Self.resolve(
            "{ get: http://h/, query: { a: 1 }, auth: { api-key: { name: x-key, value: '{{u}}', in: \(place) } } }")
        #expect(resolved.request.url.absoluteString == url)
        #expect(resolved.request.headers.map { "\($0.name): \($0.value)" } == headers)
    }

    @Test func `where a token comes from is filled in`() throws {
        let resolved = try Self.resolve(
            "{ get: http://h/, auth: { oauth2: { grant: password, token-url: 'http://{{u}}/', client-id: i, user: '{{u}}', password: '{{p}}' } } }"
        )
        #expect(
            resolved.oauth2
                == OAuth2Definition(grant: .password(user: "me", password: "pw"), tokenURL: "http://me/", clientID: "i"))
    }

    @Test func `retries are merged key by key, and none turns them off`() throws {
        let defaults = "{ retry: { attempts: 4, on: [timeout, 5xx], backoff: { first: 1s, max: 9s }, retry-after: ignore } }"
        var rules = RetryRules(attempts: 2, on: [.kind(.timeout), .statusClass(5)], retryAfter: .ignore)
        rules.backoff = RetryBackoff(first: .seconds(1), factor: 3, max: .seconds(9), jitter: .none)
        let merged = try Self.resolve(
            "{ get: http://h/, retry: { attempts: 2, backoff: { factor: 3, jitter: none } } }", defaults: defaults)
        #expect(merged.configuration.retry == [rules])
        #expect(try Self.resolve("{ get: http://h/, retry: none }", defaults: defaults).configuration.retry.isEmpty)
        #expect(try Self.resolve("{ get: http://h/ }").configuration.retry.isEmpty)
        #expect(try Self.resolve("{ get: http://h/, retry: {} }").configuration.retry == [RetryRules()])
    }

    @Test func `a GraphQL body is JSON with the query, its operation and variables`() throws {
        let resolved = try Self.resolve(
            "{ post: http://h/, body: { graphql: { query: 'query A { me(id: {{n}}) }', operation: A, variables: { n: '{{n}}', l: [1.50] } } } }"
        )
        guard case .data(let data) = resolved.request.body else { throw CancellationError() }
        #expect(
            String(decoding: data, as: UTF8.self) == """
                {
                  "query": "query A { me(id: 5) }",
                  "operationName": "A",
                  "variables": {
                    "n": 5,
                    "l": [
                      1.50
                    ]
                  }
                }
                """)
        #expect(resolved.request.headers[.contentType] == "application/json")
    }

    @Test func `a query in a file is sent as it stands`() throws {
        let folder = try TemporaryDirectory(["q.graphql": "{ shop }"])
        let sources = TemplateEnvironment(trust: .everything)
        let resolved = try Self.resolve(
            "{ post: http://h/, body: { graphql: { file: \(folder.path)/q.graphql } } }", sources: sources)
        #expect(resolved.request.body == .data(Data("{\n  \"query\": \"{ shop }\"\n}".utf8)))
    }

    @Test func `a mock is filled in`() throws {
        let resolved = try Self.resolve(
            "{ get: http://h/, mock: { status: 201, headers: { x: '{{u}}' }, body: { id: '{{n}}' }, delay: 1s..2s, latency: 50ms, rate: 1KB, error: timeout } }"
        )
        var headers = HTTPFields()
        headers[try #require(HTTPField.Name("x"))] = "me"
        headers[.contentType] = "application/json"
        #expect(
            resolved.mock
                == ResolvedMock(
                    status: .created, headers: headers, body: .data(Data("{\n  \"id\": 5\n}".utf8)),
                    delay: .seconds(1) ... .seconds(2),
                    latency: .milliseconds(50), bytesPerSecond: 1000, error: .timeout))
        #expect(try Self.resolve("{ get: http://h/ }").mock == nil)
        #expect(try Self.resolve("{ get: http://h/, mock: {} }").mock == ResolvedMock())
    }

    @Test func `a hydrate command runs beside its file`() throws {
        let place = SourceLocation(path: "/c/shop.yaml", line: 4, column: 87)
        #expect(
            try Self.resolve("{ get: http://h/, hydrate: [sign, '{{u}}'] }").hydrate
                == ResolvedHydrate(words: ["sign", "me"], directory: "/c", permit: allowed(["sign", "me"]), location: place))
        #expect(
            try Self.resolve("{ get: http://h/, hydrate: sign --key x }").hydrate
                == ResolvedHydrate(
                    words: ["sh", "-c", "sign --key x"], directory: "/c", permit: allowed(["sh", "-c", "sign --key x"]),
                    location: place))
    }

    private func allowed(_ words: [String]) -> Permission? {
        Trust.everything.permit(.run(CommandWant(words, for: .hydrate)), in: CollectionPlace("/c/shop.yaml"))
    }

    @Test func `a variable that only a response can give says whose`() {
        let error = #expect(throws: ResolutionError.self) { try Self.resolve("{ get: 'http://h/{{c}}' }") }
        #expect(
            error?.description
                == "/c/shop.yaml:4:67: the variable `c` has no value yet: `b` captures it; send that first, or give this request `needs: b`"
        )
    }

    @Test func `what is surely wrong is said before anybody is asked`() {
        let error = #expect(throws: ResolutionError.self) {
            try Self.resolve("{ get: 'http://{{prompt(\"Host\")}}/{{nope}}' }")
        }
        #expect(error?.code == .variable)
        let unmet = #expect(throws: ResolutionError.self) {
            try Self.resolve("{ get: '{{prompt(\"Scheme\")}}/', headers: { x: '{{command(\"date\")}}' } }")
        }
        #expect(unmet?.description == "/c/shop.yaml:4:67: the request needs an answer to `Scheme`")
    }

    @Test func `all that is missing is asked for at once`() {
        let error = #expect(throws: ResolutionError.self) {
            try Self.resolve("{ get: 'http://{{prompt(\"Host\")}}/', headers: { x: '{{command(\"date\")}}' } }")
        }
        #expect(error?.description == "/c/shop.yaml:4:67: the request needs an answer to `Host`, and the command `date`")
        #expect(
            error?.requirements.map(\.requirement) == [
                .prompt(.init(message: "Host")), .command(.init(words: ["date"], directory: "/c")),
            ])
    }
}
