import Foundation
import HTTPTypes
import NetworkLayer
import Testing

/// Events and responses as those may have them who show them.
@Suite struct RedactorEventTests {
    private static let secret = "s3cret/x"
    private static let redactor = Redactor([secret])

    private static let request = Request(
        url: URL(string: "http://h/a/s3cret%2Fx?q=s3cret/x")!, method: .post, headers: [.authorization: "Bearer \(secret)"],
        body: .data(Data("a \(secret) b".utf8)))
    private static let head = ResponseHead(
        status: .ok, headers: [.contentType: "text/plain", .eTag: secret], raw: Data("ETag: \(secret)\r\n".utf8))
    private static let error = NetworkError(
        .cannotConnect, phase: .connection, type: "tcp.refused", message: "no \(secret)",
        underlying: NetworkError(.fileFailed, phase: .request, type: "file", message: "at \(secret)"),
        details: [.challengeRealm: secret])
    private static let attempt = {
        var metrics = AttemptMetrics(number: 1, kind: .initial, request: request, start: MonotonicTime(nanoseconds: 0))
        metrics.head = head
        metrics.error = error
        metrics.sentHead = "POST /a/\(secret) HTTP/1.1\r\n"
        metrics.redirect = RedirectHop(location: "http://h/?\(secret)", decision: .followed)
        return metrics
    }()

    private static let kinds: [NetworkEvent.Kind] = [
        .attemptStarted(.initial, request), .hostSanitized(from: secret, to: secret), .resolveStarted(host: secret),
        .requestHeadSent("GET /\(secret) HTTP/1.1\r\n"), .authenticationStep(head), .informational(head), .head(head),
        .redirect(RedirectHop(location: secret, decision: .followed)), .attemptEnded(attempt), .completed(.failed, error),
    ]

    /// Everything in a value, bytes as text.
    private func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text + "\(value)"
    }

    @Test(arguments: kinds.indices)
    func `an event tells no secret, and stays the event that it was`(index: Int) {
        let event = NetworkEvent(
            operation: OperationID(rawValue: 1), attempt: 1, sequence: 3, time: MonotonicTime(nanoseconds: 5),
            kind: Self.kinds[index])
        #expect(dumped(event).contains("s3cret"))
        let redacted = Self.redactor.event(event)
        #expect(!dumped(redacted).contains("s3cret"))
        #expect((redacted.operation, redacted.attempt, redacted.sequence, redacted.time) == (event.operation, 1, 3, event.time))
        #expect(Self.redactor.event(redacted) == redacted)
        #expect(Redactor().event(event) == event)
    }

    @Test func `a request keeps its form`() {
        let event = NetworkEvent(
            operation: OperationID(rawValue: 1), sequence: 0, time: MonotonicTime(nanoseconds: 0),
            kind: .attemptStarted(.initial, Self.request))
        #expect(
            Self.redactor.event(event).kind
                == .attemptStarted(
                    .initial,
                    Request(
                        url: URL(string: "http://h/a/******?q=******")!, method: .post,
                        headers: [.authorization: "Bearer \(Redactor.mask)"], body: .data(Data("a \(Redactor.mask) b".utf8)))))
    }
}
