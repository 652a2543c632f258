import Base
import CCurl
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    /// What has arrived.
    struct ResponseState {
        enum Part { case nothing, head, body }

        var part = Part.nothing
        /// All heads, interim ones and trailers included.
        var headBytes: Int64 = 0
        /// The lines of the head that is coming, or of the trailers.
        var lines = 0
        var head: ResponseHead?
        /// A 401, 407 or 417 that libcurl may yet answer itself.
        var heldHead: ResponseHead?
        /// The status of the last interim answer.
        var interim: Int?
        var expected: Int64?
        /// Whether libcurl decodes the body.
        var isEncoded = false
        /// Whether there is a coding that libcurl doesn't know: then the body is handed out as it comes.
        var isCodingUnknown = false
        /// For a body of gzip alone.
        var gzipEnd: GzipEnd?
        /// After decoding.
        var decoded: Int64 = 0
        /// Before decoding, when last asked for.
        var received: Int64 = 0
        var trailers: [TransferResult.HeaderLine] = []

        // A piece of the body that hasn't been handed out yet.
        var chunk: UnsafeMutableRawPointer?
        var chunkCount = 0
        var chunkCapacity = 0

        /// Takes note of a line of so many bytes, its end included: what it is part of, and how much there is now.
        mutating func count(line bytes: Int) -> (part: Part, lines: Int, headBytes: Int64) {
            headBytes += Int64(bytes)
            lines += 1
            if part != .body { part = .head }
            return (part, lines, headBytes)
        }
    }

    // MARK: Head

    /// One line of a head, its end included, or of the trailers.
    ///
    /// - Returns: whether the transfer goes on.
    func receiveHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isCancelled { return false }
        let (part, lines, headBytes) = response.count(line: bytes.count)
        if headBytes == bytes.count { timeline.firstByte = .now }
        // The status line and the empty one are no fields.
        guard lines <= HTTPFields.limit + 2 else { return refuseLines() }
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
        response.lines = 0
        if (100..<200).contains(head.status.code) {
            // The next status line begins another head (ENG-9).
            response.part = .nothing
            response.interim = head.status.code
            emit(.informational(head))
            return true
        }
        guard noteFraming(head) else { return false }
        if response.isCodingUnknown { handle.leaveBodyCoded() }
        if response.gzipEnd != nil || mayHideExcess(head) { handle.setShowsSentBytes(true) }
        response.part = .body
        response.head = head
        if !upload.isSent, connection.info?.httpVersion == "HTTP/2" { loop.noteEarlyAnswer(self) }
        if mayBeAnswered(head.status.code) {
            response.heldHead = head
        } else {
            emit(.head(head))
        }
        return true
    }

    /// How the end of the body is found (RFC 9112, section 6.3). Transfer-Encoding overrides Content-Length, whatever that says.
    /// Without it, an invalid Content-Length, or two that differ, make the response one that must be discarded.
    ///
    /// One pass over the fields: looking each up by name makes a string of its values.
    private func noteFraming(_ head: ResponseHead) -> Bool {
        var length: ContentLength?
        var isTransferEncoded = false
        var codings = 0
        var isGzip = false
        for field in head.headers {
            switch field.name {
            case .contentLength: length = ContentLength(field.value, after: length)
            case .transferEncoding: isTransferEncoded = true
            case .contentEncoding where request.options.acceptsCompression && !request.options.wire.isRaw:
                if !CurlLibrary.current.decodes(field.value) { response.isCodingUnknown = true }
                response.isEncoded = !response.isCodingUnknown
                codings += 1
                isGzip = codings == 1 && ["gzip", "x-gzip"].contains(field.value.lowercased())
            default: break
            }
        }
        response.gzipEnd = isGzip && response.isEncoded ? GzipEnd(isChunked: isTransferEncoded) : nil
        guard !isTransferEncoded, !request.options.wire.ignoresLength, request.request.method != .head,
            ![204, 304].contains(head.status.code)
        else { return true }
        switch length {
        case nil: break
        case .bytes(let count): response.expected = count
        case .invalid:
            let values = head.headers[values: .contentLength].joined(separator: ", ")
            abort(.contentLengthInvalid(values, from: target.text))
            return false
        }
        return true
    }

    /// Whether libcurl may swallow what a server sends behind its answer, together with its end, and use the connection again: behind a
    /// body of chunks, or where none has room (seen up to 8.6). It remarks on it then.
    private func mayHideExcess(_ head: ResponseHead) -> Bool {
        guard connection.info?.httpVersion != "HTTP/2" else { return false }
        return request.request.method == .head || [204, 304].contains(head.status.code) || (response.expected ?? 0) == 0
    }

    private func receiveTrailer(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard response.headBytes <= Int64(request.limits.headerBytes) * 2 else { return refuseHead() }
        var lines = HeaderLines(bytes)
        if let line = lines.next(), let field = HeaderLines.split(line) {
            response.trailers.append(
                .init(name: String(decoding: field.name, as: UTF8.self), value: String(decoding: field.value, as: UTF8.self)))
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

    private static func isEmptyLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return 0 }
        if !upload.isSent { upload.lastProgress = .now }
        response.decoded += Int64(bytes.count)
        if let limit = request.limits.bodyBytes, response.decoded > limit {
            abort(.bodyTooLong("The body from \(target.text) is longer than \(limit) bytes, decoded"))
            return 0
        }
        if response.isEncoded, let ratio = request.limits.decodedRatio, response.decoded > ratio.beyond,
            !ratio.allows(response.decoded, of: wireCount)
        {
            abort(
                .bodyTooLong(
                    "The body from \(target.text) is longer than \(ratio.beyond) bytes, decoded, and \(ratio.times) times as long as it came"
                ))
            return 0
        }
        if response.chunkCapacity - response.chunkCount < bytes.count {
            let isFull = response.chunk != nil
            flushBody()
            makeChunk(for: bytes.count, isFull: isFull)
        }
        guard let chunk = response.chunk else { return 0 }
        memcpy(chunk + response.chunkCount, base, bytes.count)
        response.chunkCount += bytes.count
        return bytes.count
    }

    private func makeChunk(for count: Int, isFull: Bool) {
        let wanted: Int
        if let expected = response.expected, !response.isEncoded {
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
        emit(.body(data, received: wireCount, expected: response.expected))
    }

    /// Bytes of the body on the wire.
    var wireCount: Int64 {
        guard response.isEncoded else { return response.decoded }
        if let handle { response.received = handle.number(CURLINFO_SIZE_DOWNLOAD_T) }
        return response.received
    }
}
