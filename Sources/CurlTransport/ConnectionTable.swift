import Glibc
import NetworkLayer

/// The sockets that are open, by descriptor, and which transfer opens one; libcurl says neither on its own.
///
/// Used on the loop's thread only.
final class ConnectionTable {
    struct Connection {
        /// Counts from 1 in the order in which connections became ready; `nil` before that.
        var info: ConnectionInfo?
        var tls: TLSInfo?
        /// `address:port` that it was opened to.
        let address: String
        /// The transfer that opened it, until it is ready.
        var opener: CurlTransfer?
        var key: Key?
        /// For Unix sockets, which have no address of their own.
        var isUnix: Bool
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

    /// Both ends, hashed: what a reused connection is found by, without making strings.
    struct Key: Hashable {
        private let value: UInt64

        init(local: Endpoint, remote: Endpoint) {
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
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

    private var connections: [Int32: Connection] = [:]
    private var sockets: [Key: Int32] = [:]
    private var count = 0

    func open(_ socket: Int32, address: String, isUnix: Bool, by opener: CurlTransfer) {
        connections[socket] = Connection(address: address, opener: opener, isUnix: isUnix)
    }

    func close(_ socket: Int32) {
        guard let connection = connections.removeValue(forKey: socket) else {
            _ = Glibc.close(socket)
            return
        }
        if let key = connection.key, sockets[key] == socket { sockets[key] = nil }
        connection.opener?.connectionCloses(address: connection.address)
        _ = Glibc.close(socket)
    }

    /// The new connection of a transfer is ready.
    func established(
        by opener: CurlTransfer, local: Endpoint, remote: Endpoint, version: String, proxy: String?, tls: TLSInfo?
    ) -> ConnectionInfo {
        count += 1
        var info = ConnectionInfo(
            id: count, isReused: false, localAddress: local.text, remoteAddress: remote.text, httpVersion: version, proxy: proxy)
        let opened = connections.filter { $0.value.opener === opener }.keys
        guard
            let socket = opened.count == 1
                ? opened.first : opened.first(where: { SocketAddress.localPort(of: $0) == Int(local.port) }),
            var connection = connections[socket]
        else { return info }
        if connection.isUnix {
            info.remoteAddress = connection.address
            info.localAddress = connection.address
        }
        let key = connection.isUnix ? nil : Key(local: local, remote: remote)
        if let key { sockets[key] = socket }
        connection.key = key
        connection.opener = nil
        connection.tls = tls
        connection.info = info
        connection.info?.isReused = true
        connections[socket] = connection
        return info
    }

    /// The connection that a transfer gets from the pool.
    func reused(local: Endpoint, remote: Endpoint, unixSocket: String?) -> (info: ConnectionInfo, tls: TLSInfo?)? {
        let connection: Connection?
        if let unixSocket {
            // libcurl doesn't say which one of several.
            connection = connections.values.first { $0.isUnix && $0.address == unixSocket && $0.info != nil }
        } else {
            connection = sockets[Key(local: local, remote: remote)].flatMap { connections[$0] }
        }
        guard let connection, let info = connection.info else { return nil }
        return (info, connection.tls)
    }

    /// The transfer is over; what it opened and what is not ready yet is nobody's.
    func abandon(_ opener: CurlTransfer) {
        for (socket, connection) in connections where connection.opener === opener {
            connections[socket]?.opener = nil
        }
    }
}
