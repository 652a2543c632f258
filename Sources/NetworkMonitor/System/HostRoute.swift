import Base
import NetworkLayer

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
