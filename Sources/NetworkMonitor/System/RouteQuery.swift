/// The question to the kernel which way it would send to an address, and its answer (`rtnetlink(7)`, `RTM_GETROUTE`), as bytes.
///
///     nlmsghdr { length, type, flags, sequence, port }  rtmsg { family, bits of the destination, … }  rtattr { length, type } value …
///
/// All numbers are in the machine's own order; an attribute begins at a multiple of four.
struct RouteQuery: Sendable, Hashable {
    /// `AF_INET` or `AF_INET6`.
    var family: UInt8
    /// 4 or 16 bytes.
    var address: [UInt8]
    /// The scope of an address that is valid on one link only (`fe80::1%eth0`); else 0.
    var scope: UInt32 = 0

    enum Answer: Sendable, Hashable {
        /// The kernel's number of the interface.
        case interface(UInt32)
        case unreachable
    }

    // From <linux/netlink.h> and <linux/rtnetlink.h>, which Glibc's module map leaves out.
    private static let headerSize = 16
    private static let routeSize = 12
    private static let isRequest: UInt16 = 1
    private static let error: UInt16 = 2
    private static let newRoute: UInt16 = 24
    private static let getRoute: UInt16 = 26
    private static let destination: UInt16 = 1
    private static let outgoingInterface: UInt16 = 4
    /// `RTN_UNICAST` and `RTN_LOCAL`; other routes refuse, or lead to many.
    private static let ways: Set<UInt8> = [1, 2]

    var message: [UInt8] {
        let route = [family, UInt8(address.count * 8)] + [UInt8](repeating: 0, count: Self.routeSize - 2)
        var body = route + Self.attribute(Self.destination, address)
        if scope != 0 { body += Self.attribute(Self.outgoingInterface, Self.bytes(scope)) }
        return Self.bytes(UInt32(Self.headerSize + body.count)) + Self.bytes(Self.getRoute) + Self.bytes(Self.isRequest)
            + [UInt8](repeating: 0, count: 8) + body
    }

    /// - Returns: `nil` for what is no answer to the question.
    static func answer(in message: [UInt8]) -> Answer? {
        guard message.count >= headerSize + 4 else { return nil }
        switch number(message, at: 4, as: UInt16.self) {
        case error:
            // No route, or one that says no: an errno below zero.
            return number(message, at: headerSize, as: Int32.self) == 0 ? nil : .unreachable
        case newRoute:
            guard message.count >= headerSize + routeSize else { return nil }
            guard ways.contains(message[headerSize + 7]) else { return .unreachable }
            return interface(in: message).map { .interface($0) } ?? .unreachable
        default: return nil
        }
    }

    private static func interface(in message: [UInt8]) -> UInt32? {
        var start = headerSize + routeSize
        while start + 4 <= message.count {
            let length = Int(number(message, at: start, as: UInt16.self))
            guard length >= 4, start + length <= message.count else { return nil }
            if number(message, at: start + 2, as: UInt16.self) == outgoingInterface, length == 8 {
                return number(message, at: start + 4, as: UInt32.self)
            }
            start += (length + 3) / 4 * 4
        }
        return nil
    }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        bytes(UInt16(4 + value.count)) + bytes(type) + value
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }

    private static func number<Number: FixedWidthInteger>(_ message: [UInt8], at offset: Int, as type: Number.Type) -> Number {
        message.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
}
