import Base
import CCurl
import NetworkLayer

// What the transport does for a libcurl before 8.5, and only there: see ``CurlBehaviour``. When Debian 12 goes, so can this folder.

extension Loop {
    /// An HTTP/2 server has begun to answer before it has the whole body.
    func noteEarlyAnswer(_ transfer: CurlTransfer) {
        if CurlBehaviour.present.endangersEarlyAnswers { answeredEarly.append(transfer) }
    }

    /// Ends transfers whose answer is whole and of whose body nothing more goes out: the server doesn't want it, and libcurl would wait
    /// for ever for a window (see ``CurlBehaviour/endangersEarlyAnswers``).
    func endWhatIsAnswered() {
        guard !answeredEarly.isEmpty else { return }
        answeredEarly.removeAll { !isActive($0) || $0.upload.isSent }
        let now = MonotonicTime.now
        for transfer in answeredEarly {
            let silence = now - transfer.upload.lastProgress
            if transfer.isAnswerWhole {
                if silence >= .milliseconds(200) { end(transfer, code: CURLE_OK) }
            } else if silence >= longestSilence, !transfer.isReceivingPaused, !transfer.isSendingPaused {
                transfer.abort(.answeredBeforeBody(by: transfer.target.text))
                end(transfer, code: CURLE_ABORTED_BY_CALLBACK)
            }
        }
    }

    /// Ends sessions whose server has ended the connection, which libcurl keeps to itself while nothing is to be sent (see
    /// ``CurlBehaviour/hidesEndBehindPause``): it then no longer waits for the socket. Sockets beyond a set of descriptors aren't seen.
    func endLostSessions() {
        guard !sessions.isEmpty else { return }
        sessions.removeAll { !isActive($0) }
        guard !sessions.isEmpty, CurlBehaviour.present.hidesEndBehindPause else { return }
        var (read, write, fail, highest) = (fd_set(), fd_set(), fd_set(), Int32(-1))
        curl_multi_fdset(multi, &read, &write, &fail, &highest)
        for transfer in sessions where !transfer.isReceivingPaused && transfer.isSendingPaused {
            guard let socket = transfer.connection.way?.socket, socket < FD_SETSIZE, !turnstone_curl_is_set(socket, &read) else {
                continue
            }
            end(transfer, code: CURLE_OK)
        }
    }

    /// A stream ends before its time, and libcurl may have read more than it has looked at.
    func shareInput(of way: ConnectionTable.Connection, without transfer: CurlTransfer) {
        guard CurlBehaviour.present.sharesInput else { return }
        if way.isShared {
            for other in active.values where other !== transfer && other.connection.way === way { other.lookAgain() }
        } else if transfer.isReceivingPaused {
            way.isDoomed = true
        }
    }
}

extension CurlTransfer {
    /// Has libcurl look for what it has read already, and would otherwise look at when more comes.
    fileprivate func lookAgain() {
        guard let handle, !isReceivingPaused else { return }
        handle.setPaused(receiving: true, sending: isSendingPaused)
        handle.setPaused(receiving: false, sending: isSendingPaused)
    }
}

extension RequestPlan {
    /// A body that pauses doesn't go by HTTP/2 where libcurl may lose the answer to it.
    static func version(
        for body: RequestBody, _ wanted: HTTPVersionPreference, _ behaviour: CurlBehaviour
    ) throws(NetworkError) -> HTTPVersionPreference {
        guard behaviour.endangersEarlyAnswers, case .stream(let stream) = body, stream.mayPause else { return wanted }
        switch wanted {
        case .automatic, .http1: return .http1
        case .http3, .http3Only: return wanted
        case .http1_0: return .http1_0
        case .http2, .http2PriorKnowledge:
            throw .unsupported(
                "This libcurl (\(behaviour.versionText)) may lose the answer to a body that is sent while it is made over HTTP/2. "
                    + "Don't ask for HTTP/2, put the body into a file, or install libcurl 8.5.0 or later.")
        }
    }
}

extension NetworkError {
    static func answeredBeforeBody(by target: String) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .body, type: ErrorType.httpProtocolError,
            message:
                "\(target) answered before it had the whole request, and takes no more of it; whether its answer is whole, this libcurl "
                + "(\(CurlBehaviour.present.versionText)) doesn't say. Send the request by HTTP/1.1, or install libcurl 8.5.0 or later."
        )
    }
}

extension CurlEasyHandle {
    /// Bytes. More than libcurl's 16 KiB means fewer calls for a large body; libcurl makes the buffer anew for each transfer, and
    /// from 64 KiB on freeing it costs small ones more than it gives large ones.
    static func receiveBufferSize(for request: TransferRequest, _ behaviour: CurlBehaviour) -> Int {
        let mayBeHTTP2 = request.options.httpVersion == .http2PriorKnowledge || request.request.url.scheme?.lowercased() == "https"
        // libcurl takes no more than 512 KiB.
        return mayBeHTTP2 && behaviour.needsRoomForHead
            ? min(512 << 10, max(60 << 10, request.limits.headerBytes + 1024)) : 60 << 10
    }
}

extension CurlBehaviour {
    /// The next request may not go by the same connection.
    func losesConnection(_ options: TransportOptions) -> Bool { options.httpVersion == .http2PriorKnowledge && losesPriorKnowledge }
}
