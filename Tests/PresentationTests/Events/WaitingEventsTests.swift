import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

/// What an operation waits for, in the log and as JSON.
@Suite struct WaitingEventsTests {
    private let events: [NetworkEvent] = {
        let kinds: [NetworkEvent.Kind] = [
            .waitsFor(.operations([OperationID(rawValue: 3), OperationID(rawValue: 5)])),
            .waitsFor(.backoff(key: "a.test", until: .at(3000))),
            .waitsFor(.backoff(key: "a.test", until: nil)),
            .backoffSignalled(key: "a.test", BackoffBehavior(pause: .seconds(2), serialize: .seconds(5))),
        ]
        return kinds.enumerated().map { index, kind in
            NetworkEvent(
                operation: OperationID(rawValue: 7), attempt: index == 3 ? 1 : nil, sequence: index, time: .at(1000), kind: kind)
        }
    }()

    @Test func `what is waited for is a line of the log`() {
        #expect(
            EventLog.lines(events).map(\.text) == [
                "    +0.000 ms    0  waits for           operations 3 and 5",
                "    +0.000 ms    1  waits for           a pause of a.test, \(Figures.duration(.milliseconds(2))) left",
                "    +0.000 ms    2  waits for           the requests before it to a.test",
                "    +0.000 ms    3  backoff             \(WaitText.signal("a.test", .init(pause: .seconds(2), serialize: .seconds(5))))",
            ])
    }

    @Test func `what is waited for is a line of JSON`() {
        var json = EventJSON()
        #expect(
            events.map { json.line($0) } == [
                #"{"event":"waits_for","operation":7,"sequence":0,"time_us":0,"operations":[3,5]}"#,
                #"{"event":"waits_for","operation":7,"sequence":1,"time_us":0,"backoff":"a.test","left_us":2000}"#,
                #"{"event":"waits_for","operation":7,"sequence":2,"time_us":0,"backoff":"a.test"}"#,
                #"{"event":"backoff_signalled","operation":7,"attempt":1,"sequence":3,"time_us":0,"key":"a.test","pause_us":2000000,"serialize_us":5000000,"spacing_us":0}"#,
            ])
    }
}
