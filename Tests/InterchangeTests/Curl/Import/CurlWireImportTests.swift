import Testing

@testable import Interchange
@testable import RequestCollections

/// What a command for curl says of the connection is kept, and said again by the command that it is exported as.
@Suite struct CurlWireImportTests {
    @Test(arguments: [
        ("--limit-rate 20k", "rate: 20KiB", "--limit-rate 20480"), ("-4", "family: ipv4", "--ipv4"),
        ("--ipv6", "family: ipv6", "--ipv6"), ("--interface eth0", "interface: eth0", "--interface eth0"),
        ("--local-port 8000-8010", "local-port: 8000-8010", "--local-port 8000-8010"),
        ("--keepalive-time 30", "keep-alive: 30s", "--keepalive-time 30"),
        ("--connect-to a.test:443:b.test:8443", "a.test:443:b.test:8443", "--connect-to a.test:443:b.test:8443"),
        ("--doh-url https://dns.test/q", "resolver: https://dns.test/q", "--doh-url https://dns.test/q"),
        ("--preproxy socks5://p.test:1080", "pre-proxy: socks5://p.test:1080", "--preproxy socks5://p.test:1080"),
        ("--noproxy a.test,b.test", "no-proxy: \"a.test,b.test\"", "--noproxy a.test,b.test"),
        ("-p", "tunnel: true", "--proxytunnel"), ("--request-target '*'", "target: \"*\"", "--request-target '*'"),
        ("--curves X25519:P-256", "curves: [X25519, P-256]", "--curves X25519:P-256"),
        ("--crlfile revoked.pem", "crl: revoked.pem", "--crlfile revoked.pem"), ("--cert-status", "ocsp: true", "--cert-status"),
        ("-L --post302 --post301", "keep-post: [301, 302]", "--post301 \\\n  --post302"),
        ("--max-filesize 100K", "limit: 100KiB", "curl isn't told of `response.limit`"),
        ("-L --max-redirs -1", "max: 10000", "--max-redirs 10000"),
    ])
    func `an option of the connection`(option: String, kept: String, exported: String) throws {
        let imported = try ImportedText("curl \(option) https://a.test/", path: "a.sh", as: .curl)
        #expect(imported.yaml.contains(kept), "\(imported.yaml)")
        #expect(imported.notes == [])
        #expect(imported.collection.problems == [])
        let export = try CurlExport(try #require(imported.collection.requests.first), in: imported.collection)
        #expect((export.notes + [export.command]).joined(separator: "\n").contains(exported), "\(export.notes) \(export.command)")
    }

    @Test(arguments: ["--limit-rate fast", "--local-port 9-8", "--keepalive-time soon", "--max-filesize many", "--alt-svc a.txt"])
    func `what can't be kept is named`(option: String) throws {
        let imported = try ImportedText("curl \(option) https://a.test/", path: "a.sh", as: .curl)
        #expect(imported.notes.count == 1)
        #expect(imported.notes.first?.contains(String(option.split(separator: " ")[0])) == true, "\(imported.notes)")
    }
}
