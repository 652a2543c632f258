package import Base
import Interchange
package import NetworkLayer
import Presentation
package import RequestCollections
import TerminalUI

/// One run for other people, masked as a HAR is: a page that needs nothing else, or Markdown for an issue.
package struct SharedRun: Sendable {
    private let title: String
    private let metrics: OperationMetrics
    private let expectations: [ExpectationResult]
    /// What was sent and received, attempt by attempt; and over what.
    private var parts: [(title: String, lines: [String])] = []

    /// - Parameter response: without secrets.
    package init(_ title: String, _ response: Response, _ expectations: [ExpectationResult], today: Date) {
        (self.title, self.expectations) = (SafeText.line(title), expectations)
        metrics = response.metrics
        let exchange = HARDocument.Exchange(response.metrics, body: try? response.info?.body.contents())
        let document = HARDocument(
            [exchange], creator: .init(name: "turnstone", version: Version.text), masking: .presentation(Redactor()))
        let entries = document.log.entries
        for (number, (entry, attempt)) in zip(entries, metrics.attempts).enumerated() {
            let hop = entries.count > 1 ? " \(number + 1) of \(entries.count), \(attempt.kind.rawValue)" : ""
            parts.append(("request\(hop)", FailureStory.lines(of: entry.request)))
            parts.append(("response\(hop)", FailureStory.lines(of: entry.response)))
            // Another hop over the same connection has the same certificate.
            if let tls = attempt.tls, attempt.connection?.isReused != true {
                parts.append(("certificate\(hop)", TLSPanel.lines(tls, today: today).map(\.text)))
            }
        }
        parts.append(("times", FailureStory.times(of: metrics)))
        parts.removeAll { $0.lines.isEmpty }
    }

    private var sentence: String {
        let status = metrics.attempts.last?.head.map { StatusText.span($0.status).text } ?? metrics.error.map { "\($0.message)" }
        return [status ?? "", metrics.total.map(Figures.duration) ?? "", metrics.enqueuedDate.map { $0.formatted(.iso8601) } ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " · ")
    }

    package var page: String {
        func escaped(_ text: String) -> String { HTMLReport.escaped(text) }
        var text = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>\(escaped(title))</title>
            <style>\(HTMLReport.style)</style></head><body><main>
            <header><h1>\(escaped(title))</h1><p class="date">\(escaped(sentence))</p></header>

            """
        text += HTMLReport.table(expectations) + HTMLReport.waterfall(of: metrics)
        for part in parts where part.title != "times" {
            text += "<details class=\"part\" open><summary>\(escaped(part.title))</summary>"
            text += "<pre>\(part.lines.map(escaped).joined(separator: "\n"))</pre></details>\n"
        }
        return text + "</main></body></html>\n"
    }

    package var markdown: String {
        var text = "### \(title)\n\n\(sentence)\n"
        for result in expectations {
            let found = result.isMet ? "" : ", found \(SafeText.line(result.found))"
            text += "\n- \(result.isMet ? "✓" : "✗") \(SafeText.line("\(result.what) \(result.wanted)"))\(found)"
        }
        if !expectations.isEmpty { text += "\n" }
        for part in parts {
            // A fence that no line of it ends.
            let ticks = part.lines.map { $0.prefix { $0 == "`" }.count }.max() ?? 0
            let fence = String(repeating: "`", count: max(3, ticks + 1))
            let lines = part.lines.map { SafeText.line($0) }.joined(separator: "\n")
            text += "\n<details><summary>\(part.title)</summary>\n\n\(fence)\n\(lines)\n\(fence)\n</details>\n"
        }
        return text
    }
}
