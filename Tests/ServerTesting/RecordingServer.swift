import Foundation
import Glibc
import Synchronization

/// A server that keeps every request as it came over the wire, and answers each with its number, over connections that it keeps.
package final class RecordingServer: LocalServer, Sendable {
    private struct State {
        var requests: [Data] = []
        var sockets: Set<Int32> = []
        var isStopped = false
    }

    package let port: UInt16
    private let socket: ListeningSocket
    private let state = Mutex(State())

    package init() throws {
        socket = try ListeningSocket()
        port = socket.port
        Thread.detachNewThread { [weak self, socket] in
            while let connection = socket.accept() {
                guard let self, self.keep(connection) else {
                    Glibc.close(connection)
                    return
                }
                Thread.detachNewThread { self.serve(connection) }
            }
        }
    }

    deinit {
        stop()
    }

    package func stop() {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            // Under the lock: whoever takes itself off the list closes its descriptor then, and another server may get that number.
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// In the order in which they came: heads with their bodies, framing included.
    package var requests: [String] { state.withLock { $0.requests.map { String(decoding: $0, as: UTF8.self) } } }

    private func keep(_ connection: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.sockets.insert(connection)
            return true
        }
    }

    private func serve(_ connection: Int32) {
        var buffer = Data()
        while let request = readRequest(connection, &buffer) {
            let number = state.withLock { state in
                state.requests.append(request)
                return String(state.requests.count)
            }
            let isHead = request.starts(with: Data("HEAD ".utf8))
            send("HTTP/1.1 200 OK\r\nContent-Length: \(number.utf8.count)\r\n\r\n\(isHead ? "" : number)", connection)
        }
        state.withLock { _ = $0.sockets.remove(connection) }
        Glibc.close(connection)
    }

    private func readRequest(_ connection: Int32, _ buffer: inout Data) -> Data? {
        guard let end = read(connection, &buffer, through: Data("\r\n\r\n".utf8), from: 0) else { return nil }
        let head = String(decoding: buffer[..<end], as: UTF8.self).lowercased()
        func field(_ name: String) -> String? {
            head.components(separatedBy: "\r\n").first { $0.hasPrefix(name + ":") }?.dropFirst(name.count + 1)
                .trimmingCharacters(in: .whitespaces)
        }
        if field("expect") == "100-continue" { send("HTTP/1.1 100 Continue\r\n\r\n", connection) }
        var total = end
        if field("transfer-encoding") == "chunked" {
            guard let last = read(connection, &buffer, through: Data("0\r\n\r\n".utf8), from: end) else { return nil }
            total = last
        } else if let length = field("content-length").flatMap({ Int($0) }) {
            total += length
            while buffer.count < total { guard fill(connection, &buffer) else { return nil } }
        }
        let request = Data(buffer[..<total])
        buffer = Data(buffer[total...])
        return request
    }

    /// - Returns: where the pattern ends.
    private func read(_ connection: Int32, _ buffer: inout Data, through pattern: Data, from start: Int) -> Int? {
        while true {
            if let range = buffer.range(of: pattern, in: start..<buffer.count) { return range.upperBound }
            guard fill(connection, &buffer) else { return nil }
        }
    }

    private func fill(_ connection: Int32, _ buffer: inout Data) -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(connection, &piece, piece.count)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }

    private func send(_ text: String, _ connection: Int32) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
