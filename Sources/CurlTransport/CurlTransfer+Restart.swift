import CCurl
import NetworkLayer

/// What libcurl remarks on HTTP/2, and requests that begin anew because of it.
extension CurlTransfer {
    /// Why a request begins anew, with a handle and a connection of its own.
    enum Restart {
        /// The connection had so many bytes to read that belong to no answer; 0: it had ended.
        case leftover(bytes: Int)
        /// Another request was under way on it, and it can carry one at a time.
        case taken
        /// The HTTP/2 connection ended under the request.
        case dropped
    }

    /// How often a request begins anew; libcurl's own limit for connections that die is the same.
    private static let restartLimit = 5

    /// libcurl tells these things in its remarks only: it has no call for the number of a stream, for what a GOAWAY said, or for bytes behind an
    /// answer, and over TLS nobody else sees the frames. What it words in another way isn't known, and then nothing that isn't
    /// idempotent is sent twice.
    ///
    ///   number of the stream    `Using Stream ID: 3 (` up to 8.2, `[HTTP/2] [3] OPENED stream for` from then on
    ///   end of the connection   `received GOAWAY, error=0, last_stream=9`, spelled `recveived` in 7.88
    ///   refused stream          `REFUSED_STREAM, retrying`, `HTTP/2 stream 3 refused by server`
    ///   HTTP/1.1 wanted         `Downgrades to HTTP/1.1` (HTTP_1_1_REQUIRED of RFC 9113, section 7)
    ///   bytes behind an answer  `Excess found: excess = 7`, `Leftovers after chunking: 7 bytes`
    ///   stream that has ended   `stream 1 closed`, up to 8.0 when it was to send more after the whole answer was there
    func noteRemark(_ bytes: UnsafeRawBufferPointer) {
        // Remarks that come between two connections belong to neither.
        guard let first = bytes.first, !connection.isResending || first == UInt8(ascii: "R") else { return }
        switch first {
        case UInt8(ascii: "U"):
            if let stream = Self.number(after: "Using Stream ID: ", in: bytes) { opens(stream) }
        case UInt8(ascii: "["):
            guard connection.stream == nil, Self.contains("] OPENED stream", bytes),
                let stream = Self.number(after: "[HTTP/2] [", in: bytes)
            else { return }
            opens(stream)
        case UInt8(ascii: "r"):
            guard let way = connection.way, let error = Self.number(after: "GOAWAY, error=", in: bytes),
                let last = Self.number(after: "last_stream=", in: bytes)
            else { return }
            if error == 0 { loop.end(way, after: last) } else { loop.breakOff(way, with: error) }
        case UInt8(ascii: "R"), UInt8(ascii: "H"):
            if Self.contains("REFUSED_STREAM, retrying", bytes) || Self.contains(" refused by server", bytes) {
                connection.isRefused = true
            }
        case UInt8(ascii: "D"):
            if Self.contains("Downgrades to HTTP/1.1", bytes) {
                connection.isRefused = true
                needsHTTP1 = true
            }
        case UInt8(ascii: "E"), UInt8(ascii: "L"):
            if Self.contains("Excess found", bytes) || Self.contains("Leftovers after", bytes) { connection.way?.isDoomed = true }
        case UInt8(ascii: "s"):
            if Self.contains(" closed", bytes), let stream = Self.number(after: "stream ", in: bytes), stream == connection.stream {
                connection.isStreamOver = true
            }
        default: break
        }
    }

    private func opens(_ stream: Int) {
        connection.stream = stream
        if let last = connection.way?.lastStream, stream > last { connection.isRefused = true }
    }

    private static func contains(_ words: String, _ bytes: UnsafeRawBufferPointer) -> Bool {
        String(decoding: bytes, as: UTF8.self).contains(words)
    }

    private static func number(after words: String, in bytes: UnsafeRawBufferPointer) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let range = text.firstRange(of: words) else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }

    var mayRestart: Bool { restarts < Self.restartLimit }

    /// Whether the request begins anew instead of ending with libcurl's code: it goes over another connection then, without a word of
    /// an answer so far.
    func beginsAnew(after code: CURLcode) -> Bool {
        guard !isCancelled, abortError == nil, response.headBytes == 0, mayRestart else { return false }
        if restart != nil { return true }
        switch code {
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_GOT_NOTHING:
            break
        default: return false
        }
        guard let info = connection.info, info.isMultiplexed, mayResend else { return false }
        // A new connection that dies at once, without a word, wouldn't fare better the next time.
        return info.isReused || info.httpVersion == "HTTP/2" && connection.stream != 1 || connection.isRefused
    }

    /// Forgets everything but the request. Its body has not begun, or begins again: ``mayResend`` knows.
    func beginAnew() {
        let reason = restart.take() ?? .dropped
        connection = ConnectionState()
        timeline.startAgain()
        response = ResponseState()
        upload.startAgain()
        isSendingPaused = false
        isReceivingPaused = false
        _ = upload.source.rewind()
        switch reason {
        // Nothing had been sent, and the server's closing of the connection needs no report.
        case .leftover(0): break
        case .leftover(let bytes): emit(.leftoverDropped(bytes: bytes))
        case .taken: needsNewConnection = true
        case .dropped: emit(.resent)
        }
        restarts += 1
        // The second time no other request may be in the way.
        if restarts > 1 || needsHTTP1 { needsNewConnection = true }
    }
}
