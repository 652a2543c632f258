import RequestCollections
import Testing

@testable import DemoServer

/// The demo server imports nothing of ours, so it has a table of its own.
@Suite struct StatusTextTests {
    @Test func `the demo server and the reports call every status by the same phrase`() {
        // The one is a joke of the server's, the other a draft's: it is registered for a while only.
        let ownPhrases = [418: "I'm a teapot", 104: "Unknown"]
        for code in 100...599 {
            let expected = ownPhrases[code] ?? StatusPhrases.phrase(code) ?? "Unknown"
            #expect(StatusText.reason(code) == expected, "\(code)")
        }
    }
}
