import Foundation
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

/// What `nghttpd` says of the frames that it got.
struct `The weight of an HTTP version 2 stream` {
    private let transport = CurlTransport()

    @Test func `PRI-1 each priority has a weight between 1 and 256, the normal one that of streams without any`() {
        #expect((-4...4).map { Priority(rawValue: $0).streamWeight } == [1, 1, 2, 5, 16, 49, 147, 256, 256])
    }

    @Test(arguments: [Priority.veryHigh, .veryLow, Priority(rawValue: 9)])
    func `PRI-1 the request's head has the weight of its priority`(priority: Priority) async throws {
        let server = try NghttpdServer()
        let recording = await transport.perform(try request("/hello.txt", of: server, priority))
        #expect(recording.error == nil)
        try await server.frames(contain: "weight=\(priority.streamWeight)")
    }

    @Test func `PRI-1 a priority that changes on the way becomes a new weight`() async throws {
        let server = try NghttpdServer()
        let recorder = TransferRecorder()
        let transfer = transport.start(try request("/large", of: server, .normal), receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.pauseReceiving()
        transfer.setPriority(.veryHigh)
        transfer.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.body.count == 8 << 20)
        try await server.frames(contain: "recv PRIORITY frame", "weight=147")
        // A handle that is used again doesn't keep it.
        let frames = server.frames.count
        #expect(await transport.perform(try request("/hello.txt", of: server, .normal)).error == nil)
        #expect(!server.frames.dropFirst(frames).contains("weight=147"))
    }

    private func request(_ path: String, of server: NghttpdServer, _ priority: Priority) throws -> TransferRequest {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
        var request = TransferRequest(request: Request(url: url), priority: priority)
        request.options.httpVersion = .http2PriorKnowledge
        return request
    }
}

extension NghttpdServer {
    /// Waits until the log has these words, in this order.
    fileprivate func frames(contain words: String...) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while true {
            var rest = Substring(frames)
            let isThere = words.allSatisfy { word in
                guard let range = rest.range(of: word) else { return false }
                rest = rest[range.upperBound...]
                return true
            }
            if isThere { return }
            try #require(ContinuousClock.now < limit, "nghttpd got no \(words):\n\(frames)")
            await Task.yield()
        }
    }
}
