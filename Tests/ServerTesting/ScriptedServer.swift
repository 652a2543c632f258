package import Foundation
import Glibc
import Synchronization

/// A server that plays a script for each connection, byte by byte: for everything that a well-behaved one never does.
///
///     let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), .close]])
///
/// The first connection gets the first script, and so on; one more than there are scripts is closed at once.
package final class ScriptedServer: LocalServer, Sendable {
    package enum Step: Sendable {
        /// Reads to the empty line, and no further.
        case readHead
        /// Reads so many bytes.
        case read(Int)
        /// Reads as many bytes as the `Content-Length` of the last head says; none without one.
        case readContent
        case send(String)
        case sendBytes(Data)
        /// Waits until the test says ``ScriptedServer/proceed()``, once for each such step.
        case await
        /// Does nothing for so long: a server at work.
        case pause(Duration)
        /// Passes on what comes, both ways, to another port of 127.0.0.1 until one of the two closes.
        case relay(to: UInt16)
        /// Reads and drops what comes until the client closes.
        case readToEnd
        /// Hands the connection to the test, on a thread that may be held up.
        case converse(@Sendable (Wire) -> Void)
        case close
        /// Closes so that the client gets a reset.
        case reset
    }

    /// A connection in a test's own hands. Each write is a segment of its own.
    package struct Wire: Sendable {
        fileprivate let descriptor: Int32

        /// - Returns: so many bytes; `nil`: the client ends the connection before.
        package func read(_ count: Int) -> [UInt8]? {
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let part = Glibc.read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
                    guard part > 0 else { return }
                    filled += part
                }
            }
            return bytes.count == count ? bytes : nil
        }

        /// - Returns: whether all of it has gone.
        package func write(_ bytes: some ContiguousBytes) -> Bool { ScriptedServer.send(bytes, descriptor) }
    }

    package enum Event: Sendable, Hashable {
        case accepted(Int)
        /// What a step of the connection has read.
        case read(Int, Data)
        /// A step of the connection has sent this.
        case sent(Int, Data)
        /// The client has closed the connection, or reset it.
        case clientClosed(Int)
    }

    private struct State {
        var events: [Event] = []
        var permits = 0
        var isStopped = false
        var sockets: Set<Int32> = []
    }

    package let port: UInt16
    private let socket: ListeningSocket
    private let state = Mutex(State())
    private let changed = Condition()

    package init(_ scripts: [[Step]], at address: ListeningSocket.Address = .ipv4) throws {
        socket = try ListeningSocket(address)
        port = socket.port
        Thread.detachNewThread { [weak self, socket] in
            var number = 0
            while true {
                guard let connection = socket.accept() else { return }
                guard let self, self.keep(connection) else {
                    Glibc.close(connection)
                    return
                }
                let script = number < scripts.count ? scripts[number] : [.close]
                Thread.detachNewThread { [number] in self.play(script, on: connection, number: number) }
                number += 1
            }
        }
    }

    deinit {
        stop()
    }

    package func stop() {
        // Wakes `accept` and `read`; the threads close what is theirs.
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            // Under the lock: whoever takes itself off the list closes its descriptor then, and another server may get that number.
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        changed.broadcast()
    }

    /// Lets one ``Step/await`` go on.
    package func proceed() {
        state.withLock { $0.permits += 1 }
        changed.broadcast()
    }

    package var events: [Event] { state.withLock { $0.events } }

    /// The bytes that a connection has read, all steps together.
    package func received(by connection: Int) -> Data {
        events.reduce(into: Data()) { data, event in
            if case .read(connection, let bytes) = event { data += bytes }
        }
    }

    /// Returns when the event has happened; `false` when it did not in time.
    package func waitFor(_ event: Event, seconds: Double = 20) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(returning: waits(for: event, seconds: seconds))
            }
        }
    }

    /// The same for a thread that may be held up.
    package func waits(for event: Event, seconds: Double = 20) -> Bool {
        changed.wait(seconds: seconds) { self.events.contains(event) }
    }

    // MARK: A connection

    private func keep(_ connection: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.sockets.insert(connection)
            return true
        }
    }

    private func note(_ event: Event) {
        state.withLock { $0.events.append(event) }
        changed.broadcast()
    }

    private func play(_ script: [Step], on connection: Int32, number: Int) {
        note(.accepted(number))
        var isOpen = true
        for step in script where isOpen {
            switch step {
            case .readHead: isOpen = read(connection, number) { $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }
            case .read(let count): isOpen = read(connection, number, count: count)
            case .readContent: isOpen = read(connection, number, count: contentLength(number))
            case .relay(let port):
                relay(connection, to: port)
                isOpen = false
            case .readToEnd: isOpen = read(connection, number, keeps: false) { _ in false }
            case .send(let text): send(Data(text.utf8), connection, by: number)
            case .sendBytes(let data): send(data, connection, by: number)
            case .await: awaitPermit()
            case .pause(let duration): usleep(UInt32(duration / .microseconds(1)))
            case .converse(let talk):
                var one: Int32 = 1
                setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
                talk(Wire(descriptor: connection))
            case .close: isOpen = false
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                isOpen = false
            }
        }
        state.withLock { _ = $0.sockets.remove(connection) }
        Glibc.close(connection)
    }

    /// Reads byte by byte, so that nothing beyond the step is taken.
    private func read(_ connection: Int32, _ number: Int, keeps: Bool = true, until isDone: (Data) -> Bool) -> Bool {
        var data = Data()
        var byte: UInt8 = 0
        while !isDone(data) {
            guard Glibc.read(connection, &byte, 1) == 1 else {
                if !data.isEmpty { note(.read(number, data)) }
                note(.clientClosed(number))
                return false
            }
            if keeps { data.append(byte) }
        }
        if !data.isEmpty { note(.read(number, data)) }
        return true
    }

    private func read(_ connection: Int32, _ number: Int, count: Int) -> Bool {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let part = data.withUnsafeMutableBytes { Glibc.read(connection, $0.baseAddress.map { $0 + filled }, count - filled) }
            guard part > 0 else { break }
            filled += part
        }
        note(.read(number, data.prefix(filled)))
        if filled < count { note(.clientClosed(number)) }
        return filled == count
    }

    private func relay(_ connection: Int32, to port: UInt16) {
        guard let other = ListeningSocket.connected(to: port) else { return }
        defer { Glibc.close(other) }
        var waiting = [connection, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while poll(&waiting, 2, -1) > 0 || errno == EINTR {
            for (index, entry) in waiting.enumerated() where entry.revents != 0 {
                let count = Glibc.read(entry.fd, &buffer, buffer.count)
                guard count > 0 else { return }
                Self.send(buffer[..<count], waiting[1 - index].fd)
            }
        }
    }

    private func contentLength(_ number: Int) -> Int {
        let head = String(decoding: received(by: number), as: UTF8.self).lowercased()
        let line = head.components(separatedBy: "\r\n").last { $0.hasPrefix("content-length:") }
        return line.flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
    }

    private func send(_ data: Data, _ connection: Int32, by number: Int) {
        Self.send(data, connection)
        note(.sent(number, data))
    }

    /// - Returns: whether all of it has gone.
    @discardableResult
    private static func send(_ data: some ContiguousBytes, _ connection: Int32) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var rest = Slice(base: bytes, bounds: 0..<bytes.count)
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(connection, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    private func awaitPermit() {
        _ = changed.wait(seconds: 20) {
            self.state.withLock { state in
                if state.isStopped { return true }
                guard state.permits > 0 else { return false }
                state.permits -= 1
                return true
            }
        }
    }
}

/// What threads wait on for a change of somebody else's state.
private final class Condition: Sendable {
    private let condition = NSCondition()

    func broadcast() {
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    func wait(seconds: Double, until isTrue: () -> Bool) -> Bool {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isTrue() {
            guard condition.wait(until: limit) else { return isTrue() }
        }
        return true
    }
}
