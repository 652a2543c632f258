import Base
import CCurl
import NetworkLayer

extension ConnectionTable {
    /// A transfer goes over the connection. Its packets are marked for what it serves, unless they are already.
    func use(_ connection: Connection, for service: NetworkServiceType) {
        connection.users += 1
        guard connection.service != service else { return }
        connection.service = service
        SocketKind.mark(connection.socket, as: service)
    }

    /// A transfer over the connection has ended; it may be closed by now.
    func release(_ connection: Connection, _ pool: ConnectionPool) {
        connection.users -= 1
        connection.idleSince = .now
        guard connection.users == 0 else { return }
        if connection.isDoomed { connection.shut() }
        if pool.prunesAfterEveryTransfer { prune(.idle, pool) }
    }

    /// Closes the way of connections at once; libcurl, which has no call for it, finds them dead and lets go of them when it next
    /// looks for one.
    func prune(_ scope: PruneScope, _ pool: ConnectionPool, at now: MonotonicTime = .now) {
        for connection in connections.values where connection.info != nil {
            switch scope {
            case .idle:
                guard connection.users == 0, now - connection.idleSince >= pool.inactivity else { continue }
            case .all: break
            case .host(let host):
                guard connection.host == host.lowercased() else { continue }
            }
            if connection.users == 0 { connection.shut() } else { connection.isDoomed = true }
        }
    }

    // MARK: What nobody has read

    /// How many bytes a kept HTTP/1 connection has to read before a request has gone out, which thus belong to no answer; then it is
    /// closed. 0 when the server has only said goodbye; `nil` when there is nothing, and the connection can be used.
    ///
    /// HTTP/2 servers may send frames at any time. libcurl doesn't say which of several connections to one Unix socket it took: so all of
    /// them are looked at, if nobody else is on any.
    ///
    /// - Parameter decrypted: what TLS has taken off the wire already.
    func discardLeftover(on connection: Connection, decrypted: Int) -> Int? {
        guard connection.info?.httpVersion != "HTTP/2" else { return nil }
        var candidates = [connection]
        if connection.isUnix {
            candidates = connections.values.filter { $0.isUnix && $0.address == connection.address && $0.info != nil }
            guard candidates.reduce(0, { $0 + $1.users }) == 1 else { return nil }
        }
        var leftover = decrypted > 0 ? decrypted : nil
        for connection in candidates {
            guard let count = connection.unread else { continue }
            leftover = (leftover ?? 0) + count
            connection.shut()
        }
        return leftover
    }
}

extension ConnectionTable.Connection {
    /// Whether another transfer is under way on an HTTP/1 connection: libcurl puts two on one, and mixes their answers up, when the server
    /// speaks HTTP/2 too and one of them asked for HTTP/1.1 (seen with 7.88.1). Of Unix sockets nobody knows.
    var isTaken: Bool { users > 1 && !isUnix && info?.httpVersion != "HTTP/2" }

    /// Whether several transfers are under way on it.
    var isShared: Bool { users > 1 }

    fileprivate func shut() {
        isDoomed = true
        if isOpen { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    /// Bytes on the wire; 0 for the end of the connection, `nil` for nothing at all.
    fileprivate var unread: Int? {
        var record: (type: UInt8, UInt8, UInt8, UInt8, length: UInt8) = (0, 0, 0, 0, 0)
        let count = recv(socket, &record, 5, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        guard count >= 0 || ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { return nil }
        guard count > 0 else { return 0 }
        // An alert is how TLS says goodbye; TLS 1.3 encrypts it to a record of 19 bytes, with a type and a tag behind its two.
        if tls != nil, record.type == 21 || record.type == 23 && record.3 == 0 && record.length == 19 { return 0 }
        let waiting = turnstone_curl_unread(socket)
        return waiting >= 0 ? Int(waiting) : count
    }
}
