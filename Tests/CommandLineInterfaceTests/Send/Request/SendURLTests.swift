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
        // As curl 7.88 does it.
        #expect(try url("--url-query", "a=b", "http://h/?c&") == "http://h/?c&a=b")
    }

    @Test func `braces and brackets that are no pattern are sent`() throws {
        #expect(try url("http://h/?a[]=1&b[0]=2&{") == "http://h/?a%5B%5D=1&b%5B0%5D=2&%7B")
        #expect(try url("http://h/\\{a\\}") == "http://h/%7Ba%7D")
    }
}
