import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import CommandLineInterface

@Suite struct StrictHostsTests {
    private let now = Date(timeIntervalSince1970: 1_700_000_000)
    private let hosts = StrictHosts(
        """
        # a comment
        one.test "20991231 10:00:00"
        .all.test "unlimited"
        old.test "20200101 00:00:00"
        nonsense
        """)

    @Test(arguments: [
        ("http://one.test/a?b", "https://one.test/a?b"), ("http://ONE.test:80/", "https://ONE.test/"),
        ("http://one.test:8080/", "https://one.test:8080/"), ("http://one.test./", "https://one.test./"),
        ("http://sub.one.test/", "http://sub.one.test/"), ("http://all.test/", "https://all.test/"),
        ("http://a.b.all.test/", "https://a.b.all.test/"), ("http://notall.test/", "http://notall.test/"),
        ("http://old.test/", "http://old.test/"), ("https://one.test/", "https://one.test/"),
    ])
    func `a host of the list is asked by HTTPS`(url: String, strict: String) throws {
        #expect(hosts.strict(try #require(URL(string: url)), at: now).absoluteString == strict)
    }

    @Test func `what is written is what was read, by name`() {
        #expect(
            hosts.text.split(separator: "\n").dropFirst() == [
                ".all.test \"unlimited\"", "old.test \"20200101 00:00:00\"", "one.test \"20991231 10:00:00\"",
            ])
        #expect(StrictHosts(hosts.text).text == hosts.text)
    }

    @Test func `a redirect goes to such a host by HTTPS`() async throws {
        let proposed = Request(url: try #require(URL(string: "http://one.test/next")))
        let response = ResponseHead(status: .found, version: "HTTP/1.1", headers: [:])
        #expect(await hosts.redirect(to: proposed, after: response, from: proposed)?.url.absoluteString == "https://one.test/next")
    }
}
