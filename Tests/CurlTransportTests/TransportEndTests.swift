import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(1))) struct TransportEndTests {
    /// Who still holds a transfer may say something to it at any time; there is no libcurl any more to hear it.
    @Test func `what a transfer is told when its transport is gone wakes nobody, and is kept by nobody`() async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let recorder = TransferRecorder()
        var transport: CurlTransport? = CurlTransport()
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        var transfer = transport?.start(TransferRequest(request: Request(url: url)), receive: recorder.record) as? CurlTransfer
        weak let loop = transfer?.loop
        await recorder.first { if case .requestSent = $0 { true } else { false } }
        transport = nil
        #expect(await recorder.finished().error?.code == .cancelled)
        // The thread is about to end, and then has ended.
        for count in 0..<10_000 {
            transfer?.setPriority(count.isMultiple(of: 2) ? .high : .low)
            await Task.yield()
        }
        transfer = nil
        while loop != nil { await Task.yield() }
    }

    /// Observers, events and what is remembered of hosts lead back to the client, and none of that may hold it.
    @Test func `a client that nobody holds any more takes its transport with it`() async throws {
        struct Gone: @unchecked Sendable { weak var transport: CurlTransport? }
        let server = try ScriptedServer([
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd], [.readHead, .readToEnd],
        ])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        func use() async throws -> Gone {
            let transport = CurlTransport()
            let client = NetworkClient(transport: transport)
            let recorder = EventRecorder()
            client.addObserver(recorder)
            let queue = try RequestOperationQueue(identifier: "test", client: client)
            #expect(await queue.enqueue(Request(url: url)).response.info?.head.status.code == 200)
            let cancelled = queue.enqueue(Request(url: url))
            for await event in cancelled.events { if case .requestSent = event.kind { cancelled.cancel() } }
            return Gone(transport: transport)
        }
        let gone = try await use()
        while gone.transport != nil { await Task.yield() }
    }
}
