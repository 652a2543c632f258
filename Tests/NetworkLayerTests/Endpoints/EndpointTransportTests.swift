import HTTPTypes
import Testing

@testable import NetworkLayer

/// What levels say of the transport, together.
@Suite struct EndpointTransportTests {
    /// Every field says something.
    private static let full: TransportOptions = {
        var options = TransportOptions()
        options.httpVersion = .http1
        options.acceptsCompression = false
        options.proxy = "http://proxy.test:3128"
        options.proxyCredential = Credential(user: "red", password: "knot")
        options.proxyAuthentication = .digest
        options.authentication = .digest(Credential(user: "red", password: "knot"))
        options.resolve = ["a.test:443:127.0.0.1"]
        options.connectTo = ["a.test:443:b.test:443"]
        options.omittedHeaders = ["Accept"]
        options.unixSocket = "/run/a.sock"
        options.interface = "eth0"
        options.expectsContinue = true
        options.reusesConnections = false
        options.dataTimeout = .seconds(5)
        options.serviceType = .background
        options.multipath = true
        options.allowsCellularAccess = false
        options.tls.authorities = "/ca.pem"
        options.tls.certificate = "/me.pem"
        options.tls.key = "/me.key"
        options.tls.passphrase = Passphrase("open sesame")
        options.tls.minimumVersion = .tls1_2
        options.tls.maximumVersion = .tls1_3
        options.tls.ciphers = ["HIGH"]
        options.tls.pins = ["sha256//a="]
        options.tls.curves = ["X25519"]
        options.tls.revocations = "/crl.pem"
        options.tls.srp = Credential(user: "ada", password: "lovelace")
        options.wire = WireOptions(
            addressFamily: .ipv4, localPorts: 4000...4009, keepAlive: .seconds(60), receiveRate: 1, sendRate: 2, leastRate: 3,
            requestTarget: "*", isRaw: true, tunnels: true, proxyHeaders: [.via: "us"], proxyExceptions: "*.test",
            preProxy: "socks5h://127.0.0.1:1080", isSocketAbstract: true, continueTimeout: .seconds(2),
            spelling: URLSpelling(url: "http://h/%5B", target: "/["), resolver: "https://dns.test/",
            fastOpen: true, announcesAddress: true, addressDelay: .milliseconds(5), negotiatesProtocol: false,
            asksForTransferCoding: true, requiresStatus: true, proxyTLS: TLSOptions(minimumVersion: .tls1_3),
            trace: WireTrace(path: "trace", isText: true), requiresResolverStatus: true, alternatives: "alt-svc.txt",
            ignoresLength: true, serviceName: "X", proxyServiceName: "Y", delegation: .policy, speaksHTTP10ToProxy: true)
        return options
    }()

    private func together(_ levels: EndpointTransport?..., base: TransportOptions = .init()) -> TransportOptions {
        let configuration = levels.reduce(EndpointConfiguration()) { outer, level in
            EndpointConfiguration(transport: level).inheriting(from: outer)
        }
        var start = RequestConfiguration()
        start.transport = base
        return configuration.applied(to: start).transport
    }

    private func changed(_ change: (inout TransportOptions) -> Void) -> TransportOptions {
        var options = TransportOptions()
        change(&options)
        return options
    }

    private func pinned(_ pins: String...) -> EndpointTransport { .inheriting(changed { $0.tls.pins = pins }) }

    @Test func `TN-4 an endpoint that says one thing of the connection keeps the rest, a SOCKS proxy included`() {
        var expected = Self.full
        expected.wire.receiveRate = 1000
        #expect(together(.inheriting(Self.full), .inheriting(changed { $0.wire.receiveRate = 1000 })) == expected)
    }

    @Test func `TN-4 an endpoint that says one thing of the transport keeps the pins, the proxy and the TLS of its environment`() {
        var expected = Self.full
        expected.httpVersion = .http2
        #expect(together(.inheriting(Self.full), nil, .inheriting(changed { $0.httpVersion = .http2 })) == expected)
    }

