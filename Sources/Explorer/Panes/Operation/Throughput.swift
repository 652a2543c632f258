import NetworkLayer

/// How fast a body came, over time.
struct Throughput: Hashable, Sendable {
    /// Bytes a second in spans of equal length, the oldest first.
    var rates: [Double]
    var peak: Double { rates.max() ?? 0 }

    /// Looks back as far at most.
    static let window = Duration.seconds(60)
    private static let leastSpan = Duration.milliseconds(100)

    /// - Parameters:
    ///   - events: of one operation, in order; only those of the newest attempt count.
    ///   - count: how many spans there may be.
    /// - Returns: `nil` while there is less than one span to tell of.
    init?(_ direction: TransferRate.Direction, in events: [NetworkEvent], at now: MonotonicTime, count: Int) {
        var samples: [(time: MonotonicTime, bytes: Int64)] = []
        var attempt: Int?
        for event in events.reversed() {
            if let attempt, let other = event.attempt, other != attempt { break }
            guard let sample = TransferRate.Sample(event, direction) else { continue }
            attempt = attempt ?? sample.attempt
            samples.append((sample.time, sample.bytes))
            if sample.isStart || now - sample.time > Self.window { break }
        }
        guard let first = samples.last, count > 0, now - first.time >= Self.leastSpan else { return nil }
        let whole = now - first.time
        let span = max(Self.leastSpan, whole / count)
        rates = []
        var index = samples.count - 1
        var bytes = first.bytes
        var end = first.time
        while end + span <= now, rates.count < count {
            end = end + span
            let before = bytes
            while index > 0, samples[index - 1].time <= end { index -= 1 }
            bytes = samples[index].bytes
            rates.append(Double(bytes - before) / span.inSeconds)
        }
    }

    /// The columns of a chart: heights from 0 to `rows` times eight.
    func heights(rows: Int) -> [Int] {
        guard peak > 0 else { return rates.map { _ in 0 } }
        return rates.map { $0 > 0 ? max(1, Int(($0 / peak * Double(rows * 8)).rounded())) : 0 }
    }
}
