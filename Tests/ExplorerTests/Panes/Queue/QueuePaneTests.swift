import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The queue pane` {
    private func waiting(_ operation: Int) -> EventScript {
        var script = EventScript(operation: operation)
        script.enqueue(at: 1)
        script.move(at: 1, to: .waiting(.concurrencyLimit))
        return script
    }

    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .success(operation: 1), waiting(2), .downloading(at: 500, operation: 3), .cancelled().renumbered(4))
        explorer.press(.focusQueue)
        _ = explorer.takeEffects()
        return explorer
    }

    private func numbers(_ explorer: ExplorerDriver) -> [Int] { explorer.state.operations.queued.map(\.rawValue) }

    @Test func `lists what runs and what waits, not what has ended`() {
        #expect(numbers(explorer) == [3, 2])
        #expect(explorer.state.operations.counts == (1, 0, 1))
    }

    @Test func `lists what waits by priority, and by age within one`() {
        var explorer = ExplorerDriver()
        for (number, priority) in [(1, Priority.low), (2, .normal), (3, .high), (4, .high)] {
            let definition = ShopCollection.request("login", "GET", "http://localhost")
            explorer.send(
                .operationEnqueued(OperationID(rawValue: number), SentRequest(definition, in: "/shop", priority: priority)))
        }
        #expect(numbers(explorer) == [3, 4, 2, 1])
    }

    @Test func `K and J change what starts first, P says how urgent it is`() {
        var explorer = ExplorerDriver()
        for number in 1...4 {
            let definition = ShopCollection.request("login", "GET", "http://localhost")
            explorer.send(.operationEnqueued(OperationID(rawValue: number), SentRequest(definition, in: "/shop")))
        }
        explorer.press(.focusQueue, .top, .down, .down)
        _ = explorer.takeEffects()
        explorer.press(.startEarlier)
        #expect(numbers(explorer) == [1, 3, 2, 4])
        func id(_ number: Int) -> OperationID { OperationID(rawValue: number) }
        // Those before it must stay there.
        #expect(
            explorer.takeEffects() == [
                .setPriority(id(3), Priority(rawValue: 1)), .setPriority(id(1), Priority(rawValue: 2)),
            ])
        explorer.press(.startEarlier, .startEarlier)
        #expect(numbers(explorer) == [3, 1, 2, 4])
        explorer.press(.startLater, .startLater, .startLater, .startLater)
        #expect(numbers(explorer) == [1, 2, 4, 3])
        _ = explorer.takeEffects()
        explorer.press(.priority)
        explorer.press("Home Enter")
        #expect(explorer.takeEffects() == [.setPriority(id(3), .veryHigh)])
        #expect(numbers(explorer).contains(3))
    }

    @Test func `what runs has no place in the order`() {
        var explorer = explorer
        explorer.press(.top, .startEarlier)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "it has started already")
    }

    @Test func `cancels what is selected, not what is shown`() {
        var explorer = explorer
        #expect(explorer.state.operations.selected == OperationID(rawValue: 4))
        explorer.press(.down, .cancel)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 2), "the user")])
    }

    @Test func `Enter shows what runs in the operation pane`() {
        var explorer = explorer
        explorer.press(.activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 3))
        #expect(explorer.state.screen.focus == .operation)
    }

    @Test func `keeps its selection when the list changes under it`() {
        var explorer = explorer
        explorer.press(.down)
        explorer.send(
            .network(
                NetworkEvent(
                    operation: OperationID(rawValue: 2), sequence: 2, time: EventScript.time(600),
                    kind: .transition(from: .waiting(.concurrencyLimit), to: .preparing))))
        #expect(numbers(explorer) == [2, 3])
        explorer.press(.cancel)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 2), "the user")])
    }

    @Test func `p pauses and resumes`() {
        var explorer = explorer
        explorer.press(.pauseQueue, .pauseQueue)
        #expect(explorer.takeEffects() == [.setQueueSuspended(true), .setQueueSuspended(false)])
    }
}
