import Base
import CCurl
import NetworkLayer

/// The sockets that are open, by descriptor, and which transfer opens one; libcurl says neither on its own.
///
/// Used on the loop's thread only.
final class ConnectionTable {
    /// A class, because looking at a value in a dictionary copies it, and because the system gives the number of a closed socket to the
    /// next one: whoever goes over a connection holds this.
    final class Connection {
        let socket: Int32
        /// Until libcurl has closed the socket.
        var isOpen = true
        /// Counts from 1 in the order in which connections became ready; `nil` before that.
        var info: ConnectionInfo?
        var tls: TLSInfo?
        /// `address:port` that it was opened to.
        let address: String
        /// The transfer that opened it, until it is ready.
        var opener: CurlTransfer?
        var key: Key?
        /// For Unix sockets, which have no address of their own.
        let isUnix: Bool
        let isQUIC: Bool
        /// The host of the URL, in lower case.
        let host: String
        /// OpenSSL's objection to its certificates, which a handler overruled.
        var objection: String?
        /// What its packets are marked for.
        var service: NetworkServiceType
        /// How many transfers go over it.
        var users = 0
        var idleSince = MonotonicTime.zero
        var isDoomed = false
        /// The last HTTP/2 stream that the server will answer, once it has said so.
        var lastStream: Int?

        init(_ socket: Int32, address: String, opener: CurlTransfer, _ kind: SocketKind) {
            self.socket = socket
            self.address = address
            self.opener = opener
            isUnix = kind.family == AF_UNIX
            isQUIC = kind.isDatagram
            host = opener.request.request.url.host()?.lowercased() ?? ""
            service = opener.request.options.serviceType
        }
    }

    struct Known {
        var info: ConnectionInfo
        var tls: TLSInfo?
        var objection: String?
        var connection: Connection
    }

    /// One end, as libcurl tells it to the callback that precedes a request.
    struct Endpoint {
        let address: UnsafeMutablePointer<CChar>?
        let port: Int32

        var text: String {
            guard let address else { return "" }
            return port == 0 ? String(cString: address) : SocketAddress.join(String(cString: address), Int(port))
        }
    }

    /// A hash of both ends, by which a reused connection is found without making strings.
    struct Key: Hashable {
        private let value: UInt64

        /// - Parameter isQUIC: the ports of UDP are others than those of TCP.
        init(local: Endpoint, remote: Endpoint, isQUIC: Bool) {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
            add(isQUIC ? 1 : 0)
            for end in [local, remote] {
                var cursor = end.address
                while let byte = cursor?.pointee, byte != 0 {
                    add(UInt8(bitPattern: byte))
                    cursor = cursor.map { $0 + 1 }
                }
                add(UInt8(truncatingIfNeeded: end.port))
                add(UInt8(truncatingIfNeeded: end.port >> 8))
            }
            value = hash
        }
    }

    var connections: [Int32: Connection] = [:]
    private var sockets: [Key: Int32] = [:]
    private var count = 0

    func open(_ socket: Int32, address: String, _ kind: SocketKind, by opener: CurlTransfer) {
        connections[socket] = Connection(socket, address: address, opener: opener, kind)
    }

    func close(_ socket: Int32) {
        guard let connection = connections.removeValue(forKey: socket) else {
            SystemCall.close(socket)
            return
        }
        if let key = connection.key, sockets[key] == socket { sockets[key] = nil }
        connection.opener?.connectionCloses(address: connection.address)
        connection.isOpen = false
        SystemCall.close(socket)
    }

    /// The new connection of a transfer, of all that it opened.
    func opened(by opener: CurlTransfer, local: Endpoint) -> Connection? {
        let opened = connections.values.filter { $0.opener === opener }
        return opened.count == 1
            ? opened[0] : opened.first { SocketAddress.localPort(of: $0.socket) == Int(local.port) }
    }

    /// The new connection of a transfer is ready.
    func established(
        _ connection: Connection?, local: Endpoint, remote: Endpoint, version: String, proxy: String?, tls: TLSInfo?,
        objection: String?
    ) -> ConnectionInfo {
        count += 1
        var info = ConnectionInfo(
            id: count, isReused: false, localAddress: local.text, remoteAddress: remote.text, httpVersion: version, proxy: proxy)
        guard let connection else { return info }
        if connection.isUnix {
            info.remoteAddress = connection.address
            info.localAddress = connection.address
        }
        let key = connection.isUnix ? nil : Key(local: local, remote: remote, isQUIC: connection.isQUIC)
        if let key { sockets[key] = connection.socket }
        connection.key = key
        connection.opener = nil
        connection.tls = tls
        connection.objection = objection
        connection.info = info
        connection.info?.isReused = true
        return info
    }

    /// The connection that a transfer gets from the pool.
    ///
    /// - Parameter prefersQUIC: whether the request asks for HTTP/3, where connections of both kinds have these ports.
    func reused(local: Endpoint, remote: Endpoint, unixSocket: String?, prefersQUIC: Bool) -> Known? {
        let socket: Int32?
        if let unixSocket {
            // libcurl doesn't say which one of several.
            socket = connections.first { $1.isUnix && $1.address == unixSocket && $1.info != nil && !$1.isDoomed }?.key
        } else {
            func found(_ isQUIC: Bool) -> Int32? { sockets[Key(local: local, remote: remote, isQUIC: isQUIC)] }
            socket = found(prefersQUIC) ?? found(!prefersQUIC)
        }
        guard let socket, let connection = connections[socket], let info = connection.info else { return nil }
        return Known(info: info, tls: connection.tls, objection: connection.objection, connection: connection)
    }

    /// The transfer is over; what it opened and what is not ready yet is nobody's.
    func abandon(_ opener: CurlTransfer) {
        for connection in connections.values where connection.opener === opener { connection.opener = nil }
    }
}

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
        guard !connection.isMultiplexed else { return nil }
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
    var isTaken: Bool { users > 1 && !isUnix && !isMultiplexed }

    /// Whether several transfers may be under way on it.
    var isMultiplexed: Bool { info?.isMultiplexed == true }

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
