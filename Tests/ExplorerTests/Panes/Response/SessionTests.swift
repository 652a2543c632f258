import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// A WebSocket under somebody's hands: what goes through it, and what they type.
@Suite struct `A WebSocket in the explorer` {
    private static let id = OperationID(rawValue: 1)

    private static func script(_ operation: Int = 1) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/prices")!))
        script.send(at: script.connect(at: 2, tcp: 21))
        script.head(at: 100, status: 101)
        script.at(100, .sessionOpened(SessionInfo()))
        return script.renumbered(operation)
    }

    private static var counts: SessionCounts {
        var counts = SessionCounts()
        (counts.sent.messages, counts.received.messages, counts.received.bytes) = (2, 1_204, 88_000)
        return counts
    }

    /// Open for 12 s, with the focus on the response.
    private func explorer(columns: Int = 120, rows: Int = 40) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/list")
        explorer.run(Self.script(), of: "orders/list")
        explorer.event(Self.id, .sessionProgress(Self.counts), at: 12_000, attempt: 1)
        explorer.press(.focusResponse)
        explorer.tick(12_100)
        return explorer
    }

    private func close(
        _ explorer: inout ExplorerDriver, _ close: SessionClose, _ state: RequestOperation.State, _ error: NetworkError? = nil
    ) {
        explorer.event(Self.id, .sessionClosed(close, Self.counts), at: 13_000, attempt: 1)
        explorer.event(Self.id, .transition(from: .running, to: state), at: 13_000)
        explorer.event(Self.id, .completed(state, error), at: 13_000)
    }

    private func record(_ number: Int, _ kind: String, _ data: String, isSent: Bool = false) -> StreamRecord {
        var record = StreamRecord(number, arrived: EventScript.time(Double(100 + number)), kind: kind, data: data)
        record.passage = .init(isSent: isSent, size: data.utf8.count)
        return record
    }

    private func reference(_ id: String) -> RequestReference {
        RequestReference(collection: "shop.yaml", id: RequestID(rawValue: id))
    }

    private func text(_ explorer: ExplorerDriver) -> String {
        ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
    }

    @Test func `shows what goes through it as it comes, which way and how much`() {
        var explorer = explorer()
        #expect(explorer.takeEffects().contains(.readStream(Self.id, .jsonLines, attempt: 1, isWhole: false)))
        let records = [record(1, "text", #"{"type":"subscribe"}"#, isSent: true), record(2, "binary", "00 01 02 ff")]
        explorer.send(.streamArrived(Self.id, attempt: 1, records, isLast: true))
        let text = text(explorer)
        #expect(text.contains(#"20 B  ↑ text   {"type":"subscribe"}"#))
        #expect(text.contains("11 B  ↓ binary 00 01 02 ff"))
        #expect(text.contains("▶ open") && text.contains("12 s  ↑ 2  ↓ 1,204"))
        #expect(text.contains("   e types a message"))
        explorer.press(.focusCollection)
        #expect(self.text(explorer).contains("   4 e types a message"))
    }

    @Test(arguments: [
        (SessionClose(code: 1000, initiator: .us, isClean: true), false, "✓ closed 1000 "),
        (SessionClose(code: 1005, initiator: .peer, isClean: true), false, "✓ closed "),
        (SessionClose(code: 4001, reason: "enough", initiator: .peer, isClean: true), true, "✗ closed 4001 “enough”"),
        (SessionClose(code: 1006, initiator: .nobody, isClean: false), true, "✗ failed: "),
    ])
    func `says how it was closed, and reads the rest`(close: SessionClose, isFailure: Bool, words: String) {
        var explorer = explorer()
        explorer.send(.streamArrived(Self.id, attempt: 1, [record(1, "text", "a")], isLast: true))
        _ = explorer.takeEffects()
        let error = NetworkError(.sessionClosed, phase: .body, type: "websocket.closed", message: "closed")
        self.close(&explorer, close, isFailure ? .failed : .succeeded, isFailure ? error : nil)
        let response = Response(Self.script())
        explorer.send(.responseReady(Self.id, response))
        #expect(explorer.takeEffects().contains(.readStream(Self.id, .jsonLines, attempt: 1, isWhole: true)))
        #expect(text(explorer).contains(words))
    }

    @Test func `takes one message after another from a line, which keeps what isn't sent`() {
        var explorer = explorer()
        explorer.press(.edit)
        explorer.type("hello")
        explorer.press("Enter")
        #expect(explorer.takeEffects().contains(.sendMessage("hello", Self.id)))
        explorer.paste("{\n  \"a\": 1\n}\n")
        #expect(explorer.state.messagePlace?.rows == 3)
        explorer.press("Enter")
        #expect(explorer.takeEffects().contains(.sendMessage("{\n  \"a\": 1\n}", Self.id)))
        explorer.type("more")
        explorer.press("Esc")
        #expect(explorer.state.messagePlace == nil)
        explorer.press(.writeMessage)
        #expect(text(explorer).contains("↑ more"))
        close(&explorer, SessionClose(code: 1000, initiator: .peer, isClean: true), .succeeded)
        _ = explorer.takeEffects()
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "the WebSocket isn't open: the message wasn't sent")
        #expect(text(explorer).contains("↑ more"))
        explorer.press("C-u")
        #expect(text(explorer).contains("↑ the WebSocket is closed; Esc leaves this line"))
    }

    @Test func `brings a message back that couldn't be sent, but over no other`() {
        var explorer = explorer()
        explorer.press(.edit)
        explorer.type("{{nobody}}")
        explorer.press("Enter")
        explorer.send(.messageNotSent("{{nobody}}", Self.id, because: "nobody has no value"))
        #expect(explorer.state.panes.response.message.editor.text == "{{nobody}}")
        #expect(explorer.state.notice?.text == "the message wasn't sent: nobody has no value")
        explorer.press("C-u")
        explorer.type("next")
        explorer.send(.messageNotSent("{{nobody}}", Self.id, because: "nobody has no value"))
        #expect(explorer.state.panes.response.message.editor.text == "next")
    }

    @Test func `what was typed for one request's session is in no other's line`() {
        let (one, other) = (reference("one"), reference("other"))
        var line = MessageLine()
        line.turn(to: one)
        line.editor.setText("half")
        line.turn(to: other)
        #expect(line.editor.isEmpty)
        line.bringBack("not sent", of: one)
        #expect(line.editor.isEmpty)
        line.bringBack("not sent", of: other)
        #expect(line.editor.text == "not sent")
        line.turn(to: one)
        #expect(line.editor.text == "half")
    }

    @Test func `shows its table also where bodies are shown as they came`() {
        var explorer = explorer()
        explorer.state.panes.response.body.mode = .raw
        explorer.send(.streamArrived(Self.id, attempt: 1, [record(1, "text", "hello", isSent: true)], isLast: true))
        #expect(text(explorer).contains("↑ text   hello"))
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `has its last message in sight above the line`(columns: Int, rows: Int) {
        var explorer = explorer(columns: columns, rows: rows)
        explorer.send(.streamArrived(Self.id, attempt: 1, (1...100).map { record($0, "text", "n\($0)") }, isLast: true))
        explorer.press(.edit)
        explorer.paste("one\ntwo\nthree")
        let text = text(explorer)
        #expect(text.contains("n100 ") && text.contains("↑ one") && text.contains("three"))
    }

    @Test func `is closed by a command, by C-d in an empty line, and before it is opened again`() {
        var explorer = explorer()
        explorer.press(.closeSession)
        #expect(explorer.takeEffects().contains(.closeSession(Self.id)))
        explorer.press(.edit)
        explorer.type("a")
        explorer.press("C-d")
        #expect(explorer.takeEffects() == [])
        explorer.press("C-u C-d")
        #expect(explorer.takeEffects() == [.closeSession(Self.id)])
        explorer.press("Esc")
        explorer.press(.send)
        let effects = explorer.takeEffects()
        #expect(effects.first == .closeSession(Self.id))
        #expect(effects.count == 2)
    }

    @Test func `begins its table anew where messages are missing that nobody looked at`() throws {
        var explorer = explorer()
        explorer.send(.streamArrived(Self.id, attempt: 1, (1...3).map { record($0, "text", "a") }, isLast: true))
        explorer.send(.streamArrived(Self.id, attempt: 1, (90...92).map { record($0, "text", "b") }, isLast: true))
        #expect(try #require(explorer.state.shownStream).table.numbers == 90..<93)
    }

    @Test func `nothing is sent where no WebSocket is open`() {
        var explorer = ExplorerDriver.having(.success())
        explorer.press(.writeMessage)
        #expect(explorer.state.notice?.text == "no WebSocket is open here")
        explorer.press(.closeSession)
        #expect(explorer.takeEffects() == [])
    }
}
