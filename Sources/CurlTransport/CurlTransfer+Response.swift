import Base
import CCurl
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    struct ResponseState {
        enum Part { case nothing, head, body }

        var part = Part.nothing
        /// All heads, interim ones and trailers included.
        var headBytes: Int64 = 0
        /// The fields of all heads and trailers; libcurl counts them like this since 8.13, and takes as many.
        var fields = 0
        /// Whether the body comes in chunks (RFC 9112, section 7.1).
        var isChunked = false
        var head: ResponseHead?
        /// A 401, 407 or 417 that libcurl may yet answer itself.
        var heldHead: ResponseHead?
        /// The status of the last interim answer.
        var interim: Int?
        var expected: Int64?
        /// Where the body is coded.
        var decoder: ContentDecoder?
        var decoded: Int64 = 0
        var received: Int64 = 0
        var trailers: [TransferResult.HeaderLine] = []

        // A piece of the body that hasn't been handed out yet.
        var chunk: UnsafeMutableRawPointer?
        var chunkCount = 0
        var chunkCapacity = 0

        /// Takes note of a line: what it is part of, and how much there is now.
        mutating func count(_ line: UnsafeRawBufferPointer) -> (part: Part, fields: Int, headBytes: Int64) {
            headBytes += Int64(line.count)
            // A status line and the empty one are no fields.
            if part == .nothing { part = .head } else if !CurlTransfer.isEmptyLine(line) { fields += 1 }
            return (part, fields, headBytes)
        }
    }

    // MARK: Head

    /// One line of a head, its end included, or of the trailers.
    ///
    /// - Returns: whether the transfer goes on.
    func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isCancelled { return false }
        let (part, fields, headBytes) = response.count(bytes)
        if headBytes == bytes.count { timeline.firstByte = .now }
        guard fields <= HTTPFields.limit else { return refuseLines() }
        // After a head that isn't interim only trailers follow (RFC 9110, section 6.5).
        if part == .body { return receiveTrailer(bytes) }
        // Interim heads, however short, have an end, too.
        let limit = request.limits.headerBytes
        guard let handle, handle.head.count + bytes.count <= limit, headBytes <= Int64(limit) * 2 else {
            return refuseHead()
        }
        handle.head.append(bytes)
        return Self.isEmptyLine(bytes) ? finishHead(handle) : true
    }

    private func finishHead(_ handle: CurlEasyHandle) -> Bool {
        let head = ResponseHead(parsing: handle.head.bytes, names: loop.fieldNames)
        handle.head.removeAll()
        isUpgraded = request.options.wire.upgrades && head.status == .switchingProtocols
        if isUpgraded { return beginSession(head) }
        if (100..<200).contains(head.status.code) {
            // The next status line begins another head (ENG-9).
            response.part = .nothing
            response.interim = head.status.code
            emit(.informational(head))
            return true
        }
        // There will be no session that could send anything.
        if request.options.wire.upgrades { loop.post(.wakeUpload(self)) }
        guard noteFraming(head) else { return false }
        if mayHideExcess(head) { handle.setShowsSentBytes(true) }
        response.part = .body
        response.head = head
        if !upload.isSent, connection.isMultiplexed { loop.noteEarlyAnswer(self) }
        if mayBeAnswered(head.status.code) {
            response.heldHead = head
        } else {
            emit(.head(head))
        }
        return true
    }

    /// What follows the head belongs to another protocol, up to the end of the connection. From now on the request has a body.
    private func beginSession(_ head: ResponseHead) -> Bool {
        response.part = .body
        response.head = head
        emit(.head(head))
        loop.sessions.append(self)
        return true
    }

    /// How the end of the body is found (RFC 9112, section 6.3). Transfer-Encoding overrides Content-Length, whatever that says.
    /// Without it, an invalid Content-Length, or two that differ, make the response one that must be discarded.
    ///
    /// One pass over the fields: looking each up by name makes a string of its values.
    private func noteFraming(_ head: ResponseHead) -> Bool {
        var length: ContentLength?
        var isTransferEncoded = false
        var codings: [String] = []
        for field in head.headers {
            switch field.name {
            case .contentLength: length = ContentLength(field.value, after: length)
            case .transferEncoding: isTransferEncoded = true
            case .contentEncoding: codings.append(field.value)
            default: break
            }
        }
        response.isChunked = isTransferEncoded
        if request.options.acceptsCompression, !request.options.wire.isRaw, !codings.isEmpty {
            response.decoder = ContentDecoder(codings)
        }
        guard !isTransferEncoded, !request.options.wire.ignoresLength, request.request.method != .head,
            ![204, 304].contains(head.status.code)
        else { return true }
        switch length {
        case nil: break
        case .bytes(let count): response.expected = count
        case .invalid:
            abort(.contentLengthInvalid(from: target.text))
            return false
        }
        return true
    }

    /// Whether libcurl may swallow what a server sends behind its answer, together with its end, and use the connection again: behind a
    /// body of chunks, or where none has room (seen up to 8.6). It remarks on it then.
    private func mayHideExcess(_ head: ResponseHead) -> Bool {
        guard !connection.isMultiplexed else { return false }
        return request.request.method == .head || [204, 304].contains(head.status.code) || (response.expected ?? 0) == 0
    }

    private func receiveTrailer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard response.headBytes <= Int64(request.limits.headerBytes) * 2 else { return refuseHead() }
        var lines = HeaderLines(bytes)
        if let line = lines.next(), let field = HeaderLines.split(line) {
            response.trailers.append(
                .init(name: String(decoding: field.name, as: UTF8.self), value: HeaderLines.text(field.value)))
        }
        return true
    }

    private func refuseHead() -> Bool {
        abort(.limitExceeded("The head of the answer is longer than \(Self.text(request.limits.headerBytes)).", phase: .response))
        return false
    }

    private func refuseLines() -> Bool {
        abort(.tooManyFields(from: target.text))
        return false
    }

    private static func text(_ bytes: Int) -> String {
        bytes > 0 && bytes % 1024 == 0 ? "\(bytes / 1024) KiB" : "\(bytes) bytes"
    }

    static func isEmptyLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch bytes.count {
        case 1: bytes[0] == 0x0a
        case 2: bytes[0] == 0x0d && bytes[1] == 0x0a
        default: false
        }
    }

    // MARK: Body

    /// The largest piece that is handed out, and the first size of one when the length isn't known.
    private static let chunkLimit = 120 << 10
    private static let firstChunk = 16 << 10

    /// libcurl hands a body out in pieces of at most 16 KiB. They are put together until libcurl has no more for the moment, so
    /// that a large body comes in few events.
    ///
    /// - Returns: the number of bytes taken; anything else ends, or pauses, the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if isCancelled { return 0 }
        releaseHeldHead()
        if isPauseWanted {
            isReceivingPaused = true
            return turnstone_curl_write_pause
        }
        guard !bytes.isEmpty else { return 0 }
        if !upload.isSent { upload.lastProgress = .now }
        response.received += Int64(bytes.count)
        guard let decoder = response.decoder else { return take(bytes) ? bytes.count : 0 }
        do throws(ContentDecoder.Failure) {
            return try decoder.decode(bytes, take) ? bytes.count : 0
        } catch {
            abort(.undecodable(from: target.text, error.text))
            return 0
        }
    }

    /// - Returns: whether more may come.
    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        response.decoded += Int64(bytes.count)
        if let limit = request.limits.bodyBytes, response.decoded > limit {
            abort(.bodyTooLong("The body from \(target.text) is longer than \(limit) bytes, decoded"))
            return false
        }
        if response.decoder != nil, let ratio = request.limits.decodedRatio, response.decoded > ratio.beyond,
            !ratio.allows(response.decoded, of: response.received)
        {
            abort(
                .bodyTooLong(
                    "The body from \(target.text) is longer than \(ratio.beyond) bytes, decoded, and \(ratio.times) times as long as it came"
                ))
            return false
        }
        if response.chunkCapacity - response.chunkCount < bytes.count {
            let isFull = response.chunk != nil
            flushBody()
            makeChunk(for: bytes.count, isFull: isFull)
        }
        guard let chunk = response.chunk else { return false }
        memcpy(chunk + response.chunkCount, base, bytes.count)
        response.chunkCount += bytes.count
        return true
    }

    private func makeChunk(for count: Int, isFull: Bool) {
        let wanted: Int
        if let expected = response.expected, response.decoder == nil {
            wanted = Int(clamping: expected - (response.decoded - Int64(count)))
        } else {
            wanted = isFull ? Self.chunkLimit : Self.firstChunk
        }
        response.chunkCapacity = max(count, min(wanted, Self.chunkLimit))
        response.chunk = malloc(response.chunkCapacity)
        loop.noteUnflushedBody(self)
    }

    /// Hands out what has come together.
    func flushBody() {
        guard var chunk = response.chunk else { return }
        let count = response.chunkCount
        if count < response.chunkCapacity / 2 { chunk = realloc(chunk, count) ?? chunk }
        response.chunk = nil
        response.chunkCount = 0
        response.chunkCapacity = 0
        let data = Data(bytesNoCopy: chunk, count: count, deallocator: .free)
        emit(.body(data, received: response.received, expected: response.expected))
    }
}
