import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// The Test Anything Protocol, version 14 (testanything.org): a line a request, and in a YAML block below it why it failed.
struct TAPReport: RunReport {
    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        let points = parts.map(\.text) + outcome.unread.map { "not ok - \(Self.description($0.description))\n" }
        let numbered = points.enumerated().map { index, point in
            let result = point.hasPrefix("not ok") ? "not ok" : "ok"
            return "\(result) \(index + 1)\(point.dropFirst(result.count))"
        }
        // Nobody knows what the rest would have come to.
        let end = outcome.stop == .interrupt ? ["Bail out! \(RunOutcome.Stop.interrupt.rawValue)\n"] : []
        return ["TAP version 14\n1..\(points.count)\n"] + numbered + end
    }

    /// Its number is written in when all of them are known.
    func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        // What isn't sent because of another request is no failure of its own: that one is in the report, too.
        let isOK = [.passed, .blocked, .skipped, .notSent, .stopped].contains(entry.verdict)
        var text = "\(isOK ? "ok" : "not ok") - \(Self.description(entry.title))"
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

/// What a page in Markdown shows of a run, such as the summary of a job of GitHub's: how many of what, and each request that failed as a
/// terminal shows it. What a server or a file says stands in fences, where Markdown means nothing.
struct MarkdownReport: RunReport {
    /// The room for the failures; GitHub takes 1 MiB for a step, and drops all of it when it is more.
    static let mostBytes = 800 << 10
    private static let mostOfOne = 16 << 10

    func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        guard [.failed, .broken, .stopped].contains(entry.verdict) else { return "" }
        var lines = RunLines.lines(of: entry).map(\.text)
        var size = 0
        let shown = lines.prefix { line in
            size += line.utf8.count + 1
            return size <= Self.mostOfOne
        }
        if shown.count < lines.count { lines = shown + ["    …"] }
        return Self.fenced(lines)
    }

    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        var text = "### turnstone: \(RunLines.summary(of: outcome).text)\n\n"
        if !outcome.unread.isEmpty { text += Self.fenced(outcome.unread.prefix(100).map { SafeText.line("\($0)") }) }
        let failed = parts.map(\.text).filter { !$0.isEmpty }
        var size = text.utf8.count
        let shown = failed.prefix { part in
            size += part.utf8.count
            return size <= Self.mostBytes
        }
        let rest = failed.count - shown.count
        let end = rest > 0 ? "and \(rest) more that failed; the log has them\n" : ""
        return [text] + shown + [end]
    }

    private static func fenced(_ lines: [String]) -> String {
        var longest = 2
        for line in lines {
            for run in line.split(whereSeparator: { $0 != "`" }) { longest = max(longest, run.count) }
        }
        let fence = String(repeating: "`", count: longest + 1)
        return ([fence + "text"] + lines + [fence, "", ""]).joined(separator: "\n")
    }
}
