import Base
import HTTPTypes

extension RequestOperation.StateMachine {
    /// One attempt while it runs.
    struct Exchange: Sendable {
        let number: Int
        /// What becomes of the answer.
        var plan = Plan.undecided
        var transfer = Transfer.underWay
        var isReceivingPaused = false
        /// What the machine's network looks like, as of the last look (GLB-5).
        var network: NetworkConditions?
        var upload = ProgressThrottle()
        var download = ProgressThrottle()
        /// Bytes of the body after decoding.
        var decodedBytes: Int64 = 0
        /// What this answer means for the body that was begun before; `nil` when none was.
        var answersPart: PartialBody.Verdict?
        /// Whether the connection has changed to another protocol: see ``WireOptions/upgrades``.
        var isSession = false
        /// Bytes of the body that were there before, and of the whole, where this attempt brings the rest.
        var partBytes: Int64 = 0
        var wholeLength: Int64?
        /// The hash of the whole body.
        var bodyHash: BodyHash?
        /// The body, held back until the delegate has decided about a redirect.
        var held: [Data] = []
        /// Whether a decoder of ours stands between the transport and where the body goes.
        var decoding = Decoding.none
        var coding: CodingMetrics?
        /// How its request was before its host was changed.
        var sanitized: Sanitized?
        /// When to stop waiting for the rest of a body that isn't needed.
        var leavesAt: MonotonicTime?

        enum Decoding { case none, underWay, done }

        init(number: Int) {
            self.number = number
        }

        enum Transfer: Sendable {
            case underWay
            /// It was cancelled; what it still says is of no interest.
            case cutOff
            case over(TransferResult)
            /// It is over, and its body is being closed.
            case closingBody(TransferResult)
        }

        var isTransferring: Bool {
            if case .underWay = transfer { true } else { false }
        }

        var isClosingBody: Bool {
            if case .closingBody = transfer { true } else { false }
        }

        /// How the transport ended; `nil` while it works, and when it was cut off.
        var result: TransferResult? {
            switch transfer {
            case .underWay, .cutOff: nil
            case .over(let result), .closingBody(let result): result
            }
        }

        /// When the last progress is to be reported if nothing follows it.
        var reportDue: MonotonicTime? { earlier(upload.due, download.due) }

        enum Plan: Sendable {
            /// There is no head yet.
            case undecided
            case consume
            indirect case ask(RedirectHop)
            indirect case follow(Request)
            /// Follow it when the host sanitizer has answered the question with this number.
            indirect case sanitize(Request, Int)
            /// A role is asked for credentials.
            case challenge
            /// The same request goes out again with these credentials, or for the whole body, after an answer that didn't continue what
            /// is there.
            indirect case reissue(Request, as: AttemptKind)
        }
    }

    /// The longest body of a redirect that is worth reading to keep the connection, and the longest time; beyond it the transfer is cut
    /// off. Where only the end of the connection ends the body, most servers end it at once.
    static let redirectBodyLimit: Int64 = 1 << 16
    static let redirectPatience = (keeping: Duration.seconds(1), ending: Duration.milliseconds(20))

    /// Begins the attempt; nothing remains to be waited for.
    mutating func begin(_ attempt: PendingAttempt, at time: MonotonicTime) {
        let kind = attempt.kind
        var request = attempt.request
        if [.redirect, .retry, .restart].contains(kind) { authorize(&request) }
        if kind == .initial || kind == .retry { credentials.answered = [] }
        resuming.head = nil
        let number = metrics.attempts.count + 1
        var exchange = Exchange(number: number)
        exchange.sanitized = attempt.sanitized
        exchange.coding = attempt.coding
        deadlines.idleSince = deadlines.idleMode == .includingInitialConnection ? time : nil
        if number == 1, configuration.countsAsExecutingConnection { perform(.beginExecuting) }
        emit(.attemptStarted(kind, request), attempt: number, at: time)
        enter(.attempting(CopyOnWrite(exchange), isRunning: state == .running), at: time)
        perform(.startTransfer(request, attempt: number))
    }

