import Foundation
import ServerTesting
import Testing

/// The program of the library's README, run as its reader would.
@Suite struct RetryExampleTests {
    /// Beside the tests that were built with it.
    static let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "retry-example").path()

    @Test func `RTY-4 the program of the README prints every attempt, the retries among them`() throws {
        let busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let ready = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        let server = try ScriptedServer([busy, busy, ready].map { [.readHead, .send($0), .close] })
        defer { server.stop() }
        let lines = try ChildProcess.run(Self.program, ["http://127.0.0.1:\(server.port)/"]).split(separator: "\n")
        // `1 initial 0.004 seconds: status 503`, without how long it took.
        let attempts = lines.filter { $0.first?.isNumber == true && $0.contains(": ") }.map { line in
            (line.split(separator: " ").prefix(2) + [line.split(separator: ": ").last!]).joined(separator: " ")
        }
        #expect(attempts == ["1 initial status 503", "2 retry status 503", "3 retry status 200"])
        #expect(lines.last == "5 bytes of body")
    }
}
