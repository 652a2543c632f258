import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

@Suite struct ManualTimeSourceTests {
    @Test func `alarms ring by deadline, each at its own time, also those set on the way`() {
        let time = ManualTimeSource()
        let rings = Mutex<[String]>([])
        let ring = { @Sendable (name: String) in rings.withLock { $0.append("\(name) \(time.now.nanoseconds)") } }
        _ = time.schedule(at: MonotonicTime(nanoseconds: 20)) { ring("b") }
        _ = time.schedule(at: MonotonicTime(nanoseconds: 10)) {
            ring("a")
            _ = time.schedule(at: MonotonicTime(nanoseconds: 15)) { ring("nested") }
        }
        _ = time.schedule(at: MonotonicTime(nanoseconds: 20)) { ring("c") }
        _ = time.schedule(at: MonotonicTime(nanoseconds: 31)) { ring("late") }
        time.schedule(at: MonotonicTime(nanoseconds: 12)) { ring("cancelled") }.cancel()
        time.advance(to: MonotonicTime(nanoseconds: 30))
        #expect(rings.withLock { $0 } == ["a 10", "nested 15", "b 20", "c 20"])
        #expect(time.now.nanoseconds == 30)
        #expect(time.alarmCount == 1)
    }
}
