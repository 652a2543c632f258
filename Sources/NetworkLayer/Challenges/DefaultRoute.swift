/// Says where packets leave this machine, for ``TransportOptions/allowsCellularAccess``.
public protocol DefaultRoute: Sendable {
    /// The interface of the default route when it is a modem's (`wwan0`, `ppp0`); `nil` for any other, and for none.
    var cellularInterface: String? { get }
}
