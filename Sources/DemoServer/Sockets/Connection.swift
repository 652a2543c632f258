import Base
import FlyingSocks

/// One accepted connection: bytes in through a buffer, bytes out, and the ways to end it, rude ones included.
///
/// It belongs to the task that serves it. Reading and writing wait in the pool, so a slow client costs a suspended task.
final class Connection {
    private let socket: Socket
    private let pool: any AsyncSocketPool
    private let tls: TLSSession?
    private var buffer: [UInt8] = []
    private var position = 0
    private(set) var isOpen = true

    /// - Parameter tls: `nil`: bytes go as they are.
    init(socket: Socket, pool: some AsyncSocketPool, tls: TLSSession? = nil) {
        self.socket = socket
        self.pool = pool
        self.tls = tls
        try? socket.setFlags(.nonBlocking)
        // Small writes of ours mean something (a chunk, a drop of a drip) and must not be gathered.
        try? socket.setValue(1, for: Int32SocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        socket.closeOnExec()
    }

    deinit {
        close()
    }

    var peer: String {
        switch try? socket.remotePeer() {
        case .ip4(let address, let port): "\(address):\(port)"
        case .ip6(let address, let port): "[\(address)]:\(port)"
        case .unix, nil: "unknown"
        }
    }

    // MARK: Reading

    /// What has arrived, at most `limit` bytes, at least one; `nil` when the client has closed its side.
    func read(atMost limit: Int = 1 << 16) async throws -> ArraySlice<UInt8>? {
        if position == buffer.count {
            guard try await fill() else { return nil }
        }
        let end = min(buffer.count, position + limit)
        defer { position = end }
        return buffer[position..<end]
    }

    /// The bytes up to and including the first `mark`; `nil` when the client closed before the first byte.
    func read(through mark: [UInt8], limit: Int) async throws -> ArraySlice<UInt8>? {
        var searched = position
        while true {
            if let end = buffer.end(of: mark, from: searched) {
                defer { position = end }
                return buffer[position..<end]
            }
            guard buffer.count - position <= limit else { throw ProtocolError.tooLong(limit: limit) }
            let kept = buffer.count - position
            searched = max(0, kept - mark.count + 1)
            guard try await fill() else {
                if kept == 0 { return nil }
                throw SocketError.disconnected
            }
        }
    }

    /// Appends what the socket has to the unread rest of the buffer.
    private func fill() async throws -> Bool {
        buffer.removeFirst(position)
        position = 0
        let arrived = if let tls { try await decrypted(by: tls) } else { try await received() }
        guard let bytes = arrived else { return false }
        if buffer.isEmpty { buffer = bytes } else { buffer += bytes }
        return true
    }

    /// What comes from the socket next; `nil` when the client has closed its side.
    private func received() async throws -> [UInt8]? {
        while true {
            do {
                return try socket.read(atMost: 1 << 16)
            } catch SocketError.blocked {
                try await pool.suspendSocket(socket, untilReadyFor: .read)
            } catch SocketError.disconnected {
                return nil
            }
        }
    }

    private func decrypted(by tls: TLSSession) async throws -> [UInt8]? {
        while true {
            let bytes = tls.read()
            let answer = tls.drainOutgoing()
            if !answer.isEmpty { try await send(answer) }
            guard let bytes else { return nil }
            if !bytes.isEmpty { return bytes }
            guard let more = try await received() else { return nil }
            tls.receive(more)
        }
    }

    /// Whether something can be read without waiting; over TLS it may be less than a byte of ours.
    var hasInput: Bool { position < buffer.count || socket.hasBytes }

    // MARK: Writing

    func write(_ bytes: [UInt8]) async throws {
        guard let tls else { return try await send(bytes) }
        try tls.write(bytes)
        try await send(tls.drainOutgoing())
    }

    private func send(_ bytes: [UInt8]) async throws {
        let data = Data(bytes)
        var sent = data.startIndex
        while sent < data.endIndex {
            do {
                sent = try socket.write(data, from: sent)
            } catch SocketError.blocked {
                try await pool.suspendSocket(socket, untilReadyFor: .write)
            }
        }
    }

    func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    /// Lets the kernel take in little ahead of us, so that a client sees how slowly we read. With less than this a window holds no whole
    /// segment of the loopback's, and 100 kB a second come through.
    func narrow() {
        try? socket.setValue(32 << 10, for: Int32SocketOption(name: SO_RCVBUF))
    }

    // MARK: Waiting

    /// Waits; throws `SocketError.disconnected` as soon as the client is gone, so that an abandoned slow answer costs nothing.
    func pause(_ duration: Duration) async throws {
        guard duration > .zero else { return }
        try await withThrowingTaskGroup { [socket, pool] group in
            group.addTask {
                try await Task.sleep(for: duration)
                return true
            }
            group.addTask {
                try await pool.suspendSocket(socket, untilReadyFor: .read)
                // Bytes of a next request don't end the wait.
                if socket.isClosedByPeer { throw SocketError.disconnected }
                return false
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    /// Answers nothing more; returns when the client has given up.
    func waitForClose() async throws {
        while try await read() != nil {}
    }

    // MARK: Ending

    func close() {
        guard isOpen else { return }
        isOpen = false
        try? socket.close()
    }

    /// Ends with a TCP reset instead of an orderly end: the client's next read fails with "connection reset by peer".
    func reset() {
        try? socket.setValue(0, for: LingerOption())
        close()
    }

    /// Closes our side, then takes in what the client still sends, because closing with unread bytes would reset the connection
    /// and could destroy an answer that is still on its way (RFC 9112, section 9.6).
    func closeGently(limit: Int = 16 << 20) async {
        if let tls {
            tls.end()
            try? await send(tls.drainOutgoing())
        }
        shutdown(socket.file.rawValue, Int32(SHUT_WR))
        let reading = Task.isCancelled ? 0 : limit
        var count = 0
        while count < reading, let bytes = try? await read() {
            count += bytes.count
        }
        close()
    }
}

extension Socket {
    fileprivate var hasBytes: Bool {
        var byte: UInt8 = 0
        return recv(file.rawValue, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    fileprivate var isClosedByPeer: Bool {
        var byte: UInt8 = 0
        return recv(file.rawValue, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }
}

/// `SO_LINGER`, on: how many seconds a close waits for unsent bytes; 0 throws them away and resets.
private struct LingerOption: SocketOption {
    var name: Int32 { SO_LINGER }

    func makeValue(from value: linger) -> Int32 { value.l_linger }

    func makeSocketValue(from value: Int32) -> linger { linger(l_onoff: 1, l_linger: value) }
}

extension [UInt8] {
    fileprivate func end(of mark: [UInt8], from start: Int) -> Int? {
        withUnsafeBufferPointer { bytes in
            mark.withUnsafeBufferPointer { mark in
                guard bytes.count - start >= mark.count else { return nil }
                var index = start + mark.count - 1
                let last = mark[mark.count - 1]
                while index < bytes.count {
                    if bytes[index] == last, bytes[(index + 1 - mark.count)...index].elementsEqual(mark) { return index + 1 }
                    index += 1
                }
                return nil
            }
        }
    }
}
