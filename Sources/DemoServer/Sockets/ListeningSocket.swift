import Base
import FlyingSocks

/// One port of the loopback interface, on IPv4, and on IPv6 where that is to be had.
struct ListeningSocket: Sendable {
    private let socket: Socket
    /// Which of the server's origins this is.
    private let port: UInt16
    /// `nil`: it speaks HTTP without TLS.
    private let identity: TLSIdentity?

    /// The sockets that listen on one port.
    struct Port: Sendable {
        var port: UInt16
        var sockets: [ListeningSocket]
    }

    static func pair(port: UInt16, identity: TLSIdentity? = nil) throws -> Port {
        let socket = try bound(to: .inet(ip4: "127.0.0.1", port: port), port: port)
        guard case .ip4(_, let chosen) = try socket.sockname() else { throw SocketError.unsupportedAddress }
        // A machine without IPv6, or with somebody else on that port, still has the IPv4 one.
        let sockets = [socket] + [try? bound(to: .inet6(ip6: "::1", port: chosen), port: chosen)].compactMap(\.self)
        return Port(port: chosen, sockets: sockets.map { ListeningSocket(socket: $0, port: chosen, identity: identity) })
    }

    /// - Parameter port: 0: any that is free, as when the one that is wanted isn't.
    static func next(_ step: UInt16, after port: UInt16, identity: TLSIdentity? = nil) throws -> Port {
        guard port != 0, port <= .max - step, let next = try? pair(port: port + step, identity: identity) else {
            return try pair(port: 0, identity: identity)
        }
        return next
    }

    private static func bound(to address: some SocketAddress, port: UInt16) throws -> Socket {
        let socket = try Socket(domain: Int32(address.family))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.setFlags(.nonBlocking)
            socket.closeOnExec()
            try socket.bind(to: address)
        } catch let SocketError.failed(_, number, message) {
            try? socket.close()
            let reason =
                switch number {
                case EADDRINUSE: "another program has it; choose another with --port, or 0 for one that is free"
                case EACCES: "ports below 1024 are the system's; choose a higher one with --port"
                default: message
                }
            throw DemoServerError(description: "Can't listen on port \(port): \(reason).")
        }
        try socket.listen()
        return socket
    }

    /// Accepts connections until the task is cancelled; ends when the last of them is closed.
    func serve(pool: some AsyncSocketPool, router: Router, memory: ServerMemory) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                do {
                    let accepted = Socket(file: try socket.accept().file)
                    group.addTask {
                        let connection = Connection(socket: accepted, pool: pool, tls: identity.flatMap { TLSSession($0) })
                        await connection.serve(port: port, router: router, memory: memory)
                    }
                } catch SocketError.blocked {
                    try? await pool.suspendSocket(socket, untilReadyFor: .connection)
                } catch {
                    // Out of descriptors, or a connection that was gone before it was accepted: wait for better times.
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            try? socket.close()
            group.cancelAll()
        }
    }
}

extension Socket {
    /// An editor or any other child process must not keep a port open.
    func closeOnExec() {
        _ = fcntl(file.rawValue, F_SETFD, FD_CLOEXEC)
    }
}
