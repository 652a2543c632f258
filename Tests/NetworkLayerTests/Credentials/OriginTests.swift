import Foundation
import NetworkLayer
import Testing

@Suite struct OriginTests {
    @Test(arguments: [
        ("https://API.Example.com/a?b#c", "https://api.example.com"), ("https://api.example.com:443/", "https://api.example.com"),
        ("http://api.example.com:80", "http://api.example.com"), ("http://api.example.com:443", "http://api.example.com:443"),
        ("HTTPS://api.example.com:8443/", "https://api.example.com:8443"),
        ("https://api.example.com@evil.test/", "https://evil.test"), ("https://me:pw@evil.test:1/", "https://evil.test:1"),
        ("http://[::1]:8080/", "http://[::1]:8080"), ("http://127.0.0.1/", "http://127.0.0.1"),
        ("http://bücher.test/", "http://xn--bcher-kva.test"), ("http://BÜCHER.test/", "http://xn--bcher-kva.test"),
        ("http://xn--bcher-kva.test/", "http://xn--bcher-kva.test"),
    ])
    func `an origin is scheme, host and port`(url: String, origin: String) throws {
        #expect(Origin(try #require(URL(string: url)))?.description == origin)
    }

    /// Each would be a way to get what is for the first one.
    @Test(arguments: [
        ("https://a.test/", "http://a.test/"), ("https://a.test/", "https://a.test:8443/"), ("https://a.test/", "https://a.test./"),
        ("https://a.test/", "https://sub.a.test/"), ("https://a.test/", "https://a.test.evil.test/"),
        ("https://a.test/", "https://a.test@evil.test/"), ("http://[::1]/", "http://[::1%25lo]/"),
        ("http://127.0.0.1/", "http://127.1/"), ("http://127.0.0.1/", "http://localhost/"), ("http://[::1]/", "http://[0::1]/"),
    ])
    func `what only looks alike is another origin`(left: String, right: String) throws {
        let (left, right) = (Origin(try #require(URL(string: left))), Origin(try #require(URL(string: right))))
        #expect(left != nil && left != right)
    }

    @Test(arguments: ["ftp://a.test/", "https:///x", "a.test", "mailto:me@a.test"])
    func `what no request can go to has no origin`(url: String) throws {
        #expect(Origin(try #require(URL(string: url))) == nil)
    }

    @Test(arguments: ["https://a.test/x", "https://a.test?x", "https://me@a.test", "https://a.test#x", "a.test", ""])
    func `a written origin has nothing but an origin in it`(text: String) {
        #expect(Origin(text) == nil)
        #expect(OriginPattern(text) == nil)
    }

    @Test func `a pattern is one origin, or all below a name`() throws {
        func contains(_ pattern: String, _ origin: String) throws -> Bool {
            try #require(OriginPattern(pattern)).contains(try #require(Origin(origin)))
        }
        #expect(try contains("https://a.test", "https://A.test:443/"))
        #expect(try !contains("https://a.test", "https://b.a.test"))
        #expect(try contains("https://*.a.test", "https://b.a.test"))
        #expect(try contains("https://*.a.test", "https://c.b.a.test"))
        #expect(try !contains("https://*.a.test", "https://a.test"))
        #expect(try !contains("https://*.a.test", "https://evila.test"))
        #expect(try !contains("https://*.a.test", "http://b.a.test"))
        #expect(try !contains("https://*.a.test", "https://b.a.test:444"))
        #expect(try #require(OriginPattern("https://*.a.test:444/")).description == "https://*.a.test:444")
        #expect(OriginPattern("https://a.*.test") == nil)
        #expect(OriginPattern("https://*") == nil)
    }
}
