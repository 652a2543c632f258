import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

/// The events of a preparation, and what our own coders add to the end of an attempt.
@Suite struct PreparationEventTests {
    static let clogged: NetworkError = {
        var error = NetworkError(.callbackTimedOut, phase: .preparation, type: "callback.timed_out", message: "too slow")
        error.details[.timeoutTags] = "Tokens<RequestAuthorizer>.authorize (10 s)"
        return error
    }()

    static let events: [NetworkEvent] = {
        var script = EventScript()
        script.start()
        script.at(1, .configurationWarning(.operationTimeoutShorterThanAttempt))
        script.at(2, .prepared(.hydration))
        script.at(3, .hostSanitized(from: "api.example.org", to: "127.0.0.1"))
        script.at(4, .preparationFailed(.authorization, clogged))
        return Array(script.events.dropFirst(2))
    }()

    @Test func `the event log tells them in a few words`() {
        #expect(
            Self.events.map { EventLog.line($0, since: EventScript.time(0)).text } == [
                "    +1.000 ms    2  configuration       The operation timeout is shorter than the attempt timeout, which therefore never passes.",
                "    +2.000 ms    3  prepared            filled in",
                "    +3.000 ms    4  host changed        api.example.org → 127.0.0.1",
                "    +4.000 ms    5  preparation failed  authorization: too slow",
            ])
    }

    @Test func `they are lines of JSON`() {
        var json = EventJSON()
        #expect(
            Self.events.map { json.line($0) } == [
                #"{"event":"configuration_warning","operation":1,"sequence":2,"time_us":0,"warning":"operationTimeoutShorterThanAttempt","message":"The operation timeout is shorter than the attempt timeout, which therefore never passes."}"#,
                #"{"event":"prepared","operation":1,"sequence":3,"time_us":1000,"step":"hydration"}"#,
                #"{"event":"host_sanitized","operation":1,"sequence":4,"time_us":2000,"from":"api.example.org","to":"127.0.0.1"}"#,
                #"{"event":"preparation_failed","operation":1,"sequence":5,"time_us":3000,"step":"authorization","error":{"type":"callback.timed_out","code":205,"phase":"preparation","message":"too slow","callbacks":"Tokens<RequestAuthorizer>.authorize (10 s)"}}"#,
            ])
    }

    @Test func `ENC-3 the end of an attempt says what our coders did`() {
        var attempt = AttemptMetrics(number: 1, kind: .initial, request: EventScript.request(), start: EventScript.time(0))
        attempt.coding = CodingMetrics(
            requestEncodingLatency: .microseconds(7), requestOriginalContentLength: 9, requestEncodedContentLength: 5,
            responseDecodingLatency: .microseconds(8), responseDecodedContentLength: 11)
        var script = EventScript()
        script.at(0, .attemptEnded(attempt))
        var json = EventJSON()
        #expect(
            json.line(script.events[0]).contains(
                #""coding":{"encode_us":7,"plain_request_body_bytes":9,"encoded_request_body_bytes":5,"decode_us":8,"decoded_response_body_bytes":11}"#
            ))
    }

    @Test func `every step has a name of its own`() {
        let names = PreparationStep.allCases.map { PreparationText.name($0) }
        #expect(Set(names).count == PreparationStep.allCases.count)
    }
}
