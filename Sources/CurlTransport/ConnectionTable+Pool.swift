import Glibc
import NetworkLayer

extension ConnectionTable {
    /// A transfer goes over the connection. Its packets are marked for what it serves, unless they are already.
    func use(_ socket: Int32, for service: NetworkServiceType) {
        guard let connection = connections[socket] else { return }
        connection.users += 1
        guard connection.service != service else { return }
        connection.service = service
        SocketKind.mark(socket, as: service)
    }

    /// A transfer over the connection has ended; it may be closed by now.
    func release(_ socket: Int32, _ pool: ConnectionPool) {
        guard let connection = connections[socket], connection.users > 0 else { return }
        connection.users -= 1
        connection.idleSince = .now
        guard connection.users == 0 else { return }
        if connection.isDoomed { shut(socket) }
        if pool.prunesAfterEveryTransfer { prune(.idle, pool) }
    }

    /// Closes the way of connections at once; libcurl, which has no call for it, finds them dead and lets go of them when it next
    /// looks for one.
    func prune(_ scope: PruneScope, _ pool: ConnectionPool, at now: MonotonicTime = .now) {
        for (socket, connection) in connections where connection.info != nil {
            switch scope {
            case .idle:
                guard connection.users == 0, now - connection.idleSince >= pool.inactivity else { continue }
            case .all: break
            case .host(let host):
                guard connection.host == host.lowercased() else { continue }
            }
            if connection.users == 0 { shut(socket) } else { connection.isDoomed = true }
        }
    }

    private func shut(_ socket: Int32) {
        shutdown(socket, Int32(SHUT_RDWR))
        connections[socket]?.isDoomed = true
    }
}
