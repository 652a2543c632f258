import NetworkLayer
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// Colours differ from theme to theme, and some eyes and terminals see none.
@Suite struct `What became of a run` {
    private static let all: [(verdict: Verdict, status: Int?)] =
        [(.passed, 200), (.completed(status: 503), 503), (.checkFailed, 200), (.stopped, nil), (.cancelled, nil)]
        + FailureKind.allCases.map { (verdict: Verdict.failed($0), status: Int?.none) }

    @Test func `is told by a sign and a word, never by a colour alone, also in ASCII`() {
        let texts = Self.all.map { VerdictText.short($0.verdict, status: $0.status).text }
        #expect(Set(texts).count == texts.count, "\(texts)")
        let plain = texts.map { String($0.map { ASCIIFallback.character(for: $0) }) }
        #expect(Set(plain).count == plain.count, "\(plain)")
        #expect(!plain.contains { $0.contains("?") })
    }

    @Test func `has a sign of its own for what is good, what is not, what was stopped and what was cancelled`() {
        let signs = [Verdict.passed, .completed(status: 503), .checkFailed, .stopped, .cancelled].map(\.sign)
        #expect(Set(signs).count == signs.count)
    }
}
