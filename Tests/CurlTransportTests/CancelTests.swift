import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

struct `Cancelling` {
    private func start(
        _ transport: CurlTransport, _ server: ScriptedServer, _ recorder: TransferRecorder
    ) throws -> any Transfer {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        return transport.start(TransferRequest(request: Request(url: url)), receive: recorder.record)
    }

    @Test func `ENG-11 the socket is closed, and the end says cancelled`() async throws {
        let transport = CurlTransport()
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart"), .readToEnd]])
        let recorder = TransferRecorder()
        let transfer = try start(transport, server, recorder)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.cancel()
        transfer.cancel()
        let recording = await recorder.finished()
        #expect(
            recording.error
                == NetworkError(.cancelled, phase: .body, type: "abandoned", message: "The request was cancelled."))
        #expect(recording.text == "part")
        #expect(await server.waitFor(.clientClosed(0)))
        #expect(recording.violations == [])
    }

    /// Prints how long it took; only that it happens is tested.
    @Test func `the server soon sees the close`() async throws {
        let transport = CurlTransport()
        var times: [Duration] = []
        for _ in 1...5 {
            let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\n\r\npart"), .readToEnd]])
            let recorder = TransferRecorder()
            let transfer = try start(transport, server, recorder)
            await recorder.first { if case .body = $0 { true } else { false } }
            let start = ContinuousClock.now
            transfer.cancel()
            #expect(await server.waitFor(.clientClosed(0), seconds: 5))
            times.append(ContinuousClock.now - start)
        }
        print("cancel to close, as the server sees it:", times.map { $0.formatted(.units(allowed: [.microseconds])) })
    }

    @Test func `a transfer that waits for its answer can be cancelled`() async throws {
        let transport = CurlTransport()
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let recorder = TransferRecorder()
        let transfer = try start(transport, server, recorder)
        await recorder.first { if case .requestSent = $0 { true } else { false } }
        transfer.cancel()
        let recording = await recorder.finished()
        #expect(recording.error?.code == .cancelled)
        #expect(recording.error?.phase == .response)
        #expect(await server.waitFor(.clientClosed(0)))
    }

    @Test func `ENG-11 a paused transfer can be cancelled`() async throws {
        let transport = CurlTransport()
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\n\r\npart"), .readToEnd]])
        let recorder = TransferRecorder()
        let transfer = try start(transport, server, recorder)
        transfer.pauseReceiving()
        await recorder.first { if case .head = $0 { true } else { false } }
        transfer.cancel()
        #expect(await recorder.finished().error?.code == .cancelled)
        #expect(await server.waitFor(.clientClosed(0)))
    }

    @Test func `a transfer cancelled at once ends once`() async throws {
        let transport = CurlTransport()
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let recorder = TransferRecorder()
        try start(transport, server, recorder).cancel()
        let recording = await recorder.finished()
        #expect(recording.error?.code == .cancelled)
        #expect(recording.violations == [])
    }

    @Test func `the end of the transport is the end of its transfers`() async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let recorder = TransferRecorder()
        var transport: CurlTransport? = CurlTransport()
        _ = try start(try #require(transport), server, recorder)
        await recorder.first { if case .requestSent = $0 { true } else { false } }
        transport = nil
        #expect(await recorder.finished().error?.code == .cancelled)
        #expect(await server.waitFor(.clientClosed(0)))
        #expect(transport == nil)
    }

    @Test func `cancelling after the end does nothing`() async throws {
        let transport = CurlTransport()
        let answer = "HTTP/1.1 204 Fine\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(answer), .readHead, .send(answer), .readToEnd]])
        let recorder = TransferRecorder()
        let transfer = try start(transport, server, recorder)
        #expect(await recorder.finished().error == nil)
        transfer.cancel()
        // The loop has seen the command before the next transfer.
        _ = try await transport.get("http://127.0.0.1:\(server.port)/")
        #expect(recorder.recording.violations == [])
    }
}
