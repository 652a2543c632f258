import Base
import NetworkLayer
import Presentation
import TerminalUI

/// The operations under way, each as the fold of its events.
struct WatchBoard: Sendable {
    private var rows: [(id: OperationID, name: String, note: String?, metrics: OperationMetrics)] = []

    /// Requests beyond this number are counted, but not drawn.
    static let mostRows = 16

    /// - Parameter note: what became of it before.
    mutating func add(_ id: OperationID, _ name: String, note: String? = nil) {
        rows.append((id, name, note, OperationMetrics()))
    }

    mutating func apply(_ event: NetworkEvent) {
        guard let index = rows.firstIndex(where: { $0.id == event.operation }) else { return }
        rows[index].metrics.apply(event)
    }

    mutating func remove(_ id: OperationID) {
        rows.removeAll { $0.id == id }
    }

    /// `▸ orders/create  prep 2 ms › [run 1.3 s]  40 %`
    func lines(now: MonotonicTime, columns: Int) -> [StyledLine] {
        let width = min(30, rows.prefix(Self.mostRows).map(\.name.count).max() ?? 0)
        var lines = rows.prefix(Self.mostRows).map { row in
            var line = StyledLine("▸ ", .stateRunning)
            let name = SafeText.line(String(row.name.prefix(width)))
            line.append(name + String(repeating: " ", count: max(0, width - name.count)) + "  ", .strong)
            let note = row.note.map { "  " + SafeText.line(String($0.prefix(max(0, columns - width - 16)))) }
            let progress = note ?? row.metrics.attempts.last.flatMap { Self.progress($0) } ?? ""
            let room = max(8, columns - width - 5 - progress.count)
            line.spans += Lifeline.lines(row.metrics, now: now, width: room, rows: 1).first?.spans ?? []
            if !progress.isEmpty { line.append(progress, .dim) }
            return line
        }
        if rows.count > Self.mostRows { lines.append(StyledLine("  and \(rows.count - Self.mostRows) more", .dim)) }
        return lines
    }

    private static func progress(_ attempt: AttemptMetrics) -> String? {
        let transfer = attempt.head == nil ? attempt.upload : attempt.download
        guard transfer.bytes > 0 else { return nil }
        guard let expected = transfer.expected, expected > 0 else { return "  \(Figures.bytes(transfer.bytes))" }
        return "  \(Figures.percent(Double(transfer.bytes) / Double(expected))) of \(Figures.bytes(expected))"
    }
}
