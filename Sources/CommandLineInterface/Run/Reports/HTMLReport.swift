import Base
import CollectionRunner
import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// One page that needs nothing else: counts, and a row a request that opens to why, expectations, the waterfall of its attempts, and what was sent and
/// answered.
/// No script: `details` opens, and the page prints.
struct HTMLReport: RunReport {
    func document(_ parts: [ReportPart], of outcome: RunOutcome, _ plan: RunPlan) -> [String] {
        let counts = outcome.counts
        let title = parts.first.map { plan.nodes[$0.index % plan.nodes.count].job.collection.name } ?? "Requests"
        var text = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(Self.escaped(title)): \(Self.sentence(counts))</title>
            <style>\(Self.style)</style></head><body><main>
            <header><h1>\(Self.escaped(title))</h1>
            <p class="date">\(Self.escaped(outcome.started.formatted(.iso8601))) · \(Figures.duration(outcome.duration))</p>
            <ul class="counts">

            """
        for verdict in RunOutcome.Verdict.allCases {
            guard let count = counts[verdict], count > 0 else { continue }
            text += "<li class=\"\(verdict.rawValue)\"><b>\(count)</b> \(Self.word(verdict))</li>\n"
        }
        text += "</ul>"
        if !outcome.unread.isEmpty {
            let items = outcome.unread.map { "<li>\(Self.escaped($0.description))</li>" }.joined()
            text += "<p>Not read:</p><ul class=\"reasons\">\(items)</ul>"
        }
        text += "</header>\n"
        return [text] + parts.map(\.text) + ["</main></body></html>\n"]
    }

    func part(_ entry: RunOutcome.Entry, at index: Int) -> String {
        let isOpen = [.failed, .broken, .stopped].contains(entry.verdict)
        var text =
            "<details class=\"\(entry.verdict.rawValue)\(entry.isDoubtful ? " doubtful" : "")\"\(isOpen ? " open" : "")><summary><span class=\"mark\">\(Self.mark(entry))</span>"
        text += "<span class=\"name\">\(Self.escaped(entry.title))</span>"
        text += "<span class=\"status\">\(entry.status.map { "\($0.code)" } ?? "")</span>"
        text += "<span class=\"time\">\(entry.duration.map(Figures.duration) ?? "")</span></summary>\n"
        if let (method, url) = entry.firstRequest {
            text += "<p class=\"url\">\(method) \(Self.escaped(url))</p>\n"
        }
        let story = FailureStory(entry)
        if entry.verdict != .passed {
            text += "<ul class=\"reasons\">"
            for cause in story.causes {
                text += "<li>\(Self.escaped(cause.text))"
                let more = cause.excerpt + cause.evidence
                if !more.isEmpty { text += "<pre>\(Self.escaped(more))</pre>" }
                text += "</li>"
            }
            text += "</ul>\n"
        }
        text += Self.table(entry.result?.expectations ?? [])
        let polls = entry.pollLines
        if !polls.isEmpty {
            text += "<ol class=\"polls\">" + polls.map { "<li>\(Self.escaped($0))</li>" }.joined() + "</ol>\n"
        }
        if let metrics = entry.result?.response?.metrics { text += Self.waterfall(of: metrics) }
        let isFailure = entry.verdict != .passed
        for (title, lines, isOpen) in [
            ("before it", story.hops, false), ("request", story.request, false), ("response", story.response, isFailure),
            ("again", story.again, false),
        ] where !lines.isEmpty {
            text += "<details class=\"part\"\(isOpen ? " open" : "")><summary>\(title)</summary>"
            text += "<pre>\(Self.escaped(lines.flatMap { $0.lines.map(String.init) }))</pre></details>\n"
        }
        return text + "</details>\n"
    }

    static func table(_ expectations: [ExpectationResult]) -> String {
        var text = ""
        if !expectations.isEmpty {
            text += "<table><thead><tr><th></th><th>what</th><th>expected</th><th>found</th></tr></thead><tbody>\n"
            for expectation in expectations {
                text +=
                    "<tr class=\"\(expectation.isMet ? "passed" : "failed")\"><td class=\"mark\">\(expectation.isMet ? "✓" : "✗")</td>"
                text += "<td>\(Self.escaped(expectation.what))</td><td>\(Self.escaped(expectation.wanted))</td>"
                text += "<td>\(Self.escaped(expectation.found))</td></tr>\n"
            }
            text += "</tbody></table>\n"
        }
        return text
    }

    /// A bar an attempt, its phases side by side, to the scale of the operation.
    static func waterfall(of metrics: OperationMetrics) -> String {
        guard let start = metrics.enqueued, let total = metrics.total, total > .zero, !metrics.attempts.isEmpty else { return "" }
        var text = "<div class=\"waterfall\">\n"
        for attempt in metrics.attempts {
            text += "<div class=\"bar\" title=\"\(attempt.kind.rawValue)\">"
            for name in Phases.Name.allCases {
                guard let interval = attempt.phases[name] else { continue }
                let left = max(0, (interval.start - start) / total * 100)
                let width = max(0.15, min(100 - left, interval.duration / total * 100))
                text += "<i class=\"\(name.rawValue)\" style=\"left:\(Self.number(left))%;width:\(Self.number(width))%\""
                text += " title=\"\(name.rawValue) \(Figures.duration(interval.duration))\"></i>"
            }
            text += "</div>\n"
        }
        let names = Phases.Name.allCases.filter { name in metrics.attempts.contains { $0.phases[name] != nil } }
        text += "<p class=\"legend\">"
        for name in names {
            let sum = metrics.attempts.reduce(Duration.zero) { $0 + ($1.phases[name]?.duration ?? .zero) }
            text += "<span><i class=\"\(name.rawValue)\"></i>\(name.rawValue) \(Figures.duration(sum))</span>"
        }
        return text + "</p></div>\n"
    }

    private static func number(_ value: Double) -> String { String(Double(Int(value * 100)) / 100) }

    private static func sentence(_ counts: [RunOutcome.Verdict: Int]) -> String {
        RunOutcome.Verdict.allCases.compactMap { verdict in counts[verdict].map { "\($0) \(word(verdict))" } }.joined(
            separator: ", ")
    }

    private static func word(_ verdict: RunOutcome.Verdict) -> String {
        switch verdict {
        case .skipped: "skipped"
        case .notSent: "not sent"
        case .stopped: "cancelled"
        default: verdict.rawValue
        }
    }

    private static func mark(_ entry: RunOutcome.Entry) -> String {
        switch entry.verdict {
        case .passed: entry.isDoubtful ? "⚠" : "✓"
        case .failed: "✗"
        case .broken, .stopped: "!"
        case .blocked, .skipped, .notSent: "–"
        }
    }

    static func escaped(_ text: String) -> String { JUnitReport.escaped(SafeText.line(text)) }

    private static func escaped(_ lines: [String]) -> String { lines.map(escaped).joined(separator: "\n") }

    static let style = """
        :root{color-scheme:light dark;--line:#d8dee4;--dim:#656d76;--good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--ground:#fff;--ink:#1f2328}
        @media(prefers-color-scheme:dark){:root{--line:#30363d;--dim:#8b949e;--good:#3fb950;--bad:#f85149;--warn:#d29922;--ground:#0d1117;--ink:#e6edf3}}
        *{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
        main{max-width:60rem;margin:0 auto;padding:2rem 1rem}h1{margin:0;font-size:1.6rem;overflow-wrap:anywhere}.date{margin:.2rem 0;color:var(--dim)}
        .counts{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;list-style:none;padding:0;margin:1rem 0 1.5rem}.counts b{font-size:1.4rem}
        .passed>summary .mark,tr.passed .mark,.counts .passed b{color:var(--good)}
        .failed>summary .mark,.broken>summary .mark,.stopped>summary .mark,tr.failed .mark{color:var(--bad)}
        .counts .failed b,.counts .broken b,.counts .stopped b{color:var(--bad)}
        .counts .blocked b,.counts .not-sent b,.doubtful>summary .mark{color:var(--warn)}
        details{border-top:1px solid var(--line);padding:.55rem 0}summary{display:flex;gap:.8rem;cursor:pointer;list-style:none}
        summary::-webkit-details-marker{display:none}.mark{width:1.2rem;font-weight:700}.name{flex:1;min-width:0;font-weight:600;overflow-wrap:anywhere}
        .status,.time{min-width:4.5rem;text-align:right;color:var(--dim);font-variant-numeric:tabular-nums}
        .url{margin:.3rem 0 .3rem 2rem;color:var(--dim);font-family:ui-monospace,monospace;font-size:.85rem;overflow-wrap:anywhere}
        .reasons{margin:.4rem 0 .4rem 2rem;padding-left:1rem;color:var(--bad);overflow-wrap:anywhere}
        .polls{margin:.4rem 0 .4rem 2rem;padding-left:0;list-style:none;color:var(--dim);font-size:.85rem;overflow-wrap:anywhere}
        table{margin:.4rem 0 .6rem 2rem;border-collapse:collapse;font-size:.9rem}th{text-align:left;color:var(--dim);font-weight:400}
        td,th{padding:.15rem 1.2rem .15rem 0;vertical-align:top;overflow-wrap:anywhere}
        td:nth-child(2){min-width:9rem}td:nth-child(3),td:nth-child(4){width:40%}
        .waterfall{margin:.5rem 0 .3rem 2rem}.bar{position:relative;height:.8rem;margin:.15rem 0;background:color-mix(in srgb,var(--line) 45%,transparent)}
        .bar i{position:absolute;top:0;bottom:0}.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem;margin:.3rem 0;color:var(--dim);font-size:.8rem}
        .legend i{display:inline-block;width:.7rem;height:.7rem;margin-right:.35rem}
        pre{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font:.82rem/1.45 ui-monospace,monospace;color:var(--ink)}
        .part{margin:0 0 0 2rem;border:0;padding:.15rem 0}.part summary{display:list-item;list-style:revert;color:var(--dim)}
        .queue{background:#9aa4ae}.dns{background:#1b998b}.connect{background:#e08e2b}.tls{background:#a05bb5}.send{background:#4c8dd6}
        .wait{background:#3fa34d}.receive{background:#2f6fbf}
        @media(max-width:40rem){.url,.reasons,table,.waterfall{margin-left:0}.status,.time{min-width:auto}thead{display:none}
        tr{display:grid;grid-template-columns:1.6rem 1fr;padding:.2rem 0}td,td:nth-child(n){width:auto;min-width:0;padding:0}
        td:nth-child(n+3){grid-column:2}td:nth-child(n+3)::before{color:var(--dim)}
        td:nth-child(3)::before{content:"expected "}td:nth-child(4)::before{content:"found "}}
        """
}
