import NetworkLayer
import Presentation
import TerminalUI

/// The phases of two runs on one axis, moved so that they meet at one moment.
struct ComparedWaterfall {
    private let old: OperationMetrics
    private let new: OperationMetrics
    /// How much later each of them begins, so that they meet.
    private let oldDelay: Duration
    private let newDelay: Duration
    private let whole: Duration

    private static let columns = 28

    /// Where two runs meet.
    enum Alignment: CaseIterable {
        case start, send, firstByte

        var words: String {
            switch self {
            case .start: "from the start"
            case .send: "meeting where they send"
            case .firstByte: "meeting at the first byte"
            }
        }
    }

    init(_ old: OperationMetrics, _ new: OperationMetrics, _ alignment: Alignment = .start) {
        self.old = old
        self.new = new
        let lead = [old, new].map { Self.lead($0, alignment) }
        let latest = max(lead[0], lead[1])
        (oldDelay, newDelay) = (latest - lead[0], latest - lead[1])
        let ends = [Self.length(old).map { $0 + latest - lead[0] }, Self.length(new).map { $0 + latest - lead[1] }]
        whole = max(.microseconds(1), ends.compactMap(\.self).max() ?? .zero)
    }

    private static func length(_ metrics: OperationMetrics) -> Duration? {
        guard let start = metrics.attempts.first?.start, let end = metrics.completed else { return nil }
        return end - start
    }

    /// From the start to where they meet, of the last attempt; 0 when it never came to that.
    private static func lead(_ metrics: OperationMetrics, _ alignment: Alignment) -> Duration {
        guard let start = metrics.attempts.first?.start, let last = metrics.attempts.last else { return .zero }
        let moment: MonotonicTime? =
            switch alignment {
            case .start: nil
            case .send: last.phases[.send]?.start
            case .firstByte: last.phases[.wait]?.end
            }
        return moment.map { max(.zero, $0 - start) } ?? .zero
    }

    /// A cell is the newer run's where that has something, else the older one's.
    func bar(_ name: String) -> StyledLine {
        let phase = Phases.Name(rawValue: name)
        let before = cells(of: old, phase, after: oldDelay)
        let after = cells(of: new, phase, after: newDelay)
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
    private func cells(of metrics: OperationMetrics, _ phase: Phases.Name?, after delay: Duration) -> [Bool] {
        var cells = [Bool](repeating: false, count: Self.columns)
        guard let start = metrics.attempts.first?.start else { return cells }
        let spans: [(MonotonicTime, MonotonicTime)] =
            if let phase {
                metrics.attempts.compactMap { attempt in attempt.phases[phase].map { ($0.start, $0.end) } }
            } else {
                metrics.completed.map { [(start, $0)] } ?? []
            }
        for (from, to) in spans {
            let (begin, end) = ((from - start + delay) / whole, (to - start + delay) / whole)
            let first = min(Self.columns - 1, max(0, Int(begin * Double(Self.columns))))
            let last = min(Self.columns, max(first + 1, Int((end * Double(Self.columns)).rounded())))
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
