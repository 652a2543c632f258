import TerminalUI
import Testing

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
