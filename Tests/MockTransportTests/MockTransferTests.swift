import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

@Suite struct MockTransferTests {
    let story = Story()

    @Test func `PSE-2 without delays the whole answer comes at once`() {
        story.tell(.hello)
        #expect(
            story.lines == ["0 connection", "0 sending", "0 sent", "0 head 200", "0 body +5 5/5", "0 finished"])
        #expect(story.head?.raw == Data("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8))
        #expect(story.result?.bytes.responseBody == 5)
        #expect(story.time.alarmCount == 0)
    }

    @Test func `PSE-2 the delay comes before anything, the latency before the head`() {
        story.tell(.hello, MockBehavior(latency: .milliseconds(200), delay: .seconds(1)))
        #expect(story.lines == [])
        story.time.advance(by: .seconds(5))
        #expect(
            story.lines == [
                "1000 connection", "1000 sending", "1000 sent", "1200 head 200", "1200 body +5 5/5", "1200 finished",
            ])
        #expect(story.result?.phases.queue?.duration == .seconds(1))
        #expect(story.result?.phases.wait?.duration == .milliseconds(200))
    }

    @Test func `PSE-2 a rate cuts the body into what comes in 250 ms`() {
        story.tell(MockResponse(body: Data(repeating: 7, count: 250)), MockBehavior(bitsPerSecond: 3200))
        story.time.advance(by: .seconds(10))
        #expect(
            story.lines.suffix(4) == ["250 body +100 100/250", "500 body +100 200/250", "625 body +50 250/250", "625 finished"])
    }

    @Test func `PSE-2 a latency longer than 250 ms is the time between two pieces`() {
        story.tell(MockResponse(body: Data(repeating: 7, count: 250)), MockBehavior(bitsPerSecond: 800, latency: .seconds(1)))
        story.time.advance(by: .seconds(10))
        #expect(
            story.lines.suffix(5) == [
                "1000 head 200", "2000 body +100 100/250", "3000 body +100 200/250", "4000 body +50 250/250", "4000 finished",
            ])
    }

    @Test func `PSE-2 a failure comes in place of the head`() {
        story.tell(.hello, MockBehavior(latency: .seconds(1), failure: .reset))
        story.time.advance(by: .seconds(1))
        #expect(story.lines == ["0 connection", "0 sending", "0 sent", "1000 finished tcp.reset"])
    }

    @Test(arguments: [(0, ""), (2, "he"), (9, "hello")])
    func `PSE-2 a failure with an offset comes in the middle of the body`(offset: Int, arrived: String) {
        story.tell(.hello, MockBehavior(failure: .reset, failureOffset: offset))
        #expect(story.body == arrived)
        #expect(story.result?.error == .reset)
        #expect(story.head?.headers[.contentLength] == "5")
    }

    @Test func `PSE-2 the status of the behaviour beats that of the response`() {
        story.tell(.hello, MockBehavior(status: .serviceUnavailable))
        #expect(story.head?.status == .serviceUnavailable)
        #expect(story.body == "hello")
    }

    @Test func `PSE-2 Content-Length is corrected, Transfer-Encoding dropped`() {
        story.tell(MockResponse(headers: [.contentLength: "99", .transferEncoding: "chunked"], body: Data("hello".utf8)))
        #expect(story.head?.headers == [.contentLength: "5"])
    }

    @Test(
        arguments: [(HTTPRequest.Method.head, 200, "5"), (.get, 204, nil), (.get, 304, "5")] as [(HTTPRequest.Method, Int, String?)]
    )
    func `PSE-2 a response without content has no body`(method: HTTPRequest.Method, status: Int, length: String?) {
        story.tell(MockResponse(status: .init(code: status), body: Data("hello".utf8)), method: method)
        #expect(story.body == "")
        #expect(story.head?.headers[.contentLength] == length)
    }

    @Test func `PSE-2 extra request headers are sent, and looked at`() throws {
        story.tell(.hello, MockBehavior(extraRequestHeaders: [.userAgent: "mock", .range: "bytes=0-1"]))
        guard case .requestHeadSent(let sent) = story.events[1].kind else { throw NetworkError.reset }
        #expect(String(decoding: sent, as: UTF8.self).contains("\r\nUser-Agent: mock\r\n"))
        #expect(story.body == "he")
    }

    @Test func `PSE-2 the body of the request is read, with its progress`() {
        story.tell(.hello, method: .post, body: .data(Data(repeating: 1, count: 70_000)))
        #expect(
            story.lines.prefix(5) == [
                "0 connection", "0 sending", "0 uploaded 65536 of 70000", "0 uploaded 70000 of 70000", "0 sent",
            ])
    }

    @Test func `PSE-2 a body that isn't there yet is waited for`() {
        let reader = SlowReader()
        story.tell(.hello, method: .post, body: .stream(RequestBodyStream(isReplayable: false) { reader }))
        #expect(story.lines == ["0 connection", "0 sending"])
        reader.offer(Data("abc".utf8))
        #expect(story.lines.last == "0 uploaded 3 of ?")
        reader.offer(nil)
        #expect(story.lines.suffix(4) == ["0 sent", "0 head 200", "0 body +5 5/5", "0 finished"])
        #expect(reader.closed == 1)
    }

    @Test func `PSE-2 a cancel ends an upload, and closes its reader once`() {
        let reader = SlowReader()
        let transfer = story.tell(.hello, method: .post, body: .stream(RequestBodyStream(isReplayable: false) { reader }))
        transfer.cancel()
        reader.offer(nil)
        #expect(story.lines == ["0 connection", "0 sending", "0 finished abandoned"])
        #expect(reader.closed == 1)
    }

    @Test func `PSE-2 a body that can't be read fails the transfer`() {
        story.tell(.hello, method: .post, body: .file(path: "/nowhere/at-all"))
        #expect(story.result?.error?.code == .bodyReadFailed)
    }

    // MARK: Cancel and pause

    @Test func `PSE-3 a cancel is reported at once, and takes the alarm back`() {
        let transfer = story.tell(.hello, MockBehavior(delay: .seconds(60)))
        #expect(story.time.alarmCount == 1)
        transfer.cancel()
        #expect(story.lines == ["0 finished abandoned"])
        #expect(story.result?.error?.code == .cancelled)
        #expect(story.time.alarmCount == 0)
        transfer.cancel()
        story.time.advance(by: .seconds(99))
        #expect(story.events.count == 1)
    }

    @Test func `PSE-3 what is paused gets nothing, and goes on where it was`() {
        let transfer = story.tell(MockResponse(body: Data(repeating: 7, count: 200)), MockBehavior(bitsPerSecond: 3200))
        story.time.advance(by: .milliseconds(250))
        transfer.pauseReceiving()
        story.time.advance(by: .seconds(5))
        #expect(story.lines.last == "250 body +100 100/200")
        transfer.resumeReceiving()
        #expect(story.lines.suffix(2) == ["5250 body +100 200/200", "5250 finished"])
    }

    @Test func `PSE-3 a resume before the next piece is due doesn't hasten it`() {
        let transfer = story.tell(MockResponse(body: Data(repeating: 7, count: 100)), MockBehavior(bitsPerSecond: 3200))
        transfer.pauseReceiving()
        story.time.advance(by: .milliseconds(100))
        transfer.resumeReceiving()
        #expect(story.lines.last == "0 head 200")
        #expect(story.time.alarmCount == 1)
        story.time.advance(by: .milliseconds(150))
        #expect(story.lines.last == "250 finished")
    }
}

/// Hands out what a test offers; `nil` is the end.
private final class SlowReader: RequestBodyReader {
    private let state = Mutex(State())

    private struct State {
        var offers: [Data?] = []
        var wake: (@Sendable () -> Void)?
        var closed = 0
    }

    var closed: Int { state.withLock { $0.closed } }

    func offer(_ data: Data?) {
        let wake = state.withLock { state in
            state.offers.append(data)
            return state.wake.take()
        }
        wake?()
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) throws -> RequestBodyRead {
        state.withLock { state in
            guard !state.offers.isEmpty else {
                state.wake = wake
                return .later
            }
            return state.offers.removeFirst().map { .bytes($0) } ?? .end
        }
    }

    func close() { state.withLock { $0.closed += 1 } }
}
