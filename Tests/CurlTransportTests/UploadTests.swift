import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

struct `Bodies that go up` {
    private static let answer = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
    private let transport = CurlTransport()

    private func pattern(_ count: Int) -> Data { Data(NginxServer.large.prefix(count)) }

    /// Sends a body of known length and returns what the server got of it.
    private func upload(
        _ body: RequestBody, count: Int, method: HTTPRequest.Method = .post, headers: HTTPFields = [:]
    ) async throws -> (recording: Recording, head: String, received: Data) {
        let server = try ScriptedServer([[.readHead, .read(count), .send(Self.answer), .readToEnd]])
        let recording = await transport.perform(
            TransferRequest(request: Request(url: server.url, method: method, headers: headers, body: body)))
        #expect(recording.error == nil)
        #expect(recording.status == 201)
        #expect(recording.result?.bytes.requestBody == Int64(count))
        let progress = recording.kinds.compactMap { if case .uploadProgress(let progress) = $0 { progress } else { nil } }
        #expect(progress.last == TransferProgress(bytes: Int64(count), expected: Int64(count)))
        let received = server.received(by: 0)
        return (recording, String(decoding: received.dropLast(count), as: UTF8.self), Data(received.suffix(count)))
    }

    @Test(arguments: [1, 1000, 64 << 10, (64 << 10) + 1, 3_000_000])
    func `data arrives as it was`(count: Int) async throws {
        let (recording, head, received) = try await upload(.data(pattern(count)), count: count, headers: [.contentType: "a/b"])
        #expect(received == pattern(count))
        #expect(head == recording.sentHead)
        #expect(head.contains("\r\nContent-Length: \(count)\r\n"))
        #expect(head.contains("\r\nContent-Type: a/b\r\n"))
        #expect(!head.contains("Expect"))
        #expect(recording.story.suffix(5) == ["requestHeadSent", "uploadProgress", "requestSent", "head", "finished"])
    }

    @Test func `a GET may have a body`() async throws {
        let (_, head, received) = try await upload(.data(Data("hello".utf8)), count: 5, method: .get)
        #expect(head.hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(!head.contains("Content-Type"))
        #expect(received == Data("hello".utf8))
    }

