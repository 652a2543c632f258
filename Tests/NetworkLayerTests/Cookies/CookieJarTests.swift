import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// RFC 6265bis, sections 5.7 and 5.8.
@Suite struct CookieJarTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let suffixes = PublicSuffixList(parsing: "com\nuk\nco.uk\ngithub.io\n*.ck\n!www.ck\n")

    /// The jar after these fields came from a URL.
    func jar(_ fields: [String], from url: String, in jar: CookieJar = CookieJar(), site: String? = nil, after: Double = 0)
        -> CookieJar
    {
        var jar = jar
        var headers = HTTPFields()
        for field in fields { headers.append(HTTPField(name: .setCookie, value: field)) }
        jar.receive(
            headers, from: URL(string: url)!, at: now.addingTimeInterval(after), site: site.flatMap { URL(string: $0) },
            suffixes: suffixes)
        return jar
    }

    func sent(
        _ jar: CookieJar, to url: String, method: HTTPRequest.Method = .get, site: String? = nil, after: Double = 0
    ) -> [String] {
        jar.cookies(
            for: URL(string: url)!, method: method, at: now.addingTimeInterval(after), site: site.flatMap { URL(string: $0) },
            suffixes: suffixes
        ).map { "\($0.name)=\($0.value)" }
    }

    @Test func `ckisto a jar is a value with all that a server said`() {
        let jar = jar(
            ["a=b; Domain=shop.example.com; Path=/p; Max-Age=60; Secure; HttpOnly; SameSite=Lax"],
            from: "https://shop.example.com/x/y")
        #expect(
            jar.cookies == [
                Cookie(
                    name: "a", value: "b", domain: "shop.example.com", path: "/p", expires: now.addingTimeInterval(60),
                    isSecure: true,
                    isHTTPOnly: true, isHostOnly: false, sameSite: .lax, created: now)
            ])
    }

    @Test(arguments: [
        ("a=1", "http://example.com/", true), ("a=1", "http://www.example.com/", false),
        ("a=1; Domain=example.com", "http://www.example.com/", true), ("a=1; Domain=example.com", "http://badexample.com/", false),
        ("a=1; Domain=example.com", "https://example.com:8443/", true),
    ])
    func `without Domain it is for the host alone, with it for names below`(field: String, url: String, goes: Bool) {
        #expect(sent(jar([field], from: "http://example.com/"), to: url) == (goes ? ["a=1"] : []))
    }

    @Test(arguments: [
        ("http://example.com/", "a=1; Domain=other.com"), ("http://example.com/", "a=1; Domain=www.example.com"),
        ("http://example.com/", "a=1; Domain=com"), ("http://shop.co.uk/", "a=1; Domain=co.uk"),
        ("http://me.github.io/", "a=1; Domain=github.io"), ("http://a.b.ck/", "a=1; Domain=b.ck"),
        ("http://127.0.0.1/", "a=1; Domain=0.0.1"), ("http://example.com/", "a=1; Secure"),
        ("https://example.com/", "a=1; SameSite=None"), ("https://example.com/", "__Host-a=1; Secure"),
        ("https://example.com/", "__Host-a=1; Secure; Path=/; Domain=example.com"), ("https://example.com/", "__HOST-a=1; Path=/"),
        ("https://example.com/", "__Secure-a=1"), ("https://example.com/", "=__Secure-a=1; Secure"),
        ("https://example.com/", "__Host-a=1; Secure; Path=/p"),
    ])
    func `what a server may not set is ignored`(url: String, field: String) {
        #expect(jar([field], from: url).cookies == [])
    }

    @Test(arguments: [
        ("https://example.com/", "__Host-a=1; Secure; Path=/"),
        ("https://example.com/", "__Secure-a=1; Secure; Domain=example.com"),
        ("http://www.ck/", "a=1; Domain=www.ck"), ("http://github.io/", "a=1; Domain=github.io"),
        ("http://localhost:8080/", "a=1; Secure"), ("http://127.0.0.1/", "a=1; Secure; Domain=127.0.0.1"),
    ])
    func `what it may set is kept`(url: String, field: String) {
        #expect(jar([field], from: url).cookies.count == 1)
    }

    @Test(arguments: [
        ("/docs/web", "/docs/web", true), ("/docs", "/docs/web", true), ("/docs/", "/docs/web", true), ("/doc", "/docs/web", false),
        ("/docs/web/x", "/docs/web", false), ("/", "/", true),
    ])
    func `paths match segment by segment`(cookie: String, request: String, goes: Bool) {
        let jar = jar(["a=1; Path=\(cookie)"], from: "http://example.com/")
        #expect(sent(jar, to: "http://example.com\(request)") == (goes ? ["a=1"] : []))
    }

    @Test(arguments: [("/a/b/c", "/a/b"), ("/a/b/", "/a/b"), ("/a", "/"), ("", "/")])
    func `the path is the request's directory unless it is said`(path: String, expected: String) {
        #expect(jar(["a=1"], from: "http://example.com\(path)").cookies.map(\.path) == [expected])
    }

    @Test func `longer paths go first, then older cookies`() {
        var jar = jar(["c=3; Path=/", "d=4; Path=/"], from: "http://example.com/a/b", after: 10)
        jar = self.jar(["a=1; Path=/a/b", "b=2; Path=/a"], from: "http://example.com/a/b", in: jar, after: 20)
        jar = self.jar(["c=5; Path=/"], from: "http://example.com/", in: jar, after: 30)
        #expect(sent(jar, to: "http://example.com/a/b") == ["a=1", "b=2", "c=5", "d=4"])
    }

    @Test func `a cookie in the clear hides none of https`() {
        let jar = jar(["a=secret; Secure; Path=/"], from: "https://example.com/")
        #expect(
            self.jar(["a=evil; Domain=example.com; Path=/"], from: "http://www.example.com/", in: jar).cookies.map(\.value) == [
                "secret"
            ])
        #expect(sent(jar, to: "http://example.com/") == [])
        #expect(sent(jar, to: "https://example.com/") == ["a=secret"])
    }

    @Test func `one that ends in the past takes the old one away`() {
        let jar = jar(["a=1; Max-Age=60"], from: "http://example.com/")
        #expect(sent(jar, to: "http://example.com/", after: 59) == ["a=1"])
        #expect(sent(jar, to: "http://example.com/", after: 60) == [])
        #expect(self.jar(["a=; Max-Age=0"], from: "http://example.com/", in: jar).cookies == [])
    }

    @Test(arguments: [
        ("Strict", HTTPRequest.Method.get, false), ("Lax", .get, true), ("Lax", .post, false), ("None; Secure", .post, true),
        ("", .get, true), ("", .post, false),
    ])
    func `SameSite keeps cookies from requests that another site began`(value: String, method: HTTPRequest.Method, goes: Bool) {
        let jar = jar(["a=1; Path=/; SameSite=\(value)"], from: "https://shop.example.com/")
        let url = "https://shop.example.com/"
        #expect(sent(jar, to: url, method: method, site: "https://other.com/") == (goes ? ["a=1"] : []))
        #expect(sent(jar, to: url, method: method, site: "https://www.example.com/") == ["a=1"])
        #expect(sent(jar, to: url, method: method) == ["a=1"])
    }

    @Test func `another site sets nothing that is SameSite`() {
        let fields = ["a=1; SameSite=Lax", "b=1; SameSite=Strict", "c=1", "d=1; SameSite=None; Secure"]
        let jar = jar(fields, from: "https://shop.example.com/", site: "https://other.com/")
        #expect(jar.cookies.map(\.name) == ["c", "d"])
    }

    @Test func `beyond its limits insecure and long unused ones go first`() {
        var jar = CookieJar()
        jar.domainLimit = 3
        jar = self.jar(["a=1; Secure", "b=1", "c=1"], from: "https://example.com/", in: jar)
        jar.use(jar.cookies.filter { $0.name == "b" }.map(\.identity), at: now.addingTimeInterval(5))
        jar = self.jar(["d=1"], from: "https://example.com/", in: jar, after: 10)
        #expect(jar.cookies.map(\.name) == ["a", "b", "d"])
        jar.limit = 2
        jar = self.jar(["e=1"], from: "https://other.com/", in: jar, after: 20)
        #expect(jar.cookies.map(\.name) == ["a", "e"])
    }

    @Test func `ckisto cookies are listed, set, removed and cleared by hand`() {
        var jar = jar(["a=1", "b=1"], from: "http://example.com/")
        jar = self.jar(["c=1"], from: "http://www.other.com/", in: jar)
        var edited = jar.cookies[0]
        edited.value = "2"
        jar.set(edited)
        #expect(jar.cookies.map { "\($0.name)=\($0.value)" } == ["a=2", "b=1", "c=1"])
        let removed = [jar.remove(edited.identity), jar.remove(edited.identity)]
        #expect(removed == [true, false])
        jar.removeAll(of: "other.com")
        #expect(jar.cookies.map(\.name) == ["b"])
        jar.removeAll()
        #expect(jar == CookieJar())
    }

    @Test func `seven thousand random fields break no rule`() {
        var generator = SeededGenerator(seed: 6265)
        var jar = CookieJar()
        jar.limit = 40
        jar.domainLimit = 20
        let pieces = [
            "Secure", "Path=/a", "Path=/", "Domain=example.com", "Domain=com", "Max-Age=0", "Max-Age=9", "SameSite=Lax", "HttpOnly",
            "SameSite=None", "Expires=x", "Domain=www.example.com", "", "=",
        ]
        let urls = ["http://example.com/", "https://www.example.com/a/b", "http://me.github.io/", "http://127.0.0.1/"]
        for step in 0..<7_000 {
            let name = ["a", "b", "__Host-c", "__Secure-d", "e\(step % 50)"].randomElement(using: &generator)!
            let attributes = (0..<3).map { _ in pieces.randomElement(using: &generator)! }
            let url = urls.randomElement(using: &generator)!
            jar = self.jar(["\(name)=\(step); \(attributes.joined(separator: "; "))"], from: url, in: jar, after: Double(step))
            #expect(jar.cookies.count <= 40)
            #expect(Set(jar.cookies.map(\.identity)).count == jar.cookies.count)
            #expect(jar.cookies.allSatisfy { !suffixes.isPublicSuffix($0.domain) || $0.isHostOnly })
            #expect(jar.cookies.allSatisfy { !$0.name.hasPrefix("__Host-") || ($0.isSecure && $0.isHostOnly && $0.path == "/") })
        }
    }
}
