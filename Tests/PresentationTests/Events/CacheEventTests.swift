import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Presentation

/// What the cache and the digest tell.
@Suite struct CacheEventTests {
    static let script: EventScript = {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request())
        for outcome in CacheOutcome.allCases { script.at(2, .cache(outcome)) }
        return script
    }()

    static var ended: OperationMetrics {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request())
        script.at(2, .cache(.hit))
        script.head(at: 3, status: 200)
        var attempt = script.metrics.attempts[0]
        attempt.bodyHash = BodyHash(algorithm: .sha256, bytes: [0x0A, 0xFF])
        script.at(4, .attemptEnded(attempt))
        return script.metrics
    }

    @Test func `the event log tells the cache's part in a few words`() {
        #expect(
            Self.script.events.dropFirst(4).map { EventLog.line($0, since: EventScript.time(0)).text } == [
                "    +2.000 ms    4  cache               hit, nothing is sent",
                "    +2.000 ms    5  cache               miss",
                "    +2.000 ms    6  cache               stale, asking the server",
                "    +2.000 ms    7  cache               still good, says the server",
                "    +2.000 ms    8  cache               changed, says the server",
            ])
    }

    @Test func `the cache's part is a line of JSON`() {
        var json = EventJSON()
        #expect(
            Self.script.events.map { json.line($0) }[4]
                == #"{"event":"cache","operation":1,"attempt":1,"sequence":4,"time_us":2000,"outcome":"hit"}"#)
    }

    @Test func `HSH-1 the info panel says the source and the digest`() {
        let rows = InfoPanel.rows(Self.ended.attempts[0]).map { "\($0.name): \($0.value.text)" }
        #expect(
            rows.filter { $0.hasPrefix("source") || $0.hasPrefix("SHA") || $0.hasPrefix("sent") } == [
                "source: cache, nothing was sent", "SHA-256: 0aff",
            ])
    }

    @Test func `HSH-1 the end of an attempt says both in JSON too`() throws {
        var json = EventJSON()
        var event = try #require(Self.script.events.last)
        event.kind = .attemptEnded(Self.ended.attempts[0])
        let line = json.line(event)
        #expect(line.hasSuffix(#""source":"cache","body_hash":"sha256:0aff"}"#))
    }
}
