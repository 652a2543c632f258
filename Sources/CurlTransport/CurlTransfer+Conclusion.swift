import CCurl
import HTTPTypes
import NetworkLayer

extension CurlTransfer {
    /// How the transfer ended, from libcurl's own figures; asked while it still has its handle.
    func conclude(_ code: CURLcode) -> TransferResult {
        guard let handle else { return TransferResult(error: failure(code, text: "")) }
        releaseHeldHead()
        let failure = failure(code, text: handle.errorText)
        if connection.isSecuring, var tls = connection.tls ?? connection.quicTLS {
            // The handshake showed the chain, and then went no further.
            if tls.verificationFailure == nil, failure?.code == .certificateRejected {
                tls.verificationFailure = "hostname mismatch"
            }
            emit(.tlsEnded(tls))
        }
        loop.endHandshakes(of: self)
        if connection.hasOpenedSockets { loop.connections.abandon(self) }
        timeline.end = .now
        if connection.count <= 1 { applyTimes(of: handle) }
        return TransferResult(
            error: failure, phases: timeline.phases,
            bytes: ByteCounts(
                requestHead: Int64(upload.head.count), requestBody: upload.sent, responseHead: response.headBytes,
                responseBody: response.received,
                decodedResponseBody: response.decoded),
            trailers: response.trailers)
    }

    private func applyTimes(of handle: CurlEasyHandle) {
        var times = CurlTimes(
            startTransfer: handle.number(CURLINFO_STARTTRANSFER_TIME_T), total: handle.number(CURLINFO_TOTAL_TIME_T))
        if timeline.connectStarted != nil || timeline.resolveStarted != nil {
            times.nameLookup = handle.number(CURLINFO_NAMELOOKUP_TIME_T)
            times.connect = handle.number(CURLINFO_CONNECT_TIME_T)
            times.appConnect = handle.number(CURLINFO_APPCONNECT_TIME_T)
        }
        timeline.apply(times, countsFirstByte: upload.expected == 0)
    }

    private func failure(_ code: CURLcode, text: String) -> NetworkError? {
        if isCancelled { return .cancelled(in: reachedPhase) }
        if let abortError { return abortError }
        // libcurl had finished with the answer when it wanted to connect again.
        let code = isAnswered ? (response.expected ?? response.received == response.received ? CURLE_OK : CURLE_PARTIAL_FILE) : code
        // libcurl says nothing of interim answers.
        if code == CURLE_GOT_NOTHING, response.headBytes > 0 { return onlyInterim }
        // libcurl treats the fields that have come as complete.
        if response.part == .head, [CURLE_OK, CURLE_PARTIAL_FILE].contains(code) {
            return .headCutOff(by: target.text, after: response.headBytes)
        }
        if code == CURLE_OK {
            if response.head == nil { return onlyInterim }
            let isCutOff = response.received > 0 && response.decoder?.isWhole == false
            return isCutOff ? .codingCutOff(by: target.text, after: response.decoded) : nil
        }
        if hasWholeAnswer(despite: code, text) { return nil }
        // Our own check of the URL went before.
        if code == CURLE_URL_MALFORMAT, request.options.httpVersion == .http3Only {
            return .unsupported("HTTP/3 can't be spoken to \(target.text): \(text). Ask for an older version.")
        }
        return CurlFailure(
            code: code, text: text, systemErrno: systemErrno(of: code),
            phase: reachedPhase, target: target, host: hostName, verifyError: connection.verifyError,
            verifyText: (connection.tls ?? connection.quicTLS)?.verificationFailure,
            clientAuthorities: connection.clientAuthorities,
            alert: connection.alert, tls: request.options.tls, connectTimeout: request.connectTimeout,
            dataTimeout: request.options.dataTimeout, interface: request.options.interface,
            localPorts: request.options.wire.localPorts,
            received: response.decoded, expected: response.expected, hasAnswer: response.headBytes > 0,
            isChunked: response.isChunked, fields: response.fields, version: connection.info?.httpVersion,
            goAway: connection.goAway,
            isRefusedByProxy: handle?.isRefusedByProxy ?? false, isTunnelRefused: isTunnelRefused(code)
        ).error
    }

    /// Before the connection was ready, only a proxy's answer to CONNECT is read.
    private func isTunnelRefused(_ code: CURLcode) -> Bool {
        guard target.isProxy, connection.info == nil, !connection.isSecuring, let handle else { return false }
        let status = handle.long(CURLINFO_HTTP_CONNECTCODE)
        return status != 0 ? status / 100 != 2 : [CURLE_RECV_ERROR, CURLE_WEIRD_SERVER_REPLY, CURLE_GOT_NOTHING].contains(code)
    }

    /// A stream of HTTP/2 or HTTP/3 ends by itself, and what follows a 101 isn't HTTP; otherwise it was the connection that ended.
    private var onlyInterim: NetworkError {
        let goesOn = connection.isMultiplexed || response.interim == 101
        return goesOn ? .noFinalAnswer(from: target.text) : .closedAfterInterim(by: target.text)
    }

    /// Whether nothing is missing of the answer although libcurl fails: over HTTP/2 and HTTP/3 a server may answer, and end the stream, before it
    /// has read the request to its end (RFC 9113, section 8.1).
    private func hasWholeAnswer(despite code: CURLcode, _ text: String) -> Bool {
        switch code {
        case CURLE_HTTP2_STREAM where text.isEmpty && connection.isStreamOver && response.part == .body: true
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_PARTIAL_FILE, CURLE_SEND_ERROR: isAnswerWhole
        default: false
        }
    }

    /// Whether all that the head of an HTTP/2 or HTTP/3 answer announces has come; without an announcement nobody can say.
    var isAnswerWhole: Bool {
        guard connection.isMultiplexed, response.part == .body, let head = response.head else { return false }
        if request.request.method == .head || [204, 304].contains(head.status.code) { return true }
        return response.expected == response.received
    }

    /// The system's number, where it is this failure's: libcurl keeps the latest one of the handle until there is another, also
    /// that of an address that was tried in vain before the connection.
    private func systemErrno(of code: CURLcode) -> Int32 {
        if connection.info == nil, connection.shortage != 0 { return connection.shortage }
        switch code {
        case CURLE_COULDNT_CONNECT, CURLE_PROXY, CURLE_SSL_CONNECT_ERROR, CURLE_SEND_ERROR, CURLE_RECV_ERROR:
            let number = handle?.systemErrno ?? 0
            return connection.info != nil && number == connection.errnoBefore ? 0 : number
        default: return 0
        }
    }

    var hostName: String { Target(url: request.request.url, unixSocket: nil, proxy: nil).host }

    private var reachedPhase: NetworkError.Phase {
        if response.part == .body { return .body }
        if response.headBytes > 0 || upload.isSent { return .response }
        if connection.info != nil { return .request }
        if connection.isSecuring { return .tls }
        if connection.isResolving { return .dns }
        if timeline.connectStarted != nil { return .connection }
        return timeline.resolveStarted == nil ? .queue : .connection
    }
}
