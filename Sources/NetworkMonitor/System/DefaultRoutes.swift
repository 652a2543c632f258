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
