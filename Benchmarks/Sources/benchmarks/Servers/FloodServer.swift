import Foundation
import Glibc
import Synchronization

/// Sends a chunk each millisecond until the client goes away, and knows when that was.
final class FloodServer: Sendable {
    let port: UInt16
    private let state = Mutex(State())

    private struct State {
        var opened = 0
        /// When each connection that is over was seen to be.
        var closed: [ContinuousClock.Instant] = []
    }

    init() throws {
        let (listener, port) = try listenOnLoopback()
        self.port = port
        Thread.detachNewThread { [weak self] in
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0, let self else { continue }
                self.state.withLock { $0.opened += 1 }
                Thread.detachNewThread { self.serve(socket) }
            }
        }
    }

    var openedCount: Int { state.withLock { $0.opened } }
    var closed: [ContinuousClock.Instant] { state.withLock { $0.closed } }

    private func serve(_ socket: Int32) {
        var one: Int32 = 1
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        // One small read has the whole of a request without a body.
        _ = recv(socket, &buffer, buffer.count, 0)
        send(socket, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n")
        var next = ContinuousClock.now
        while true {
            // A wait may take longer than its millisecond; what was missed is made up for.
            while next <= .now {
                send(socket, "10\r\nsixteen bytes..\n\r\n")
                next += .milliseconds(1)
            }
            // The wait ends early when the client closes.
            var poller = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&poller, 1, 1) > 0 else { continue }
            guard recv(socket, &buffer, buffer.count, 0) > 0 else { break }
        }
        state.withLock { $0.closed.append(.now) }
        close(socket)
    }

    private func send(_ socket: Int32, _ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
