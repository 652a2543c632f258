import FoundationEssentials
import Testing

@testable import NetworkLayer

/// RFC 6265bis, sections 5.1 and 5.6.
@Suite struct SetCookieTests {
    let now = Date(timeIntervalSince1970: 1_700_000_000)

    func parse(_ field: String) -> SetCookie? { SetCookie(field, receivedAt: now) }

    @Test(arguments: [
        ("a=b", "a", "b"), (" a = b ; Path=/", "a", "b"), ("a=b=c", "a", "b=c"), ("=b", "", "b"), ("b", "", "b"), ("a=", "a", ""),
        ("a=\"b c\"", "a", "\"b c\""), ("a=b;", "a", "b"),
        // An accent behind the semicolon is part of the attribute that it begins.
        ("a=b;\u{301}c=d", "a", "b"), ("a=\u{301}b", "a", "\u{301}b"),
    ])
    func `a name and a value, as they are`(field: String, name: String, value: String) {
        let cookie = parse(field)
        #expect(cookie?.name == name)
        #expect(cookie?.value == value)
    }

    @Test(arguments: [
        "", "=", " ; Path=/", "a=b\u{1}", "a=\u{7F}", "a=b\tc", "a=b; Path=/x\ty", "a=" + String(repeating: "x", count: 4096),
    ])
    func `what no cookie can be is ignored`(field: String) {
        #expect(parse(field) == nil)
    }

    @Test func `4096 bytes are still a cookie`() {
        #expect(parse("a=" + String(repeating: "x", count: 4095))?.value.utf8.count == 4095)
    }

    @Test func `attributes in any case and order; the last one counts, unknown and long ones don't`() throws {
        let cookie = try #require(
            parse("a=b; DOMAIN=x.test; domain=.Example.ORG; path=/p; SECURE; HttpOnly; samesite=STRICT; Priority=High"))
        #expect(cookie.domain == "example.org")
        #expect(cookie.path == "/p")
        #expect(cookie.isSecure && cookie.isHTTPOnly)
        #expect(cookie.sameSite == .strict)
        let long = try #require(parse("a=b; Path=/" + String(repeating: "x", count: 1024)))
        #expect(long.path == nil)
        let plain = try #require(parse("a=b; Path=relative; Domain=; SameSite=Sometimes"))
        #expect(plain.path == nil && plain.domain == nil && plain.sameSite == .unspecified)
    }

    @Test(arguments: [
        ("Max-Age=60", 60.0), ("Max-Age=060", 60), ("Max-Age=0; Expires=Wed, 21 Oct 2099 07:28:00 GMT", nil),
        ("Max-Age=-1", nil), ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60),
        ("Max-Age=99999999999999999999", 400 * 86_400), ("Expires=Wed, 21 Oct 2099 07:28:00 GMT", 400 * 86_400),
        ("Max-Age=1h; Expires=Tue, 14 Nov 2023 22:14:20 GMT", 60),
    ])
    func `it ends when Max-Age says, else when Expires does, after 400 days at the latest`(
        attributes: String, seconds: Double?
    ) throws {
        let expires = try #require(parse("a=b; \(attributes)")?.expires)
        #expect(expires == seconds.map { now.addingTimeInterval($0) } ?? .distantPast)
    }

    @Test func `without both it lasts for the session`() {
        #expect(parse("a=b; Max-Age=x; Expires=never")?.expires == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "6 nov 1994 8:49:37", "08:49:37 06-November-1994", "1994 Nov 06th 08:49:37",
    ])
    func `dates are read as servers write them`(text: String) {
        #expect(CookieDate.parse(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: ["", "6 Nov 1994", "08:49:37 Nov 1994", "31 Feb 1994 08:49:37", "6 Nov 1600 08:49:37", "6 Nov 1994 24:00:00"])
    func `what is no date is none`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }
}
