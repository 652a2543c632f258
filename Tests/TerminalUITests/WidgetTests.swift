import TerminalUI
import Testing

@Suite struct GaugeTests {
    @Test func `a gauge fills its share, and shows how far it is to the end`() {
        var canvas = Canvas(size: Size(columns: 8, rows: 1), theme: Theme(name: "test"))
        Gauge(fraction: 0.5).draw(on: &canvas, in: canvas.bounds)
        #expect(canvas.frame.text == "████░░░░")
    }

    @Test func `what runs out says so, and nonsense is empty`() {
        #expect(Gauge(remaining: 0.1).role == .gaugeLow)
        #expect(Gauge(remaining: 0.5).role == .gauge)
        #expect(Gauge(fraction: .nan).fraction == 0)
        #expect(Gauge(fraction: 7).fraction == 1)
    }

    @Test func `the spinner turns either way`() {
        #expect(Spinner.character(step: 10) == Spinner.character(step: 0))
        #expect(Spinner.character(step: -1) == Spinner.frames.last)
    }
}

@Suite struct ListStateTests {
    @Test func `the selection stays among the rows, and in sight`() {
        var list = ListState(count: 100, height: 10)
        list.move(by: -5)
        #expect(list.selected == 0)
        list.page(by: 2)
        #expect((list.selected, list.visible) == (18, 9..<19))
        list.select(1000)
        #expect((list.selected, list.visible) == (99, 90..<100))
        list.count = 20
        #expect((list.selected, list.visible) == (19, 10..<20))
        list.count = 0
        #expect((list.selection, list.visible) == (nil, 0..<0))
    }

    @Test func `the wheel moves what is seen, the next key what is selected`() {
        var list = ListState(count: 100, height: 10)
        list.scroll(by: 30)
        #expect((list.selected, list.visible) == (0, 30..<40))
        #expect(list.index(atRow: 2) == 32)
        #expect(list.index(atRow: 10) == nil)
        let isKey = list.handle(.character("j"))
        #expect(isKey)
        #expect((list.selected, list.visible) == (1, 1..<11))
        list.scroll(by: 1000)
        #expect(list.visible == 90..<100)
    }

    @Test func `only plain keys are the list's`() {
        var list = ListState(count: 3, height: 2)
        let presses = [KeyPress(.end), .character("j", .control), KeyPress(.enter), .character("k")]
        #expect(presses.map { list.handle($0) } == [true, false, false, true])
        #expect(list.selected == 1)
    }

    @Test func `another height shows the selection too`() {
        let list = ListState(count: 50, selected: 30, height: 20)
        #expect(list.window(height: 5).contains(30))
        #expect(list.window(height: 5).count == 5)
    }
}

@Suite struct TableLayoutTests {
    private let columns = [
        TableLayout.Column("#", natural: 2, alignment: .right),
        TableLayout.Column("URL", natural: 40, minimum: 10, grows: true),
        TableLayout.Column("Type", natural: 10, minimum: 4, rank: 2),
        TableLayout.Column("Time", natural: 6, minimum: 6, alignment: .right, rank: 1),
    ]

    @Test func `there is room for all, and one column takes the rest`() {
        #expect(TableLayout(columns, width: 80).places == [0..<2, 4..<60, 62..<72, 74..<80])
    }

    @Test func `the widest gives way first`() {
        #expect(TableLayout(columns, width: 50).places == [0..<2, 4..<30, 32..<42, 44..<50])
    }

    @Test func `columns of a higher rank go first when there is no room`() {
        #expect(TableLayout(columns, width: 25).places == [0..<2, 4..<17, nil, 19..<25])
        #expect(TableLayout(columns, width: 15).places == [0..<2, 4..<15, nil, nil])
        #expect(TableLayout(columns, width: 3).places == [0..<1, 3..<3, nil, nil])
    }

    @Test func `rows are drawn in their places`() {
        var canvas = Canvas(size: Size(columns: 30, rows: 2), theme: Theme(name: "test"))
        let layout = TableLayout(columns, width: 30)
        canvas.tableHeader(layout, row: 0)
        canvas.tableRow(
            [StyledLine("7"), StyledLine("https://example.com"), StyledLine("json"), StyledLine("12 ms")], layout: layout, row: 1)
        #expect(canvas.frame.text == " #  URL         Type      Time\n 7  https://e…  json     12 ms")
    }
}
