import FoundationEssentials
import Testing

@testable import NetworkLayer

@Suite struct InternationalHostTests {
    /// RFC 3492, section 7.1; RFC 5894, section 4.3; the others by the program `idn2`.
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"),
        ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("公司.cn", "xn--55qx5d.cn"), ("faß.de", "xn--fa-hia.de"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("Plain.example", "Plain.example"),
    ])
    func `a name beyond ASCII is written as it travels`(name: String, expected: String) {
        #expect(InternationalHost.ascii(name) == expected)
    }

    @Test(arguments: [
        ("http://bücher.test/ü?q=1#f", "http://xn--bcher-kva.test/%C3%BC?q=1#f"),
        ("http://b%C3%BCcher.test", "http://xn--bcher-kva.test"),
        ("https://me:a%40b@bücher.test:8443/", "https://me:a%40b@xn--bcher-kva.test:8443/"),
        ("http://plain.test/?next=http://bücher.test/", "http://plain.test/?next=http://b%C3%BCcher.test/"),
        ("http://[fe80::1%25eth0]/", "http://[fe80::1%25eth0]/"),
        ("http://plain.test/", "http://plain.test/"),
    ])
    func `a URL has its host in ASCII, and keeps the rest`(text: String, expected: String) {
        #expect(URL(international: text)?.absoluteString == expected)
    }

    @Test func `a reference to another host may be beyond ASCII`() {
        let base = URL(string: "https://a.test/b/c")
        #expect(URL(international: "//bücher.test/d", relativeTo: base)?.absoluteString == "https://xn--bcher-kva.test/d")
        #expect(URL(international: "d?e=//ü", relativeTo: base)?.absoluteString == "https://a.test/b/d?e=//%C3%BC")
    }
}
