import Base
import HTTPTypes

extension RequestOperation.StateMachine {
    /// What an operation knows of a body that was cut off, and that a retry may go on with (TN-14).
    ///
    ///     body ─> cut off ─> kept aside ─ retry: Range ─┬─ 206 that fits ─> taken up: the rest goes behind it
    ///                             ▲                     ├─ 200 ───────────> dropped: the body begins anew
    ///                             └──── 503, no answer ─┴─ anything else ─> dropped, and the whole is asked for at once
    ///
    /// What has been handed out by a streamed body can't be taken back: where others begin anew, that fails.
    struct Resuming: Sendable {
        var kept = Kept.nothing
        /// A part of a streamed body has been handed out.
        var hasHandedOut = false
        /// The head of the body that the last attempt went on with, or completed.
        var head: ResponseHead?

        enum Kept: Sendable {
            case nothing
            /// What attempts before the present one have brought.
            case aside(PartialBody)
            /// At the end of an attempt, what this one has added, too: it is still where bodies go.
            case inPlace(PartialBody)
        }

        var part: PartialBody? {
            switch kept {
            case .nothing: nil
            case .aside(let part), .inPlace(let part): part
            }
        }

        var isInPlace: Bool {
            if case .inPlace = kept { true } else { false }
        }

        mutating func setAside() {
            if case .inPlace(let part) = kept { kept = .aside(part) }
        }
    }

    // MARK: The end of an attempt

    /// Looks what there is to go on with, before anybody is asked about a retry.
    mutating func rememberPart(_ error: NetworkError?) {
        resuming.setAside()
        guard let exchange, case .consume = exchange.plan else { return }
        if configuration.consumption == .stream, delivers, !holdsBody, exchange.decodedBytes != 0 { resuming.hasHandedOut = true }
        guard exchange.answersPart != .unrelated else { return }
        // The body began, so what was aside has been taken up or dropped.
        let old = resuming.part
        resuming.kept = .nothing
        guard takesBody, error?.isCutOff == true, exchange.decoding == .none, let attempt = metrics.attempts.last,
            let head = attempt.head
        else { return }
        var part: PartialBody?
        if exchange.answersPart == .goesOn {
            part = old
            part?.count = exchange.partBytes + exchange.decodedBytes
        } else {
            var asked = attempt.request.before(exchange.sanitized)
            // We had added those fields ourselves.
            if exchange.answersPart != nil { Self.askForWhole(in: &asked) }
            part = PartialBody(head, to: asked, count: exchange.decodedBytes)
        }
        if let part { resuming.kept = .inPlace(part) }
    }

    /// Whether a streamed body is kept until it is decided whether its answer is the last: what has been handed out can't be taken
    /// back, and an answer that says no is worth trying again. Where nobody tries again it is handed out as it comes.
    var holdsBody: Bool {
        guard configuration.consumption == .stream, !configuration.retry.isEmpty, !resuming.hasHandedOut else { return false }
        return (metrics.attempts.last?.head?.status.code ?? 0) >= 400
    }

    /// Another attempt begins: what was kept of the last one's body is put aside where it is good for something.
    mutating func clearBody() {
        perform(resuming.isInPlace ? .setBodyAside : .dropBody)
        resuming.setAside()
    }

    // MARK: The question

    /// The request for the rest; `nil` where there is no part of the body.
    func askingForRest(_ request: Request) -> Request? {
        guard let part = resuming.part else { return nil }
        var request = request
        part.ask(in: &request, isHop: false)
        return request
    }

    /// A redirect may lead to where the part came from, or away from it.
    func askForRestAfterHop(in request: inout Request) {
        guard let part = resuming.part else { return }
        if request.headers[.ifRange] == part.validator { Self.askForWhole(in: &request) }
        part.ask(in: &request, isHop: true)
    }

    private static func askForWhole(in request: inout Request) {
        request.headers[.range] = nil
        request.headers[.ifRange] = nil
    }

    // MARK: The answer

    /// What becomes of the part now that a head is there.
    mutating func settlePart(_ head: ResponseHead, at time: MonotonicTime) {
        guard let part = resuming.part else { return }
        let verdict = part.verdict(on: head)
        exchange?.answersPart = verdict
        switch verdict {
        case .goesOn:
            exchange?.partBytes = part.count
            resume(part, length: head.wholeLength ?? part.length)
        case .isWhole:
            resume(part, length: part.count)
        case .startsOver:
            dropPart(part, head, at: time)
        case .unusable:
            dropPart(part, head, at: time)
            guard let attempt = metrics.attempts.last, !phase.isOver, !isAsking else { return }
            var request = attempt.request
            Self.askForWhole(in: &request)
            exchange?.plan = .reissue(request, as: .restart)
        case .unrelated:
            break
        }
    }

    private mutating func resume(_ part: PartialBody, length: Int64?) {
        perform(.restoreBody)
        exchange?.wholeLength = length
        resuming.head = part.wholeHead(length: length ?? part.count)
    }

    private mutating func dropPart(_ part: PartialBody, _ head: ResponseHead, at time: MonotonicTime) {
        resuming.kept = .nothing
        perform(.dropBodyAside)
        if resuming.hasHandedOut { abandon(.cannotResume(part, head.status, request: request), at: time) }
    }

