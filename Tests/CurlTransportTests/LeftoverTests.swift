import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

/// Bytes that a server leaves on a connection after its answer are nobody's answer.
struct `What is left on a kept connection` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL"

    /// - Returns: what became of a second request, after the first connection has got the bytes.
    private func second(
        _ method: HTTPRequest.Method, first: HTTPRequest.Method = .get, head: String = answer, leftover: String
    ) async throws -> (recording: Recording, server: ScriptedServer) {
        let server = try ScriptedServer([
            [.readHead, .send(head), .await, .send(leftover), .readToEnd], [.readHead, .send(Self.answer), .readToEnd],
        ])
        let transport = CurlTransport()
        #expect(await transport.perform(TransferRequest(request: Request(url: server.url, method: first))).error == nil)
        server.proceed()
        #expect(await server.waitFor(.sent(0, Data(leftover.utf8))))
        return (await transport.perform(TransferRequest(request: Request(url: server.url, method: method))), server)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a second answer that nobody asked for isn't taken for the next one`(method: HTTPRequest.Method) async throws {
        let (recording, server) = try await second(method, leftover: Self.evil)
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
        #expect(recording.connection?.isReused == false)
        #expect(!recording.story.contains("resent"))
        // Nothing of the request went to the first connection.
        #expect(String(decoding: server.received(by: 0), as: UTF8.self).components(separatedBy: " HTTP/1.1").count == 2)
    }

    @Test func `nor a body behind a 204 or a HEAD`() async throws {
        let empty = "HTTP/1.1 204 No Content\r\n\r\n"
        #expect(try await second(.get, head: empty, leftover: "{}").recording.text == "ok")
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
        #expect(try await second(.get, first: .head, head: head, leftover: "body\n").recording.text == "ok")
    }

    /// From 8.0 on libcurl closes such a connection itself, before we are asked.
    @Test(.enabled(if: CurlBehaviour.present.version < 0x08_00_00))
    func `the events say how much it was`() async throws {
        let (recording, _) = try await second(.get, leftover: "31 bytes that nobody waits for.")
        let counts = recording.kinds.compactMap { if case .leftoverDropped(let bytes) = $0 { bytes } else { nil } }
        #expect(counts == [31])
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `nor what TLS has decrypted together with the end of an answer`(version: String) async throws {
        let certificates = try TestCertificates.shared()
        let server = try TLSRecordServer(certificates, [version])
        let transport = CurlTransport()
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://127.0.0.1:\(server.port)/"))))
        request.options.tls.authorities = certificates.authority
        let first = TransferRecorder()
        _ = transport.start(request, receive: first.record)
        await first.first { if case .requestSent = $0 { true } else { false } }
        try server.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
        // libcurl asks for two bytes, and the record has more.
        await first.first { if case .head = $0 { true } else { false } }
        try server.send("ok" + Self.evil)
        #expect(await first.finished().text == "ok")

        let second = TransferRecorder()
        _ = transport.start(request, receive: second.record)
        await second.first { if case .requestSent = $0 { true } else { false } }
        try server.send(Self.answer)
        let recording = await second.finished()
        #expect(recording.text == "ok")
        #expect(recording.connection?.isReused == false)
        #expect(recording.kinds.contains { if case .leftoverDropped(Self.evil.utf8.count) = $0 { true } else { false } })
    }

    @Test func `over a Unix socket nothing is taken for the next answer either`() async throws {
        let directory = try TemporaryDirectory()
        let server = try ScriptedServer(
            [[.readHead, .send(Self.answer), .await, .send(Self.evil), .readToEnd], [.readHead, .send(Self.answer), .readToEnd]],
            at: .unix(path: directory.file("socket")))
        let transport = CurlTransport()
        var request = TransferRequest(request: Request(url: try #require(URL(string: "http://some.example/"))))
        request.options.unixSocket = directory.file("socket")
        #expect(await transport.perform(request).error == nil)
        server.proceed()
        #expect(await server.waitFor(.sent(0, Data(Self.evil.utf8))))
        let recording = await transport.perform(request)
        #expect(recording.text == "ok")
        #expect(recording.connection?.isReused == false)
    }

    /// libcurl 7.88 reads such bytes together with the end of the answer, drops them, and keeps the connection.
    @Test(arguments: [
        "204 No Content\r\n\r\n", "304 Not Modified\r\n\r\n", "200 OK\r\nContent-Length: 0\r\n\r\n",
        "200 OK\r\nContent-Length: 2\r\n\r\nok", "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ])
    func `a connection isn't used again after more than the answer came in one piece`(answer: String) async throws {
        for method in [HTTPRequest.Method.get, .head, .put] {
            let whole = "HTTP/1.1 " + (method == .head ? answer.components(separatedBy: "\r\n\r\n")[0] + "\r\n\r\n" : answer)
            let server = try ScriptedServer([
                [.readHead, .readContent, .send(whole + "some garbage"), .readHead, .send(Self.answer), .readToEnd],
                [.readHead, .send(Self.answer), .readToEnd],
            ])
            let transport = CurlTransport()
            let body = method == .put ? RequestBody.data(Data("body".utf8)) : .none
            let first = await transport.perform(TransferRequest(request: Request(url: server.url, method: method, body: body)))
            #expect(first.error == nil)
            let second = try await transport.get(server.url)
            #expect(second.text == "ok")
            #expect(second.connection?.isReused == false, "\(method)")
        }
    }

    /// libcurl gives the connection of an answer to the next request within one call, before the end of the first is told.
    @Test(arguments: [
        "204 No Content\r\n\r\n", "200 OK\r\nContent-Length: 2\r\n\r\nok",
        "200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    ])
    func `nor by a request that begins in the moment in which the first one ends`(answer: String) async throws {
        let whole = "HTTP/1.1 \(answer)some garbage"
        let server = try ScriptedServer([
            [.readHead, .await, .send(whole), .readHead, .send(Self.answer), .readToEnd],
            [.readHead, .send(Self.answer), .readToEnd],
        ])
        let transport = CurlTransport()
        let request = TransferRequest(request: Request(url: server.url))
        let (first, second) = (TransferRecorder(), TransferRecorder())
        _ = transport.start(request, receive: first.record)
        await first.first { if case .requestSent = $0 { true } else { false } }
        await withTaskExecutorPreference(transport.executor) {
            // The loop's thread waits here, so that it finds the answer and the next request at the same time.
            await Self.onLoop {
                server.proceed()
                #expect(server.waits(for: .sent(0, Data(whole.utf8))))
                _ = transport.start(request, receive: second.record)
            }
        }
        #expect(await first.finished().error == nil)
        let recording = await second.finished()
        #expect(recording.text == "ok")
        #expect(recording.connection?.isReused == false)
        #expect(String(decoding: server.received(by: 0), as: UTF8.self).components(separatedBy: " HTTP/1.1").count == 2)
    }

    private static func onLoop(_ work: @Sendable () -> Void) async {
        work()
    }
}

/// Nothing of one transfer reaches the next one over the same transport: each has an easy handle of its own. Below 8.1.0 a handle that had
/// carried an answer kept a pointer to memory that was freed, and libcurl crashed over the next answer (see ``CurlBehaviour``).
struct `What one transfer leaves to the next` {
    @Test func `a handle goes with its transfer, so that none serves two`() async throws {
        final class Seen: Sendable {
            struct Handle: @unchecked Sendable { weak var value: CurlEasyHandle? }
            let handles = Mutex<[Handle]>([])
        }
        let server = try RecordingServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let seen = Seen()
        for number in 1...4 {
            let recorder = TransferRecorder()
            let running = Mutex<CurlTransfer?>(nil)
            let transfer = try #require(
                transport.start(TransferRequest(request: Request(url: server.url))) { event in
                    // On the loop's thread, where the handle is.
                    if case .head = event.kind, let handle = running.withLock({ $0 })?.handle {
                        seen.handles.withLock { $0.append(.init(value: handle)) }
                    }
                    recorder.record(event)
                } as? CurlTransfer)
            running.withLock { $0 = transfer }
            _ = await recorder.finished()
            running.withLock { $0 = nil }
            #expect(transfer.handle == nil)
            // The loop has the last one in its hand until it has told of the end.
            #expect(seen.handles.withLock { $0.dropLast().allSatisfy { $0.value == nil } })
            #expect(seen.handles.withLock { $0.count } <= number)
        }
        #expect(server.requests.count == 4)
        #expect(seen.handles.withLock { !$0.isEmpty })
    }

    /// What TLS was told the last time would let the next one in.
    @Test func `what one transfer knows of TLS doesn't help the next one`() async throws {
        let nginx = try NginxServer.shared()
        let certificates = nginx.certificates
        let transport = CurlTransport()
        for port in [nginx.good, nginx.mutual] {
            let url = "https://127.0.0.1:\(port)/small"
            let trusting = try await transport.get(url) {
                $0.options.tls.authorities = certificates.authority
                $0.options.tls.certificate = certificates.client.certificate
                $0.options.tls.key = certificates.client.key
                $0.options.tls.maximumVersion = .tls1_2
                $0.options.tls.ciphers = ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-GCM-SHA256"]
            }
            #expect(trusting.status == 200)
            #expect(trusting.tls?.version == "TLSv1.2")
            #expect(try await transport.get(url).error?.code == .certificateRejected)

            let unverified = try await transport.get(url) { $0.options.tls.verifies = false }
            #expect(unverified.tls?.version == "TLSv1.3")
            #expect(unverified.status != 200 || port == nginx.good)
            #expect(try await transport.get(url).error?.code == .certificateRejected)
        }
    }

    @Test func `how often connections died before says nothing about the next one`() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
        // Each connection answers once, and dies when it is asked again.
        let server = try ScriptedServer(Array(repeating: [.readHead, .send(answer), .readHead, .close], count: 13))
        defer { server.stop() }
        let transport = CurlTransport()
        for number in 1...12 {
            let recording = try await transport.get(server.url)
            #expect(recording.error == nil, "request \(number)")
            #expect(recording.text == "ok")
        }
    }
}
