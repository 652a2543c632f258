import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

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
