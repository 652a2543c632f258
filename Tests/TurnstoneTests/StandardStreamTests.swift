import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// A program that is started without one of its streams (`>&-`), and one that writes to a full disk.
@Suite struct StandardStreamTests {
    @Test(arguments: [
        ("send \"$U\" >&-", "turnstone: Can't write to standard output: Bad file descriptor\r\nends with 25"),
        ("send -d @- \"$U\" <&-", "turnstone: Can't read standard input: Bad file descriptor\r\nends with 25"),
        ("run shop.yaml >&-", "turnstone: Can't write to standard output: Bad file descriptor\r\nends with 25"),
        ("run shop.yaml 2>&-", "1 passed in"),
        ("send \"$U\" -d \"$(printf 'a\\351')\"", "and percent-encoded in a URL.\r\nends with 2"),
        ("--help > /dev/full", "turnstone: Can't write to standard output: No space left on device\r\nends with 25"),
    ])
    func `a stream that is closed is an error where it is used, and nothing else gets its place`(words: String, end: String)
        async throws
    {
        let answer: [ScriptedServer.Step] = [
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"), .close,
        ]
        let server = try ScriptedServer([answer])
        defer { server.stop() }
        let home = Program.Home()
        let url = "http://127.0.0.1:\(server.port)/"
        try Data("turnstone: 1\nrequests: { a: { get: \"\(url)\" } }\n".utf8).write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "$T \(words); echo ends with $?"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "U": url, "NO_COLOR": "1"],
            directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        #expect(
            String(decoding: terminal.written, as: UTF8.self).contains(end), "\(String(decoding: terminal.written, as: UTF8.self))")
    }
}
