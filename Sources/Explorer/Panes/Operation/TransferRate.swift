import NetworkLayer

/// How fast a body moves, looking back over the last two seconds.
///
/// The rate sinks while nothing arrives, because it divides by the time until now and not until the last byte.
struct TransferRate: Hashable, Sendable {
    static let window = Duration.seconds(2)
    /// Over less time a rate says nothing.
    static let leastTime = Duration.milliseconds(100)

    var bytesPerSecond: Double

    enum Direction: Hashable, Sendable {
        case upload, download
    }

    init(bytesPerSecond: Double) {
        self.bytesPerSecond = bytesPerSecond
    }

    /// - Parameter events: of one operation, in order. Only the last two seconds of them are looked at, and only the newest
    ///   attempt; `nil` while they tell too little.
    init?(_ direction: Direction, in events: [NetworkEvent], at now: MonotonicTime) {
        var newest: Sample?
        var oldest: Sample?
        for event in events.reversed() {
            guard let sample = Sample(event, direction) else { continue }
            if let newest, event.attempt != newest.attempt { break }
            newest = newest ?? sample
            oldest = sample
            if now - event.time >= Self.window || sample.isStart { break }
        }
        guard let newest, let oldest else { return nil }
        let time = now - oldest.time
        guard time >= Self.leastTime else { return nil }
        bytesPerSecond = Double(newest.bytes - oldest.bytes) / time.inSeconds
    }

    /// How long the rest will take; `nil` when the length isn't known or nothing moves.
    func timeLeft(for progress: TransferProgress) -> Duration? {
        guard let expected = progress.expected, expected > progress.bytes, bytesPerSecond >= 1 else { return nil }
        return .seconds(Double(expected - progress.bytes) / bytesPerSecond)
    }

    /// What one event says of how far a body has come.
    struct Sample {
        var time: MonotonicTime
        var bytes: Int64
        var attempt: Int?
        var isStart = false

        init?(_ event: NetworkEvent, _ direction: Direction) {
            switch (event.kind, direction) {
            case (.uploadProgress(let progress), .upload), (.downloadProgress(let progress), .download): bytes = progress.bytes
            case (.requestHeadSent, .upload), (.head, .download):
                bytes = 0
                isStart = true
            default: return nil
            }
            time = event.time
            attempt = event.attempt
        }
    }
}
