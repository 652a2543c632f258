import NetworkLayer
import Presentation
package import TerminalUI

extension ExplorerState {
    /// What stands above the body: what went wrong with it, or that it belongs to the run before.
    package enum ResponseNotes: Sendable {
        case none
        /// It waits to retry: what came, why it is tried again, and when.
        case retry(RetryNote)
        case failure([StyledLine])

        package var rows: Int {
            switch self {
            case .none: 0
            case .retry(let note): note.rows
            case .failure(let lines): lines.count
            }
        }
    }

    package func responseNotes(columns: Int) -> ResponseNotes {
        guard let shown = shownOperation else { return .none }
        guard shown.state.isFinal else {
            return shown.state == .waitingToRetry ? RetryNote(shown).map { .retry($0) } ?? .none : .none
        }
        guard responsePane.tab == .body, let error = shown.metrics.error else { return .none }
        var lines = FailureText.lines(of: shown.metrics, columns: columns)
        if let received = received(before: shown) {
            lines.append(StyledLine())
            lines += received.wrapped(columns: columns, indent: 2)
        }
        lines.append(StyledLine())
        lines += StyledLine("  " + FailureText.nextStep(after: error), .keyHelp).wrapped(columns: columns, indent: 2)
        if case .ready = shown.body { lines.append(StyledLine()) }
        return .failure(lines)
    }

    private func received(before entry: OperationEntry) -> StyledLine? {
        guard let attempt = entry.metrics.attempts.last, let head = attempt.head else { return nil }
        var line = StyledLine("  received before: ", .dim)
        line.spans.append(StatusText.span(head.status))
        line.append(", \(Figures.bytes(attempt.download.bytes))")
        if let expected = attempt.download.expected { line.append(" of \(Figures.bytes(expected))", .dim) }
        return line
    }

    /// The part of the response pane below its notes, in cells.
    package var responseArea: Size {
        guard let content = layout.content(of: .response) else { return Size(columns: 80, rows: 20) }
        let notes = min(responseNotes(columns: content.columns).rows, content.rows)
        return Size(columns: content.columns, rows: content.rows - notes)
    }
}
