/// What the machine's network looks like at a moment (COM-1). It annotates attempts and never gates them (COM-5), unless a
/// configuration asks to wait (``ConnectivityOptions``).
public struct NetworkConditions: Sendable, Hashable, Codable {
    /// Whether the network can be reached, and by which kind of connection.
    public var reachability: Reachability
    /// The interfaces that lead out, those of the best default route first.
    public var interfaces: [Interface]
    /// Whether the connection is paid by volume; `nil` when nobody knows.
    public var isExpensive: Bool?
    /// What the last probe for a captive portal found.
    public var captivePortal: CaptivePortal

    /// Conditions of which nothing is known, except for what is given.
    public init(
        reachability: Reachability = .undetermined, interfaces: [Interface] = [], isExpensive: Bool? = nil,
        captivePortal: CaptivePortal = .undetermined
    ) {
        self.reachability = reachability
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.captivePortal = captivePortal
    }

    /// TNL's numbers; its "wifi" is any network that isn't a telephone's.
    public enum Reachability: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Nobody has looked yet, or the system gave no answer.
        case undetermined = -1
        /// There is no network, or no way to the host that is watched.
        case notReachable = 0
        /// Cable, wifi, or what lies over them.
        case local = 1
        /// A telephone's network.
        case cellular = 2
    }

    /// A network interface of the machine.
    public struct Interface: Sendable, Hashable, Codable {
        /// The system's name for it, such as `wwan0`.
        public var name: String
        /// What it is connected by.
        public var kind: Kind

        /// An interface with the system's name for it.
        public init(name: String, kind: Kind) {
            self.name = name
            self.kind = kind
        }

        /// What an interface is connected by. The raw values are what JSON holds.
        public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
            /// As the system tells them apart: `vpn` is a tunnel, `loopback` the machine itself, `other` what it doesn't name.
            case wired, wifi, cellular, vpn, loopback, other
        }
    }

    /// What a probe for a captive portal found, with TNL's numbers; `undetermined` when there was none.
    public enum CaptivePortal: Int, Sendable, Hashable, Codable, CaseIterable {
        /// There was no probe, or it brought no answer.
        case undetermined = -1
        /// The probe got the answer that it should: nothing stands in between.
        case none = 0
        /// Somebody else answered the probe, as a hotel's page does that wants a login.
        case captive = 1
    }
}

/// A source of the machine's network conditions: the module NetworkMonitor, or a test.
public protocol NetworkConditionsSource: Sendable {
    /// Never waits.
    var current: NetworkConditions { get }

    /// The current conditions first, then every change (COM-2). Any number of readers; each ends with its task.
    var changes: AsyncStream<NetworkConditions> { get }
}
