import Testing

@testable import CurlTransport

struct `The environment names proxies` {
    private func proxies(_ variables: [String: String]) -> ProxyEnvironment { ProxyEnvironment { variables[$0] } }

    @Test func `a variable names the proxy of a scheme, or of all`() {
        let some = proxies(["http_proxy": "http://a:1", "all_proxy": "socks5://b:2"])
        #expect(some.proxy(scheme: "http") == "http://a:1")
        #expect(some.proxy(scheme: "https") == "socks5://b:2")
        #expect(!some.isEmpty)
        #expect(proxies([:]).isEmpty)
    }

    @Test func `HTTP_PROXY in capitals is not read`() {
        #expect(proxies(["HTTP_PROXY": "http://a:1"]).proxy(scheme: "http") == nil)
        #expect(proxies(["HTTPS_PROXY": "http://a:1"]).proxy(scheme: "https") == "http://a:1")
    }

    @Test func `no_proxy names hosts and domains that take none`() {
        let some = proxies(["all_proxy": "http://a:1", "no_proxy": "localhost, .example.org"]).exceptions
        #expect(["localhost", "www.Example.org", "example.org", "notexample.org"].map(some.hold) == [true, true, true, false])
        #expect(proxies(["NO_PROXY": "*"]).exceptions.hold("h"))
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
