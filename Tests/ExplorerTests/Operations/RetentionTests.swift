import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import Explorer

@Suite struct `Old operations` {
    private static let ids = (1...4).map { OperationID(rawValue: $0) }

    /// Ends an operation with a body.
    private func end(_ number: Int, bytes: Int, in explorer: inout ExplorerDriver) {
        explorer.enqueue(number, "orders/list")
        let script = EventScript.success(operation: number)
        for event in script.events { explorer.send(.network(event)) }
        explorer.send(.responseReady(OperationID(rawValue: number), Response(script, body: Data(count: bytes))))
    }

    private func released(_ explorer: inout ExplorerDriver) -> [ExplorerEffect] {
        explorer.takeEffects().filter { if case .release = $0 { true } else { false } }
    }

    @Test func `keep their bodies up to a number of runs, the newest first`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.runs = 2
        for number in 1...2 { end(number, bytes: 1, in: &explorer) }
        #expect(released(&explorer) == [])
        end(3, bytes: 1, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[0]])])
        let entries = Self.ids.prefix(3).compactMap { explorer.state.operations[$0] }
        #expect(entries.map(\.isReleased) == [true, false, false])
        #expect(entries.map { $0.response?.info?.body.count } == [0, 1, 1])
        #expect(entries.map(\.events.isEmpty) == [true, false, false])
        #expect(entries[0].metrics.attempts.count == 1)
    }

    @Test func `keep so many bytes of bodies, and the one that is looked at whatever its size`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.bytes = 100
        end(1, bytes: 60, in: &explorer)
        end(2, bytes: 60, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[0]])])
        end(3, bytes: 600, in: &explorer)
        #expect(released(&explorer) == [.release([Self.ids[1]])])
        #expect(explorer.state.operations[Self.ids[2]]?.response?.info?.body.count == 600)
    }

    @Test func `say that they are not kept`() {
        var explorer = ExplorerDriver()
        explorer.state.operations.retention.runs = 1
        for number in 1...2 { end(number, bytes: 1, in: &explorer) }
        explorer.state.show(Self.ids[0])
        guard case .nothing(let lines) = explorer.state.responseContent(columns: 80) else { return #expect(Bool(false)) }
        #expect(lines.first == "The body and the events of this run are not kept any more:")
        #expect(lines.last == "r sends it again.")
    }
}
