import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

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
