import NetworkLayer
import NetworkLayerTesting
import Presentation
import Testing

@testable import Explorer

@Suite struct `The timeouts` {
    private func board(_ script: EventScript, at milliseconds: Double) -> TimeoutBoard {
        TimeoutBoard(script.metrics, now: EventScript.time(milliseconds))
    }

    @Test func `fire in the order of what is left of them`() {
        let script = EventScript.downloading(at: 1_000)
        #expect(board(script, at: 1_000).next == .idle)
        var busy = script
        busy.download(at: 40_000, 99_000_000, of: nil)
        #expect(board(busy, at: 40_000).next == .attempt)
    }

    @Test func `that wait for their start don't count`() {
        let board = board(.downloading(at: 50), at: 50)
        #expect(
            board.gauges == [
                TimeoutGauge(name: .idle, elapsed: nil, limit: .seconds(30)),
                TimeoutGauge(name: .attempt, elapsed: .milliseconds(50), limit: .seconds(60)),
                TimeoutGauge(name: .operation, elapsed: .milliseconds(50), limit: .seconds(180)),
            ])
        #expect(board.next == .attempt)
        #expect(board.fired == nil)
    }

    @Test func `rest when all is over, but for the one that fired`() {
        #expect(board(.success(), at: 9_000).gauges.map(\.elapsed) == [nil, nil, nil])
        let fired = board(.idleTimeout(), at: 99_000)
        #expect(fired.fired == .idle)
        #expect(fired.next == nil)
        #expect(fired.gauges.map(\.elapsed) == [.seconds(10), nil, nil])
    }
}
