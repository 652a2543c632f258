import TerminalUI
import Testing

@Suite struct TabBarTests {
    private func drawn(_ tabs: TabBar, width: Int) -> String {
        var canvas = Canvas(size: Size(columns: width, rows: 1), theme: Theme(name: "test"))
        tabs.draw(on: &canvas, row: 0)
        return canvas.frame.text
    }

    @Test func `all titles when there is room`() {
        #expect(drawn(TabBar(["Body", "Headers", "TLS"]), width: 40) == " Body  Headers  TLS")
    }

    @Test func `otherwise those around the selected one`() {
        #expect(drawn(TabBar(["Body", "Headers", "TLS"], selected: 2), width: 16) == "‹ Headers  TLS")
        #expect(drawn(TabBar(["Body", "Headers", "TLS"], selected: 0), width: 8) == " Body ›")
        #expect(drawn(TabBar(["Body", "Headers", "TLS"], selected: 1), width: 6) == "‹ Hea…")
    }

    @Test func `a click finds its tab`() {
        let tabs = TabBar(["Body", "Headers", "TLS"])
        #expect(tabs.index(atColumn: 7, width: 40) == 1)
        #expect(tabs.index(atColumn: 30, width: 40) == nil)
    }
}
