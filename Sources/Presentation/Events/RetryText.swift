package import NetworkLayer
package import TerminalUI

/// What was decided about another try, as a line.
///
///     again in 400 ms: tcp.refused, try 3 of 4
///     not again: status 503, after 4 of 4 tries
package enum RetryText {
    package static func line(_ decision: RetryDecision) -> StyledLine {
        switch decision {
        case .retry(let delay, _, let reason):
            StyledLine([.init("again in \(Figures.duration(delay))", .text), .init(": \(SafeText.line(reason))", .dim)])
        case .stop(let reason): StyledLine([.init("not again", .text), .init(": \(SafeText.line(reason))", .dim)])
        case .abstain: StyledLine([.init("not again", .text), .init(": no policy asks for it", .dim)])
        }
    }
}
