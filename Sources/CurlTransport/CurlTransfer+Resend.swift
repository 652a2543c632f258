import Base
import CCurl
import HTTPTypes
import NetworkLayer

/// Requests that libcurl sends again within their transfer.
extension CurlTransfer {
    /// Whether libcurl may look for a connection: always for the first, and as the rule says for one that it wants because the
    /// one before died without an answer (ENG-7).
    func mayConnect() -> Bool {
        loop.noteBeginning()
        if abortError != nil || restart != nil { return false }
        guard connection.count > 0, !connection.isResending else { return true }
        if let head = response.heldHead {
            if head.status.code == 417 { stopExpecting() }
            startAgain(.authenticationStep(head))
            return true
        }
        // What was told can't be taken back: that is the answer, whatever libcurl wants to know besides.
        guard response.head == nil else {
            isAnswered = true
            return false
        }
        guard mayResend else {
            abort(.resendRefused(to: target.text, method: request.request.method.rawValue))
            return false
        }
        // libcurl 7.88 keeps half of the old stream's state, and then loses the answer or waits for ever.
        if connection.isMultiplexed {
            restart = .dropped
            if !mayRestart { abort(.requestDropped(by: target.text, times: restarts + 1)) }
            return false
        }
        startAgain(.resent)
        return true
    }

    /// The request goes out again within this transfer.
    private func startAgain(_ reason: TransportEvent.Kind) {
        connection.isResending = true
        connection.isConnected = false
        connection.isSecuring = false
        connection.tls = nil
        connection.quicTLS = nil
        connection.clientAuthorities = nil
        connection.alert = nil
        connection.info = nil
        connection.stream = nil
        connection.isStreamOver = false
        connection.isRefused = false
        connection.goAway = 0
        timeline.startAgain()
        response = ResponseState()
        handle?.head.removeAll()
        upload.startAgain()
        emit(reason)
    }

    /// Also asked when libcurl rewinds the body, which it does first.
    var mayResend: Bool {
        guard request.request.body.isReplayable else { return false }
        if response.heldHead != nil { return true }
        return switch request.resend {
        case .always: true
        case .never: false
        case .idempotentOnly: Self.idempotentMethods.contains(request.request.method.rawValue) || isUnprocessed
        }
    }

    /// Whether the server surely did nothing with the request: nothing of it has gone out, or the server has said so (RFC 9113,
    /// section 8.7).
    private var isUnprocessed: Bool {
        upload.head.isEmpty && !mayHideSentBytes || connection.isRefused
    }

    /// When a request takes more than one record of TLS, the first may have gone, and have been answered, when writing another fails;
    /// libcurl shows nothing of such a write.
    private var mayHideSentBytes: Bool {
        guard connection.tls != nil || connection.info?.proxy?.hasPrefix("https:") == true else { return false }
        let fields = request.request.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 4 }
        let body = upload.isInPieces ? 0 : Int(clamping: upload.expected ?? 0)
        return body + fields + url.absoluteString.utf8.count + 1024 > 16384
    }

    /// RFC 9110, section 9.2.2.
    private static let idempotentMethods: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    func refuseResend() {
        abort(.resendRefused(to: target.text, method: request.request.method.rawValue))
    }
}
