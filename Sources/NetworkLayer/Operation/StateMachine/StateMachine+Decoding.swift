import Base
import HTTPTypes

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
