import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import Testing

@testable import Explorer

@Suite struct `The throughput of a transfer` {
    private func events(_ bytes: [(milliseconds: Int64, bytes: Int64)]) -> [NetworkEvent] {
        let head = ResponseHead(status: .ok)
        return [NetworkEvent(operation: .init(rawValue: 1), attempt: 1, sequence: 0, time: .zero, kind: .head(head))]
            + bytes.enumerated().map { index, sample in
                NetworkEvent(
                    operation: .init(rawValue: 1), attempt: 1, sequence: index + 1,
                    time: MonotonicTime(nanoseconds: sample.milliseconds * 1_000_000),
                    kind: .downloadProgress(TransferProgress(bytes: sample.bytes, expected: nil)))
            }
    }

    @Test func `is the bytes of each span, and a stall is a gap`() throws {
        let now = MonotonicTime(nanoseconds: 400_000_000)
        let throughput = try #require(
            Throughput(.download, in: events([(50, 1_000), (150, 3_000), (350, 4_000)]), at: now, count: 4))
        #expect(throughput.rates == [10_000, 20_000, 0, 10_000])
        #expect(throughput.peak == 20_000)
        #expect(throughput.heights(rows: 1) == [4, 8, 0, 4])
        #expect(throughput.heights(rows: 2) == [8, 16, 0, 8])
    }

    @Test func `is unknown before there is a span of it`() {
        #expect(Throughput(.download, in: events([(1, 10)]), at: MonotonicTime(nanoseconds: 50_000_000), count: 4) == nil)
        #expect(Throughput(.download, in: [], at: MonotonicTime(nanoseconds: 500_000_000), count: 4) == nil)
    }
}

@Suite struct `The rate of a transfer` {
    @Test func `is that of the last two seconds`() {
        var script = EventScript.downloading(at: 100)
        // A second at 1 MB/s, then three at 2 MB/s.
        for time in stride(from: 200.0, through: 1_100, by: 100) { script.download(at: time, Int64(time - 100) * 1_000, of: nil) }
        for time in stride(from: 1_200.0, through: 4_100, by: 100) {
            script.download(at: time, 1_000_000 + Int64(time - 1_100) * 2_000, of: nil)
        }
        #expect(TransferRate(.download, in: script.events, at: EventScript.time(4_100)) == TransferRate(bytesPerSecond: 2_000_000))
    }

    @Test func `sinks while nothing arrives, down to nothing`() {
        let script = EventScript.downloading(at: 1_100)
        func rate(_ time: Double) -> TransferRate? { TransferRate(.download, in: script.events, at: EventScript.time(time)) }
        #expect(rate(1_100) == TransferRate(bytesPerSecond: 20_000_000))
        #expect(rate(2_100) == TransferRate(bytesPerSecond: 10_000_000))
        #expect(rate(4_100) == TransferRate(bytesPerSecond: 0))
    }

    @Test func `isn't known after less than a tenth of a second`() {
        let script = EventScript.downloading(at: 150)
        #expect(TransferRate(.download, in: script.events, at: EventScript.time(150)) == nil)
        #expect(TransferRate(.upload, in: script.events, at: EventScript.time(10_000)) == TransferRate(bytesPerSecond: 0))
    }

    @Test func `begins anew with an attempt`() {
        var script = EventScript.downloading(at: 1_000)
        script.endAttempt(at: 1_000, .redirecting)
        script.attempt(at: 1_000, EventScript.request(), .redirect)
        script.head(at: 1_100, status: 200)
        script.download(at: 1_600, 500, of: 1_500)
        let rate = TransferRate(.download, in: script.events, at: EventScript.time(1_600))
        #expect(rate == TransferRate(bytesPerSecond: 1_000))
        #expect(rate?.timeLeft(for: TransferProgress(bytes: 500, expected: 1_500)) == .seconds(1))
    }

    @Test func `tells no time without a length, and none when nothing moves`() {
        #expect(TransferRate(bytesPerSecond: 10).timeLeft(for: TransferProgress(bytes: 5)) == nil)
        #expect(TransferRate(bytesPerSecond: 0).timeLeft(for: TransferProgress(bytes: 5, expected: 10)) == nil)
    }
}

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
