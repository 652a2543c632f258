import TerminalUI
import Testing

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("漢字", 4), ("é", 1), ("e\u{301}", 1), ("한", 2), ("😀", 2), ("ﾊ", 1), ("Ａ", 2), ("क्षि", 3),
        ("👨‍👩‍👧", 6), ("👍🏽", 2), ("❤️", 1), ("🇩🇪", 2), ("1️⃣", 1), ("\u{1B}", 1), ("\u{202E}", 8),
    ])
    func `text takes the columns that terminals agree on`(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test func `a tab reaches to the next stop`() {
        #expect(DisplayWidth.of("\t") == 4)
        #expect(DisplayWidth.of("ab\tc") == 5)
        #expect(DisplayWidth.of("\t", from: 3) == 1)
    }

    @Test func `what fits is found without reading on`() {
        #expect(DisplayWidth.fits("漢字", in: 4))
        #expect(!DisplayWidth.fits("漢字", in: 3))
        #expect(DisplayWidth.fits("", in: 0))
    }
}
