import FoundationEssentials
import Testing

@testable import NetworkLayer

@Suite struct URLCodingTests {
    // MARK: Percent-encoding and numbers

    @Test(arguments: [
        ("", ""), ("azAZ09-._~", "azAZ09-._~"), (" ", "%20"), ("+", "%2B"), ("a&b=c", "a%26b%3Dc"), ("100%", "100%25"),
        ("é", "%C3%A9"), ("😀", "%F0%9F%98%80"), ("!*'();:@,/?#[]$", "%21%2A%27%28%29%3B%3A%40%2C%2F%3F%23%5B%5D%24"),
    ])
    func `URL-1 all but letters, digits and -._~ is percent-encoded`(text: String, encoded: String) {
        #expect(URLCoding.percentEncoded(text) == encoded)
        #expect(URLCoding.percentDecoded(encoded) == text)
    }

    @Test func `URL-1 bytes that are no text are encoded too, and other bytes can be kept`() {
        #expect(URLCoding.percentEncoded([0xFF, 0x61, 0x00]) == "%FFa%00")
        #expect(URLCoding.percentEncoded("a.b c".utf8) { $0 == UInt8(ascii: "a") || $0 == UInt8(ascii: " ") } == "a%2E%62 %63")
    }

    @Test(arguments: [("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("a%2fb", "a/b"), ("%41", "A"), ("%%41", "%A"), ("a+b", "a+b")])
    func `URL-1 what isn't percent-encoded stays as it is`(text: String, decoded: String) {
        #expect(URLCoding.percentDecoded(text) == decoded)
    }

    @Test(arguments: [
        ("http://h/echo?f[0]=a%20b", "http://h/echo?f%5B0%5D=a%20b"), ("/echo?f[0]=a%20b", "/echo?f%5B0%5D=a%20b"),
        ("http://h/p[0]/a%20b?x={}%41#f[%42]#", "http://h/p%5B0%5D/a%20b?x=%7B%7D%41#f%5B%42%5D%23"),
        ("http://h/100%?q=%zz%2F", "http://h/100%25?q=%25zz%2F"), ("http://h/a b/ü?x=^%5E", "http://h/a%20b/%C3%BC?x=%5E%5E"),
        ("http://[::1]:80/[", "http://[::1]:80/%5B"), ("http://u[@:%5B@h/", "http://u%5B%40:%5B@h/"),
        ("//h/[%41]", "//h/%5B%41%5D"),
        ("a//b[%41]", "a//b%5B%41%5D"), ("?a[%41]", "?a%5B%41%5D"), ("\t%41", "%09%41"), ("", ""), ("http://h", "http://h"),
        ("http://h/!$&'()*+,;=:@-._~%00?/?", "http://h/!$&'()*+,;=:@-._~%00?/?"),
    ])
    func `URL-1 nothing of a URL is encoded twice`(text: String, completed: String) {
        #expect(URLCoding.completed(text) == completed)
        // So that Foundation finds nothing to repair.
        #expect(URL(string: completed)?.absoluteString == completed || completed.isEmpty)
        #expect(URLCoding.completed(completed) == completed)
    }

    private struct Point: URLEncodable {
        var urlTexts: [String] { ["1;2"] }
    }

    @Test(
        arguments: [
            (0.1 as Float, "a=0.1"), (1e10 as Float, "a=1e%2B10"), (0.1 as Double, "a=0.1"), (-2.5 as Double, "a=-2.5"),
            (100 as Double, "a=100"), (1.0 / 3 as Double, "a=0.3333333333333333"), (1e300 as Double, "a=1e%2B300"),
            (Int.min, "a=-9223372036854775808"), (UInt64.max, "a=18446744073709551615"), (Int8(-1), "a=-1"), (true, "a=1"),
            (false, "a=0"), ("x y", "a=x%20y"), ("", "a="), ("x"[...], "a=x"),
            (URL(string: "http://a.test/?b")!, "a=http%3A%2F%2Fa.test%2F%3Fb"),
            (nil as Int?, ""), (["a", nil], "a=a"), ([1, 2], "a=1&a=2"), ([Int](), ""), (Point(), "a=1%3B2"),
        ] as [(any URLEncodable & Sendable, String)])
    func `URL-1 URL-2 a value is written, a list once for each element, and nothing left out`(
        value: any URLEncodable & Sendable, text: String
    ) {
        #expect(URLCoding.form(["a": value]) == text)
    }

    @Test func `URL-2 parameters are sorted, and their names encoded too`() {
        #expect(URLCoding.form(["b&": 1, "a b": nil, "a": "2"]) == "a=2&b%26=1")
    }

    @Test(
        arguments: [
            ("", []), ("a=1", ["a", "1"]), ("a=1=2", ["a", "1=2"]), ("a", ["a", ""]), ("=1&a=2&&", ["a", "2"]),
            ("a=1&a=2", ["a", "1", "a", "2"]),
            ("a=x+y%2B", ["a", "x y+"]), ("a%20b=%E2%82%AC", ["a b", "€"]),
        ] as [(String, [String])])
    func `URL-3 parameters are read`(text: String, values: [String]) {
        #expect(URLCoding.pairs(in: text).flatMap { [$0.key, $0.value] } == values)
    }
}
