import NetworkLayer
import Testing

@Suite struct NetworkConditionsFlagsTests {
    @Test func `COM-1 conditions have TNL's mask and a text for logs`() {
        let cable = NetworkConditions(reachability: .local, interfaces: [.init(name: "eth0", kind: .wired)])
        let roaming = NetworkConditions(
            reachability: .cellular,
            interfaces: [.init(name: "tun0", kind: .vpn), .init(name: "wwan0", kind: .cellular)], isExpensive: true,
            captivePortal: .captive)
        let offline = NetworkConditions(reachability: .notReachable)
        #expect(NetworkConditions().flags == [])
        #expect(cable.flags == [.satisfied, .wired])
        #expect(roaming.flags == [.satisfied, .other, .cellular, .expensive])
        #expect(offline.flags == .unsatisfied)
        #expect(cable.flags.rawValue == 0x801)
        #expect(
            [NetworkConditions(), cable, roaming, offline].map(\.debugDescription) == [
                "undetermined", "local over eth0 (wired)",
                "cellular over tun0 (vpn), wwan0 (cellular); expensive; captive portal", "not reachable",
            ])
    }
}
