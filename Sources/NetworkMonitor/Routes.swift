import Base
import NetworkLayer

/// The default routes in the kernel's tables, best metric first; of the same metric in the order of the tables, IPv4 first.
struct DefaultRoutes: Sendable, Hashable {
    private(set) var routes: [Route] = []

    struct Route: Sendable, Hashable {
        var interface: String
        var metric: Int64
    }

    /// `RTF_UP` and `RTF_REJECT` of `<linux/route.h>`: a route that refuses leads nowhere, and every kernel has one on `lo`.
    private static let up: UInt32 = 0x1
    private static let reject: UInt32 = 0x200

    init(ipv4: String, ipv6: String) {
        let found = ipv4.lines.compactMap(Self.ipv4) + ipv6.lines.compactMap(Self.ipv6)
        // Sorted with the index, because `sort` doesn't promise to keep the order of equals.
        routes = found.enumerated().sorted { ($0.element.metric, $0.offset) < ($1.element.metric, $1.offset) }.map(\.element)
    }

    /// `Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT`; numbers in hexadecimal but the metric.
    private static func ipv4(_ line: Substring) -> Route? {
        let fields = fields(of: line)
        guard fields.count >= 8, isZero(fields[1]), isZero(fields[7]), leadsOut(fields[3]), let metric = Int64(fields[6]) else {
            return nil
        }
        return Route(interface: String(fields[0]), metric: metric)
    }

    /// `destination length source length next-hop metric references use flags interface`; all numbers in hexadecimal.
    private static func ipv6(_ line: Substring) -> Route? {
        // Most lines are about other destinations.
        guard line.utf8.prefix(while: { $0 != UInt8(ascii: " ") }).allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
        let fields = fields(of: line)
        guard fields.count >= 10, isZero(fields[0]), isZero(fields[1]), leadsOut(fields[8]),
            let metric = Int64(fields[5], radix: 16)
        else { return nil }
        return Route(interface: String(fields[9]), metric: metric)
    }

    /// By bytes, since this is done before every command's first request.
    private static func fields(of line: Substring) -> [Substring] {
        line.utf8.split { $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ") }.map { Substring($0) }
    }

    private static func isZero(_ digits: Substring) -> Bool { digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") } }

    private static func leadsOut(_ flags: Substring) -> Bool {
        UInt32(flags, radix: 16).map { $0 & up != 0 && $0 & reject == 0 } ?? false
    }
}

/// Over which interfaces the kernel would send to a host (TN-15). No byte goes to the host; the system's resolver may ask for its
/// name, and so take its time.
struct HostRoute: Sendable, Hashable {
    /// A name, or an address without brackets.
    let host: String

    enum Answer: Sendable, Hashable {
        /// Names of interfaces, that of the preferred address first; none when no address can be reached.
        case interfaces([String])
        case unknownName
        /// The resolver can't say now: another question soon may bring more.
        case resolverFailed
        /// A sandbox lets nobody ask for routes.
        case refused
    }

    func look() -> Answer {
        var hints = addrinfo()
        hints.ai_socktype = SystemCall.datagrams
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else { return status == EAI_AGAIN || status == EAI_SYSTEM ? .resolverFailed : .unknownName }
        defer { freeaddrinfo(list) }
        // Routes are a question of the netlink protocol 0.
        let descriptor = SystemCall.socket(AF_NETLINK, SystemCall.rawPackets, 0)
        guard descriptor >= 0 else { return .refused }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var names: [String] = []
        for query in sequence(first: list, next: { $0?.pointee.ai_next }).lazy.compactMap({ Self.query($0) }) {
            guard let answer = Self.ask(query, descriptor) else { return .refused }
            guard case .interface(let index) = answer, let name = Self.name(of: index), !names.contains(name) else { continue }
            names.append(name)
        }
        return .interfaces(names)
    }

    private static func query(_ info: UnsafeMutablePointer<addrinfo>?) -> RouteQuery? {
        guard let info, let address = info.pointee.ai_addr else { return nil }
        switch info.pointee.ai_family {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                RouteQuery(family: UInt8(AF_INET), address: withUnsafeBytes(of: address.pointee.sin_addr) { Array($0) })
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                RouteQuery(
                    family: UInt8(AF_INET6), address: withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) },
                    scope: address.pointee.sin6_scope_id)
            }
        default: return nil
        }
    }

    private static func ask(_ query: RouteQuery, _ descriptor: Int32) -> RouteQuery.Answer? {
        let message = query.message
        guard send(descriptor, message, message.count, 0) == message.count else { return nil }
        let reply = [UInt8](unsafeUninitializedCapacity: 8 << 10) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        return RouteQuery.answer(in: reply)
    }

    private static func name(of index: UInt32) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &buffer) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

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
