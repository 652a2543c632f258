import NetworkLayer

extension NetworkConditions {
    /// Reachable is a machine with a default route on an interface that works and isn't the loopback (COM-1); a host, one with a
    /// route of whatever kind (TN-15).
    ///
    /// A VPN is no way out of its own: whether we are on cellular is said by the best route below it. Whether that is paid by
    /// volume, the kernel doesn't know.
    init(_ snapshot: SystemSnapshot) {
        let routes = DefaultRoutes(ipv4: snapshot.ipv4Routes, ipv6: snapshot.ipv6Routes).routes.map(\.interface)
        let outward = snapshot.working(routes).filter { $0.kind != .loopback }
        let interfaces: [Interface] =
            switch snapshot.hostRoute {
            case nil, .refused: outward
            case .interfaces(let names): snapshot.working(names)
            case .unknownName, .resolverFailed: []
            }
        let way = interfaces.first { $0.kind != .vpn } ?? outward.first { $0.kind != .vpn } ?? interfaces.first
        let reachability: Reachability =
            if interfaces.isEmpty { .notReachable } else { way?.kind == .cellular ? .cellular : .local }
        self.init(reachability: reachability, interfaces: interfaces)
    }
}

extension SystemSnapshot {
    /// The interfaces with these names that exist and work, each once.
    fileprivate func working(_ names: [String]) -> [NetworkConditions.Interface] {
        let known = Dictionary(interfaces.map { ($0.name, $0) }) { first, _ in first }
        return names.reduce(into: []) { found, name in
            guard let interface = known[name], interface.isWorking, !found.contains(where: { $0.name == name }) else { return }
            found.append(NetworkConditions.Interface(name: name, kind: interface.kind))
        }
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
