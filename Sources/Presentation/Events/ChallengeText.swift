package import NetworkLayer
package import TerminalUI

/// What became of a challenge, as a line: `digest “shop” of a.test answered`.
package enum ChallengeText {
    package static func line(_ report: ChallengeReport) -> StyledLine {
        var who = report.method
        if let realm = report.realm { who += " “\(realm)”" }
        who += report.space == .proxy ? " of the proxy for \(report.host)" : " of \(report.host)"
        return StyledLine([.init(SafeText.line(who), .text), .init(" \(text(report.decision))", .dim)])
    }

    private static func text(_ decision: ChallengeReport.Decision) -> String {
        switch decision {
        case .answered: "answered"
        case .unanswered: "unanswered"
        case .repeated: "asked again: the credentials were not accepted"
        case .bodyNotReplayable: "unanswered: the body can't be sent again"
        case .cancelled: "cancelled"
        }
    }
}
