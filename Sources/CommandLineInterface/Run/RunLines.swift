import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// What `run` says of a request, and of all of them.
enum RunLines {
    /// `✓ orders/create  201 Created  143 ms`, and below it why, where it isn't passed.
    ///
    /// - Parameter isWhole: also what was sent and answered.
    static func lines(of entry: RunOutcome.Entry, isWhole: Bool = false) -> [StyledLine] {
        var line: StyledLine
        switch entry.verdict {
        case .passed where entry.isDoubtful: line = StyledLine("⚠ ", .warning)
        case .passed: line = StyledLine("✓ ", .success)
        case .failed: line = StyledLine("✗ ", .error)
        case .broken, .stopped: line = StyledLine("! ", .error)
        case .blocked, .skipped, .notSent: line = StyledLine("- ", .dim)
        }
        line.append(SafeText.line(entry.title), .strong)
        if let status = entry.status {
            line.append("  ")
            line.spans.append(StatusText.span(status))
        }
        if let duration = entry.duration { line.append("  " + Figures.duration(duration), .dim) }
        let attempts = entry.result?.response?.metrics.attempts.count ?? 0
        if attempts > 1 { line.append("  \(attempts) attempts", .dim) }
        if let polling = entry.result?.polling, polling.polls.count > 1 { line.append("  \(polling.times)", .dim) }
        if let path = entry.result?.savedPath { line.append("  → \(SafeText.line(path))", .dim) }
        if entry.isNeeded { line.append("  \(entry.step?.rawValue ?? "needed")", .dim) }
        guard entry.verdict != .passed || isWhole else { return [line] }
        let story = FailureStory(entry)
        return [line]
            + (isWhole ? story.lines : story.shortLines).map { StyledLine($0.isEmpty ? "" : "    " + SafeText.line($0), .text) }
    }

    /// `12 passed, 2 failed, 1 broken in 1.34 s`
    static func summary(of outcome: RunOutcome) -> StyledLine {
        let counts = outcome.counts
        var line = StyledLine()
        for (verdict, word, role) in [
            (RunOutcome.Verdict.passed, "passed", ThemeRole.success), (.failed, "failed", .error), (.broken, "broken", .error),
            (.stopped, "cancelled", .error), (.blocked, "blocked", .warning), (.skipped, "skipped", .dim),
            (.notSent, "not sent", .warning),
        ] {
            guard let count = counts[verdict], count > 0 else { continue }
            if !line.spans.isEmpty { line.append(", ") }
            line.append("\(Figures.count(count)) \(word)", role)
            let doubtful = verdict == .passed ? outcome.doubtful : 0
            if doubtful > 0 { line.append(" (\(Figures.count(doubtful)) with a status of 400 or more)", .warning) }
        }
        if line.spans.isEmpty { line.append("nothing to send", .warning) }
        line.append(" in \(Figures.duration(outcome.duration))", .dim)
        return line
    }
}
