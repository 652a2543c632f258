import NetworkLayer
import Presentation
import TerminalUI

/// The phases of two runs on one axis, both from their first attempt on.
struct ComparedWaterfall {
    private let old: OperationMetrics
    private let new: OperationMetrics
    private let whole: Duration

    private static let columns = 28

    init(_ old: OperationMetrics, _ new: OperationMetrics) {
        self.old = old
        self.new = new
        whole = max(.microseconds(1), [old, new].compactMap(Self.length).max() ?? .zero)
    }

    private static func length(_ metrics: OperationMetrics) -> Duration? {
        guard let start = metrics.attempts.first?.start, let end = metrics.completed else { return nil }
        return end - start
    }

    /// A cell is the newer run's where that has something, else the older one's.
    func bar(_ name: String) -> StyledLine {
        let phase = Phases.Name(rawValue: name)
        let before = cells(of: old, phase)
        let after = cells(of: new, phase)
        var line = StyledLine("  ")
        for column in 0..<Self.columns {
            if after[column] {
                line.append("█", phase.map(PhaseText.role) ?? .accent)
            } else {
                line.append(before[column] ? "░" : " ", .dim)
            }
        }
        return line
    }

    /// - Parameter phase: `nil`: from its begin to its end.
    private func cells(of metrics: OperationMetrics, _ phase: Phases.Name?) -> [Bool] {
        var cells = [Bool](repeating: false, count: Self.columns)
        guard let start = metrics.attempts.first?.start else { return cells }
        let spans: [(MonotonicTime, MonotonicTime)] =
            if let phase {
                metrics.attempts.compactMap { attempt in attempt.phases[phase].map { ($0.start, $0.end) } }
            } else {
                metrics.completed.map { [(start, $0)] } ?? []
            }
        for (from, to) in spans {
            let first = min(Self.columns - 1, max(0, Int((from - start) / whole * Double(Self.columns))))
            let last = min(Self.columns, max(first + 1, Int(((to - start) / whole * Double(Self.columns)).rounded())))
            for column in first..<last { cells[column] = true }
        }
        return cells
    }

    /// What explains phases that only one of them has.
    var why: String? {
        guard let before = old.attempts.first?.connection, let after = new.attempts.first?.connection,
            before.isReused != after.isReused
        else { return nil }
        return after.isReused
            ? "The newer run used a connection that was there: no dns, connect and tls."
            : "The newer run made a connection of its own: dns, connect and tls are its price."
    }
}
