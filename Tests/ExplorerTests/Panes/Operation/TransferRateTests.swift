import NetworkLayer
import NetworkLayerTesting
import Testing

@testable import Explorer

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
