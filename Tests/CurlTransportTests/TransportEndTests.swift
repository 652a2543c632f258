import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(1))) struct TransportEndTests {
    /// Who still holds a transfer may say something to it at any time; there is no libcurl any more to hear it.
    @Test func `what a transfer is told when its transport is gone wakes nobody, and is kept by nobody`() async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let recorder = TransferRecorder()
        var transport: CurlTransport? = CurlTransport()
        var transfer =
            transport?.start(TransferRequest(request: Request(url: server.url)), receive: recorder.record) as? CurlTransfer
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
        func use() async throws -> Gone {
            let transport = CurlTransport()
            let client = NetworkClient(transport: transport)
            let recorder = EventRecorder()
            client.addObserver(recorder)
            let queue = try RequestOperationQueue(identifier: "test", client: client)
            #expect(await queue.enqueue(Request(url: server.url)).response.info?.head.status.code == 200)
            let cancelled = queue.enqueue(Request(url: server.url))
            for await event in cancelled.events { if case .requestSent = event.kind { cancelled.cancel() } }
            return Gone(transport: transport)
        }
        let gone = try await use()
        while gone.transport != nil { await Task.yield() }
    }
}

@Suite(.timeLimit(.minutes(1))) struct LoopExecutorTests {
    private func here() -> UInt { UInt(pthread_self()) }

    @Test func `a task that prefers it sends and reads on one thread`() async throws {
        let answer = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let server = try ScriptedServer([[.readHead, answer, .readHead, answer, .readToEnd]])
        let transport = CurlTransport()
        let queue = try RequestOperationQueue(identifier: "executor", client: NetworkClient(transport: transport))
        let request = Request(url: server.url)
        let threads = await withTaskExecutorPreference(transport.executor) {
            var threads: Set<UInt> = [here()]
            for _ in 0..<2 {
                let operation = queue.enqueue(request)
                #expect(await operation.response.info?.head.status == .ok)
                #expect(EventRules.violations(in: operation.events(from: 0)) == [])
                threads.insert(here())
            }
            return threads
        }
        #expect(threads.count == 1)
    }

    @Test func `a fault on the transport's thread is seen, and no other signal`() async throws {
        let transport = CurlTransport()
        let status = try await withTaskExecutorPreference(transport.executor) {
            try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
        }
        withExtendedLifetime(transport) {}
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") })
        let blocked = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        func isBlocked(_ signal: Int32) -> Bool { blocked & 1 << UInt64(signal - 1) != 0 }
        #expect([SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS].filter(isBlocked) == [])
        #expect([SIGINT, SIGTERM, SIGPIPE, SIGCHLD, SIGWINCH].allSatisfy(isBlocked))
    }

    @Test func `a task goes on when its transport is gone`() async {
        var transport: CurlTransport? = CurlTransport()
        let executor = transport?.executor
        transport = nil
        let sum = await withTaskExecutorPreference(executor) {
            var sum = 0
            for number in 0..<1_000 {
                sum += number
                await Task.yield()
            }
            return sum
        }
        #expect(sum == 499_500)
    }

    @Test func `a task that never waits doesn't hold up transfers`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd]])
        let transport = CurlTransport()
        let busy = Task(executorPreference: transport.executor) { while !Task.isCancelled { await Task.yield() } }
        defer { busy.cancel() }
        let queue = try RequestOperationQueue(identifier: "executor", client: NetworkClient(transport: transport))
        let operation = queue.enqueue(Request(url: server.url))
        #expect(await operation.response.info?.head.status == .ok)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `a task that never waits doesn't keep the connections of a transport that is gone`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd]])
        var transport: CurlTransport? = CurlTransport()
        let executor = try #require(transport?.executor)
        let busy = Task(executorPreference: executor) { while !Task.isCancelled { await Task.yield() } }
        defer { busy.cancel() }
        #expect(try await transport?.get(server.url).text == "ok")
        transport = nil
        #expect(await server.waitFor(.clientClosed(0)))
    }
}

/// The program of `make sanitize` and `make soak`, in a build without a sanitizer; its status says whether a rule was broken.
@Suite struct NetworkLayerStormTests {
    /// Beside the tests that were built with it.
    private static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(
        path: "network-storm"
    )
    .path()

    @Test func `of 2,000 operations through one queue none is lost, and none is left in memory`() throws {
        let said = try ChildProcess.run(Self.program, ["--operations", "2000"])
        #expect(said.hasPrefix("2000 operations: "))
    }

    @Test func `cancelling, retrying, suspending and pruning at random breaks no rule of events`() throws {
        let said = try ChildProcess.run(Self.program, ["--seconds", "2"])
        #expect(said.contains(", 0 problems"))
    }
}

struct `Cancelling` {
    private func start(
        _ transport: CurlTransport, _ server: ScriptedServer, _ recorder: TransferRecorder
    ) throws -> any Transfer {
        return transport.start(TransferRequest(request: Request(url: server.url)), receive: recorder.record)
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
        _ = try await transport.get(server.url)
        #expect(recorder.recording.violations == [])
    }
}
