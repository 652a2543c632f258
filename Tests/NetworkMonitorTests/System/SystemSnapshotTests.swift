import NetworkLayer
import Testing

@testable import NetworkMonitor

/// Files of machines of all kinds, and what they come to.
@Suite struct SystemSnapshotTests {
    private typealias Interface = SystemSnapshot.Interface

    private static let loopback = Interface(name: "lo", operationalState: "unknown", carrier: "1", type: "772")
    private static let cable = Interface(name: "eth0", operationalState: "up", carrier: "1", type: "1")
    private static let wifi = Interface(name: "wlp2s0", operationalState: "up", carrier: "1", type: "1", isWireless: true)
    private static let modem = Interface(name: "wwan0", operationalState: "unknown", carrier: "1", type: "65534")
    private static let dialUp = Interface(name: "ppp0", operationalState: "unknown", carrier: "1", type: "512")
    private static let tunnel = Interface(name: "tun0", operationalState: "unknown", carrier: "1", type: "65534")
    private static let infiniband = Interface(name: "ib0", operationalState: "up", carrier: "1", type: "32")

    private static let head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"

    private static func ipv4(_ name: String, metric: Int = 0, flags: String = "0003") -> String {
        "\(name)\t00000000\t010200C0\t\(flags)\t0\t0\t\(metric)\t00000000\t0\t0\t0\n"
    }

    private static func ipv6(_ name: String, metric: String = "00000400", flags: String = "00000003") -> String {
        let zeros = String(repeating: "0", count: 32)
        return "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 \(metric) 00000001 00000000 \(flags)     \(name)\n"
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var snapshot: SystemSnapshot
        var conditions: NetworkConditions

        fileprivate init(
            _ name: String, _ interfaces: [SystemSnapshot.Interface], ipv4: String = "", ipv6: String = "",
            _ reachability: NetworkConditions.Reachability, _ found: [(String, NetworkConditions.Interface.Kind)] = []
        ) {
            testDescription = name
            snapshot = SystemSnapshot(interfaces: interfaces, ipv4Routes: SystemSnapshotTests.head + ipv4, ipv6Routes: ipv6)
            conditions = NetworkConditions(
                reachability: reachability, interfaces: found.map { NetworkConditions.Interface(name: $0.0, kind: $0.1) })
        }
    }

    static let cases: [Case] = {
        var unplugged = cable
        unplugged.operationalState = "down"
        unplugged.carrier = "0"
        var idleTunnel = tunnel
        idleTunnel.carrier = "0"
        let refusal = ipv6("lo", metric: "ffffffff", flags: "00200200")
        return [
            Case("nothing at all", [], .notReachable),
            Case("only the loopback, whose default route refuses", [loopback], ipv6: refusal, .notReachable),
            Case("a default route over the loopback", [loopback], ipv4: ipv4("lo"), .notReachable),
            Case("a cable", [cable, loopback], ipv4: ipv4("eth0"), ipv6: refusal, .local, [("eth0", .wired)]),
            Case(
                "a cable, and a route to its network alone", [cable],
                ipv4: "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n", .notReachable),
            Case(
                "half of all addresses is no default", [cable],
                ipv4: "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000080\t0\t0\t0\n", .notReachable),
            Case("a cable pulled out", [unplugged], ipv4: ipv4("eth0"), .notReachable),
            Case("a route that isn't up", [cable], ipv4: ipv4("eth0", flags: "0002"), .notReachable),
            Case("a route that refuses", [cable], ipv4: ipv4("eth0", flags: "0201"), .notReachable),
            Case("IPv6 alone", [cable], ipv6: ipv6("eth0"), .local, [("eth0", .wired)]),
            Case("both protocols over one cable", [cable], ipv4: ipv4("eth0"), ipv6: ipv6("eth0"), .local, [("eth0", .wired)]),
            Case(
                "wifi better than cable", [cable, wifi], ipv4: ipv4("eth0", metric: 600) + ipv4("wlp2s0", metric: 100),
                .local, [("wlp2s0", .wifi), ("eth0", .wired)]),
            Case(
                "the metric of IPv6 is hexadecimal", [cable, wifi], ipv4: ipv4("eth0", metric: 300),
                ipv6: ipv6("wlp2s0", metric: "00000100"), .local, [("wlp2s0", .wifi), ("eth0", .wired)]),
            Case("a modem", [modem], ipv4: ipv4("wwan0"), .cellular, [("wwan0", .cellular)]),
            Case("a modem by PPP", [dialUp], ipv4: ipv4("ppp0"), .cellular, [("ppp0", .cellular)]),
            Case(
                "a cable before a modem", [cable, modem], ipv4: ipv4("wwan0", metric: 700) + ipv4("eth0", metric: 100),
                .local, [("eth0", .wired), ("wwan0", .cellular)]),
            Case(
                "a VPN over wifi", [tunnel, wifi], ipv4: ipv4("tun0") + ipv4("wlp2s0", metric: 600),
                .local, [("tun0", .vpn), ("wlp2s0", .wifi)]),
            Case(
                "a VPN over a modem", [tunnel, modem], ipv4: ipv4("tun0") + ipv4("wwan0", metric: 700),
                .cellular, [("tun0", .vpn), ("wwan0", .cellular)]),
            Case("a VPN alone", [tunnel], ipv4: ipv4("tun0"), .local, [("tun0", .vpn)]),
            Case("a tunnel that nobody serves", [idleTunnel], ipv4: ipv4("tun0"), .notReachable),
            Case("another kind", [infiniband], ipv4: ipv4("ib0"), .local, [("ib0", .other)]),
            Case("an interface that is gone already", [loopback], ipv4: ipv4("eth0"), .notReachable),
            Case("lines cut short", [cable], ipv4: "eth0\t00000000\n", ipv6: "0000 00\n", .notReachable),
        ]
    }()

    @Test(arguments: cases)
    func `COM-1 TN-15 the kernel's files say whether and how the network can be reached`(_ row: Case) {
        #expect(NetworkConditions(row.snapshot) == row.conditions)
    }

    @Test func `COM-1 files are read from folders, and what is missing is empty`() throws {
        let machine = try FixtureMachine()
        defer { machine.remove() }
        try machine.plugIn("eth0", carrier: "1")
        try machine.plugIn("wlan0", isWireless: true)
        try machine.write(Self.ipv4("eth0"), to: "proc/net/route")
        #expect(
            machine.files.read()
                == SystemSnapshot(
                    interfaces: [
                        Interface(name: "eth0", operationalState: "up", carrier: "1", type: "1"),
                        Interface(name: "wlan0", operationalState: "up", type: "1", isWireless: true),
                    ], ipv4Routes: Self.ipv4("eth0")))
    }
}
