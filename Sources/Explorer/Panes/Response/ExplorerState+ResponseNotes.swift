import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// What stands above the body: what went wrong with it, or that it belongs to the run before.
    enum ResponseNotes: Sendable {
        case none
        /// It waits to retry; the note says what came, why it is tried again, and when.
        case retry(RetryNote)
        case failure([StyledLine])

        var rows: Int {
            switch self {
            case .none: 0
            case .retry(let note): note.rows
            case .failure(let lines): lines.count
            }
        }
    }

    func responseNotes(columns: Int) -> ResponseNotes {
        guard let shown = shownOperation else { return .none }
        guard shown.state.isFinal else {
            guard shown.state == .waitingToRetry, var note = RetryNote(shown) else { return .none }
            let hasVerdict = layout.shape == .rails || layout.verdictLine != nil
            note.saysAttempt = !hasVerdict
            note.saysAnswer = !hasVerdict || shown.metrics.attempts.last?.head == nil
            return .retry(note)
        }
        guard panes.response.tab == .body else { return .none }
        if shown.verdict == .checkFailed, let report = shown.report {
            return .failure(unmet(report).flatMap { $0.wrapped(columns: columns, indent: 2) } + [StyledLine()])
        }
        // Most streams have no end but this one: what came stays where it is.
        if shown.state == .cancelled, showsStreams, shown.stream.map({ $0.count > 0 }) == true { return .none }
        guard shown.metrics.error != nil else { return .none }
        var lines = FailureText.lines(of: shown.metrics, columns: columns)
        if let received = received(before: shown) {
            lines.append(StyledLine())
            lines += received.wrapped(columns: columns, indent: 2)
        }
        lines.append(StyledLine())
        lines += remediesLine.wrapped(columns: columns, indent: 2)
        if case .ready = shown.body { lines.append(StyledLine()) }
        return .failure(lines)
    }

    /// What failed of the checks, above the body that they are about; the tab `checks` has all.
    func unmet(_ report: RunReport) -> [StyledLine] {
        let failure = report.failure.map { StyledLine([.init("✗ ", .error), .init(SafeText.line($0), .text)]) }
        let unmet = report.expectations.filter { !$0.isMet }
        var told = (failure.map { [$0] } ?? []) + unmet.prefix(3).map(line(of:))
        if unmet.count > 3 { told.append(StyledLine("  and \(unmet.count - 3) more on the tab checks", .dim)) }
        return told
    }

    private func received(before entry: OperationEntry) -> StyledLine? {
        guard let attempt = entry.metrics.attempts.last, let head = attempt.head else { return nil }
        var line = StyledLine("  received before: ", .dim)
        line.spans.append(StatusText.span(head.status))
        line.append(", \(Figures.bytes(entry.bodySize))")
        // What was announced is about the body as it is on its way, and not about what it is unpacked to.
        if let expected = attempt.download.expected, head.headers[.contentEncoding] == nil {
            line.append(" of \(Figures.bytes(expected))", .dim)
        }
        return line
    }

    /// The part of the response pane below its notes, in cells.
    var responseArea: Size {
        guard let content = layout.content(of: .response) else { return Size(columns: 80, rows: 20) }
        let notes = min(responseNotes(columns: content.columns).rows, content.rows)
        return Size(columns: content.columns, rows: content.rows - notes)
    }
}
