import NetworkLayer

extension NetworkConditions {
    /// Reachable is a machine with a default route on an interface that works and isn't the loopback (COM-1).
    ///
    /// A VPN is no way out of its own: whether we are on cellular is said by the best route below it. Whether that is paid by
    /// volume, the kernel doesn't know.
    init(_ snapshot: SystemSnapshot) {
        let known = Dictionary(snapshot.interfaces.map { ($0.name, $0) }) { first, _ in first }
        var interfaces: [Interface] = []
        for route in DefaultRoutes(ipv4: snapshot.ipv4Routes, ipv6: snapshot.ipv6Routes).routes {
            guard let interface = known[route.interface], interface.isWorking, interface.kind != .loopback,
                !interfaces.contains(where: { $0.name == interface.name })
            else { continue }
            interfaces.append(Interface(name: interface.name, kind: interface.kind))
        }
        let wayOut = interfaces.first { $0.kind != .vpn } ?? interfaces.first
        let reachability: Reachability =
            switch wayOut?.kind {
            case nil: .notReachable
            case .cellular: .cellular
            default: .local
            }
        self.init(reachability: reachability, interfaces: interfaces)
    }
}

extension SystemSnapshot.Interface {
    /// Tunnels and serial lines report `unknown` while they work; without a carrier they don't.
    var isWorking: Bool { operationalState == "up" || operationalState == "unknown" && carrier != "0" }

    /// Modems come first: they report types of all kinds, that of a tunnel among them.
    var kind: NetworkConditions.Interface.Kind {
        if type == "772" { return .loopback }
        if name.hasPrefix("wwan") || name.hasPrefix("ppp") { return .cellular }
        if isWireless { return .wifi }
        return switch type {
        case "1": .wired
        case "65534": .vpn
        default: .other
        }
    }
}
