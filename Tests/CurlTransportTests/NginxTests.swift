import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

struct `Against nginx` {
    private let transport = CurlTransport()
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
    }

    @Test func `a connection is kept and used again (ENG-5)`() async throws {
        let first = try await transport.get("\(nginx.url)/small")
        let second = try await transport.get("\(nginx.url)/small")
        #expect(first.connection?.isReused == false)
        #expect(second.connection?.isReused == true)
        #expect(first.connection?.id == 1)
        #expect(second.connection?.id == 1)
        #expect(first.connection?.remoteAddress == "127.0.0.1:\(nginx.port)")
        #expect(first.connection?.localAddress == second.connection?.localAddress)
        #expect(second.story == ["connectionAcquired", "requestHeadSent", "requestSent", "head", "body", "finished"])
        let phases = try #require(second.result?.phases)
        #expect([phases.dns, phases.connect, phases.tls] == [nil, nil, nil])
        #expect(phases.queue != nil && phases.send != nil && phases.wait != nil && phases.receive != nil)
    }

    @Test func `a request that asks for a connection of its own gets one`() async throws {
        #expect(try await transport.get("\(nginx.url)/small").connection?.id == 1)
        let alone = try await transport.get("\(nginx.url)/small") { $0.options.reusesConnections = false }
        #expect(alone.connection?.id == 2)
        #expect(alone.connection?.isReused == false)
        #expect(try await transport.get("\(nginx.url)/small").connection?.id == 1)
    }

    @Test func `a large body arrives whole`() async throws {
        let recording = try await transport.get("\(nginx.url)/large")
        #expect(recording.error == nil)
        #expect(recording.body == NginxServer.large)
        #expect(recording.result?.bytes.responseBody == Int64(NginxServer.largeSize))
        guard
            case .body(_, let received, let expected)? = recording.kinds.last(where: { if case .body = $0 { true } else { false } })
        else {
            Issue.record("no body")
            return
        }
        #expect(received == Int64(NginxServer.largeSize))
        #expect(expected == Int64(NginxServer.largeSize))
    }

    @Test func `HEAD is answered without a body`() async throws {
        let url = try #require(URL(string: "\(nginx.url)/small"))
        let recording = await transport.perform(TransferRequest(request: Request(url: url, method: .head)))
        #expect(recording.error == nil)
        #expect(recording.head?.headers[.contentLength] == "1024")
        #expect(recording.body.isEmpty)
        #expect(try await transport.get("\(nginx.url)/small").body.count == 1024)
    }

    @Test func `a Unix socket takes the place of the host`() async throws {
        for isReused in [false, true] {
            let recording = try await transport.get("http://some.example/") { $0.options.unixSocket = nginx.unixSocket }
            #expect(recording.error == nil)
            #expect(recording.text == "hello")
            #expect(recording.connection?.remoteAddress == nginx.unixSocket)
            #expect(recording.connection?.isReused == isReused)
            #expect(recording.sentHead.contains("\r\nHost: some.example\r\n"))
        }
    }

    @Test func `many transfers at once all end well`() async throws {
        let url = "\(nginx.url)/small"
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<200 { group.addTask { try await transport.get(url).body.count } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 1024, count: 200))
    }

    @Test func `a paused transfer waits while others go on, and then loses nothing`() async throws {
        let recorder = TransferRecorder()
        let paused = Mutex<(any Transfer)?>(nil)
        let url = try #require(URL(string: "\(nginx.url)/large"))
        let transfer = transport.start(TransferRequest(request: Request(url: url))) { event in
            if case .head = event.kind { paused.withLock { $0?.pauseReceiving() } }
            recorder.record(event)
        }
        // Whichever comes first, the head or this: it is paused long before the end.
        paused.withLock { $0 = transfer }
        transfer.pauseReceiving()
        for _ in 0..<5 { #expect(try await transport.get("\(nginx.url)/small").body.count == 1024) }
        #expect(recorder.recording.result == nil)
        transfer.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.body == NginxServer.large)
    }
}

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
        if case .stream = consumption {
            for try await piece in operation.body { streamed.append(piece) }
        }
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
