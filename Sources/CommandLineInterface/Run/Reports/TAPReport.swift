import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections

/// The Test Anything Protocol, version 14 (testanything.org): a line a request, and in a YAML block below it why it failed.
struct TAPReport: RunReport {
    func document(_ parts: [Int], of outcome: RunOutcome, _ plan: RunPlan) -> [ReportPiece] {
        let lines =
            [ReportPiece.text("TAP version 14\n1..\(parts.count + outcome.unread.count)\n")]
            + parts.enumerated().map { .numbered($0.element, $0.offset + 1) }
        let unread = outcome.unread.enumerated().map { index, problem in
            ReportPiece.text("not ok \(parts.count + index + 1) - \(Self.description(problem.description))\n")
        }
        // Nobody knows what the rest would have come to.
        return outcome.stop == .interrupt
            ? lines + unread + [.text("Bail out! \(RunOutcome.Stop.interrupt.rawValue)\n")] : lines + unread
    }

    func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        // What isn't sent because of another request is no failure of its own: that one is in the report, too.
        let isOK = [.passed, .blocked, .skipped, .notSent, .stopped].contains(entry.verdict)
        var text = "\(isOK ? "ok" : "not ok") \(ReportPiece.placeOfNumber) - \(Self.description(entry.title))"
        switch entry.verdict {
        case .notSent: text += " # SKIP \((entry.stop ?? .failure).rawValue)"
        case .blocked, .skipped, .stopped:
            text += " # SKIP \(SafeText.line((entry.reasons.first ?? "").replacing(/\s+/, with: " ")))"
        case .passed, .failed, .broken: break
        }
        text += "\n"
        guard !isOK else { return text }
        text += "  ---\n  reasons:\n"
        for reason in entry.reasons { text += "    - \(ScalarWriter.doubleQuoted(reason))\n" }
        if let status = entry.status { text += "  status: \(status.code)\n" }
        if let duration = entry.duration { text += "  duration_us: \(duration.wholeMicroseconds)\n" }
        return text + "  ...\n"
    }

    /// A name may have anything in it: a line break would begin a line of its own, `not ok` for all that its reader knows.
    ///
    /// `#` begins a directive. It can be escaped, but not every parser knows that (tap.py 3.2 doesn't), and a failure that reads as
    /// skipped would be lost: before the word of a directive it is written as its wide form (U+FF03).
    private static func description(_ text: String) -> String {
        SafeText.line(text).replacing(/#(?=\s*(?:skip|todo))/.ignoresCase().matchingSemantics(.unicodeScalar), with: "＃")
            .escaping("\\", "#")
    }
}
