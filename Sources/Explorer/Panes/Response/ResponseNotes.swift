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
        /// What it has otherwise than the run before.
        case change(StyledLine)

        var rows: Int {
            switch self {
            case .none: 0
            case .retry(let note): note.rows
            case .failure(let lines): lines.count
            case .change: 1
            }
        }
    }

    /// The response says what went wrong, above what came of the body.
    var isFailureTold: Bool {
        guard layout.panes[.response] != nil, case .failure = responseNotes(columns: layout.size.columns) else { return false }
        return true
    }

    func responseNotes(columns: Int) -> ResponseNotes {
        guard let shown = shownOperation else { return .none }
        guard shown.state.isFinal else {
            guard shown.state == .waitingToRetry, var note = RetryNote(shown) else { return .none }
            let hasVerdict = layout.operationRail != nil
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
        guard shown.metrics.error != nil else {
            guard var line = shown.change?.line else { return .none }
            line.append("  \(keyName(.compare))", .key)
            return .change(line)
        }
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

    /// The part of the response pane above a message that is typed.
    var responsePlace: Rect? {
        layout.content(of: .response).map { $0.splitTop(max(0, $0.rows - (messagePlace?.rows ?? 0))).top }
    }

    /// The part of the response pane below its notes, in cells.
    var responseArea: Size {
        guard let content = responsePlace else { return Size(columns: 80, rows: 20) }
        let notes = min(responseNotes(columns: content.columns).rows, content.rows)
        return Size(columns: content.columns, rows: content.rows - notes)
    }
}

/// What is to be said while an operation waits to retry.
struct RetryNote: Hashable, Sendable {
    /// `503 Service Unavailable`, or why there was no answer.
    var result: StyledLine
    /// What the server asked for: `Retry-After 4 s`.
    var retryAfter: String?
    /// The attempt that comes next, and how many there may be: `2 of 4`.
    var attempt: String
    /// Why it is tried again.
    var rule: String
    var delay: Duration
    var due: MonotonicTime

    /// Whether the verdict above doesn't say it: there is none, or it only knows that no answer came.
    var saysAnswer = true
    var saysAttempt = true

    /// Lines of text, the countdown's bar, and air before the body.
    var rows: Int { saysAnswer ? 4 : 3 }

    /// `nil` as long as nothing is known of the retry.
    init?(_ entry: OperationEntry) {
        let metrics = entry.metrics
        guard let due = metrics.retryDue, let last = metrics.attempts.last else { return nil }
        self.due = due
        delay = .zero
        rule = "the policy asks for it"
        attempt = "\(metrics.attempts.count + 1)"
        scan: for event in entry.events.reversed() {
            switch event.kind {
            case .retryScheduled(let delay) where self.delay == .zero: self.delay = delay
            case .retryDecision(.retry(_, _, let reason), _):
                let parts = Self.parts(reason)
                rule = parts.cause
                if let tries = parts.tries { attempt = tries }
                break scan
            default: break
            }
        }
        if let head = last.head {
            result = StyledLine([StatusText.span(head.status)])
        } else if let error = last.error {
            result = StyledLine(SafeText.line(error.message), .error)
        } else {
            result = StyledLine("no answer", .error)
        }
        retryAfter = last.head?.headers[.retryAfter].map { value in
            let text = SafeText.line(value)
            return "Retry-After \(text)" + (text.allSatisfy(\.isNumber) ? " s" : "")
        }
    }

    /// The reasons of the standard policy end in how many tries there are: `status 503, try 2 of 4`.
    private static func parts(_ reason: String) -> (cause: String, tries: String?) {
        guard let range = reason.firstRange(of: ", try ") else { return (SafeText.line(reason), nil) }
        return (SafeText.line(String(reason[..<range.lowerBound])), SafeText.line(String(reason[range.upperBound...])))
    }

    /// How much of the wait is over.
    func fraction(at now: MonotonicTime) -> Double {
        guard delay > .zero else { return 1 }
        return min(1, max(0, 1 - (due - now) / delay))
    }
}

/// Draws what is to be said while an operation waits to retry, above the body that came.
///
///     ↻ 503 Service Unavailable  attempt 2 of 4        only where no verdict says it
///     tries again because of status 503  Retry-After 4 s
///     ▐█████░░░░░░░▌ in 2.6 s  + now  - gives up
enum RetryNoteView {
    static func draw(_ note: RetryNote, of state: ExplorerState, on canvas: inout Canvas) {
        var row = 0
        if note.saysAnswer {
            var first = StyledLine("↻ ", .stateWaitingToRetry)
            first.spans += note.result.spans
            if note.saysAttempt { first.append("  attempt \(note.attempt)", .stateWaitingToRetry) }
            canvas.line(first, row: 0, ellipsis: true)
            row = 1
        }
        var rule = StyledLine("tries again because of \(note.rule)")
        if let asked = note.retryAfter { rule.append("  \(asked)", .warning) }
        canvas.line(rule, row: row, ellipsis: true)
        let left = max(.zero, note.due - state.now)
        let text = StyledLine([
            .init("in \(Countdown.text(left)) ", .strong), .init("of \(Figures.duration(note.delay))", .dim),
        ])
        let bar = min(40, canvas.bounds.columns - DisplayWidth.of(text.text) - 1)
        var column = 0
        if bar >= 6 {
            Gauge(fraction: note.fraction(at: state.now), role: .progress)
                .draw(on: &canvas, in: Rect(column: 0, row: row + 1, columns: bar, rows: 1))
            column = bar + 1
        }
        canvas.line(text, column: column, row: row + 1, ellipsis: true)
    }
}
