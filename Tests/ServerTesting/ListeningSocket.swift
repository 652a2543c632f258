package import Foundation
import Glibc
import Synchronization

/// A listening socket on loopback, or at a path; the kernel chooses the port.
package final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// 0 for a Unix socket.
    package let port: UInt16

    package enum Address: Sendable {
        case ipv4
        case ipv6
        case unix(path: String)
    }

    package init(_ address: Address = .ipv4) throws {
        let family: Int32 =
            switch address {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ServerError("no socket: \(String(cString: strerror(errno)))") }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var storage = sockaddr_storage()
        var length = Self.fill(&storage, with: address)
        let port: UInt16? = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, length) == 0, listen(descriptor, 64) == 0,
                    getsockname(descriptor, pointer, &length) == 0
                else { return nil }
                guard family != AF_UNIX else { return 0 }
                // The port is at the same place in both families.
                return UInt16(bigEndian: UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_port)
            }
        }
        guard let port else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw ServerError("no listening socket at \(address): \(reason)")
        }
        self.descriptor = descriptor
        self.port = port
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Waits for a connection; `nil` when the socket has been shut down.
    func accept() -> Int32? {
        while true {
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wanted, 1, -1) >= 0 || errno == EINTR else { return nil }
            let connection = Descriptors.lock.withLock { _ in
                let connection = Glibc.accept(descriptor, nil, nil)
                if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
                return connection
            }
            if connection >= 0 { return connection }
            if errno != EINTR, errno != ECONNABORTED { return nil }
        }
    }

    /// A port on which nobody listens, for a server that can't choose one itself.
    package static func freePort() throws -> UInt16 {
        try ListeningSocket().port
    }

    /// Whether somebody takes a connection on 127.0.0.1 at this moment.
    package static func answers(port: UInt16) -> Bool {
        guard let descriptor = connected(to: port) else { return false }
        Glibc.close(descriptor)
        return true
    }

    /// A connection to 127.0.0.1; `nil` when nobody takes it.
    static func connected(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var storage = sockaddr_storage()
        let length = fill(&storage, with: .ipv4, port: port)
        let isConnected = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, length) == 0 }
        }
        if isConnected { return descriptor }
        Glibc.close(descriptor)
        return nil
    }

    private static func fill(_ storage: inout sockaddr_storage, with address: Address, port: UInt16 = 0) -> socklen_t {
        withUnsafeMutableBytes(of: &storage) { bytes in
            switch address {
            case .ipv4:
                var value = sockaddr_in()
                value.sin_family = sa_family_t(AF_INET)
                value.sin_port = port.bigEndian
                value.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
                bytes.storeBytes(of: value, as: sockaddr_in.self)
                return socklen_t(MemoryLayout<sockaddr_in>.size)
            case .ipv6:
                var value = sockaddr_in6()
                value.sin6_family = sa_family_t(AF_INET6)
                value.sin6_port = port.bigEndian
                value.sin6_addr = in6addr_loopback
                bytes.storeBytes(of: value, as: sockaddr_in6.self)
                return socklen_t(MemoryLayout<sockaddr_in6>.size)
            case .unix(let path):
                var value = sockaddr_un()
                value.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &value.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
                bytes.storeBytes(of: value, as: sockaddr_un.self)
                return socklen_t(MemoryLayout<sockaddr_un>.size)
            }
        }
    }
}

/// A server on this machine without TLS.
package protocol LocalServer {
    var port: UInt16 { get }
}

extension LocalServer {
    package var url: URL { URL(string: "http://127.0.0.1:\(port)/")! }
}
