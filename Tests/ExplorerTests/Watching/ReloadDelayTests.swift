import Testing

@testable import Explorer

@Suite struct ReloadDelayTests {
    private let start = ContinuousClock.now

    @Test func `nothing is due when nothing has changed`() {
        #expect(ReloadDelay().wait(at: start) == nil)
    }

    @Test func `it is due once it has been quiet`() {
        var delay = ReloadDelay()
        let isFirst = delay.changed(at: start)
        #expect(isFirst)
        #expect(delay.wait(at: start) == .milliseconds(60))
        let isSecond = delay.changed(at: start + .milliseconds(50))
        #expect(!isSecond)
        #expect(delay.wait(at: start + .milliseconds(60)) == .milliseconds(50))
        #expect(delay.wait(at: start + .milliseconds(110)) == .zero)
        delay.read()
        #expect(delay.wait(at: start + .milliseconds(110)) == nil)
    }

    @Test func `what never is quiet is read all the same`() {
        var delay = ReloadDelay()
        for step in 0...8 { _ = delay.changed(at: start + .milliseconds(50 * step)) }
        #expect(delay.wait(at: start + .milliseconds(400)) == .zero)
    }
}
