import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

/// Downloads from a real server that are cut off on the way.
@Suite struct ResumeTests {
    private let nginx: NginxServer

    init() throws { nginx = try NginxServer.shared() }

    private func load(_ path: String, _ consumption: ResponseConsumption) async throws -> (Response, Data) {
        let transport = CuttingTransport(CurlTransport(), after: 3 << 20, times: 2)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport))
        var configuration = RequestConfiguration()
        configuration.consumption = consumption
        configuration.hash = .sha256
        configuration.retry = [RetryRules(attempts: 3, backoff: RetryBackoff(first: .milliseconds(100), jitter: .none))]
        let operation = queue.enqueue(Request(url: try #require(URL(string: nginx.url + path))), configuration: configuration)
        var streamed = Data()
        for try await piece in operation.body { streamed.append(piece) }
        let response = await operation.response
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        return (response, streamed)
    }

    @Test func `TN-14 nginx sends the rest of a file that was cut off twice`() async throws {
        let (response, _) = try await load("/large", .file(directory: nil))
        #expect(response.error == nil)
        #expect(try response.info?.body.contents() == NginxServer.large)
        #expect(response.metrics.attempts.map(\.head?.status.code) == [200, 206, 206])
        #expect(response.info?.head.status == .ok)
        var digest = BodyDigest(.sha256)
        digest.update(NginxServer.large)
        #expect(response.info?.hash == digest.hash)
        #expect(response.metrics.attempts.last?.download.bytes == Int64(NginxServer.largeSize))
        #expect(response.metrics.attempts.last?.sentHead?.contains("\r\nIf-Range: \"") == true)
    }

    @Test func `TN-14 a stream from nginx goes on where it was cut off`() async throws {
        let (response, streamed) = try await load("/large", .stream)
        #expect(response.error == nil)
        #expect(streamed == NginxServer.large)
    }
}

/// Cuts the first transfers off after so many bytes, as a network does that goes away.
private final class CuttingTransport: Transport {
    private let base: CurlTransport
    private let bytes: Int64
    private let times: Mutex<Int>

    init(_ base: CurlTransport, after bytes: Int64, times: Int) {
        self.base = base
        self.bytes = bytes
        self.times = Mutex(times)
    }

    var contentCodings: [String] { base.contentCodings }

    func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer {
        let cuts = times.withLock { times in
            times -= 1
            return times >= 0
        }
        let isOver = Mutex(false)
        let transfer = Mutex<(any Transfer)?>(nil)
        let started = base.start(request) { [bytes] event in
            guard !isOver.withLock({ $0 }) else { return }
            receive(event)
            guard cuts, case .body(_, let received, _) = event.kind, received >= bytes else { return }
            isOver.withLock { $0 = true }
            let lost = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "The network went away.")
            receive(TransportEvent(time: event.time, kind: .finished(TransferResult(error: lost))))
            transfer.withLock { $0 }?.cancel()
        }
        transfer.withLock { $0 = started }
        if isOver.withLock({ $0 }) { started.cancel() }
        return started
    }
}
