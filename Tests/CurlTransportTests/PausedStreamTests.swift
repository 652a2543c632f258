import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

/// Of an HTTP/2 connection libcurl 7.88 reads what there is for all of its streams into one buffer, and goes no further once the buffer of
/// one of them is full.
struct `Streams that nobody reads for a while` {
    private let transport = CurlTransport()
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
    }

    private func request(_ path: String) throws -> TransferRequest {
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://127.0.0.1:\(nginx.good)\(path)"))))
        request.options.tls.authorities = nginx.certificates.authority
        return request
    }

    /// A large answer that is paused with its first bytes.
    private func paused() async throws -> (transfer: any Transfer, recorder: TransferRecorder) {
        let recorder = TransferRecorder()
        let transfer = transport.start(try request("/large"), receive: recorder.record)
        transfer.pauseReceiving()
        await recorder.first { if case .head = $0 { true } else { false } }
        return (transfer, recorder)
    }

    @Test(.timeLimit(.minutes(1))) func `others on the connection come to their end meanwhile`() async throws {
        let (transfer, recorder) = try await paused()
        for _ in 1...20 {
            let other = await transport.perform(try request("/small"))
            #expect(other.error == nil)
            #expect(other.body.count == 1024)
        }
        transfer.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(Int64(recording.body.count) == recording.head?.headers[.contentLength].flatMap { Int64($0) })
    }

    @Test(.timeLimit(.minutes(1))) func `cancelling one of them loses nothing of the others`() async throws {
        for _ in 1...20 {
            let (transfer, recorder) = try await paused()
            let others = [TransferRecorder(), TransferRecorder(), TransferRecorder()]
            for other in others { _ = transport.start(try request("/small"), receive: other.record) }
            for other in others { await other.first { if case .requestSent = $0 { true } else { false } } }
            transfer.cancel()
            #expect(await recorder.finished().error?.code == .cancelled)
            for other in others {
                let recording = await other.finished()
                #expect(recording.error == nil)
                #expect(recording.body.count == 1024)
            }
            #expect(await transport.perform(try request("/small")).body.count == 1024)
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `what is kept of a stream that nobody takes has a limit, which ends that stream alone`() async throws {
        let transport = CurlTransport(keptBytes: 1024)
        let recorder = TransferRecorder()
        let transfer = transport.start(try request("/large"), receive: recorder.record)
        transfer.pauseReceiving()
        await recorder.first { if case .head = $0 { true } else { false } }
        for _ in 1...20 {
            let other = await transport.perform(try request("/small"))
            #expect(other.error == nil)
            #expect(other.body.count == 1024)
        }
        transfer.resumeReceiving()
        let error = await recorder.finished().error
        #expect(error?.code == .limitExceeded)
        #expect(
            error?.message.hasPrefix("More than 1024 bytes of the body from 127.0.0.1:\(nginx.good) came while nobody took them")
                == true, "\(error?.message ?? "")")
    }
}