    @Test func `a file is read while it is sent`() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("body", pattern(1_000_000))
        let (_, head, received) = try await upload(.file(path: path), count: 1_000_000, method: .put)
        #expect(head.hasPrefix("PUT / HTTP/1.1\r\n"))
        #expect(received == pattern(1_000_000))
    }

    @Test func `a stream may make us wait, and is closed at the end`() async throws {
        let source = SlowBody(pieces: ["one ", "two ", "three"])
        let stream = RequestBodyStream(length: 13, isReplayable: false) { source }
        let (_, _, received) = try await upload(.stream(stream), count: 13)
        #expect(received == Data("one two three".utf8))
        #expect(source.closeCount == 1)
    }

    @Test func `a stream of unknown length goes in chunks`() async throws {
        let chunked = "4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .read(chunked.utf8.count), .send(Self.answer), .readToEnd]])
        let source = SlowBody(pieces: ["one ", "two ", "three"])
        let body = RequestBody.stream(RequestBodyStream(isReplayable: false) { source })
        let recording = await transport.perform(TransferRequest(request: Request(url: server.url, method: .post, body: body)))
        #expect(recording.error == nil)
        let received = String(decoding: server.received(by: 0), as: UTF8.self)
        #expect(received.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(received.hasSuffix("\r\n\r\n" + chunked))
        #expect(recording.story.suffix(4) == ["uploadProgress", "requestSent", "head", "finished"])
        #expect(recording.result?.bytes.requestBody == 13)
        #expect(source.closeCount == 1)
    }

    @Test(arguments: [
        (["one ", "two "], "The body ended after 8 bytes, and was to have 10."),
        (["one ", "two ", "three"], "The body has more than the 10 bytes that it was to have."),
    ])
    func `a stream with other bytes than it said ends the transfer, and not the patience of the server`(
        pieces: [String], sentence: String
    ) async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let stream = RequestBodyStream(length: 10, isReplayable: false) { SlowBody(pieces: pieces) }
        let recording = await transport.perform(
            TransferRequest(request: Request(url: server.url, method: .post, body: .stream(stream))))
        #expect(recording.error?.code == .bodyReadFailed)
        #expect(recording.error?.message.hasPrefix(sentence) == true)
    }

    @Test func `a stream that fails ends the transfer`() async throws {
        struct Broken: Error {}
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let body = RequestBody.stream(RequestBodyStream(isReplayable: false) { throw Broken() })
        let recording = await transport.perform(TransferRequest(request: Request(url: server.url, method: .post, body: body)))
        #expect(recording.error?.code == .bodyReadFailed)
        #expect(recording.error?.message == "The stream of the body can't be opened: Broken()")
    }

    @Test func `Expect waits for the server's word`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .read(5), .send(Self.answer), .readToEnd]
        ])
        var request = TransferRequest(request: Request(url: server.url, method: .post, body: .data(Data("hello".utf8))))
        request.options.expectsContinue = true
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        #expect(recording.sentHead.contains("\r\nExpect: 100-continue\r\n"))
        #expect(
            recording.story.suffix(6) == ["requestHeadSent", "informational", "uploadProgress", "requestSent", "head", "finished"])
    }

    @Test(arguments: [HTTPRequest.Method.post, .put], [true, false])
    func `a 417 makes the request go out without Expect`(method: HTTPRequest.Method, isField: Bool) async throws {
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 4\r\n\r\nwhat"
        let server = try ScriptedServer([
            [.readHead, .send(refusal), .readHead, .read(5), .send(Self.answer), .readToEnd],
            // Newer ones ask on another connection.
            [.readHead, .read(5), .send(Self.answer), .readToEnd],
        ])
        var request = TransferRequest(request: Request(url: server.url, method: method, body: .data(Data("hello".utf8))))
        if isField { request.request.headers[.expect] = "100-continue" } else { request.options.expectsContinue = true }
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        #expect(recording.status == 201)
        #expect(recording.body == Data())
        #expect(recording.story.count { $0 == "head" } == 1)
        let heads = recording.kinds.compactMap {
            if case .requestHeadSent(let head) = $0 { String(decoding: head, as: UTF8.self) } else { nil }
        }
        #expect(heads.map { $0.contains("Expect: 100-continue\r\n") } == [true, false])
        #expect(
            recording.kinds.compactMap { if case .authenticationStep(let head) = $0 { head.status.code } else { nil } } == [417])
    }

    @Test(arguments: [true, false])
    func `a 417 that is the last word is the answer`(closes: Bool) async throws {
        let fields = "Content-Length: 4\r\n\(closes ? "Connection: close\r\n" : "")"
        let refusal = "HTTP/1.1 417 Expectation Failed\r\n\(fields)\r\nwhat"
        // One that closes wasn't asked once more by curl either.
        let server = try ScriptedServer([
            closes ? [.readHead, .send(refusal), .close] : [.readHead, .send(refusal), .readHead, .send(refusal), .readToEnd],
            [.readHead, .read(5), .send(refusal), .readToEnd],
        ])
        var request = TransferRequest(request: Request(url: server.url, method: .post, body: .data(Data("hello".utf8))))
        request.options.expectsContinue = true
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        #expect(recording.status == 417)
        #expect(recording.text == "what")
    }

    @Test func `a 417 to a request that expected nothing is the answer`() async throws {
        let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 4\r\n\r\nwhat"
        let server = try ScriptedServer([[.readHead, .read(5), .send(refusal), .readToEnd]])
        let recording = await transport.perform(
            TransferRequest(request: Request(url: server.url, method: .post, body: .data(Data("hello".utf8)))))
        #expect(recording.error == nil)
        #expect(recording.status == 417)
        #expect(recording.text == "what")
    }

    @Test func `a cancelled upload closes its source`() async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let source = SlowBody(pieces: ["one"], ends: false)
        let body = RequestBody.stream(RequestBodyStream(isReplayable: false) { source })
        let recorder = TransferRecorder()
        let transfer = transport.start(
            TransferRequest(request: Request(url: server.url, method: .post, body: body)), receive: recorder.record)
        await recorder.first { if case .uploadProgress = $0 { true } else { false } }
        transfer.cancel()
        #expect(await recorder.finished().error?.code == .cancelled)
        #expect(source.closeCount == 1)
        #expect(await server.waitFor(.clientClosed(0)))
    }
}

/// Says `later` before each piece, and wakes at once from another thread.
private final class SlowBody: RequestBodyReader {
    private let state: Mutex<(pieces: [String], isReady: Bool, closeCount: Int)>
    private let ends: Bool

