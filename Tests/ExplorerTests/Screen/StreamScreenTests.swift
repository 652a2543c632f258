import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

/// Streams as tables, and images: whole screens.
@Suite struct `A stream on the screen` {
    private static let sizes = [(160, 50), (120, 40), (80, 24), (40, 10)]

    private func record(_ number: Int) -> StreamRecord {
        let level = number % 7 == 3 ? "error" : "info"
        let time = EventScript.time(1_000 + Double(number) * 5 + Double(number % 4) * 0.7)
        return StreamRecord(
            number, arrived: time, kind: number % 5 == 0 ? "heartbeat" : "message", id: "\(number)",
            data:
                #"{"level":"\#(level)","code":"E\#(number % 90)","user":{"id":\#(number),"name":"Ada","roles":["a","b"]},"took":\#(number % 300)}"#
        )
    }

    private func explorer(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/events")!))
        script.send(at: script.connect(at: 2, dns: 8, tcp: 21))
        script.head(at: 100, status: 200, headers: [.contentType: "text/event-stream"])
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/list")
        explorer.enqueue(1, "orders/list")
        for event in script.events { explorer.send(.network(event)) }
        explorer.press(.focusResponse)
        explorer.tick(600)
        return explorer
    }

    private func arrive(_ numbers: ClosedRange<Int>, _ explorer: inout ExplorerDriver) {
        let id = OperationID(rawValue: 1)
        explorer.send(.streamArrived(id, attempt: 1, numbers.map(record), isLast: true))
    }

    @Test(arguments: sizes) func `it follows its end, and says how fast it comes`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        arrive(1...1_200, &explorer)
        explorer.tick(7_010)
        expectScreen(explorer.state, "\(columns)x\(rows)-stream")
    }

    @Test(arguments: sizes) func `held still, with a record opened, it counts what comes`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        arrive(1...1_200, &explorer)
        explorer.press(.up, .up, .up, .activate, .down)
        arrive(1_201...2_404, &explorer)
        explorer.tick(13_030)
        expectScreen(explorer.state, "\(columns)x\(rows)-stream-held")
    }

    @Test(arguments: sizes) func `filtered it shows what passes, and what was looked for`(columns: Int, rows: Int) {
        var explorer = explorer(columns, rows)
        arrive(1...1_200, &explorer)
        explorer.press(.filter)
        explorer.type(#".level == "error""#)
        explorer.press("Enter")
        let found = (1...1_200).filter { $0 % 7 == 3 }
        explorer.send(.streamFiltered(OperationID(rawValue: 1), filter: #".level == "error""#, found, of: 1..<1_201))
        explorer.press(.search)
        explorer.type("E17")
        explorer.press("Enter")
        explorer.tick(7_010)
        expectScreen(explorer.state, "\(columns)x\(rows)-stream-filtered")
    }

    @Test func `a stream without an event has ended when its answer has, and what was left over is named`() {
        var explorer = explorer(120, 40)
        let id = OperationID(rawValue: 1)
        explorer.send(.streamArrived(id, attempt: 1, [], isLast: true))
        func text() -> String { ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text }
        #expect(text().contains("▶ live"))
        #expect(text().contains("Nothing has come yet."))
        explorer.event(id, .completed(.succeeded, nil), at: 900)
        explorer.event(id, .transition(from: .running, to: .succeeded), at: 900)
        #expect(text().contains("■ ended"))
        #expect(text().contains("Nothing came."))
        explorer.send(.streamArrived(id, attempt: 1, [], isLast: true, unended: 35))
        #expect(text().contains("No event came."))
        #expect(text().contains("35 B that no empty line ends"))
    }

    @Test(arguments: [(120, 40), (80, 24)]) func `an image is drawn in half blocks`(columns: Int, rows: Int) throws {
        var explorer = explorer(columns, rows)
        explorer.state.screen.drawsPictures = true
        let id = OperationID(rawValue: 2)
        let png = try #require(Data(base64Encoded: Self.png))
        explorer.run(.success(operation: 2), of: "orders/list", body: png)
        explorer.send(.pictureRead(id, try #require(Picture(png))))
        expectScreen(explorer.state, "\(columns)x\(rows)-image")
    }

    @Test func `a terminal that shows PNG files gets the file, and half blocks while something lies over it`() throws {
        var explorer = explorer(120, 40)
        explorer.state.screen.drawsPictures = true
        explorer.state.screen.showsImages = true
        let png = try #require(Data(base64Encoded: Self.png))
        explorer.run(.success(operation: 2), of: "orders/list", body: png)
        explorer.send(.pictureRead(OperationID(rawValue: 2), try #require(Picture(png))))
        func frame() -> Frame { ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")) }
        let image = try #require(frame().image)
        #expect(image.file.bytes == Array(png))
        // 16 by 16 points, two of them a row.
        #expect(image.place.columns == 16 && image.place.rows == 8)
        #expect(explorer.state.layout.panes[.response]?.intersection(image.place) == image.place)
        #expect(!frame().text.contains("▀"))
        explorer.press(.help)
        #expect(frame().image == nil)
        explorer.press("Esc")
        #expect(frame().image == image)
        // As it came, byte by byte.
        explorer.press(.focusResponse, .raw)
        #expect(frame().image == nil)
    }

    /// A disc of 16 by 16 points.
    private static let png =
        "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAYAAAAf8/9hAAAAUklEQVR42mNkYGhgEGBgIBuzMAgwoIP/DPgBIzIH3QBCmmFqGLEZQIxmDENgBp"
        + "CiGcUQbGFAEhg1YDAZwEhGWmBEdwEphjDi8gIjpZkJQwEhAADt+wyfksdlbQAAAABJRU5ErkJggg=="
}
