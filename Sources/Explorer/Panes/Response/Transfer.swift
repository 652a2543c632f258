import NetworkLayer
import Presentation
import TerminalUI

/// What a running operation does right now.
enum ActivityView {
    /// The phase with its time, or what it waits for.
    static func phase(of entry: OperationEntry, now: MonotonicTime) -> StyledLine {
        var line = StyledLine("\(Spinner.character(step: Int(now.nanoseconds / 80_000_000))) ", .stateRunning)
        let (word, since) = PhaseStrip.current(entry.metrics)
        line.append(word)
        if let reason = waits(entry, now: now) { line.append(": \(reason)") }
        if let since { line.append("  " + Figures.duration(max(.zero, now - since)), .strong) }
        return line
    }

    /// What an operation in the queue waits for, in a sentence; `nil`: for nothing.
    static func waits(_ entry: OperationEntry, now: MonotonicTime) -> String? {
        guard case .waiting(let reason) = entry.state else { return nil }
        if let detail = entry.metrics.waitsFor { return "waits for \(WaitText.sentence(detail, at: now))" }
        return switch reason {
        case .queueSuspended: "it is paused (:pause-queue resumes)"
        case .dependency: "waits for another operation"
        case .concurrencyLimit: "waits for its turn: the limit of the host is reached"
        case .backoff: "the host asked for a pause"
        case .connectivity: "waits for the network"
        }
    }

    /// How far a body has come, with a bar where its length is known.
    static func transfer(
        _ direction: TransferRate.Direction, of entry: OperationEntry, now: MonotonicTime, row: Int, on canvas: inout Canvas
    ) {
        guard let attempt = entry.metrics.attempts.last else { return }
        let progress = direction == .upload ? attempt.upload : attempt.download
        let arrow = direction == .upload ? "↑" : "↓"
        let text = figures(progress, TransferRate(direction, in: entry.events, at: now))
        var column = canvas.text(arrow + " ", .progress, column: 0, row: row)
        if let fraction = progress.fraction {
            let room = canvas.bounds.columns - column - DisplayWidth.of(text.text) - 1
            let bar = min(40, room)
            if bar >= 6 {
                Gauge(fraction: fraction, role: .progress)
                    .draw(on: &canvas, in: Rect(column: column, row: row, columns: bar, rows: 1))
                column += bar + 1
            }
        }
        canvas.line(text, column: column, row: row, ellipsis: true)
    }

    /// As many of ``figures(_:_:)`` as there is room for without cutting one.
    static func figures(_ progress: TransferProgress, _ rate: TransferRate?, columns: Int) -> StyledLine {
        let all = figures(progress, rate)
        if DisplayWidth.of(all.text) <= columns { return all }
        let share = progress.fraction.map { Figures.percent($0) } ?? ""
        let bytes = Figures.bytes(progress.bytes)
        let speed = rate.map { $0.bytesPerSecond < 1 ? "nothing moves" : "\(Figures.bytes(Int64($0.bytesPerSecond)))/s" } ?? ""
        let choices = [[share, bytes, speed], [share, speed], [share, bytes], [share]].map { $0.filter { !$0.isEmpty } }
        let texts = choices.map { $0.joined(separator: "  ") }
        return StyledLine(texts.first { DisplayWidth.of($0) <= columns } ?? "")
    }

    /// `45% 45 MB of 100 MB  20 MB/s  2.7 s left`
    static func figures(_ progress: TransferProgress, _ rate: TransferRate?) -> StyledLine {
        var line = StyledLine()
        if let fraction = progress.fraction { line.append(Figures.percent(fraction) + " ", .strong) }
        line.append(Figures.bytes(progress.bytes))
        if let expected = progress.expected { line.append(" of \(Figures.bytes(expected))", .dim) }
        if let rate {
            if rate.bytesPerSecond < 1, progress.fraction ?? 0 < 1 {
                line.append("  nothing moves", .warning)
            } else {
                line.append("  \(Figures.bytes(Int64(rate.bytesPerSecond)))/s")
            }
            if let left = rate.timeLeft(for: progress) { line.append("  \(Countdown.text(left)) left", .dim) }
        }
        return line
    }
}

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

/// Draws how fast a body came, as columns over time.
enum ThroughputView {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// In one row of text: `▁▃▅▇▇▆`.
    static func line(_ throughput: Throughput) -> StyledLine {
        StyledLine(String(throughput.heights(rows: 1).map { blocks[$0] }), .progress)
    }

    /// Over the whole canvas.
    static func draw(_ throughput: Throughput, on canvas: inout Canvas) {
        let rows = canvas.bounds.rows
        for (column, height) in throughput.heights(rows: rows).enumerated() {
            for row in 0..<rows {
                let part = min(8, max(0, height - (rows - 1 - row) * 8))
                if part > 0 { canvas.text(String(blocks[part]), .progress, column: column, row: row) }
            }
        }
    }
}
