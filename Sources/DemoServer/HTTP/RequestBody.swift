import FlyingSocks

/// The body of one request, read as it arrives; never more of it is kept than one read.
final class RequestBody {
    /// An unread rest up to here is read and dropped to keep the connection.
    static let drainLimit = 1 << 20

    private let connection: Connection
    private var framing: Framing
    /// What the client waits for before it sends the body (RFC 9110, section 10.1.1).
    private var owesContinue: Bool
    /// Chunks of a chunked body so far.
    private(set) var chunkCount = 0

    private enum Framing {
        case length(Int)
        /// Bytes left of the chunk that is being read.
        case chunked(Int)
        case ended
    }

    init(head: RequestHead, connection: Connection) throws(ProtocolError) {
        self.connection = connection
        owesContinue = head.version == "1.1" && head["expect"]?.equalsIgnoringCase("100-continue") == true
        // RFC 9112, section 6.3.
        if let coding = head["transfer-encoding"] {
            guard coding.equalsIgnoringCase("chunked") else {
                throw .malformed("Of transfer codings this server knows chunked only, not \(coding).")
            }
            guard head["content-length"] == nil else {
                throw .malformed("A request has Content-Length or Transfer-Encoding, not both.")
            }
            framing = .chunked(0)
        } else if let text = head["content-length"] {
            guard let length = Int(text), length >= 0, Set(head.values(of: "content-length")).count == 1 else {
                throw .malformed("Content-Length is not one number: \(text)")
            }
            framing = length == 0 ? .ended : .length(length)
        } else {
            framing = .ended
        }
    }

    /// What is left, if the client said how much.
    var expectedCount: Int? {
        switch framing {
        case .length(let rest): rest
        case .chunked: nil
        case .ended: 0
        }
    }

    var hasEnded: Bool {
        if case .ended = framing { true } else { false }
    }

    /// The client waits for a word before it sends anything; an answer without that word means that we don't want the body.
    var isUnwanted: Bool { owesContinue && !hasEnded }

    /// The next bytes, at least one; `nil` at the end.
    func next() async throws -> ArraySlice<UInt8>? {
        if isUnwanted {
            owesContinue = false
            try await connection.write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        switch framing {
        case .ended:
            return nil
        case .length(let rest):
            guard let bytes = try await connection.read(atMost: min(rest, 1 << 16)) else { throw SocketError.disconnected }
            framing = rest == bytes.count ? .ended : .length(rest - bytes.count)
            return bytes
        case .chunked(0):
            return try await startChunk() ? try await next() : nil
        case .chunked(let rest):
            guard let bytes = try await connection.read(atMost: min(rest, 1 << 16)) else { throw SocketError.disconnected }
            framing = .chunked(rest - bytes.count)
            if rest == bytes.count { _ = try await line() }
            return bytes
        }
    }

    /// All of it, if it isn't longer than `limit`.
    func collect(limit: Int) async throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await next() {
            all += bytes
            guard all.count <= limit else { throw Refusal(status: 413, "This route takes at most \(limit) bytes.") }
        }
        return all
    }

    /// Reads and drops the rest, so that the next request can be read.
    ///
    /// - Returns: whether the end was reached within ``drainLimit`` bytes.
    func drain() async throws -> Bool {
        var count = 0
        while count < Self.drainLimit, let bytes = try await next() { count += bytes.count }
        return hasEnded
    }

    /// Reads the line before a chunk.
    ///
    /// - Returns: false when it was the last one, trailers read and dropped.
    private func startChunk() async throws -> Bool {
        let size = try await line().prefix { $0 != ";" }
        guard let count = Int(size.trimmed, radix: 16), count >= 0 else {
            throw ProtocolError.malformed("A chunk starts with its size in hexadecimal, not: \(size)")
        }
        guard count == 0 else {
            chunkCount += 1
            framing = .chunked(count)
            return true
        }
        while try await !line().isEmpty {}
        framing = .ended
        return false
    }

    private func line() async throws -> String {
        guard let bytes = try await connection.read(through: [13, 10], limit: 1 << 14) else { throw SocketError.disconnected }
        return String(decoding: bytes.dropLast(2), as: UTF8.self)
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self).trimmed }
}
