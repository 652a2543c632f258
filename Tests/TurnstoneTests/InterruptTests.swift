import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// Ctrl-C, as the shell that started the real program sees it.
@Suite(.serialized) struct InterruptTests {
    @Test(arguments: ["send", "run"], [SIGINT, SIGTERM])
    func `an interrupted program ends with 130, and says so`(command: String, signal: Int32) async throws {
        let server = try ScriptedServer([[.readHead, .readToEnd]])
        let home = Program.Home()
        let url = "http://127.0.0.1:\(server.port)/"
        try Data("turnstone: 1\nrequests: { waits: { get: \"\(url)\" }, never: { get: \"\(url)\" } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let words = command == "send" ? [url] : [home.path("shop.yaml")]
        let terminal = try PseudoTerminal(
            [Program.path, command] + words, environment: ["HOME": home.path, "XDG_STATE_HOME": ""])
        defer { terminal.stop() }
        #expect(await server.waitFor(.accepted(0)))
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() == .status(130))
        #expect(terminal.screen.contains("Cancelled while"))
        #expect(terminal.screen.contains("1 broken, 1 not sent") == (command == "run"))
    }
}
