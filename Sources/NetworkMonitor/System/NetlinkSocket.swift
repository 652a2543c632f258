import Base
import NetworkLayer

/// A descriptor that becomes readable whenever the kernel changes a link, an address or a route (`rtnetlink(7)`).
enum NetlinkSocket {
    // From <linux/netlink.h> and <linux/rtnetlink.h>, which Glibc's module map leaves out.
    private static let family: UInt16 = 16
    private static let routeProtocol: Int32 = 0
    private static let linkGroup: UInt32 = 0x1
    private static let ipv4AddressGroup: UInt32 = 0x10
    private static let ipv4RouteGroup: UInt32 = 0x40
    private static let ipv6AddressGroup: UInt32 = 0x100
    private static let ipv6RouteGroup: UInt32 = 0x400

    /// `struct sockaddr_nl`, laid out by hand.
    private struct Address {
        var family: UInt16
        var padding: UInt16 = 0
        var port: UInt32 = 0
        var groups: UInt32
    }

    /// For the network namespace of the calling thread; not blocking. `nil` where a sandbox refuses it.
    static func open() -> Int32? {
        let descriptor = SystemCall.socket(Int32(family), SystemCall.rawPackets, routeProtocol)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = Address(
            family: family,
            groups: linkGroup | ipv4AddressGroup | ipv6AddressGroup | ipv4RouteGroup | ipv6RouteGroup)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
