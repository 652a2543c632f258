import Base
import NetworkLayer

/// What the kernel's files said at a moment, as text.
struct SystemSnapshot: Sendable, Hashable {
    var interfaces: [Interface] = []
    /// `/proc/net/route`
    var ipv4Routes = ""
    /// `/proc/net/ipv6_route`
    var ipv6Routes = ""
    /// The way to the host that the monitor was made for; `nil` where it is for all.
    var hostRoute: HostRoute.Answer?

    /// The files of `/sys/class/net/NAME`; what can't be read is empty.
    struct Interface: Sendable, Hashable {
        var name: String
        /// A state of RFC 2863: `up`, `down`, `unknown`, `dormant`…
        var operationalState = ""
        /// `1` or `0`; an interface that was switched off has none.
        var carrier = ""
        /// A number of `<linux/if_arp.h>`.
        var type = ""
        /// Whether there is a folder `wireless`, or a link `phy80211` where the kernel has none of the old kind.
        var isWireless = false
    }
}

/// Reads ``SystemSnapshot``; what isn't there is empty, because interfaces come and go while we read.
struct SystemFiles: Sendable {
    /// Before `/sys` and `/proc`; tests have a folder of their own.
    var root = ""
    /// Asks for the way to it besides, which may take its time.
    var host: HostRoute?

    func read() -> SystemSnapshot {
        SystemSnapshot(
            interfaces: names(in: "\(root)/sys/class/net").map(interface),
            ipv4Routes: text("\(root)/proc/net/route"), ipv6Routes: text("\(root)/proc/net/ipv6_route"),
            hostRoute: host?.look())
    }

    private func interface(_ name: String) -> SystemSnapshot.Interface {
        let folder = "\(root)/sys/class/net/\(name)"
        return SystemSnapshot.Interface(
            name: name, operationalState: word("\(folder)/operstate"), carrier: word("\(folder)/carrier"),
            type: word("\(folder)/type"),
            isWireless: access("\(folder)/wireless", F_OK) == 0 || access("\(folder)/phy80211", F_OK) == 0)
    }

    private func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private func word(_ path: String) -> String {
        text(path).split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
    }

    private func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                count = max(0, SystemCall.read(file, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk
        }
    }
}

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
