package import Foundation
import Glibc
import Synchronization

/// A server that gives one prepared answer after another, whatever it is asked and over however many connections, and keeps every
/// request as it came.
///
/// It reads bodies with `Content-Length` and in chunks, says `100 Continue` to who waits for it, and keeps a connection open where the
/// answer says how long it is.
package final class AnsweringServer: LocalServer, Sendable {
    package struct Request: Hashable, Sendable {
        package var head: Data
        /// Without the framing of chunks.
        package var body: Data
    }

    package let port: UInt16
    private let socket: ListeningSocket
    private let state: Mutex<State>

    private struct State {
        var answers: ArraySlice<Data>
        var requests: [Request] = []
        var connections: Set<Int32> = []
        var isStopped = false
    }

    /// - Parameter answers: made when the port is known. A request for which there is none left gets no answer.
    package init(_ answers: (UInt16) -> [Data]) throws {
        socket = try ListeningSocket(.ipv4)
        port = socket.port
        state = Mutex(State(answers: answers(socket.port)[...]))
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

    deinit { stop() }

    package var requests: [Request] { state.withLock { $0.requests } }

    package func stop() {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        state.withLock { state in
            state.isStopped = true
            // Under the lock: whoever takes itself off the list closes its descriptor then, and another server may get that number.
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }

    private func keep(_ connection: Int32) -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            state.connections.insert(connection)
            return true
        }
    }

    // MARK: A connection

    private func serve(_ connection: Int32) {
        var input = Input(connection)
        while let request = input.request() {
            let (answer, isLast) = state.withLock { state in
                state.requests.append(request)
                return (state.answers.popFirst(), state.answers.isEmpty)
            }
            guard let answer else { break }
            Self.send(answer, connection)
            // Behind the last one nobody waits for more of it, whatever it says of its length.
            if isLast || !Self.keepsOpen(answer) { break }
        }
        // Whoever still sends gets no reset, which would take our answer with it.
        shutdown(connection, Int32(SHUT_WR))
        input.drain()
        state.withLock { _ = $0.connections.remove(connection) }
        Glibc.close(connection)
    }

    private static func keepsOpen(_ answer: Data) -> Bool {
        let text = String(decoding: answer, as: Unicode.ASCII.self).lowercased()
        if text.contains("connection: close") { return false }
        return text.contains("content-length:") || text.contains("chunked") || text.contains(" 204 ") || text.contains(" 304 ")
    }

    fileprivate static func send(_ data: Data, _ connection: Int32) {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(connection, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// What a connection brings, request by request.
    private struct Input {
        let connection: Int32
        private var buffer = Data()

        init(_ connection: Int32) {
            self.connection = connection
        }

        mutating func request() -> Request? {
            guard let head = take(through: Data("\r\n\r\n".utf8)) else { return nil }
            let lines = String(decoding: head, as: UTF8.self).lowercased().components(separatedBy: "\r\n")
            func value(_ name: String) -> Substring? {
                lines.first { $0.hasPrefix(name + ":") }.map { $0.dropFirst(name.count + 1).drop { $0 == " " } }
            }
            if value("expect") == "100-continue" {
                AnsweringServer.send(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8), connection)
            }
            var body = Data()
            if value("transfer-encoding") == "chunked" {
                while let line = take(through: Data("\r\n".utf8)),
                    let count = Int(String(decoding: line, as: UTF8.self).prefix { $0.isHexDigit }, radix: 16)
                {
                    guard let chunk = take(count + 2) else { return nil }
                    if count == 0 { break }
                    body += chunk.dropLast(2)
                }
            } else if let length = value("content-length").flatMap({ Int($0) }) {
                guard let content = take(length) else { return nil }
                body = content
            }
            return Request(head: head, body: body)
        }

        private mutating func take(through end: Data) -> Data? {
            while true {
                if let range = buffer.firstRange(of: end) {
                    return take(buffer.distance(from: buffer.startIndex, to: range.upperBound))
                }
                guard fill() else { return nil }
            }
        }

        private mutating func take(_ count: Int) -> Data? {
            while buffer.count < count { guard fill() else { return nil } }
            defer { buffer = Data(buffer.dropFirst(count)) }
            return Data(buffer.prefix(count))
        }

        private mutating func fill() -> Bool {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(connection, &bytes, bytes.count)
            guard count > 0 else { return false }
            buffer.append(contentsOf: bytes[..<count])
            return true
        }

        mutating func drain() {
            while fill() { buffer = Data() }
        }
    }
}