    @Test func `TN-4 every field of the transport is inherited, from every level and from the base`() {
        let nothing = EndpointTransport.inheriting(TransportOptions())
        #expect(together(.inheriting(Self.full), nothing, nothing) == Self.full)
        #expect(together(nothing, .inheriting(Self.full), nothing) == Self.full)
        #expect(together(nothing, nothing, .inheriting(Self.full)) == Self.full)
        #expect(together(nothing, base: Self.full) == Self.full)
        // A field that is new belongs into the list above, and into what is inherited.
        let standard = Mirror(reflecting: TransportOptions()).children.map { "\($0)" }
        let said = Mirror(reflecting: Self.full).children.map { "\($0)" }
        #expect(zip(standard, said).filter { $0 == $1 }.map(\.0) == [])
        let tls = (Mirror(reflecting: TLSOptions()).children, Mirror(reflecting: Self.full.tls).children)
        #expect(zip(tls.0, tls.1).filter { "\($0)" == "\($1)" }.map(\.0.label) == ["verifies"])
    }

    @Test func `TN-12 pins of several levels must all hold`() {
        #expect(together(pinned("a", "b"), pinned("b", "c")).tls.pins == ["b"])
        #expect(together(pinned("a"), pinned("a", "b")).tls.pins == ["a"])
        #expect(together(pinned("a"), pinned("b")).tls.pins == [TLSOptions.pinOfNobody])
        #expect(together(pinned("a"), pinned("b"), pinned("b")).tls.pins == [TLSOptions.pinOfNobody])
        #expect(together(pinned("b"), base: changed { $0.tls.pins = ["a"] }).tls.pins == [TLSOptions.pinOfNobody])
    }

    @Test func `TN-12 no level loosens the trust of another`() {
        let strict = EndpointTransport.inheriting(
            changed {
                $0.tls.minimumVersion = .tls1_2
                $0.tls.authorities = "/ca.pem"
            })
        let loose = EndpointTransport.inheriting(
            changed {
                $0.tls.verifies = false
                $0.tls.minimumVersion = .tls1_0
                $0.tls.authorities = "/any.pem"
            })
        #expect(together(strict, loose).tls == together(strict).tls)
        #expect(together(loose).tls.verifies)
        let looseAround = EndpointTransport.inheriting(
            changed {
                $0.wire.verifiesResolver = false
                $0.wire.proxyTLS = TLSOptions(verifies: false, minimumVersion: .tls1_0, pins: ["b"])
            })
        let strictAround = EndpointTransport.inheriting(
            changed { $0.wire.proxyTLS = TLSOptions(minimumVersion: .tls1_2, pins: ["a", "b"]) })
        #expect(together(looseAround).wire.verifiesResolver)
        #expect(together(looseAround).wire.proxyTLS?.verifies == true)
        #expect(together(strictAround, looseAround).wire.proxyTLS == TLSOptions(minimumVersion: .tls1_2, pins: ["b"]))
        let stricter = EndpointTransport.inheriting(changed { $0.tls.minimumVersion = .tls1_3 })
        #expect(together(strict, stricter).tls.minimumVersion == .tls1_3)
        #expect(!together(stricter, base: changed { $0.tls.verifies = false }).tls.verifies)
    }

    @Test func `TN-12 a level that replaces says so, and those inside of it go on from there`() {
        let bare = changed { $0.tls.verifies = false }
        #expect(together(.inheriting(Self.full), .replacing(bare)) == bare)
        #expect(together(.inheriting(Self.full), .replacing(bare), base: Self.full) == bare)
        var expected = bare
        expected.tls.pins = ["a"]
        #expect(together(.inheriting(Self.full), .replacing(bare), pinned("a")) == expected)
    }

    @Test func `TN-4 a step from https to http that one level refuses no other allows`() {
        let refusing = EndpointConfiguration(redirects: .init(refusesDowngrade: true))
        let endpoint = EndpointConfiguration(redirects: .init(policy: .sameHost)).inheriting(from: refusing)
        #expect(endpoint.redirects == .init(policy: .sameHost, refusesDowngrade: true))
        var base = RequestConfiguration()
        base.redirects.refusesDowngrade = true
        #expect(EndpointConfiguration(redirects: .init()).applied(to: base).redirects.refusesDowngrade)
    }
}