    /// Reports the attempt as a whole: what its events told, with the transport's exact figures where it gave them. Another phase follows.
    ///
    /// - Parameter end: when it ended, which may be before its end is told: a retry policy was asked.
    mutating func endAttempt(
        _ disposition: AttemptDisposition, _ error: NetworkError?, endedAt end: MonotonicTime? = nil, at time: MonotonicTime
    ) {
        flushProgress(at: time)
        guard let exchange, var attempt = metrics.attempts.last else { return }
        let end = end ?? time
        attempt.closeOpenPhase(at: end)
        attempt.end = end
        attempt.network = exchange.network
        attempt.disposition = disposition
        attempt.error = error
        attempt.bytes = ByteCounts(
            requestHead: Int64(attempt.sentHead?.utf8.count ?? 0), requestBody: attempt.upload.bytes,
            responseHead: Int64(attempt.head?.raw.count ?? 0),
            responseBody: max(0, attempt.download.bytes - exchange.partBytes),
            decodedResponseBody: exchange.decodedBytes)
        attempt.bodyHash = exchange.bodyHash
        if let result = exchange.result {
            if result.phases != Phases() { attempt.phases = result.phases }
            if result.bytes != ByteCounts() { attempt.bytes = result.bytes }
            attempt.trailers = result.trailers
            attempt.source = result.source
        }
        if exchange.decoding != .none { attempt.bytes.decodedResponseBody = exchange.decodedBytes }
        if let counts = attempt.session?.counts { attempt.bytes.requestBody = counts.sent.wireBytes }
        attempt.coding = exchange.coding
        emit(.attemptEnded(attempt), attempt: exchange.number, at: time)
        deadlines.idleSince = nil
    }

    // MARK: What the transport tells

    mutating func handle(_ kind: TransportEvent.Kind, at time: MonotonicTime) {
        switch kind {
        case .cache(let outcome): emit(.cache(outcome), at: time)
        case .resolveStarted(let host): emit(.resolveStarted(host: host), at: time)
        case .resolveEnded: emit(.resolveEnded, at: time)
        case .connectStarted(let address): emit(.connectStarted(address: address), at: time)
        case .connectFailed(let address, let errno): emit(.connectFailed(address: address, errno: errno), at: time)
        case .connectEnded: emit(.connectEnded, at: time)
        case .tlsStarted: emit(.tlsStarted, at: time)
        case .quicStarted(let address): emit(.quicStarted(address: address), at: time)
        case .tlsEnded(let info): emit(.tlsEnded(info), at: time)
        case .connectionAcquired(let info): emit(.connectionAcquired(info), at: time)
        case .leftoverDropped(let bytes): emit(.leftoverDropped(bytes: bytes), at: time)
        case .resent: emit(.resent, at: time)
        case .authenticationStep(let head):
            noteActivity(at: time)
            emit(.authenticationStep(head), at: time)
        case .requestHeadSent(let head): emit(.requestHeadSent(String(decoding: head, as: UTF8.self)), at: time)
        case .uploadProgress(let progress):
            noteActivity(at: time)
            if let report = exchange?.upload.receive(progress, at: time) {
                emit(.uploadProgress(report), at: time)
            } else {
                lookAgain(at: time)
            }
        case .requestSent:
            flushUpload(at: time)
            emit(.requestSent, at: time)
        case .informational(let head):
            noteActivity(at: time)
            emit(.informational(head), at: time)
        case .head(let head):
            guard case .undecided = exchange?.plan else { return }
            let isSession = head.status == .switchingProtocols && configuration.transport.wire.upgrades
            exchange?.isSession = isSession
            noteActivity(at: time)
            flushUpload(at: time)
            emit(.head(head), at: time)
            credentials.digest?.note(head.headers)
            if let url = metrics.attempts.last?.request.url { credentials.note(head, to: url) }
            if let limit = configuration.limits.bodyBytes, let length = announcedLength(head), length > limit {
                return abandon(.bodyTooLong(length, limit: limit, request: request), at: time)
            }
            decide(about: head, at: time)
        case .body(let data, let received, let expected):
            noteActivity(at: time)
            let before = exchange?.partBytes ?? 0
            let progress = TransferProgress(bytes: before + received, expected: before == 0 ? expected : exchange?.wholeLength)
            // Whoever reads a stream has a piece before its progress is told (CON-1).
            if configuration.consumption == .stream, !handsOut(data, at: time) { return }
            if let report = exchange?.download.receive(progress, at: time) { emit(.downloadProgress(report), at: time) }
            if configuration.consumption != .stream { process(data, at: time) }
            if !phase.isOver, exchange?.download.due != nil { lookAgain(at: time) }
        case .finished(let result):
            finished(result, at: time)
        }
    }

