import NetworkLayer
import Presentation
import TerminalUI

/// The states an operation went through and, dimmed, those that lie ahead when all goes well.
enum LifelineView {
    static func draw(_ metrics: OperationMetrics, now: MonotonicTime, row: Int, on canvas: inout Canvas) {
        let columns = canvas.bounds.columns
        let end = canvas.line(Lifeline.line(metrics, now: now, width: columns), row: row, ellipsis: true)
        var ahead = StyledLine()
        for state in future(after: metrics.state) { ahead.append(" › " + state, .disabled) }
        canvas.line(ahead, column: end, row: row, limit: columns - end, ellipsis: true)
    }

    private static func future(after state: RequestOperation.State) -> [String] {
        switch state {
        case .idle, .waiting, .waitingToRetry: ["prep", "start", "run", "done"]
        case .preparing: ["start", "run", "done"]
        case .starting: ["run", "done"]
        case .running: ["done"]
        case .cancelled, .failed, .succeeded: []
        }
    }
}
