import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

/// Server-sent events as a table: what comes moves nothing that somebody reads.
@Suite struct `A stream as a table` {
    private static let id = OperationID(rawValue: 1)

    /// Running, and asked for once.
    private func explorer(_ contentType: String = "text/event-stream") -> ExplorerDriver {
        var explorer = ExplorerDriver.having(.receiving(contentType), of: ["orders/list"])
        explorer.press(.focusResponse)
        explorer.tick(600)
        return explorer
    }

    private func records(_ numbers: ClosedRange<Int>) -> [StreamRecord] {
        numbers.map { StreamRecord($0, arrived: EventScript.time(Double(100 + $0)), kind: "tick", data: #"{"n":\#($0)}"#) }
    }

    private func arrive(_ numbers: ClosedRange<Int>, _ explorer: inout ExplorerDriver) {
        explorer.send(.streamArrived(Self.id, attempt: 1, records(numbers), isLast: true))
    }

    /// The numbers in sight, and the one under the cursor.
    private func seen(_ explorer: ExplorerDriver) -> (numbers: ClosedRange<Int>, cursor: Int?)? {
        guard let (_, table) = explorer.state.shownStream else { return nil }
        let rows = explorer.state.streamRows(table)
        let height = explorer.state.streamHeight
        let top = explorer.state.panes.response.stream.topRow(rows, height: height)
        guard let first = rows.place(ofRow: top), let last = rows.place(ofRow: min(rows.count, top + height) - 1) else {
            return nil
        }
        return (first.number...last.number, explorer.state.panes.response.stream.place(rows)?.number)
    }

    @Test func `is asked for with a tick, and not twice at a time`() {
        var explorer = explorer()
        #expect(explorer.takeEffects() == [.readStream(Self.id, .eventStream, attempt: 1, isWhole: false)])
        explorer.tick(700)
        #expect(explorer.takeEffects() == [])
        arrive(1...3, &explorer)
        explorer.tick(800)
        #expect(explorer.takeEffects() == [.readStream(Self.id, .eventStream, attempt: 1, isWhole: false)])
    }

    @Test func `opens at its end, and stays where a key has put it`() throws {
        var explorer = explorer()
        arrive(1...500, &explorer)
        #expect(try #require(seen(explorer)).numbers.upperBound == 500)
        arrive(501...600, &explorer)
        #expect(try #require(seen(explorer)).cursor == 600)
        explorer.press(.up)
        let before = try #require(seen(explorer))
        #expect(before.cursor == 599)
        #expect(explorer.state.notice?.text.hasPrefix("paused") == true)
        arrive(601...2000, &explorer)
        let after = try #require(seen(explorer))
        #expect(after == before)
        explorer.press(.bottom)
        #expect(try #require(seen(explorer)).cursor == 2000)
        arrive(2001...2002, &explorer)
        #expect(try #require(seen(explorer)).cursor == 2002)
    }

    @Test func `Space holds it still, counts what comes, and follows again`() throws {
        var explorer = explorer()
        arrive(1...100, &explorer)
        explorer.press(.toggle)
        arrive(101...150, &explorer)
        #expect(try #require(seen(explorer)).cursor == 100)
        let table = try #require(explorer.state.shownStream).table
        #expect(table.count - explorer.state.panes.response.stream.pausedAt == 50)
        explorer.press(.toggle)
        #expect(try #require(seen(explorer)).cursor == 150)
    }

    @Test func `Enter opens a record, whose lines one walks through`() throws {
        var explorer = explorer()
        arrive(1...100, &explorer)
        explorer.press(.top, .activate)
        #expect(explorer.state.panes.response.stream.opened == [1: 3])
        explorer.press(.down)
        let rows = explorer.state.streamRows(try #require(explorer.state.shownStream).table)
        #expect(explorer.state.panes.response.stream.place(rows) == .init(1, line: 1))
        #expect(rows.count == 103)
        explorer.press(.down, .down, .down)
        #expect(try #require(seen(explorer)).cursor == 2)
        explorer.press(.up, .activate)
        #expect(explorer.state.panes.response.stream.opened == [:])
        #expect(try #require(seen(explorer)).cursor == 1)
    }

    @Test func `a filter looks at what comes, and then backwards at what was there`() throws {
        var explorer = explorer()
        arrive(1...10_000, &explorer)
        _ = explorer.takeEffects()
        explorer.press(.filter)
        explorer.type(".n > 9")
        explorer.press("Enter")
        func asked() -> [Range<Int>] {
            explorer.takeEffects().compactMap { effect in
                guard case .filterStream(_, ".n > 9", let records) = effect else { return nil }
                return records.first!.number..<records.last!.number + 1
            }
        }
        // One question at a time: the answer leads on.
        #expect(asked() == [6_001..<10_001])
        explorer.send(.streamFiltered(Self.id, filter: ".n > 9", Array(6_001...10_000), of: 6_001..<10_001))
        arrive(10_001...10_003, &explorer)
        #expect(asked() == [2_001..<6_001])
        explorer.send(.streamFiltered(Self.id, filter: ".n > 9", Array(2_001...6_000), of: 2_001..<6_001))
        #expect(asked() == [10_001..<10_004])
        explorer.send(.streamFiltered(Self.id, filter: ".n > 9", [10_001, 10_003], of: 10_001..<10_004))
        #expect(asked() == [1..<2_001])
        explorer.send(.streamFiltered(Self.id, filter: ".n > 9", Array(10...2_000), of: 1..<2_001))
        #expect(asked() == [])
        let filter = try #require(explorer.state.shownStream?.table.filter)
        #expect(filter.matches == Array(10...10_001) + [10_003])
        #expect(try #require(seen(explorer)).cursor == 10_003)
        explorer.press(.back)
        #expect(explorer.state.shownStream?.table.filter == nil)
    }

    @Test(
        arguments: [
            ("error", ["error"]), ("a b", ["a", "b"]), ("/a b/", ["a b"]), ("/a", ["a"]), (".level", nil), ("select(.a)", nil),
            ("[.a]", nil),
        ] as [(String, [String]?)])
    func `words and programs are told apart`(text: String, words: [String]?) {
        #expect(StreamFilter.words(of: text) == words)
    }

    @Test func `no more is kept than the newest, and the cursor stays on its record or goes to the next`() throws {
        var explorer = explorer()
        arrive(1...100_000, &explorer)
        explorer.press(.up, .up)
        #expect(try #require(seen(explorer)).cursor == 99_998)
        arrive(100_001...125_001, &explorer)
        let table = try #require(explorer.state.shownStream).table
        #expect(table.numbers == 25_002..<125_002)
        #expect(table.count == 125_001)
        #expect(try #require(seen(explorer)).cursor == 99_998)
        explorer.press(.top)
        arrive(125_002...150_002, &explorer)
        #expect(try #require(seen(explorer)).cursor == 50_003)
    }

    @Test func `at the end what is missing is asked for once`() {
        var explorer = explorer()
        arrive(1...3, &explorer)
        _ = explorer.takeEffects()
        explorer.event(Self.id, .completed(.succeeded, nil), at: 900)
        explorer.event(Self.id, .transition(from: .running, to: .succeeded), at: 900)
        let script = EventScript.success()
        var response = Response(script, body: Data("data: 1\n\n".utf8))
        response.info?.head.headers[.contentType] = "text/event-stream"
        explorer.send(.responseReady(Self.id, response))
        #expect(explorer.takeEffects().contains(.readStream(Self.id, .eventStream, attempt: 1, isWhole: true)))
        explorer.send(.streamArrived(Self.id, attempt: 1, records(4...5), isLast: true))
        explorer.tick(1000)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.shownStream?.table.isComplete == true)
    }

    @Test func `what came of a stream stays where it is when it is cancelled`() throws {
        var explorer = explorer()
        arrive(1...200, &explorer)
        explorer.press(.up)
        let before = try #require(seen(explorer))
        let error = try #require(EventScript.cancelled().metrics.error)
        explorer.event(Self.id, .completed(.cancelled, error), at: 900)
        explorer.event(Self.id, .transition(from: .running, to: .cancelled), at: 900)
        #expect(explorer.state.shownOperation?.metrics.error != nil)
        let after = try #require(seen(explorer))
        #expect(after.numbers == before.numbers)
        #expect(after.cursor == before.cursor)
    }

    @Test func `a search goes back from the newest, and n and N go round`() throws {
        var explorer = explorer()
        arrive(1...200, &explorer)
        explorer.press(.search)
        explorer.type(#""n":15"#)
        explorer.press("Enter")
        #expect(try #require(seen(explorer)).cursor == 159)
        explorer.press(.nextMatch)
        #expect(try #require(seen(explorer)).cursor == 15)
        explorer.press(.previousMatch)
        #expect(try #require(seen(explorer)).cursor == 159)
    }

    @Test func `y copies the record, o shows the lines`() {
        var explorer = explorer()
        arrive(1...2, &explorer)
        explorer.press(.copy)
        guard case .chooser(let chooser) = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(chooser.items.first?.title == "data of 2")
        explorer.press("Esc")
        explorer.press(.raw)
        _ = explorer.takeEffects()
        explorer.tick(900)
        #expect(
            explorer.takeEffects() == [.peekBody(Self.id, contentType: "text/event-stream", beyond: 0, isWhole: false)])
    }

    @Test func `how fast it comes is told over the last two seconds`() {
        var meter = StreamMeter()
        for number in 0..<3_000 { meter.count(at: EventScript.time(Double(number))) }
        #expect(meter.rate(at: EventScript.time(3_000)) == 1_000)
        #expect(meter.heights(4, at: EventScript.time(3_000)) == [8, 8, 8, 8])
        #expect(meter.rate(at: EventScript.time(9_000)) == 0)
        #expect(meter.average.map { $0.rounded() } == 1_000)
    }

    @Test func `rows and places lead to each other, whatever is opened and filtered`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<200 {
            var table = StreamTable(.eventStream, attempt: 1)
            let count = Int.random(in: 1...60, using: &generator)
            table.append((1...count).map { StreamRecord($0 + 100, data: "x") })
            if Bool.random(using: &generator) {
                var filter = StreamFilter("x")
                filter.merge((101...100 + count).filter { _ in Bool.random(using: &generator) }, of: 101..<101 + count)
                table.filter = filter
            }
            var opened: [Int: Int] = [:]
            for _ in 0..<5 {
                opened[Int.random(in: 95...170, using: &generator)] = Int.random(in: 0...4, using: &generator)
            }
            let rows = StreamRows(table, opened: opened)
            let places = (0..<rows.count).compactMap { rows.place(ofRow: $0) }
            #expect(places.count == rows.count)
            #expect(places.map { rows.row(of: $0) } == Array(0..<rows.count))
            #expect(rows.place(ofRow: rows.count) == nil)
        }
    }
}

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

    @Test func `a terminal that shows PNG files gets the file, and nothing while something lies over it`() throws {
        var explorer = explorer(120, 40)
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
