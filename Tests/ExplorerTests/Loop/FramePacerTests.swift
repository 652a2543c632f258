import NetworkLayer
import Testing

@testable import Explorer

@Suite struct FramePacerTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    @Test func `at rest nothing is due`() {
        var pacer = FramePacer()
        #expect(pacer.delay(at: at(0)) == nil)
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(0)) == .zero)
        pacer.drew(at: at(0))
        #expect(pacer.delay(at: at(500)) == nil)
    }

    @Test func `what nobody waits for is drawn at most once in 16 ms`() {
        var pacer = FramePacer()
        pacer.drew(at: at(100))
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(101)) == .milliseconds(15))
        #expect(pacer.delay(at: at(116)) == .zero)
        #expect(pacer.delay(at: at(200)) == .zero)
    }

    @Test func `a key is answered at once, also just after a frame`() {
        var pacer = FramePacer()
        pacer.drew(at: at(100))
        pacer.changed(isUrgent: false)
        pacer.changed(isUrgent: true)
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(101)) == .zero)
        pacer.drew(at: at(101))
        pacer.changed(isUrgent: false)
        #expect(pacer.delay(at: at(102)) == .milliseconds(15))
    }
}