    /// The first sign from the server, or the first byte of a body to it, makes it run; each restarts the idle timeout (TMO-1).
    private mutating func noteActivity(at time: MonotonicTime) {
        if case .attempting(let exchange, isRunning: false) = phase { enter(.attempting(exchange, isRunning: true), at: time) }
        guard let exchange, deadlines.idleMode != .disabled, !exchange.isReceivingPaused else { return }
        // A session watches over silence itself.
        deadlines.idleSince = exchange.isSession ? nil : time
    }

    mutating func reportStalledProgress(at time: MonotonicTime) {
        if let last = exchange?.upload.flush(dueAt: time) { emit(.uploadProgress(last), at: time) }
        if let last = exchange?.download.flush(dueAt: time) { emit(.downloadProgress(last), at: time) }
    }

    private mutating func flushUpload(at time: MonotonicTime) {
        if let last = exchange?.upload.flush() { emit(.uploadProgress(last), at: time) }
    }

    private mutating func flushProgress(at time: MonotonicTime) {
        flushUpload(at: time)
        if let last = exchange?.download.flush() { emit(.downloadProgress(last), at: time) }
    }

    private mutating func finished(_ result: TransferResult, at time: MonotonicTime) {
        exchange?.transfer = .over(result)
        // What follows is ours to do: the server isn't idle.
        deadlines.idleSince = nil
        switch exchange?.plan {
        case .follow, .reissue:
            goOn(at: time)
        case .ask, .sanitize, .challenge, nil:
            break
        case .consume, .undecided:
            if let error = result.error, asksAboutCertificate(after: error, at: time) { return }
            conclude(result, at: time)
        }
    }

    /// The transport has done its part: the attempt failed, or its body is complete and can be closed.
    mutating func conclude(_ result: TransferResult, at time: MonotonicTime) {
        if exchange?.isSession == true { return perform(.endStream(result.error)) }
        if let error = result.error, exchange?.answersPart != .isWhole { return finish(.failed, blamed(error), at: time) }
        if let exchange, let length = exchange.wholeLength, exchange.answersPart == .goesOn,
            case let count = exchange.partBytes + exchange.decodedBytes, count != length
        {
            return finish(.failed, .bodyEndedShort(count, of: length, request: request), at: time)
        }
        guard let number = exchange?.number, case .consume = exchange?.plan else {
            return finish(.failed, .noResponse(to: request), at: time)
        }
        if exchange?.decoding == .underWay { return perform(.finishDecoding(attempt: number)) }
        guard takesBody else { return finish(.succeeded, nil, at: time) }
        exchange?.transfer = .closingBody(result)
        perform(.closeBody(attempt: number))
    }

    // MARK: The body

    /// - Returns: whether the attempt goes on.
    private mutating func handsOut(_ data: Data, at time: MonotonicTime) -> Bool {
        let number = exchange?.number
        process(data, at: time)
        return exchange?.number == number && !phase.isOver
    }

