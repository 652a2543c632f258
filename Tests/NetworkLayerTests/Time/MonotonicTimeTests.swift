import NetworkLayer
import Testing

@Suite struct MonotonicTimeTests {
    let hour = MonotonicTime(nanoseconds: 3_600_000_000_000)

    @Test(arguments: [Duration.seconds(1 << 40), .seconds(Int64.max), .nanoseconds(Int64.max)])
    func `a time that is too far away is never, and not long ago`(duration: Duration) {
        #expect(hour + duration == MonotonicTime(nanoseconds: .max))
        #expect(MonotonicTime(nanoseconds: -2) - duration == MonotonicTime(nanoseconds: .min))
    }

    @Test func `what is added comes off again`() {
        #expect(hour + .milliseconds(1) - hour == .milliseconds(1))
        #expect(hour - .milliseconds(1) - hour == .milliseconds(-1))
    }
}
