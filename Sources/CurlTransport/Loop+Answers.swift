import CCurl
import NetworkLayer

/// Answers whose end libcurl doesn't tell, or tells where there is none.
extension Loop {
    // MARK: Answers that may be cut off

    /// An answer over HTTP/2 that libcurl takes for whole, where nothing else says so (see ``CurlBehaviour/takesBreachForEnd``).
    struct Doubt {
        let transfer: CurlTransfer
        let way: ConnectionTable.Connection
        /// How many others were under way on the connection when one of them was asked to read on.
        var others: Int?
    }

    /// Ends what libcurl took for whole: a breach of HTTP/2 ends the connection, and with it all that are under way on it once they read
    /// on. So they are asked to, one after the other; when they go on, the connection lives.
    ///
    /// - Returns: whether nothing is in doubt any more; else libcurl has to work first.
    func settleDoubts() -> Bool {
        guard !doubts.isEmpty else { return true }
        let doubtful = Set(doubts.map { ObjectIdentifier($0.transfer) })
        var asked: Set<ObjectIdentifier> = []
        var left: [Doubt] = []
        for var doubt in doubts {
            let others = active.values.filter { $0.connection.way === doubt.way && !doubtful.contains(ObjectIdentifier($0)) }
            let goOn = doubt.others.map { others.count >= $0 } ?? false
            guard doubt.way.isOpen, !goOn, let next = others.first(where: { !$0.isReceivingPaused }) else {
                end(doubt.transfer, code: doubt.transfer.isBrokenOff ? CURLE_HTTP2 : CURLE_OK)
                continue
            }
            if asked.insert(ObjectIdentifier(doubt.way)).inserted { next.lookAgain() }
            doubt.others = others.count
            left.append(doubt)
        }
        doubts = left
        return left.isEmpty
    }

    // MARK: Answers that come before the body has gone

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
