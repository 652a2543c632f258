import Base
import NetworkLayer

/// Waits on this machine for a browser to come back from signing in.
///
/// One thread looks after its socket and a few connections, some of which browsers open without ever using them. It ends with the
/// answer, or when the task that waits is cancelled; then nobody listens any more.
final class LoopbackListener: Sendable {
    /// With the port.
    let address: RedirectAddress
    private let listener: Int32
    /// A byte into the second ends the waiting.
    private let waker: (read: Int32, write: Int32)

    init(_ wanted: RedirectAddress) throws(OAuth2Error) {
        let family = wanted.isIPv6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure(wanted) }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard let port = Self.listen(descriptor, wanted) else {
            let failure = Self.failure(wanted)
            close(descriptor)
            throw failure
        }
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            let failure = Self.failure(wanted)
            close(descriptor)
            throw failure
        }
        for end in ends { Self.keepToItself(end) }
        listener = descriptor
        waker = (ends[0], ends[1])
        address = RedirectAddress(host: wanted.host, port: port, path: wanted.path)
    }

    deinit {
        close(listener)
        close(waker.read)
        close(waker.write)
    }

    /// - Parameter answer: what is waited for. Called once.
    /// - Returns: `nil` when it was cancelled.
    func wait(for answer: AuthorizationAnswer) async -> Result<String, OAuth2Error>? {
        await withTaskCancellationHandler {
            await SystemThread.value { self.serve(answer) }
        } onCancel: {
            stop()
        }
    }

    /// Ends the waiting from any thread.
    func stop() {
        var byte: UInt8 = 1
        _ = Glibc.write(waker.write, &byte, 1)
    }

    // MARK: The thread

    private struct Connection {
        var descriptor: Int32
        var head: [UInt8] = []
    }

    private static let mostConnections = 16
    /// Bytes: an address of a browser's is at most some thousands.
    private static let longestHead = 16 << 10

    private func serve(_ answer: AuthorizationAnswer) -> Result<String, OAuth2Error>? {
        var connections: [Connection] = []
        defer {
            for connection in connections { close(connection.descriptor) }
            // No other connection is accepted, even while a page is still being sent.
            shutdown(listener, Int32(SHUT_RDWR))
        }
        while true {
            var wanted = [waker.read, listener] + connections.map(\.descriptor)
            // The oldest make room: what is idle longest is the least likely.
            if connections.count >= Self.mostConnections {
                close(connections.removeFirst().descriptor)
                wanted.remove(at: 2)
            }
            var polls = wanted.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polls, nfds_t(polls.count), -1) >= 0 || errno == EINTR else { return nil }
            if polls[0].revents != 0 { return nil }
            var open: [Connection] = []
            var result: Result<String, OAuth2Error>?
            for (index, connection) in connections.enumerated() {
                guard result == nil, polls[index + 2].revents != 0 else {
                    open.append(connection)
                    continue
                }
                var connection = connection
                guard let line = Self.read(&connection) else {
                    close(connection.descriptor)
                    continue
                }
                guard !line.isEmpty else {
                    open.append(connection)
                    continue
                }
                let verdict = answer.verdict(on: line)
                Self.send(verdict.page, to: connection.descriptor)
                switch verdict {
                case .code(let code): result = .success(code)
                case .failed(let error): result = .failure(error)
                case .ignored: break
                }
            }
            connections = open
            if let result { return result }
            if polls[1].revents != 0 {
                let descriptor = accept(listener, nil, nil)
                if descriptor >= 0 {
                    Self.keepToItself(descriptor)
                    connections.append(Connection(descriptor: descriptor))
                }
            }
        }
    }

    /// - Returns: the request's first line when its head is complete; an empty one while it isn't; `nil` when it never will be.
    private static func read(_ connection: inout Connection) -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(connection.descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return "" }
            guard count > 0 else { return nil }
            connection.head += buffer[..<count]
            if connection.head.firstRange(of: Array("\r\n\r\n".utf8)) != nil {
                return String(decoding: connection.head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
            }
            guard connection.head.count < longestHead else { return nil }
        }
    }

    /// A page is smaller than a socket's buffer. It is closed in a way that lets the browser read it first.
    private static func send(_ page: String, to descriptor: Int32) {
        _ = Array(page.utf8).withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(descriptor, Int32(SHUT_WR))
        close(descriptor)
    }

    // MARK: The socket

    /// Makes the descriptor non-blocking, and closes it in programs that are started.
    private static func keepToItself(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    private static func listen(_ descriptor: Int32, _ address: RedirectAddress) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(address.isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &storage) { bytes in
            if address.isIPv6 {
                var value = sockaddr_in6()
                value.sin6_family = sa_family_t(AF_INET6)
                value.sin6_port = address.port.bigEndian
                value.sin6_addr = in6addr_loopback
                bytes.storeBytes(of: value, as: sockaddr_in6.self)
            } else {
                var value = sockaddr_in()
                value.sin_family = sa_family_t(AF_INET)
                value.sin_port = address.port.bigEndian
                value.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                bytes.storeBytes(of: value, as: sockaddr_in.self)
            }
        }
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard bind(descriptor, pointer, length) == 0, Glibc.listen(descriptor, 16) == 0,
                    getsockname(descriptor, pointer, &length) == 0
                else { return nil }
                // The port is at the same place in both families.
                return UInt16(bigEndian: UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self).sin_port)
            }
        }
    }

    private static func failure(_ address: RedirectAddress) -> OAuth2Error {
        let port = address.port == 0 ? "" : " port \(address.port)"
        return OAuth2Error(
            "can't listen on \(address.host)\(port) for the end of the sign-in: \(String(cString: strerror(errno)).lowercased())")
    }
}