    private mutating func process(_ data: Data, at time: MonotonicTime) {
        guard let plan = exchange?.plan else { return }
        if exchange?.decoding == .underWay { return receive(data, at: time) }
        let count = (exchange?.decodedBytes ?? 0) + Int64(data.count)
        exchange?.decodedBytes = count
        switch plan {
        case .undecided, .sanitize:
            break
        case .consume:
            consume(data, at: time)
        case .ask, .challenge:
            exchange?.held.append(data)
            if count > Self.redirectBodyLimit { setReaderBehind(true, at: time) }
        case .follow, .reissue:
            if count > Self.redirectBodyLimit { goOn(at: time) }
        }
    }

    /// Goes on to the next request once the rest of this answer has been read, which keeps its connection, if that is worth while and
    /// doesn't take long.
    mutating func goOnAfterBody(at time: MonotonicTime) {
        guard exchange?.isTransferring == true, let head = metrics.attempts.last?.head else { return goOn(at: time) }
        if let length = head.announcedBody(to: metrics.attempts.last?.request.method) {
            let patience = Self.redirectPatience
            exchange?.leavesAt = time + (length > Self.redirectBodyLimit ? patience.ending : patience.keeping)
            lookAgain(at: time)
        }
        setReaderBehind(false, at: time)
    }

    /// Leaves an answer of which nothing more is wanted.
    mutating func goOn(at time: MonotonicTime) {
        exchange?.leavesAt = nil
        if exchange?.isTransferring == true { perform(.cancelTransfer) }
        switch exchange?.plan {
        case .follow(let request): follow(request, at: time)
        case .reissue(let request, let kind): sendAgain(request, as: kind, at: time)
        case .undecided, .consume, .ask, .sanitize, .challenge, nil: break
        }
    }

    mutating func consume(_ data: Data, at time: MonotonicTime) {
        guard let number = exchange?.number else { return }
        if let limit = configuration.limits.bodyBytes, let exchange, !exchange.isSession,
            exchange.partBytes + exchange.decodedBytes > limit
        {
            return abandon(.bodyTooLong(limit: limit, request: request), at: time)
        }
        if takesBody, delivers { perform(holdsBody ? .hold(data, attempt: number) : .write(data, attempt: number)) }
    }

    /// Bytes that a head says of its body, as it comes; what is coded has another length afterwards.
    private func announcedLength(_ head: ResponseHead) -> Int64? {
        guard metrics.attempts.last?.request.method != .head, ![.noContent, .notModified].contains(head.status),
            head.headers[.transferEncoding] == nil, head.headers[.contentEncoding] == nil
        else { return nil }
        return head.headers[.contentLength].flatMap { Int64($0) }
    }

    /// While we don't read ourselves, silence isn't the server's fault, so the idle timeout is stopped.
    mutating func setReaderBehind(_ isBehind: Bool, at time: MonotonicTime) {
        guard exchange?.isReceivingPaused == !isBehind else { return }
        exchange?.isReceivingPaused = isBehind
        deadlines.idleSince = isBehind || deadlines.idleMode == .disabled || exchange?.isSession == true ? nil : time
        if exchange?.isTransferring == true { perform(isBehind ? .pauseReceiving : .resumeReceiving) }
    }
}

extension ResponseHead {
    /// Bytes of the body that the head announces: `nil` for none, 0 where it doesn't say, and a great many where the body ends with
    /// the connection (RFC 9112, section 6.3).
    fileprivate func announcedBody(to method: HTTPRequest.Method?) -> Int64? {
        if method == .head || status == .noContent { return nil }
        if let length = headers[.contentLength].flatMap({ Int64($0) }) { return length == 0 ? nil : length }
        return version.hasPrefix("HTTP/1") && headers[.transferEncoding] == nil ? .max : 0
    }
}
