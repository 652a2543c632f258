import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import Interchange

/// HAR 1.2, from operations' metrics.
@Suite struct HARTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func time(_ milliseconds: Int64) -> MonotonicTime { Self.start + .milliseconds(milliseconds) }

    private func attempt(_ number: Int, _ kind: AttemptKind, url: String, at milliseconds: Int64) -> AttemptMetrics {
        var request = Request(url: URL(string: url)!, headers: [.authorization: "Bearer hunter2"])
        if kind == .initial { request.headers[.cookie] = "a=1; b=2" }
        var attempt = AttemptMetrics(number: number, kind: kind, request: request, start: time(milliseconds))
        attempt.end = time(milliseconds + 20)
        attempt.connection = ConnectionInfo(
            id: 7, isReused: kind != .initial, localAddress: "127.0.0.1:5000", remoteAddress: "127.0.0.1:80",
            httpVersion: "HTTP/1.1")
        attempt.phases.queue = .init(start: time(milliseconds), end: time(milliseconds + 1))
        if kind == .initial {
            attempt.phases.connect = .init(start: time(milliseconds + 1), end: time(milliseconds + 3))
            attempt.phases.tls = .init(start: time(milliseconds + 3), end: time(milliseconds + 8))
        }
        attempt.phases.send = .init(start: time(milliseconds + 8), end: time(milliseconds + 9))
        attempt.phases.wait = .init(start: time(milliseconds + 9), end: time(milliseconds + 18))
        attempt.phases.receive = .init(start: time(milliseconds + 18), end: time(milliseconds + 20))
        attempt.bytes = ByteCounts(
            requestHead: 100, requestBody: 0, responseHead: 50, responseBody: 10, decodedResponseBody: 30)
        return attempt
    }

    /// A redirect and where it led.
    private func metrics(failing: Bool = false) -> OperationMetrics {
        var metrics = OperationMetrics()
        var sequence = 0
        func apply(_ kind: NetworkEvent.Kind, at milliseconds: Int64) {
            metrics.apply(
                NetworkEvent(operation: OperationID(rawValue: 1), sequence: sequence, time: time(milliseconds), kind: kind))
            sequence += 1
        }
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        apply(.enqueued(queue: "q", date: date, timeouts: Timeouts()), at: 0)
        var first = attempt(1, .initial, url: "https://me:secret@h.example/a?q=1&q=two%20words", at: 5)
        first.head = ResponseHead(
            status: .found,
            headers: [.location: "/b", .setCookie: "s=hunter2; Path=/x; HttpOnly; Expires=Sun, 06 Nov 1994 08:49:37 GMT"])
        var second = attempt(2, .redirect, url: "https://h.example/b", at: 30)
        if failing {
            second.error = NetworkError(.connectionLost, phase: .response, type: "tcp.reset", message: "The connection was reset.")
            second.phases.wait = nil
            second.phases.receive = nil
        } else {
            second.head = ResponseHead(status: .ok, headers: [.contentType: "text/plain"])
            second.trailers = [.init(name: "X-Sum", value: "42")]
        }
        for (attempt, at) in [(first, Int64(5)), (second, 30)] {
            apply(.attemptStarted(attempt.kind, attempt.request), at: at)
            apply(.attemptEnded(attempt), at: at + 20)
        }
        return metrics
    }

    private let masking = HARDocument.Masking(
        field: { name, value in ["authorization", "set-cookie", "cookie"].contains(name.lowercased()) ? "x=masked" : value },
        url: { $0.replacing("me:secret@", with: "") }, text: { $0.replacing("hunter2", with: "masked") })

    private func document(failing: Bool = false, body: Data? = Data("bödy hunter2".utf8)) -> HARDocument {
        HARDocument(
            [.init(metrics(failing: failing), body: body)], creator: .init(name: "turnstone", version: "1"), masking: masking)
    }

    @Test func `every attempt is an entry, redirects included, in the order of their start`() {
        let entries = document().log.entries
        #expect(entries.map(\.request.url) == ["https://h.example/a?q=1&q=two%20words", "https://h.example/b"])
        #expect(entries.map(\._kind) == [nil, "redirect"])
        #expect(entries.map(\.startedDateTime) == ["2023-11-14T22:13:20.005Z", "2023-11-14T22:13:20.030Z"])
        #expect(entries[0].request.queryString == [.init(name: "q", value: "1"), .init(name: "q", value: "two words")])
        #expect(entries[0].response.redirectURL == "/b")
        #expect(entries[0].response.cookies.map(\.value) == ["masked"])
        #expect(entries[0].response.content.comment == "not kept")
        #expect(entries[1].response.content.text == "bödy masked")
        #expect(entries[1].response.content.compression == 20)
        #expect(entries.map(\.serverIPAddress) == ["127.0.0.1", "127.0.0.1"])
        #expect(entries.map(\.connection) == ["7", "7"])
    }

    @Test func `parameters that are secret by their names are masked in queries and forms`() throws {
        var attempt = AttemptMetrics(
            number: 1, kind: .initial,
            request: Request(
                url: URL(string: "http://h/a?token=hunter2&q=1&X-Amz-Signature=hunter2")!, method: .post,
                headers: [.contentType: "application/x-www-form-urlencoded"], body: .data(Data("user=ada&password=hunter2".utf8))),
            start: time(5))
        attempt.end = time(9)
        var metrics = OperationMetrics()
        for (sequence, kind) in [
            .enqueued(queue: "q", date: Date(timeIntervalSince1970: 1_700_000_000), timeouts: Timeouts()),
            .attemptStarted(.initial, attempt.request), .attemptEnded(attempt),
        ].enumerated() as EnumeratedSequence<[NetworkEvent.Kind]> {
            metrics.apply(NetworkEvent(operation: OperationID(rawValue: 1), sequence: sequence, time: time(5), kind: kind))
        }
        let standard = HARDocument.Masking(
            field: { Redaction.standard.masked($1, of: $0) }, url: { Redaction.standard.url($0).map(\.text).joined() }, text: { $0 }
        )
        let document = HARDocument([.init(metrics)], creator: .init(name: "turnstone", version: "1"), masking: standard)
        let request = document.log.entries[0].request
        // A URL has no other characters than ASCII's.
        let mask = String(repeating: "%E2%80%A2", count: 6)
        #expect(request.url == "http://h/a?token=\(mask)&q=1&X-Amz-Signature=\(mask)")
        #expect(request.queryString.map(\.value) == ["••••••", "1", "••••••"])
        #expect(request.postData?.text == "user=ada&password=••••••")
        #expect(!String(decoding: try document.json(), as: UTF8.self).contains("hunter2"))
    }

    @Test func `a secret by its name is masked in a body whose bytes are ASCII and mean other things`() throws {
        let body = try #require(#"{"password":"あいう鍵"}"#.data(using: .iso2022JP))
        let request = Request(
            url: URL(string: "http://h/")!, method: .post, headers: [.contentType: "application/json; charset=iso-2022-jp"],
            body: .data(body))
        var metrics = OperationMetrics()
        for (sequence, kind) in [
            .enqueued(queue: "q", date: Date(timeIntervalSince1970: 1_700_000_000), timeouts: Timeouts()),
            .attemptStarted(.initial, request),
            .attemptEnded(AttemptMetrics(number: 1, kind: .initial, request: request, start: time(5))),
        ].enumerated() as EnumeratedSequence<[NetworkEvent.Kind]> {
            metrics.apply(NetworkEvent(operation: OperationID(rawValue: 1), sequence: sequence, time: time(5), kind: kind))
        }
        let masking = HARDocument.Masking(field: { $1 }, url: { $0 }, text: { $0 })
        let document = HARDocument([.init(metrics)], creator: .init(name: "turnstone", version: "1"), masking: masking)
        let text = try #require(document.log.entries[0].request.postData?.text)
        #expect(text == #"{"password":"••••••"}"#)
    }

    @Test func `times are milliseconds, -1 for what did not happen, and add up to the entry's time`() {
        let entries = document().log.entries
        #expect(
            entries[0].timings
                == HARDocument.Timings(blocked: 1, dns: -1, connect: 7, send: 1, wait: 9, receive: 2, ssl: 5))
        #expect(entries[0].time == 20)
        #expect(
            entries[1].timings
                == HARDocument.Timings(blocked: 1, dns: -1, connect: -1, send: 1, wait: 9, receive: 2, ssl: -1))
        #expect(entries[1].time == 13)
    }

    @Test func `trailers have a name of their own`() {
        let entries = document().log.entries
        #expect(entries.map(\.response._trailers) == [nil, [HARDocument.Field(name: "X-Sum", value: "42")]])
    }

    @Test func `an attempt without an answer has status 0, sizes of -1 and a reason`() {
        let entry = document(failing: true, body: nil).log.entries[1]
        #expect(entry.response.status == 0)
        #expect(entry.response.headersSize == -1)
        #expect(entry.response.bodySize == -1)
        #expect(entry._error == "tcp.reset: The connection was reset.")
        #expect(entry.timings.wait == 0)
    }

    @Test func `bytes that aren't text are base64`() {
        let content = document(body: Data([0xFF, 0x00])).log.entries[1].response.content
        #expect(content.text == "/wA=")
        #expect(content.encoding == "base64")
    }

    @Test func `no secret is in it`() throws {
        let text = String(decoding: try document().json(), as: UTF8.self)
        #expect(!text.contains("hunter2"))
        #expect(!text.contains("secret"))
    }
}
