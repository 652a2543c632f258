import CCurl
import NetworkLayer

/// Answers that come before the body has gone, and whose end libcurl doesn't tell.
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
}
