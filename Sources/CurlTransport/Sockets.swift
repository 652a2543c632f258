import Base
import CCurl
import NetworkLayer

struct SocketKind {
    var family: Int32
    var type: Int32
    var `protocol`: Int32

    /// IPPROTO_MPTCP of `linux/in.h`.
    private static let multipath: Int32 = 262

    /// Whether it is for QUIC.
    var isDatagram: Bool { type == Int32(SOCK_DGRAM.rawValue) }

    /// The protocols to try, the first that this machine has is taken.
    func protocols(_ options: TransportOptions) -> [Int32] {
        options.multipath && family != AF_UNIX && !isDatagram ? [Self.multipath, `protocol`] : [`protocol`]
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

/// Addresses as text: `127.0.0.1:80`, `[::1]:80`, the path of a Unix socket.
enum SocketAddress {
    static func description(_ address: UnsafePointer<sockaddr>, length: UInt32) -> String {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self)
            var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            _ = withUnsafePointer(to: address.sin_addr) { inet_ntop(AF_INET, $0, &text, socklen_t(INET_ADDRSTRLEN)) }
            return join(text.withUnsafeBufferPointer(string), Int(UInt16(bigEndian: address.sin_port)))
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self)
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            _ = withUnsafePointer(to: address.sin6_addr) { inet_ntop(AF_INET6, $0, &text, socklen_t(INET6_ADDRSTRLEN)) }
            return join(text.withUnsafeBufferPointer(string), Int(UInt16(bigEndian: address.sin6_port)))
        case AF_UNIX:
            let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
            let path = UnsafeRawBufferPointer(start: raw + offset, count: max(0, Int(length) - offset))
            return String(decoding: path.prefix { $0 != 0 }, as: UTF8.self)
        default:
            return "address family \(address.pointee.sa_family)"
        }
    }

    static func join(_ address: String, _ port: Int) -> String {
        address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]:\(port)" : "\(address):\(port)"
    }

    /// - Parameter bytes: 16 of them, in the network's order.
    static func text(ofIPv6 bytes: [UInt8]) -> String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, bytes, &text, socklen_t(INET6_ADDRSTRLEN))
        return text.withUnsafeBufferPointer(string)
    }

    /// The port that a connected socket has on our side; 0 for one that has none.
    static func localPort(of socket: Int32) -> Int {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(socket, address, &length) == 0 else { return 0 }
                switch Int32(address.pointee.sa_family) {
                // The port is at the same place in both.
                case AF_INET, AF_INET6:
                    return Int(UInt16(bigEndian: UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port))
                default: return 0
                }
            }
        }
    }

    private static func string(_ characters: UnsafeBufferPointer<CChar>) -> String {
        characters.baseAddress.map { String(cString: $0) } ?? ""
    }
}

/// Where a connection leads, in words: for messages.
struct Target: Equatable {
    var host: String
    /// `host:port`, or the path of a Unix socket.
    var text: String
    var isUnixSocket = false
    var isProxy = false

    init(url: URL, unixSocket: String?, proxy: String?) {
        if let unixSocket {
            host = unixSocket
            text = unixSocket
            isUnixSocket = true
        } else if let proxy {
            isProxy = true
            let authority = proxy.split(separator: "://", maxSplits: 1).last.map(String.init) ?? proxy
            text = authority
            host = Self.host(of: authority)
        } else {
            // IPv6 literals come with their brackets here, or without, depending on Foundation.
            let name = url.host(percentEncoded: false) ?? ""
            host = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
            text = SocketAddress.join(host, url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80))
        }
    }

    private static func host(of authority: String) -> String {
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            return String(authority[authority.index(after: authority.startIndex)..<end])
        }
        return String(authority.prefix { $0 != ":" })
    }
}
