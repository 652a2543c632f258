import Testing

@testable import CurlTransport

struct `The environment names proxies` {
    private func proxies(_ variables: [String: String]) -> ProxyEnvironment { ProxyEnvironment { variables[$0] } }

    @Test func `a variable names the proxy of a scheme, or of all`() {
        let some = proxies(["http_proxy": "http://a:1", "all_proxy": "socks5://b:2"])
        #expect(some.proxy(scheme: "http", host: "h") == "http://a:1")
        #expect(some.proxy(scheme: "https", host: "h") == "socks5://b:2")
        #expect(!some.isEmpty)
        #expect(proxies([:]).isEmpty)
    }

    @Test func `HTTP_PROXY in capitals is not read`() {
        #expect(proxies(["HTTP_PROXY": "http://a:1"]).proxy(scheme: "http", host: "h") == nil)
        #expect(proxies(["HTTPS_PROXY": "http://a:1"]).proxy(scheme: "https", host: "h") == "http://a:1")
    }

    @Test func `no_proxy names hosts and domains that take none`() {
        let some = proxies(["all_proxy": "http://a:1", "no_proxy": "localhost, .example.org"])
        #expect(some.proxy(scheme: "http", host: "localhost") == nil)
        #expect(some.proxy(scheme: "http", host: "www.Example.org") == nil)
        #expect(some.proxy(scheme: "http", host: "example.org") == nil)
        #expect(some.proxy(scheme: "http", host: "notexample.org") == "http://a:1")
        #expect(proxies(["all_proxy": "http://a:1", "no_proxy": "*"]).proxy(scheme: "http", host: "h") == nil)
    }
}
