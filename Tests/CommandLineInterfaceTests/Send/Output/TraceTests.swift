import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// What `--trace` writes, beside the real curl: all but its remarks.
@Suite struct TraceTests {
    private func entries(_ path: String) throws -> [String] {
        var entries: [String] = []
        for line in try String(contentsOfFile: path, encoding: .isoLatin1).split(separator: "\n", omittingEmptySubsequences: false)
        {
            let isStart = line.hasPrefix("=> ") || line.hasPrefix("<= ") || line.hasPrefix("== ")
            if isStart { entries.append(String(line)) } else if !entries.isEmpty { entries[entries.count - 1] += "\n\(line)" }
        }
        return entries.filter { !$0.hasPrefix("== ") }
    }

    @Test(arguments: ["--trace", "--trace-ascii"]) func `bytes are written as curl writes them`(option: String) async throws {
        let curl = try ChildProcess.find("curl", package: "curl")
        let directory = try TemporaryDirectory()
        let words = [
            "-s", "-o", "/dev/null", "-A", "same", "-d", "\u{1}some data of more than sixteen bytes\r\n\r\nand more\r", "-H",
            "Host: h", "-H", "Content-Type:",
        ]
        func server() throws -> AnsweringServer {
            try AnsweringServer { _ in
                [Data("HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "x", count: 100))\r\nContent-Length: 5\r\n\r\nab\r\nc".utf8)]
            }
        }
        let ours = try server()
        let run = await CommandLineRun.run(
            ["send", option, directory.file("ours")] + words + ["http://127.0.0.1:\(ours.port)/x"])
        #expect(run.status == .success)
        let theirs = try server()
        _ = try ChildProcess.output(
            of: curl, ["-q", option, directory.file("theirs")] + words + ["http://127.0.0.1:\(theirs.port)/x"], input: Data())
        let expected = try entries(directory.file("theirs"))
        #expect(expected.count > 4)
        #expect(try entries(directory.file("ours")) == expected)
        let mode = try FileManager.default.attributesOfItem(atPath: directory.file("ours"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a file that can't be written is named before anything is sent`() async throws {
        let run = await CommandLineRun.run(["send", "--trace", "/nowhere/trace", "http://127.0.0.1:1/"])
        #expect(run.status == .file)
        #expect(run.errors.contains("/nowhere/trace"))
    }

    @Test func `each entry has its time, where that is wanted`() async throws {
        let server = try AnsweringServer { _ in [Data("HTTP/1.1 204 None\r\n\r\n".utf8)] }
        let directory = try TemporaryDirectory()
        let path = directory.file("t")
        _ = await CommandLineRun.run(["send", "--trace-time", "--trace-ascii", path, "http://127.0.0.1:\(server.port)/"])
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(/(?m)^\d\d:\d\d:\d\d\.\d{6} => Send header, \d+ bytes/))
    }
}
