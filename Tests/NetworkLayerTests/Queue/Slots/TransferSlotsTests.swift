import HeapModule
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Who is let in, over several queues.
@Suite struct TransferSlotsTests {
    private func wish(
        _ operation: Int, queue: Int = 1, queueLimit: Int? = nil, host: String = "a", _ priority: Priority = .normal
    ) -> TransferSlots.Wish {
        TransferSlots.Wish(
            ticket: .init(priority: priority, number: operation, operation: OperationID(rawValue: operation)), host: host,
            queue: queue, queueLimit: queueLimit)
    }

    private func words(_ effects: [TransferSlots.Effect]) -> [String] {
        effects.map { "\($0.operation.rawValue) \($0.answer)" }
    }

    @Test func `QUE-5 the limit of a host holds over all queues, and the best of any queue is next`() {
        var slots = TransferSlots(limits: .init(perHost: 2))
        #expect(words(slots.ask(wish(1, queue: 1))) == ["1 pass"])
        #expect(words(slots.ask(wish(2, queue: 2))) == ["2 pass"])
        #expect(words(slots.ask(wish(3, queue: 1))) == ["3 wait"])
        #expect(words(slots.ask(wish(4, queue: 2, .high))) == ["4 wait"])
        #expect(words(slots.ask(wish(5, queue: 2, host: "b"))) == ["5 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 1))) == ["4 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 4))) == ["3 pass"])
    }

    @Test func `QUE-5 the limit of a queue is its own`() {
        var slots = TransferSlots(limits: .init(perHost: 6))
        #expect(words(slots.ask(wish(1, queue: 1, queueLimit: 1))) == ["1 pass"])
        #expect(words(slots.ask(wish(2, queue: 1, queueLimit: 1, host: "b"))) == ["2 wait"])
        #expect(words(slots.ask(wish(3, queue: 2))) == ["3 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 3))) == [])
        #expect(words(slots.leave(OperationID(rawValue: 1))) == ["2 pass"])
    }

    @Test func `QUE-5 a host that speaks HTTP/2 is limited by its streams`() {
        var slots = TransferSlots(limits: .init(perHost: 1, streamsPerHost: 3))
        #expect(words((1...5).flatMap { slots.ask(wish($0)) }) == ["1 pass", "2 wait", "3 wait", "4 wait", "5 wait"])
        #expect(words(slots.setMultiplexed(true, "a")) == ["2 pass", "3 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 1))) == ["4 pass"])
        // Another connection to it doesn't: those under way go on.
        #expect(words(slots.setMultiplexed(false, "a")) == [])
        #expect(words(slots.leave(OperationID(rawValue: 2)) + slots.leave(OperationID(rawValue: 3))) == [])
        #expect(words(slots.leave(OperationID(rawValue: 4))) == ["5 pass"])
    }

    @Test func `QUE-5 what was learned of a host's streams outlives its transfers`() {
        var slots = TransferSlots(limits: .init(perHost: 1, streamsPerHost: 2))
        _ = slots.ask(wish(1))
        _ = slots.setMultiplexed(true, "a")
        _ = slots.leave(OperationID(rawValue: 1))
        #expect(slots.lines.isEmpty && slots.running.byHost.isEmpty && slots.places.isEmpty)
        #expect(words(slots.ask(wish(2)) + slots.ask(wish(3)) + slots.ask(wish(4))) == ["2 pass", "3 pass", "4 wait"])
    }

    @Test func `PRI-1 who becomes more urgent in line is next`() {
        var slots = TransferSlots(limits: .init(perHost: 1))
        _ = (1...4).map { slots.ask(wish($0)) }
        slots.setPriority(.high, of: OperationID(rawValue: 4))
        slots.setPriority(.low, of: OperationID(rawValue: 2))
        #expect(words(slots.leave(OperationID(rawValue: 1))) == ["4 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 4))) == ["3 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 3))) == ["2 pass"])
        #expect(words(slots.leave(OperationID(rawValue: 2))) == [])
        #expect(slots.lines.isEmpty && slots.running.byHost.isEmpty && slots.running.byQueue.isEmpty)
    }

    @Test func `QUE-5 a full queue's operation waits while others use the host`() {
        var slots = TransferSlots(limits: .init(perHost: 2))
        _ = slots.ask(wish(1, queue: 1, queueLimit: 1, host: "b"))
        _ = slots.ask(wish(2, queue: 1, queueLimit: 1))
        for number in 3..<1000 {
            _ = slots.ask(wish(number, queue: 2))
            _ = slots.leave(OperationID(rawValue: number))
        }
        #expect(words(slots.leave(OperationID(rawValue: 1))) == ["2 pass"])
    }
}
