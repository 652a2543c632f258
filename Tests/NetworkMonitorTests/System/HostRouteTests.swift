import Glibc
import NetworkLayer
import Testing

@testable import NetworkMonitor

@Suite(.timeLimit(.minutes(1))) struct HostRouteTests {
    // MARK: The kernel's messages; numbers begin with the lowest byte, as on every machine that we build for

    @Test func `TN-15 the question names the address, its length in bits, and the link where it is valid on one only`() {
        let ipv4 = RouteQuery(family: 2, address: [192, 0, 2, 7])
        #expect(
            ipv4.message == [36, 0, 0, 0, 26, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
                + [2, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [8, 0, 1, 0] + [192, 0, 2, 7])
        let local = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1]
        let ipv6 = RouteQuery(family: 10, address: local, scope: 3)
        #expect(ipv6.message.count == 56)
        #expect(ipv6.message[16...17] == [10, 128])
        #expect(ipv6.message.suffix(8) == [8, 0, 4, 0, 3, 0, 0, 0][...])
    }

    @Test func `TN-15 the answer is an interface, or that there is no way`() {
        #expect(RouteQuery.answer(in: reply(type: 1, interface: 7)) == .interface(7))
        #expect(RouteQuery.answer(in: reply(type: 2, interface: 1)) == .interface(1))
        // RTN_UNREACHABLE, which every kernel has on its loopback.
        #expect(RouteQuery.answer(in: reply(type: 7, interface: 1)) == .unreachable)
        #expect(RouteQuery.answer(in: Array(reply(type: 1, interface: 7).prefix(28))) == .unreachable)
        // ENETUNREACH
        #expect(RouteQuery.answer(in: [36, 0, 0, 0, 2, 0] + [UInt8](repeating: 0, count: 10) + bytes(-101)) == .unreachable)
        #expect(RouteQuery.answer(in: []) == nil)
        #expect(RouteQuery.answer(in: [UInt8](repeating: 0, count: 64)) == nil)
    }

    private func reply(type: UInt8, interface: UInt8) -> [UInt8] {
        let attributes =
            [8, 0, 1, 0] + [192, 0, 2, 7] + [5, 0, 9, 0] + [1, 0, 0, 0] + [8, 0, 4, 0]
            + bytes(Int32(interface))
        return [0, 0, 0, 0, 24, 0] + [UInt8](repeating: 0, count: 10) + [2, 32, 0, 0, 0, 0, 0, type, 0, 0, 0, 0] + attributes
    }

    private func bytes(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    // MARK: This machine

    @Test func `TN-15 this machine reaches itself over its loopback, by address and by name`() {
        #expect(HostRoute(host: "127.0.0.1").look() == .interfaces(["lo"]))
        #expect(HostRoute(host: "localhost").look() == .interfaces(["lo"]))
    }

    @Test(arguments: ["not a name", "300.0.0.1.invalid.", ""])
    func `TN-15 a name that nobody knows leads nowhere`(name: String) {
        let answer = HostRoute(host: name).look()
        #expect(answer == .unknownName || answer == .resolverFailed)
    }

    /// Without root nobody may make a namespace; then this doesn't run.
    @Test(.enabled(if: NetworkNamespace.isAllowed, "only root may make a network namespace"))
    func `TN-15 a network without routes reaches nobody, and itself once its loopback is on`() throws {
        let answers = try #require(
            NetworkNamespace.run { changes in
                defer { close(changes) }
                let before = HostRoute(host: "192.0.2.7").look()
                let isUp = NetworkNamespace.switchOnLoopback()
                return (before, isUp, HostRoute(host: "127.0.0.1").look(), HostRoute(host: "192.0.2.7").look())
            })
        #expect(answers.0 == .interfaces([]))
        #expect(answers.1)
        #expect(answers.2 == .interfaces(["lo"]))
        #expect(answers.3 == .interfaces([]))
    }

    // MARK: Conditions

    private let machine = SystemSnapshot(
        interfaces: [
            .init(name: "eth0", operationalState: "up", carrier: "1", type: "1"),
            .init(name: "lo", operationalState: "unknown", carrier: "1", type: "772"),
            .init(name: "tun0", operationalState: "unknown", carrier: "1", type: "65534"),
            .init(name: "wwan0", operationalState: "unknown", carrier: "1", type: "65534"),
        ],
        ipv4Routes: "wwan0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n")

    @Test(arguments: [
        (HostRoute.Answer.interfaces(["eth0"]), NetworkConditions.Reachability.local, ["eth0"]),
        (.interfaces(["lo"]), .local, ["lo"]),
        (.interfaces(["wwan0", "eth0"]), .cellular, ["wwan0", "eth0"]),
        // What lies below the tunnel is the way out.
        (.interfaces(["tun0"]), .cellular, ["tun0"]),
        (.interfaces(["gone0"]), .notReachable, []), (.interfaces([]), .notReachable, []),
        (.unknownName, .notReachable, []), (.resolverFailed, .notReachable, []),
        // Nobody may ask: then the machine's own way out counts.
        (.refused, .cellular, ["wwan0"]),
    ])
    func `TN-15 the conditions are those of the way to the host`(
        answer: HostRoute.Answer, reachability: NetworkConditions.Reachability, interfaces: [String]
    ) {
        var snapshot = machine
        snapshot.hostRoute = answer
        let conditions = NetworkConditions(snapshot)
        #expect(conditions.reachability == reachability)
        #expect(conditions.interfaces.map(\.name) == interfaces)
    }

    /// Some containers have no `/sys`, which says what an interface is.
    private static let knowsLoopback = access("/sys/class/net/lo", F_OK) == 0

    @Test(.enabled(if: knowsLoopback, "without /sys nothing says that lo is a loopback"))
    func `TN-15 COM-2 a monitor for a host tells of the way to it, and goes on telling until it is stopped`() async throws {
        let monitor = NetworkMonitor(host: "127.0.0.1")
        var reader = monitor.changes.makeAsyncIterator()
        let expected = NetworkConditions(reachability: .local, interfaces: [.init(name: "lo", kind: .loopback)])
        var conditions = await reader.next()
        while let known = conditions, known.reachability == .undetermined { conditions = await reader.next() }
        #expect(conditions == expected)
        #expect(monitor.current == expected)
        monitor.stop()
        #expect(await reader.next() == nil)
    }

    @Test(.enabled(if: knowsLoopback, "without /sys nothing says that lo is there"))
    func `TN-15 where the kernel tells nothing, the way to the host is that of the start`() async {
        let monitor = NetworkMonitor(files: SystemFiles(host: HostRoute(host: "127.0.0.1")), changes: nil)
        #expect(!monitor.isListening)
        var reader = monitor.changes.makeAsyncIterator()
        var conditions = await reader.next()
        while let known = conditions, known.reachability == .undetermined { conditions = await reader.next() }
        #expect(conditions?.interfaces.map(\.name) == ["lo"])
    }
}
