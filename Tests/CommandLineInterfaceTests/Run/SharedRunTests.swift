import Foundation
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import CommandLineInterface

/// A run for other people: a page that needs nothing else, and Markdown.
@Suite struct SharedRunTests {
    private var run: SharedRun {
        let script = EventScript.redirects()
        var info: ResponseInfo?
        if let last = script.metrics.attempts.last, let head = last.head {
            info = ResponseInfo(finalRequest: last.request, head: head, body: .data(Data("<b>```</b>".utf8)))
        }
        let response = Response(
            originalRequest: EventScript.request(), error: script.metrics.error, info: info, metrics: script.metrics)
        let location = SourceLocation(path: "a.yaml", line: 1, column: 1)
        let met = ExpectationResult(subject: .status, expected: "200", found: "200", isMet: true, location: location)
        return SharedRun("orders & <more>", response, [met], today: Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test func `a page has every hop, the waterfall and the checks, and nothing that is code`() {
        let page = run.page
        #expect(page.contains("orders &amp; &lt;more&gt;") && !page.contains("<more>") && !page.contains("<b>"))
        #expect(page.contains("class=\"waterfall\"") && page.contains("class=\"bar\""))
        #expect(page.contains("request 1 of ") && page.contains("✓"))
        #expect(!page.contains("<script") && !page.contains("src="))
    }

    @Test func `Markdown has the same, in fences that no body ends`() {
        let text = run.markdown
        #expect(text.hasPrefix("### orders & <more>\n") && text.contains("- ✓ status 200"))
        #expect(text.contains("<details><summary>times</summary>"))
        #expect(text.components(separatedBy: "\n```\n").count % 2 == 1)
    }
}
