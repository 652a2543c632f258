import DemoServer
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A client that sends exactly the bytes it is given and keeps exactly those that come back.
enum RawClient {
    enum Ending: Hashable, Sendable {
        /// The server closed in order.
        case closed
        /// The server reset the connection.
        case reset
        /// Nothing came for as long as ``silence`` says.
        case silent
    }

    struct Received: Hashable, Sendable {
        var bytes: [UInt8]
        var ending: Ending

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    struct Failure: Error {
        var call: String
        var number: Int32
    }

    /// Sends `bytes`, then reads to the end.
    ///
    /// It blocks, so it does so on a thread of its own: tasks and the global queues share the threads that the server needs.
    ///
    /// - Parameters:
    ///   - silence: seconds without a byte after which we give up.
    ///   - end: what must have come before a shorter silence counts, on however busy a machine.
    ///   - hasSent: hears when the bytes are on their way.
    static func exchange(
        _ bytes: [UInt8], port: UInt16, silence: Int = patience, after end: String = "", halfCloses: Bool = false,
        hasSent: @escaping @Sendable () -> Void = {}
    ) async throws -> Received {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        try block(bytes, port: port, silence: silence, after: end, halfCloses: halfCloses, hasSent: hasSent)
                    })
            }
        }
    }

    static func exchange(
        _ text: String, port: UInt16, silence: Int = patience, after end: String = "", halfCloses: Bool = false,
        hasSent: @escaping @Sendable () -> Void = {}
    ) async throws -> Received {
        try await exchange(Array(text.utf8), port: port, silence: silence, after: end, halfCloses: halfCloses, hasSent: hasSent)
    }

    /// Seconds.
    static let patience = 20

    private static func limit(_ socket: Int32, to seconds: Int) {
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func block(
        _ bytes: [UInt8], port: UInt16, silence: Int, after end: String, halfCloses: Bool, hasSent: () -> Void
    ) throws -> Received {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        let socket = socket(AF_INET, type, 0)
        defer { close(socket) }
        limit(socket, to: end.isEmpty ? silence : max(silence, patience))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(call: "connect", number: errno) }

        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(socket, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { break }
            rest.removeFirst(sent)
        }
        hasSent()
        if halfCloses { shutdown(socket, Int32(SHUT_WR)) }

        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count > 0 {
                received += buffer[..<count]
                if !end.isEmpty, received.suffix(end.utf8.count).elementsEqual(end.utf8) { limit(socket, to: silence) }
            } else if count == 0 {
                return Received(bytes: received, ending: .closed)
            } else if errno == ECONNRESET || errno == EPIPE {
                return Received(bytes: received, ending: .reset)
            } else if errno == EAGAIN {
                return Received(bytes: received, ending: .silent)
            } else {
                throw Failure(call: "recv", number: errno)
            }
        }
    }
}

extension DemoServer {
    /// One request on a connection of its own, which is closed afterwards.
    func call(
        _ method: String = "GET", _ target: String, fields: [String] = [], body: [UInt8] = [], silence: Int = 20
    ) async throws -> RawResponse {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + fields
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        return try RawResponse(parsing: try await RawClient.exchange(head + body, port: port, silence: silence).bytes)
    }

    func exchange(
        _ request: String, silence: Int = RawClient.patience, after end: String = "", halfCloses: Bool = false
    ) async throws -> RawClient.Received {
        try await RawClient.exchange(request, port: port, silence: silence, after: end, halfCloses: halfCloses)
    }

    func call(_ method: String = "GET", _ target: String, fields: [String] = [], body: String) async throws -> RawResponse {
        try await call(method, target, fields: fields, body: Array(body.utf8))
    }
}

/// One response, taken apart strictly: what isn't framed right is an error.
struct RawResponse: Hashable {
    var status: Int
    var reason: String
    /// Names in small letters, in order.
    var fields: [[String]]
    var body: [UInt8]
    /// The sizes of the chunks, the last one left out.
    var chunks: [Int] = []
    var trailers: [[String]] = []
    /// What follows the response.
    var rest: [UInt8]

    struct Malformed: Error {
        var what: String
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? {
        fields.first { $0[0] == name }?[1]
    }

    func all(_ name: String) -> [String] {
        fields.filter { $0[0] == name }.map { $0[1] }
    }

    /// - Parameter isHead: the answer to HEAD, which has no body whatever its fields say.
    init(parsing bytes: [UInt8], isHead: Bool = false) throws {
        var reader = Reader(bytes: bytes)
        let first = try reader.line().split(separator: " ", maxSplits: 2)
        guard first.count >= 2, first[0] == "HTTP/1.1", let status = Int(first[1]) else { throw Malformed(what: "status line") }
        self.status = status
        reason = first.count > 2 ? String(first[2]) : ""
        fields = try reader.fields()
        body = []
        rest = []
        if isHead || status < 200 || status == 204 || status == 304 {
            rest = Array(reader.bytes[reader.position...])
            return
        }
        if self["transfer-encoding"] == "chunked" {
            while let size = Int(try reader.line(), radix: 16), size > 0 {
                chunks.append(size)
                body += try reader.take(size)
                guard try reader.line().isEmpty else { throw Malformed(what: "end of a chunk") }
            }
            trailers = try reader.fields()
        } else if let length = self["content-length"].flatMap(Int.init) {
            body = try reader.take(length)
        } else {
            body = try reader.take(reader.bytes.count - reader.position)
        }
        rest = Array(reader.bytes[reader.position...])
    }

    private struct Reader {
        var bytes: [UInt8]
        var position = 0

        mutating func take(_ count: Int) throws -> [UInt8] {
            guard position + count <= bytes.count else { throw Malformed(what: "\(bytes.count - position) bytes of \(count)") }
            defer { position += count }
            return Array(bytes[position..<position + count])
        }

        mutating func line() throws -> String {
            guard let end = bytes[position...].firstIndex(of: 10), end > position, bytes[end - 1] == 13 else {
                throw Malformed(what: "line without an end at \(position)")
            }
            defer { position = end + 1 }
            return String(decoding: bytes[position..<end - 1], as: UTF8.self)
        }

        mutating func fields() throws -> [[String]] {
            var fields: [[String]] = []
            while true {
                let line = try line()
                if line.isEmpty { return fields }
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2 else { throw Malformed(what: line) }
                fields.append([parts[0].lowercased(), String(parts[1].drop { $0 == " " })])
            }
        }
    }
}
