import NetworkLayer
import Testing

@testable import Presentation

@Suite struct WaitTextTests {
    private let now = MonotonicTime.zero + .seconds(5)

    private func ids(_ numbers: Int...) -> [OperationID] { numbers.map { OperationID(rawValue: $0) } }

    @Test func `says which operations are waited for`() {
        #expect(WaitText.sentence(.operations(ids(3)), at: now) == "operation 3")
        #expect(WaitText.sentence(.operations(ids(3, 7)), at: now) == "operations 3 and 7")
        #expect(WaitText.sentence(.operations(ids(1, 2, 3, 4, 5)), at: now) == "operations 1, 2, 3 and 2 more")
    }

    @Test func `says how long a pause still lasts, never less than nothing`() {
        let detail = WaitDetail.backoff(key: "a.test", until: now + .milliseconds(1500))
        #expect(WaitText.sentence(detail, at: now) == "a pause of a.test, \(Figures.duration(.milliseconds(1500))) left")
        #expect(WaitText.sentence(.backoff(key: "a.test", until: nil), at: now) == "the requests before it to a.test")
    }

    @Test func `says what an answer asked for`() {
        let behavior = BackoffBehavior(pause: .seconds(2), serialize: .seconds(5), spacing: .milliseconds(100))
        #expect(
            WaitText.signal("a.test", behavior)
                == "a.test pauses for \(Figures.duration(.seconds(2))), one after the other until \(Figures.duration(.seconds(5))) are over, "
                + "\(Figures.duration(.milliseconds(100))) apart")
    }
}
