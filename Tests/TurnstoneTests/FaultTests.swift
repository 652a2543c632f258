import Foundation
import ServerTesting
import Testing

/// What a crash of the program would leave.
@Suite struct FaultTests {
    /// A thread that blocks them dies without Swift's backtrace.
    @Test(.timeLimit(.minutes(1))) func `no thread of the program blocks the signals of faults`() async throws {
        let server = try ScriptedServer([[.readHead, .await, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readToEnd]])
        defer { server.stop() }
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = ["send", "http://127.0.0.1:\(server.port)/"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        while server.received(by: 0).isEmpty, process.isRunning { await Task.yield() }
        let threads = URL(filePath: "/proc/\(process.processIdentifier)/task")
        let faults = [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS].reduce(UInt64(0)) { $0 | 1 << UInt64($1 - 1) }
        var masks: [UInt64] = []
        // glibc blocks all signals while it makes a thread (pthread_create): what counts is that none is blocked for good.
        repeat {
            await Task.yield()
            masks = try FileManager.default.contentsOfDirectory(atPath: threads.path).compactMap { thread in
                guard let status = try? String(contentsOf: threads.appending(path: "\(thread)/status"), encoding: .utf8) else {
                    return nil
                }
                let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
                return line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
            }
        } while masks.contains { $0 & faults != 0 } && process.isRunning
        server.proceed()
        process.waitUntilExit()
        #expect(masks.count > 3)
        #expect(masks.allSatisfy { $0 & faults == 0 })
    }
}
