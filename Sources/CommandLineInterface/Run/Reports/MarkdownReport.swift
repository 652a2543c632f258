import Base
import CollectionRunner
import Presentation
import RequestCollections
import TerminalUI

/// What a page in Markdown shows of a run, such as the summary of a job of GitHub's: how many of what, and each request that failed as a
/// terminal shows it. What a server or a file says stands in fences, where Markdown means nothing.
struct MarkdownReport: RunReport {
    /// The room for the failures; GitHub takes 1 MiB for a step, and drops all of it when it is more.
    static let mostBytes = 800 << 10
    private static let mostOfOne = 16 << 10

    /// By place of the plan.
    private var sizes: [Int: Int] = [:]

    mutating func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        guard [.failed, .broken, .stopped].contains(entry.verdict) else { return "" }
        var lines = RunLines.lines(of: entry).map(\.text)
        var size = 0
        let shown = lines.prefix { line in
            size += line.utf8.count + 1
            return size <= Self.mostOfOne
        }
        if shown.count < lines.count { lines = shown + ["    …"] }
        let text = Self.fenced(lines)
        sizes[index] = text.utf8.count
        return text
    }

    func document(_ parts: [Int], of outcome: RunOutcome, _ plan: RunPlan) -> [ReportPiece] {
        var text = "### turnstone: \(RunLines.summary(of: outcome).text)\n\n"
        if !outcome.unread.isEmpty { text += Self.fenced(outcome.unread.prefix(100).map { SafeText.line("\($0)") }) }
        let failed = parts.filter { sizes[$0] != nil }
        var size = text.utf8.count
        let shown = failed.prefix { index in
            size += sizes[index] ?? 0
            return size <= Self.mostBytes
        }
        let rest = failed.count - shown.count
        let end = rest > 0 ? "and \(rest) more that failed; the log has them\n" : ""
        return [.text(text)] + shown.map { .part($0) } + [.text(end)]
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
