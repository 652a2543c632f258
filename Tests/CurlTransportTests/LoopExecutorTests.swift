import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Synchronization
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(1))) struct LoopExecutorTests {
    private func here() -> UInt { UInt(pthread_self()) }

    @Test func `a task that prefers it sends and reads on one thread`() async throws {
        let answer = ScriptedServer.Step.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let server = try ScriptedServer([[.readHead, answer, .readHead, answer, .readToEnd]])
        let transport = CurlTransport()
        let queue = try RequestOperationQueue(identifier: "executor", client: NetworkClient(transport: transport))
        let request = try Request(url: #require(URL(string: "http://127.0.0.1:\(server.port)/")))
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
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let operation = queue.enqueue(Request(url: url))
        #expect(await operation.response.info?.head.status == .ok)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `a task that never waits doesn't keep the connections of a transport that is gone`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd]])
        var transport: CurlTransport? = CurlTransport()
        let executor = try #require(transport?.executor)
        let busy = Task(executorPreference: executor) { while !Task.isCancelled { await Task.yield() } }
        defer { busy.cancel() }
        #expect(try await transport?.get("http://127.0.0.1:\(server.port)/").text == "ok")
        transport = nil
        #expect(await server.waitFor(.clientClosed(0)))
    }
}
