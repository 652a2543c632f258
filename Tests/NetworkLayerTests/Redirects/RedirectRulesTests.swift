import FoundationEssentials
import HTTPTypes
import Testing

@testable import NetworkLayer

/// Section 1.8 of the reference.
@Suite struct RedirectRulesTests {
    typealias Policy = RedirectConfiguration.Policy
    typealias Verdict = RedirectRules.Verdict

    static let redirects = [301, 302, 303, 307, 308]
    static let others = [200, 201, 204, 300, 304, 305, 306, 399, 404, 500]
    static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .delete, .options, .patch]

    func verdict(
        _ status: Int = 302, to location: String? = "http://a.test/next", from request: Request = .get("http://a.test/"),
        hops: Int = 0, delegate: Bool = false, _ configuration: RedirectConfiguration = .init()
    ) -> Verdict {
        let headers: HTTPFields = location.map { [.location: $0] } ?? [:]
        let head = ResponseHead(status: HTTPResponse.Status(code: status), headers: headers)
        return RedirectRules(configuration: configuration, hasDelegate: delegate).verdict(on: head, to: request, hops: hops)
    }

    private func target(of headers: HTTPFields) -> String? {
        let head = ResponseHead(status: .found, headers: headers)
        return RedirectRules(configuration: .init()).verdict(on: head, to: .get("http://a.test/"), hops: 0).target
    }

    @Test func `of several locations the first counts`() {
        var headers: HTTPFields = [.location: "/one"]
        headers.append(HTTPField(name: .location, value: "/two"))
        #expect(target(of: headers) == "http://a.test/one")
    }

    @Test(
        arguments: [
            ("/\u{e9}", [0x2F, 0xE9], "http://a.test/%E9"), ("/é", [0x2F, 0xC3, 0xA9], "http://a.test/%C3%A9"),
            ("/?a=", Array("/%20?a=".utf8) + [0xFF], "http://a.test/%20?a=%FF"),
        ] as [(String, [UInt8], String)])
    func `bytes of a location that are no text are asked for as they are`(_: String, bytes: [UInt8], target: String) {
        var headers = HTTPFields()
        headers.append(HTTPField(name: .location, lenientValue: bytes))
        #expect(self.target(of: headers) == target)
    }

    @Test func `nothing of a location is encoded twice`() {
        #expect(
            RedirectRules.resolve("/e[0]?f[0]=a%20b", against: URL(string: "http://a.test/")!)?.absoluteString
                == "http://a.test/e%5B0%5D?f%5B0%5D=a%20b")
    }

    // MARK: Status × method

    /// RDR-4, written out: what a method becomes.
    static let rewriting: [Int: [String: String]] = [
        301: ["POST": "GET"], 302: ["POST": "GET"],
        303: ["POST": "GET", "PUT": "GET", "DELETE": "GET", "OPTIONS": "GET", "PATCH": "GET"], 307: [:], 308: [:],
    ]

    @Test(arguments: redirects, methods)
    func `each status rewrites each method as the table says (RDR-4)`(status: Int, method: HTTPRequest.Method) throws {
        let body = RequestBody.data(Data("body".utf8))
        let headers: HTTPFields = [
            .contentType: "text/plain", .contentLength: "4", .contentEncoding: "gzip", .accept: "*/*",
        ]
        let request = Request(url: URL(string: "http://a.test/")!, method: method, headers: headers, body: body)
        guard case .follow(let hop, let next) = verdict(status, from: request) else {
            Issue.record("not followed")
            return
        }
        let rewritten = try #require(Self.rewriting[status])[method.rawValue]
        #expect(next.method.rawValue == rewritten ?? method.rawValue)
        #expect(hop.newMethod == rewritten)
        #expect(next.body == (rewritten == nil ? body : .none))
        #expect(next.headers == (rewritten == nil ? headers : [.accept: "*/*"]))
        #expect(Set(hop.droppedHeaders) == (rewritten == nil ? [] : ["Content-Type", "Content-Length", "Content-Encoding"]))
    }

    @Test(arguments: redirects, methods)
    func `a stream that can be read once is an error where the body would go again`(
        status: Int, method: HTTPRequest.Method
    ) throws {
        let stream = RequestBodyStream(isReplayable: false) { throw CancellationError() }
        let request = Request(url: URL(string: "http://a.test/")!, method: method, body: .stream(stream))
        let isRewritten = try #require(Self.rewriting[status])[method.rawValue] != nil
        switch verdict(status, from: request) {
        case .follow(_, let next):
            #expect(isRewritten)
            #expect(next.body == .none)
        case .fail(let hop, let error):
            #expect(!isRewritten)
            #expect(hop.decision == .failed)
            #expect(error.code == .redirectFailed)
        default: Issue.record("neither followed nor failed")
        }
    }

    @Test(arguments: redirects + others, Policy.allCases)
    func `RDR-1 each status under each policy`(status: Int, policy: Policy) {
        let sameHost = verdict(status, to: "http://a.test:81/x", .init(policy: policy))
        let otherHost = verdict(status, to: "http://b.test/x", .init(policy: policy))
        guard Self.redirects.contains(status) else {
            #expect(sameHost == .none)
            #expect(otherHost == .none)
            return
        }
        switch policy {
        case .always, .delegate:
            #expect(sameHost.target == "http://a.test:81/x")
            #expect(otherHost.target == "http://b.test/x")
        case .sameHost:
            #expect(sameHost.target == "http://a.test:81/x")
            #expect(otherHost == .refuse(RedirectHop(location: "http://b.test/x", decision: .refusedByPolicy)))
        case .never:
            #expect(sameHost == .refuse(RedirectHop(location: "http://a.test:81/x", decision: .refusedByPolicy)))
            #expect(otherHost == .refuse(RedirectHop(location: "http://b.test/x", decision: .refusedByPolicy)))
        }
        #expect(verdict(status, to: nil, .init(policy: policy)) == .none)
        #expect(verdict(status, to: "", .init(policy: policy)) == .none)
    }

    // MARK: The delegate

    @Test func `the policy delegate asks, and without one follows`() {
        let hop = RedirectHop(location: "http://a.test/next", decision: .followed)
        #expect(verdict(delegate: true, .init(policy: .delegate)) == .ask(hop, .get("http://a.test/next")))
        #expect(verdict(delegate: false, .init(policy: .delegate)) == .follow(hop, .get("http://a.test/next")))
        #expect(verdict(delegate: true, .init(policy: .always)) == .follow(hop, .get("http://a.test/next")))
    }

    @Test func `what the delegate returns is sent, and the hop says how it differs`() {
        let rules = RedirectRules(configuration: .init(policy: .delegate), hasDelegate: true)
        let hop = RedirectHop(location: "http://a.test/next", decision: .followed)
        let request = Request.post("http://a.test/", headers: [.authorization: "secret", .accept: "*/*"])
        let decided = Request(url: URL(string: "http://c.test/")!, method: .put, headers: [.accept: "text/plain"])
        #expect(
            rules.verdict(onDecision: decided, about: hop, from: request)
                == .follow(
                    RedirectHop(
                        location: "http://a.test/next", decision: .followed, droppedHeaders: ["Authorization"], newMethod: "PUT"),
                    decided))
        #expect(
            rules.verdict(onDecision: nil, about: hop, from: request)
                == .refuse(RedirectHop(location: "http://a.test/next", decision: .refusedByDelegate)))
    }

    @Test func `what the delegate returns must be a request that can be sent`() {
        let rules = RedirectRules(configuration: .init(policy: .delegate), hasDelegate: true)
        let hop = RedirectHop(location: "http://a.test/next", decision: .followed)
        let stream = RequestBody.stream(RequestBodyStream(isReplayable: false) { throw CancellationError() })
        let request = Request.post("http://a.test/", body: .init(stream))
        #expect(rules.verdict(onDecision: .get("ftp://a.test/"), about: hop, from: request).error?.code == .invalidURL)
        #expect(rules.verdict(onDecision: request, about: hop, from: request).error?.code == .redirectFailed)
    }

    // MARK: Limits

    @Test func `as many hops as the limit, and no more`() {
        #expect(verdict(hops: 2, .init(limit: 3)).target == "http://a.test/next")
        let error = verdict(hops: 3, .init(limit: 3)).error
        #expect(error?.code == .tooManyRedirects)
        #expect(
            error?.message
                == "Stopped after 3 redirects, before http://a.test/next; raise the limit of redirects if this is no loop.")
        #expect(verdict(hops: 0, .init(limit: 0)).error?.code == .tooManyRedirects)
    }

    @Test func `a downgrade is marked, and refused where the request says so`() {
        let request = Request.get("https://a.test/")
        guard case .follow(let hop, _) = verdict(from: request) else {
            Issue.record("not followed")
            return
        }
        #expect(hop.isDowngrade)
        #expect(verdict(from: request, .init(refusesDowngrade: true)).error?.code == .redirectFailed)
        #expect(verdict(to: "https://b.test/", from: request, .init(refusesDowngrade: true)).target == "https://b.test/")
        #expect(verdict(from: .get("http://a.test/"), .init(refusesDowngrade: true)).target == "http://a.test/next")
    }

    // MARK: Credentials

    static let credentials: HTTPFields = [
        .authorization: "a", .cookie: "b", .proxyAuthorization: "c", .accept: "*/*",
    ]

    /// From https://a.test/: where to, and which scopes keep the credentials.
    @Test(arguments: [
        ("https://a.test/x", "sameOrigin sameHost always"), ("https://A.TEST:443/x", "sameOrigin sameHost always"),
        ("https://a.test:444/x", "sameHost always"), ("http://a.test/x", "sameHost always"), ("https://b.test/x", "always"),
        ("https://sub.a.test/x", "always"),
    ])
    func `credentials go along within their scope`(target: String, scopes: String) {
        for scope in RedirectConfiguration.CredentialScope.allCases {
            let request = Request.get("https://a.test/", headers: Self.credentials)
            guard case .follow(let hop, let next) = verdict(to: target, from: request, .init(keepCredentials: scope)) else {
                Issue.record("not followed")
                return
            }
            let isKept = scopes.split(separator: " ").contains { $0 == scope.rawValue }
            #expect(next.headers == (isKept ? Self.credentials : [.accept: "*/*"]), "\(scope)")
            #expect(hop.droppedHeaders == (isKept ? [] : ["Authorization", "Cookie", "Proxy-Authorization"]), "\(scope)")
        }
    }

    @Test(arguments: [
        ("http://a.test/next", RedirectConfiguration.CredentialScope.sameOrigin, "http://ada:l%3Ave@a.test/next"),
        ("/next", .sameOrigin, "http://ada:l%3Ave@a.test/next"),
        ("http://bob:s@a.test/next", .sameOrigin, "http://bob:s@a.test/next"),
        ("http://b.test/", .sameOrigin, "http://b.test/"), ("http://a.test:81/", .sameOrigin, "http://a.test:81/"),
        ("http://a.test:81/", .sameHost, "http://ada:l%3Ave@a.test:81/"),
        ("http://b.test/", .always, "http://ada:l%3Ave@b.test/"),
    ])
    func `a name and a password in the URL go along as a field does`(
        location: String, scope: RedirectConfiguration.CredentialScope, target: String
    ) {
        let request = Request(url: URL(string: "http://ada:l%3Ave@a.test/")!)
        guard case .follow(_, let next) = verdict(to: location, from: request, .init(keepCredentials: scope)) else {
            Issue.record("not followed")
            return
        }
        #expect(next.url.absoluteString == target)
    }

    @Test func `a Host of the caller's stays with its host`() throws {
        let host = try #require(HTTPField.Name("Host"))
        let request = Request.get("http://a.test/", headers: [host: "virtual.test"])
        guard case .follow(_, let same) = verdict(to: "/x", from: request),
            case .follow(let hop, let other) = verdict(to: "http://b.test/", from: request)
        else {
            Issue.record("not followed")
            return
        }
        #expect(same.headers[host] == "virtual.test")
        #expect(other.headers[host] == nil)
        #expect(hop.droppedHeaders == ["Host"])
    }

    // MARK: Location

    /// RFC 3986, section 5.4, and what servers really send.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
        ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
        ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
        (".", "http://a/b/c/"), ("..", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
        ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
        ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("http://h:8080/x", "http://h:8080/x"),
        ("HTTPS://h/x", "HTTPS://h/x"), ("http://[::1]:80/x", "http://[::1]:80/x"), ("/a b", "http://a/a%20b"),
        ("/ä", "http://a/%C3%A4"),
    ])
    func `Location is a reference relative to the request's URL`(location: String, target: String) throws {
        let base = try #require(URL(string: "http://a/b/c/d;p?q"))
        #expect(RedirectRules.resolve(location, against: base)?.absoluteString == target)
    }

    @Test(arguments: ["ftp://h/x", "mailto:a@b.test", "http://", "http:///x", "http://a b/", "http://[bad/", "javascript:alert(1)"])
    func `what can't be requested is an error, and the hop shows it as it came`(location: String) {
        guard case .fail(let hop, let error) = verdict(to: location) else {
            Issue.record("not failed")
            return
        }
        #expect(hop.decision == .failed)
        #expect(error.code == .redirectFailed)
    }

    @Test func `the fragment goes along unless Location has one (RFC 9110, section 10.2.2)`() {
        let request = Request.get("http://a.test/x#part%20one")
        #expect(verdict(to: "/y", from: request).target == "http://a.test/y#part%20one")
        #expect(verdict(to: "/y#two", from: request).target == "http://a.test/y#two")
        #expect(verdict(to: "http://b.test/y", from: request).target == "http://b.test/y#part%20one")
    }
}

extension RedirectRules.Verdict {
    fileprivate var target: String? {
        if case .follow(_, let request) = self { request.url.absoluteString } else { nil }
    }

    fileprivate var error: NetworkError? {
        if case .fail(_, let error) = self { error } else { nil }
    }
}
