import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

/// The screen follows the moment: whole screens at four sizes, and that nothing jumps between them by itself.
@Suite struct `The moments of the screen` {
    private static let sizes = [(40, 10), (80, 24), (120, 40), (160, 50), (200, 60)]
    private static let body = Data(
        #"{"id":"ord_81F2","status":"confirmed","total":58.40,"lines":[{"sku":"A7","quantity":2}],"customer":{"name":"Ada"}}"#.utf8)

    /// Picked, and sent: what runs now is played by the test.
    private func sent(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        explorer.press(.send)
        return explorer
    }

    @Test(arguments: sizes) func `done: the body is large`(columns: Int, rows: Int) {
        var explorer = sent(columns, rows)
        explorer.play(EventScript.success(), "orders/create", body: Self.body)
        expectScreen(explorer.state, "\(columns)x\(rows)-moment-done")
    }

    @Test(arguments: sizes) func `editing: the request is large, and the answer before it is dim`(columns: Int, rows: Int) {
        var explorer = sent(columns, rows)
        explorer.play(EventScript.success(), "orders/create", body: Self.body)
        explorer.press(.focusRequest, .edit)
        explorer.type("&x")
        expectScreen(explorer.state, "\(columns)x\(rows)-moment-editing")
    }

    @Test(arguments: sizes) func `running: lifeline, bar and throughput have the body's place`(columns: Int, rows: Int) {
        var explorer = sent(columns, rows)
        explorer.play(EventScript.downloading(at: 1350), "orders/create")
        explorer.tick(1_350)
        expectScreen(explorer.state, "\(columns)x\(rows)-moment-running")
    }

    @Test(arguments: sizes) func `waiting to retry: what came, why, and the countdown`(columns: Int, rows: Int) {
        var explorer = sent(columns, rows)
        explorer.run(.waitingToRetry(), of: "orders/create")
        explorer.tick(1_774)
        let document = BodyDocument(BodyBytes(Data(#"{"error":"overloaded"}"#.utf8)), contentType: "application/json")
        document.extendIndexToEnd()
        explorer.send(.bodyArrived(OperationID(rawValue: 1), document, bytes: 22))
        expectScreen(explorer.state, "\(columns)x\(rows)-moment-retry")
    }

    @Test(arguments: sizes) func `after the send no border moves, whatever comes`(columns: Int, rows: Int) {
        var explorer = sent(columns, rows)
        explorer.enqueue(1, "orders/create")
        let layout = explorer.state.layout
        for script in [EventScript.downloading(at: 1350), .waitingToRetry()] {
            for event in script.events {
                explorer.send(.network(event))
                #expect(explorer.state.layout == layout)
            }
        }
        explorer.tick(5_000)
        #expect(explorer.state.layout == layout)
    }

    @Test func `an answer that comes at once takes the place of the one before, with nothing between`() {
        var explorer = sent(120, 40)
        explorer.play(EventScript.success(), "orders/create", body: Self.body)
        explorer.press(.send)
        explorer.enqueue(2, "orders/create")
        let script = EventScript.downloading(at: 1350, operation: 2)
        for event in script.events where event.time < EventScript.time(350) { explorer.send(.network(event)) }
        explorer.tick(390)
        let early = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(early.contains("ord_81F2") && early.contains("previous"))
        explorer.tick(900)
        let late = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(!late.contains("ord_81F2"))
    }

    @Test func `Escape leaves editing for the frame before`() {
        var explorer = sent(160, 50)
        explorer.play(EventScript.success(), "orders/create", body: Self.body)
        let before = explorer.state.layout.panes[.response]
        explorer.press(.focusRequest, .edit)
        explorer.press("Esc")
        #expect(explorer.state.layout.moment == .editing)
        explorer.press(.back)
        #expect(explorer.state.layout.panes[.response] == before)
    }
}
