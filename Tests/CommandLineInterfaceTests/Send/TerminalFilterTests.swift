import FoundationEssentials
import Testing

@testable import CommandLineInterface

@Suite struct TerminalFilterTests {
    @Test(arguments: [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\u{1B}[2J\u{1B}]0;title\u{07}", "␛[2J␛]0;title␇\n"),
        ("nul \0 del \u{7F}\n", "nul ␀ del ␡\n"),
        ("a\r\nb", "a\nb\n"),
        ("safe\revil\n", "safe␍evil\n"),
        ("c1 \u{9B}31m, bidi \u{202E}x\n", "c1 \u{FFFD}31m, bidi \u{FFFD}x\n"),
    ])
    func `control characters are shown instead of obeyed`(sent: String, shown: String) {
        var filter = TerminalFilter()
        #expect(filter.safe(Data(sent.utf8)) + filter.finish() == shown)
    }

    @Test func `a character that comes in two pieces is put together`() {
        for text in ["ü", "€", "🪨", "a🪨b"] {
            let bytes = Array(text.utf8)
            for cut in 0...bytes.count {
                var filter = TerminalFilter()
                let shown = filter.safe(Data(bytes[..<cut])) + filter.safe(Data(bytes[cut...])) + filter.finish()
                #expect(shown == text + "\n", "cut at \(cut)")
            }
        }
    }

    @Test func `a line end in two pieces is one`() {
        var filter = TerminalFilter()
        #expect(filter.safe(Data("a\r".utf8)) + filter.safe(Data("\nb\r".utf8)) + filter.finish() == "a\nb␍\n")
    }

    @Test func `broken UTF-8 becomes the replacement character`() {
        var filter = TerminalFilter()
        #expect(filter.safe(Data([0x61, 0xFF, 0x62, 0xE2, 0x82])) + filter.finish() == "a\u{FFFD}b\u{FFFD}\n")
    }
}
