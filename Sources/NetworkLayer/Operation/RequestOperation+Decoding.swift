import Base
import Synchronization

extension RequestOperation {
    /// The decoders of one body in the order of their turns. Only the thread that performs effects touches it.
    struct Decodings: Sendable {
        let attempt: Int
        var turns: [any ContentDecoding]

        /// - Parameter piece: `nil` at the end.
        mutating func decode(_ piece: Data?) throws -> Data {
            var data = piece
            for index in turns.indices {
                var decoded = Data()
                if let data, !data.isEmpty { decoded = try turns[index].decode(data) }
                if piece == nil { decoded.append(try turns[index].finish()) }
                data = decoded
            }
            return data ?? Data()
        }
    }

    /// Decodes the next piece of the body, or with `nil` what was held back of it.
    func decode(_ piece: Data?, attempt: Int, on client: NetworkClient?) {
        guard let client else { return }
        let start = client.time.now
        let (coding, head, request, builtIn, kept) = core.withLock { core in
            let current = core.machine.metrics.currentAttempt
            return (
                core.machine.configuration.contentCoding, current?.head, current?.request ?? originalRequest,
                core.machine.transportCodings, core.decodings.take()
            )
        }
        do {
            var decodings: Decodings
            if let kept, kept.attempt == attempt {
                decodings = kept
            } else {
                let decoders = head.map { coding.decoders(for: $0, besides: builtIn) } ?? []
                decodings = Decodings(attempt: attempt, turns: try decoders.map { try $0.makeDecoding() })
            }
            let data = try decodings.decode(piece)
            core.withLock { $0.decodings = decodings }
            handle(.decoded(data, latency: client.time.now - start, isEnd: piece == nil, attempt: attempt))
        } catch {
            let names = coding.decoders.map(\.contentEncoding)
            handle(.bodyFailed(.decodingFailed(error, encodings: names, request: request), attempt: attempt))
        }
    }
}
