import Base
import NetworkLayer

/// What kind of socket a connection needs.
struct SocketKind {
    var family: Int32
    var type: Int32
    var `protocol`: Int32

    /// IPPROTO_MPTCP of `linux/in.h`.
    private static let multipath: Int32 = 262

    /// The protocols to try, the first that this machine has is taken.
    func protocols(_ options: TransportOptions) -> [Int32] {
        options.multipath && family != AF_UNIX ? [Self.multipath, `protocol`] : [`protocol`]
    }

    /// - Returns: the descriptor; -1, and `errno`, when there is none.
    func open(_ options: TransportOptions) -> Int32 {
        var descriptor: Int32 = -1
        for candidate in protocols(options) where descriptor < 0 {
            descriptor = SystemCall.socket(family, type, candidate)
        }
        if descriptor >= 0, options.serviceType != .standard { Self.mark(descriptor, as: options.serviceType) }
        return descriptor
    }

    /// Marks the packets of a connection. Not being allowed to is no reason not to send.
    static func mark(_ descriptor: Int32, as service: NetworkServiceType) {
        // DSCP is the upper six bits of the field (RFC 2474, section 3).
        var value = service.dscp << 2
        let size = socklen_t(MemoryLayout.size(ofValue: value))
        setsockopt(descriptor, Int32(IPPROTO_IP), IP_TOS, &value, size)
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_TCLASS, &value, size)
    }
}
