import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// The program where few files and sockets may be open (`ulimit -n`).
@Suite(.serialized) struct DescriptorLimitTests {
    /// - Parameter words: for a shell, to which `$T` is the program, `$U` the server, and `many.yaml` a hundred requests to it.
    private func outcome(of words: String, limit: Int) async throws -> String {
        let server = try NginxServer.shared()
        let home = Program.Home()
        let requests = (1...100).map { "  r\($0): { get: \"\(server.url)/small?\($0)\", expect: { status: 200 } }\n" }.joined()
        try Data("turnstone: 1\nrequests:\n\(requests)".utf8).write(to: URL(filePath: home.path("many.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/bash", "-c", "\(Self.closing); ulimit -n \(limit); \(words); echo ends with $?"],
            environment: [
                "HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "U": server.url, "NO_COLOR": "1",
                "SWIFT_BACKTRACE": "enable=no",
            ],
            directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self)
    }

    /// What the tests themselves have open, a child inherits.
    private static let closing =
        #"for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi; done"#

    @Test(arguments: [8, 10, 12, 14], ["send $U/small", "run many.yaml --jobs 64", "demo"])
    func `with too few the program says so`(limit: Int, words: String) async throws {
        let text = try await outcome(of: "$T \(words)", limit: limit)
        #expect(
            text.contains("turnstone: too few files may be open here: Too many open files, with a limit of \(limit)"), "\(text)")
        #expect(text.contains("ends with 25"), "\(text)")
    }

    /// On one processor, the first that there is, the program once waited for ever for a thread.
    @Test(
        arguments: ["", "taskset -c $(taskset -cp $$ | sed 's/.*: //; s/[-,].*//') "],
        ["send $U/small", "run many.yaml --no-history", "list many.yaml"])
    func `with too little memory it says so, and with enough for it it works`(prefix: String, words: String) async throws {
        let little = try await outcome(of: "ulimit -v 150000; \(prefix)$T \(words)", limit: 256)
        #expect(little.contains("turnstone: too little memory may be used here: 146 MiB of addresses"), "\(little)")
        #expect(little.contains("ends with 25"), "\(little)")
        // Each thread's own arena would take what is left.
        for limit in [300_000, 400_000] {
            #expect(
                try await outcome(of: "ulimit -v \(limit); \(prefix)$T \(words)", limit: 256).contains("ends with 0"), "\(limit)")
        }
    }

    @Test(arguments: [16, 20, 24])
    func `with too few for the explorer it says so`(limit: Int) async throws {
        let text = try await outcome(of: "$T demo", limit: limit)
        #expect(text.contains("too few files may be open here"), "\(text)")
        #expect(text.contains("ends with 25"), "\(text)")
    }

    @Test(arguments: [20, 40, 64])
    func `a hundred requests, 64 at a time, are answered with what there is`(limit: Int) async throws {
        #expect(try await outcome(of: "$T send -s -o /dev/null $U/small", limit: limit).contains("ends with 0"))
        let text = try await outcome(of: "$T run many.yaml --jobs 64", limit: limit)
        #expect(text.contains("100 passed"), "\(text.suffix(600))")
        #expect(text.contains("ends with 0"))
    }

    @Test func `the soft limit is raised at the start`() async throws {
        let text = try await outcome(of: "ulimit -Sn 8; $T send -s -o /dev/null $U/small", limit: 256)
        #expect(text.contains("ends with 0"), "\(text)")
    }
}
