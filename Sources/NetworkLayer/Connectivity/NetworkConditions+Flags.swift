extension NetworkConditions {
    /// The conditions as a mask, with TNL's bits, which are those of Apple's paths. A VPN counts as `other`, as there.
    public struct Flags: OptionSet, Sendable, Hashable, Codable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// The network can be reached. Neither this nor `unsatisfied` is set while reachability is undetermined.
        public static let satisfied = Flags(rawValue: 1 << 0)
        /// The network can't be reached.
        public static let unsatisfied = Flags(rawValue: 1 << 1)
        /// Would be satisfied by trying; the sources of this package never know that.
        public static let satisfiable = Flags(rawValue: 1 << 2)
        /// At least one interface is of another kind, or a VPN.
        public static let other = Flags(rawValue: 1 << 8)
        /// At least one interface is wifi.
        public static let wifi = Flags(rawValue: 1 << 9)
        /// At least one interface is a modem.
        public static let cellular = Flags(rawValue: 1 << 10)
        /// At least one interface is wired.
        public static let wired = Flags(rawValue: 1 << 11)
        /// At least one interface is the loopback.
        public static let loopback = Flags(rawValue: 1 << 12)
        /// The connection is known to be paid by volume.
        public static let expensive = Flags(rawValue: 1 << 16)
        /// Linux has no mode to save data; the sources of this package never set it.
        public static let constrained = Flags(rawValue: 1 << 17)
    }

    /// The bits for these conditions, computed at each call. Captive portals have no bit.
    public var flags: Flags {
        var flags: Flags =
            switch reachability {
            case .undetermined: []
            case .notReachable: .unsatisfied
            case .local, .cellular: .satisfied
            }
        for interface in interfaces { flags.insert(interface.kind.flag) }
        if isExpensive == true { flags.insert(.expensive) }
        return flags
    }
}

extension NetworkConditions.Interface.Kind {
    fileprivate var flag: NetworkConditions.Flags {
        switch self {
        case .wired: .wired
        case .wifi: .wifi
        case .cellular: .cellular
        case .loopback: .loopback
        case .vpn, .other: .other
        }
    }
}

extension NetworkConditions: CustomDebugStringConvertible {
    /// `cellular over wwan0 (cellular), tun0 (vpn); expensive; captive portal`, without what nobody knows.
    public var debugDescription: String {
        var text =
            switch reachability {
            case .undetermined: "undetermined"
            case .notReachable: "not reachable"
            case .local: "local"
            case .cellular: "cellular"
            }
        if !interfaces.isEmpty {
            text += " over " + interfaces.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", ")
        }
        if let isExpensive { text += isExpensive ? "; expensive" : "; not expensive" }
        switch captivePortal {
        case .undetermined: break
        case .none: text += "; no captive portal"
        case .captive: text += "; captive portal"
        }
        return text
    }
}