    /// Whether bytes that arrive belong to the body: those of an error page behind a half streamed body don't, and neither do
    /// those of a 416 that says that nothing is missing.
    var delivers: Bool {
        switch exchange?.answersPart {
        case .isWhole: false
        case .unrelated: !resuming.hasHandedOut
        default: true
        }
    }

    /// The end of a streamed body that has begun and never went on is none, whatever the last answer was.
    func endOfHalfBody(_ final: State, _ error: NetworkError?) -> NetworkError? {
        guard final == .succeeded, resuming.hasHandedOut, exchange?.answersPart == .unrelated, let part = resuming.part,
            let head = metrics.attempts.last?.head
        else { return error }
        return .cannotResume(part, head.status, request: request)
    }
}

extension ResponseHead {
    /// What `Content-Range` says of the whole.
    fileprivate var wholeLength: Int64? {
        guard case .part(_, let length?)? = headers[.contentRange].flatMap({ ContentRange($0) }) else { return nil }
        return length
    }
}

extension NetworkError {
    /// Whether the transfer broke, rather than what was made of it: then what arrived is good.
    var isCutOff: Bool { [.connectionLost, .idleTimedOut, .attemptTimedOut].contains(code) }

    static func cannotResume(_ part: PartialBody, _ status: HTTPResponse.Status, request: Request) -> NetworkError {
        NetworkError(
            .cannotResume, phase: .body, type: ErrorType.cannotResume,
            message:
                "\(request.target) answered \(status.code) when asked for the rest of a body, after its first \(part.count) bytes had been handed out; request it again.",
            details: [.status: String(status.code)])
    }

    static func bodyEndedShort(_ received: Int64, of length: Int64, request: Request) -> NetworkError {
        NetworkError(
            .connectionLost, phase: .body, type: "http.response.invalid.content_length_mismatch",
            message: "\(request.target) ended the body after \(received) of \(length) bytes.")
    }
}

/// Decoding by the configuration's own decoders, between the transport and where the body goes (ENC-2). The limits of the
/// configuration count what comes out.
extension RequestOperation.StateMachine {
    /// Whether the bytes of a body are of any use.
    var takesBody: Bool { configuration.consumption != .none || configuration.hash != nil }

    /// From now on the body of the answer goes where bodies go.
    mutating func beginConsuming(_ head: ResponseHead?, at time: MonotonicTime) {
        exchange?.plan = .consume
        if let head { settlePart(head, at: time) }
        guard case .consume = exchange?.plan else { return }
        deadlines.hasHead = configuration.isOpenEnded
        guard takesBody, let head, !configuration.contentCoding.decoders(for: head, besides: transportCodings).isEmpty else {
            return
        }
        exchange?.decoding = .underWay
        // Counted anew, decoded.
        exchange?.decodedBytes = 0
    }

    /// A piece of the body, as the transport gave it.
    mutating func receive(_ data: Data, at time: MonotonicTime) {
        if exchange?.decoding == .underWay, let number = exchange?.number {
            perform(.decode(data, attempt: number))
        } else {
            consume(data, at: time)
        }
    }

    /// The answer to ``Effect/decode(_:attempt:)`` and ``Effect/finishDecoding(attempt:)``.
    mutating func decoded(_ data: Data, latency: Duration, isEnd: Bool, at time: MonotonicTime) {
        var coding = exchange?.coding ?? CodingMetrics()
        let count = (exchange?.decodedBytes ?? 0) + Int64(data.count)
        coding.responseDecodingLatency = (coding.responseDecodingLatency ?? .zero) + latency
        coding.responseDecodedContentLength = count
        exchange?.decodedBytes = count
        exchange?.coding = coding
        if !data.isEmpty { consume(data, at: time) }
        guard isEnd, !phase.isOver else { return }
        exchange?.decoding = .done
        if let result = exchange?.result { conclude(result, at: time) }
    }
}

extension ContentCoding {
    /// How many codings one body may have, as in libcurl: each may make much of little.
    private static let most = 5

    /// What decodes the body under this head, in the order of their turns: one for every coding, the last applied first
    /// (RFC 9110, section 8.4). None at all when there is a coding that none is for, or more than ``most``: then the body stays as it is.
    ///
    /// - Parameter transportCodings: what the transport takes off by itself, which can't be replaced.
    func decoders(for head: ResponseHead, besides transportCodings: [String]) -> [any ContentDecoder] {
        guard !decoders.isEmpty, let field = head.headers[.contentEncoding] else { return [] }
        var turns: [any ContentDecoder] = []
        for part in field.pieces(at: ",").reversed() {
            let name = FieldSyntax.trimmed(part).prefix { $0 != " " && $0 != "\t" }.lowercased()
            if name.isEmpty || name == "identity" { continue }
            guard turns.count < Self.most, !transportCodings.contains(name),
                let decoder = decoders.first(where: { $0.contentEncoding.lowercased() == name })
            else { return [] }
            turns.append(decoder)
        }
        return turns
    }
}
