import Base
import CCurl
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    struct UploadState {
        var source: RequestBodySource
        var expected: Int64? = 0
        /// Whether libcurl asks for the body piece by piece.
        var isInPieces = false
        var head = Data()
        var isHeadSent = false
        /// How long the thread had worked when the connection was ready.
        var readyOwnTime = MonotonicTime.zero
        /// When the head went out, if it did in one write, which took the beginning of a short body with it.
        var firstWrite: MonotonicTime?
        /// When libcurl last took something of the body.
        var lastProgress = MonotonicTime.zero
        /// Bytes of the body that are on the wire, as far as libcurl has shown them.
        var sent: Int64 = 0
        var isSent = false
        /// Made at the first read, and only once.
        var wake: (@Sendable () -> Void)?

        init(body: RequestBody) {
            source = RequestBodySource(body)
        }

        mutating func startAgain() {
            head = Data()
            isHeadSent = false
            firstWrite = nil
            sent = 0
            isSent = false
        }
    }

    // MARK: What libcurl asks for

    func readBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        if isCancelled { return turnstone_curl_read_abort }
        if request.options.wire.upgrades, response.head != nil, !isUpgraded { return 0 }
        let wake = upload.wake ?? { [weak self] in self.map { $0.loop.post(.wakeUpload($0)) } }
        upload.wake = wake
        do throws(NetworkError) {
            switch try upload.source.read(into: buffer, wake: wake) {
            case .bytes(let count): return count
            case .later:
                isSendingPaused = true
                return turnstone_curl_read_pause
            case .end:
                // HTTP/2 has no last chunk on the wire to wait for, and libcurl asks only when all before has gone.
                if connection.isMultiplexed { noteRequestSent(at: .now) }
                return 0
            }
        } catch {
            abort(error)
            return turnstone_curl_read_abort
        }
    }

    /// libcurl begins the body again: it wants to re-send.
    func rewindBody() -> Bool {
        guard upload.source.count == 0 || mayResend else {
            refuseResend()
            return false
        }
        return upload.source.rewind()
    }

    // MARK: What libcurl shows

    /// libcurl shows a head after the write that took it. A write to a server on this machine wakes it, and it may have
    /// answered before our thread runs on; so for what goes out with the first write only the time that our thread worked since
    /// the connection was ready counts as sending.
    func noteHeadSent(_ bytes: UnsafeRawBufferPointer) {
        guard !upload.isHeadSent, let base = bytes.baseAddress else { return }
        let isFirstWrite = upload.head.isEmpty
        upload.head.append(base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        guard upload.head.withUnsafeBytes({ $0.suffix(4).elementsEqual("\r\n\r\n".utf8) }) else { return }
        upload.isHeadSent = true
        let time = isFirstWrite ? workedSinceReady() : .now
        upload.firstWrite = isFirstWrite && sendsBodyWithHead ? time : nil
        emit(.requestHeadSent(upload.head), at: time)
        // What a request for another protocol sends behind its head is no body of its own.
        if upload.expected == 0 || request.options.wire.upgrades { noteRequestSent(at: time) }
    }

    func noteBodySent(_ bytes: UnsafeRawBufferPointer) {
        guard !upload.isSent else { return }
        let now = upload.firstWrite ?? .now
        upload.firstWrite = nil
        upload.lastProgress = now
        if let expected = upload.expected {
            upload.sent = min(expected, upload.sent + Int64(bytes.count))
            emit(.uploadProgress(TransferProgress(bytes: upload.sent, expected: expected)), at: now)
            if upload.sent == expected { noteRequestSent(at: now) }
        } else {
            // Chunks come with their framing; what the source has handed out doesn't.
            upload.sent = upload.source.count
            emit(.uploadProgress(TransferProgress(bytes: upload.sent)), at: now)
            if upload.source.isAtEnd, bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) { noteRequestSent(at: now) }
        }
    }

    /// Whether the first write takes the beginning of the body with it: over HTTP/2, or when the server is asked first, another does.
    private var sendsBodyWithHead: Bool {
        guard upload.expected != 0, !upload.isInPieces, !connection.isMultiplexed else { return false }
        return !expectsContinue
    }

    /// Whether the server is asked before the body is sent.
    var expectsContinue: Bool { request.options.expectsContinue || request.request.headers[.expect] != nil }

    private func workedSinceReady() -> MonotonicTime {
        guard let ready = timeline.ready else { return .now }
        return min(.now, ready + (.ownThread - upload.readyOwnTime))
    }

    private func noteRequestSent(at time: MonotonicTime) {
        guard !upload.isSent else { return }
        upload.isSent = true
        timeline.sent = time
        // In HTTP/2, libcurl's remarks are wanted to the end; once an answer has begun, its head has decided.
        if connection.stream == nil, response.head == nil { handle?.setShowsSentBytes(false) }
        emit(.requestSent, at: time)
    }
}
