import Foundation
import HTTPTypes
import NetworkLayer
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
}
