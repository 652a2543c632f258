import Foundation
import NetworkLayer
import Testing

@testable import CommandLineInterface

@Suite struct SendURLTests {
    private func url(_ words: String...) throws -> String {
        try SendPlan(SendOptionParser.parse(words), reading: GivenInput(bytes: Data())).request.url.absoluteString
    }

    @Test func `dots of a path are taken out as in RFC 3986, section 5_2_4, unless they are meant`() throws {
        #expect(try url("http://h/a/./b/../c") == "http://h/a/c")
        #expect(try url("http://h/../../x") == "http://h/x")
        #expect(try url("http://h/a/..") == "http://h/")
        #expect(try url("http://h/a//../b/.?c=/../d#/../e") == "http://h/a/b/?c=/../d#/../e")
        #expect(try url("--path-as-is", "http://h/a/../b") == "http://h/a/../b")
    }

    @Test func `a URL without a scheme may have another one in its query`() throws {
        #expect(try url("h/?to=http://other/") == "http://h/?to=http://other/")
    }

    @Test func `data for the query are put behind what is there`() throws {
        #expect(try url("-G", "-d", "", "http://h/") == "http://h/")
        #expect(try url("--url-query", "a=b", "http://h/?") == "http://h/?a=b")
        #expect(try url("--url-query", "+a%20b", "http://h/?c#d") == "http://h/?c&a%20b#d")
    }

    @Test(arguments: ["{a,b}", "{a}", "[1-3]", "[a-z:2]", "[001-100]"])
    func `a pattern that curl makes several URLs of is refused, and sent with -g`(pattern: String) throws {
        #expect(
            throws: CommandFailure(
                status: .usage,
                message:
                    "\(pattern) in the URL would be several URLs for curl, and send takes one. With -g it is sent as "
                    + "it stands; many requests are a collection, for `turnstone run`.")
        ) { try url("http://h/\(pattern)") }
        #expect(try url("-g", "http://h/\(pattern)").hasPrefix("http://h/%"))
    }

    @Test func `braces and brackets that are no pattern are sent`() throws {
        #expect(try url("http://h/?a[]=1&b[0]=2&{") == "http://h/?a%5B%5D=1&b%5B0%5D=2&%7B")
        #expect(try url("http://h/\\{a\\}") == "http://h/%7Ba%7D")
    }

    @Test(arguments: [
        ("*", "a.test", true), ("a.test", "a.test", true), ("a.test", "b.a.test.", true), (".a.test", "a.test", true),
        ("a.test", "ba.test", false), ("b,A.test", "a.test", true), ("b a.test", "a.test", true), ("", "a.test", false),
        (".0.1", "127.0.0.1", false), ("127.0.0.0/8", "127.1.2.3", true), ("127.0.0.0/8", "128.0.0.1", false),
        ("10.0.0.4/30", "10.0.0.7", true), ("10.0.0.4/30", "10.0.0.8", false), ("0.0.0.0/0", "9.9.9.9", true),
        ("127.0.0.1/33", "127.0.0.1", false), ("::1", "[::1]", true), ("[::1]", "[0::1]", true), ("fe80::/10", "[fe90::1]", true),
        ("fe80::/10", "[fec0::1]", false), ("fe80::/10", "254.128.0.0", false),
    ])
    func `hosts without a proxy`(list: String, host: String, isExempt: Bool) {
        #expect(ProxyExceptions(list).hold(host) == isExempt)
    }
}