    init(pieces: [String], ends: Bool = true) {
        state = Mutex((pieces, false, 0))
        self.ends = ends
    }

    var closeCount: Int { state.withLock { $0.closeCount } }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        state.withLock { state in
            if state.pieces.isEmpty, !ends { return .later }
            guard state.isReady else {
                state.isReady = true
                Thread.detachNewThread { wake() }
                return .later
            }
            state.isReady = false
            return state.pieces.isEmpty ? .end : .bytes(Data(state.pieces.removeFirst().utf8))
        }
    }

    func close() {
        state.withLock { $0.closeCount += 1 }
    }
}

/// A body that is made while it is sent, and an answer that comes before its end.
struct `Bodies that pause over HTTP version 2` {
    private static let old = CurlBehaviour(version: 0x07_58_01)
    private static let new = CurlBehaviour(version: 0x08_05_00)

    private func post(_ body: RequestBody, _ version: HTTPVersionPreference) throws -> TransferRequest {
        var request = TransferRequest(
            request: Request(url: try #require(URL(string: "https://example.test/")), method: .post, body: body))
        request.options.httpVersion = version
        return request
    }

    private func stream(mayPause: Bool = true) -> RequestBody {
        .stream(RequestBodyStream(isReplayable: false, mayPause: mayPause) { PausingBody(pieces: ["one ", "two ", "three"]) })
    }

    @Test func `below libcurl 8.5.0 they go by version 1.1, and what can't pause doesn't`() throws {
        #expect(try RequestPlan(post(stream(), .automatic), behaviour: Self.old).httpVersion == .http1)
        #expect(try RequestPlan(post(stream(mayPause: false), .automatic), behaviour: Self.old).httpVersion == .automatic)
        #expect(try RequestPlan(post(.data(Data(count: 1 << 20)), .automatic), behaviour: Self.old).httpVersion == .automatic)
        #expect(try RequestPlan(post(stream(), .automatic), behaviour: Self.new).httpVersion == .automatic)
        #expect(try RequestPlan(post(stream(), .http2), behaviour: Self.new).httpVersion == .http2)
    }

    @Test(arguments: [HTTPVersionPreference.http2, .http2PriorKnowledge])
    func `who insists on version 2 is told why not`(version: HTTPVersionPreference) throws {
        let error = #expect(throws: NetworkError.self) { try RequestPlan(post(stream(), version), behaviour: Self.old) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message == "This libcurl (7.88.1) may lose the answer to a body that is sent while it is made over HTTP/2. "
                + "Don't ask for HTTP/2, put the body into a file, or install libcurl 8.5.0 or later.")
    }

    @Test(arguments: [1, 300]) func `their answers arrive, however early they come`(width: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: 100_000)
        let transport = CurlTransport()
        var request = TransferRequest(
            request: Request(url: try #require(URL(string: server.url + "/x")), method: .post, body: .none))
        request.options.tls.authorities = server.certificates.authority
        // There is a connection of version 2 that could be taken.
        #expect(await transport.perform(request).head?.version == "HTTP/2")
        let outcomes = await withTaskGroup(of: String.self) { [request] group in
            @Sendable func one() async -> String {
                var request = request
                request.request.body = stream()
                let recording = await transport.perform(request)
                return recording.error?.message ?? recording.text
            }
            for _ in 0..<width { group.addTask { await one() } }
            var (outcomes, started) = ([String: Int](), width)
            while let outcome = await group.next() {
                outcomes[outcome, default: 0] += 1
                guard started < 300 else { continue }
                started += 1
                group.addTask { await one() }
            }
            return outcomes
        }
        #expect(outcomes == ["POST /x": 300])
    }
}

/// Says `later` before each piece, and wakes soon from another thread.
private final class PausingBody: RequestBodyReader {
    private let state: Mutex<(pieces: [String], isReady: Bool)>

    init(pieces: [String]) {
        state = Mutex((pieces, false))
    }

    func read(atMost limit: Int, wake: @escaping @Sendable () -> Void) -> RequestBodyRead {
        state.withLock { state in
            guard state.isReady else {
                state.isReady = true
                Thread.detachNewThread {
                    usleep(500)
                    wake()
                }
                return .later
            }
            state.isReady = false
            return state.pieces.isEmpty ? .end : .bytes(Data(state.pieces.removeFirst().utf8))
        }
    }

    func close() {}
}
