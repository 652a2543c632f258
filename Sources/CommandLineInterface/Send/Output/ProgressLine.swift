import NetworkLayer
import Presentation

/// How far a long transfer has come, as one line that is written over and over.
///
///      45 %  ██████████▊              12.2 MB of 27.1 MB  8.2 MB/s  2 s left
///
/// A value that is given events: short transfers never see it, because nothing is drawn in the first half second, nor more often
/// than ten times a second.
struct ProgressLine {
    private let columns: Int
    private let patience: Duration
    private var start: MonotonicTime?
    private var lastDrawn: MonotonicTime?
    private var isDrawn = false

    /// - Parameter patience: how long to wait before the first line.
    init(columns: Int, patience: Duration = .milliseconds(500)) {
        self.columns = columns
        self.patience = patience
    }

    /// What to write for an event; `nil` for nothing.
    mutating func text(for event: NetworkEvent) -> String? {
        switch event.kind {
        case .attemptStarted:
            start = event.time
            return nil
        case .uploadProgress(let progress): return draw(progress, "up", at: event.time)
        case .downloadProgress(let progress): return draw(progress, "", at: event.time)
        case .completed:
            guard isDrawn else { return nil }
            isDrawn = false
            return "\r" + Self.clear
        default: return nil
        }
    }

    /// Clears to the end of the line (ECMA-48, 8.3.41).
    private static let clear = "\u{1B}[K"

    private mutating func draw(_ progress: TransferProgress, _ direction: String, at time: MonotonicTime) -> String? {
        guard let start, time - start >= patience else { return nil }
        if let lastDrawn, time - lastDrawn < .milliseconds(100), progress.bytes != progress.expected { return nil }
        lastDrawn = time
        isDrawn = true
        return "\r" + Self.line(progress, direction, elapsed: time - start, columns: columns) + Self.clear
    }

    static func line(_ progress: TransferProgress, _ direction: String = "", elapsed: Duration, columns: Int) -> String {
        let seconds = max(1e-6, elapsed / .seconds(1))
        let rate = Double(progress.bytes) / seconds
        var figures = Figures.bytes(progress.bytes)
        if let expected = progress.expected { figures += " of \(Figures.bytes(expected))" }
        figures += "  \(Figures.bytes(Int64(rate)))/s"
        if !direction.isEmpty { figures += " \(direction)" }
        guard let expected = progress.expected, let fraction = progress.fraction else { return String(figures.prefix(columns - 1)) }
        if rate > 0, progress.bytes < expected {
            let left = Double(expected - progress.bytes) / rate
            if left < 360_000 { figures += "  \(Figures.duration(.seconds(Int64(left.rounded(.up))))) left" }
        }
        let percent = "\(Int(fraction * 100)) %"
        let start = String(repeating: " ", count: max(0, 5 - percent.count)) + percent + "  "
        let room = min(40, columns - start.count - figures.count - 3)
        return start + (room >= 8 ? ProgressBar.text(fraction, width: room) + "  " : "") + figures
    }
}
