import Foundation
import TerminalTesting
import Testing

/// The program does without the whole of Foundation, which the tests themselves bring with them: so only here it is seen what is missing.
@Suite struct HostNameTests {
    @Test func `a host beyond ASCII is looked up as it travels`() async throws {
        let home = Program.Home()
        try Data("turnstone: 1\nrequests: { a: { get: 'http://BÜCHER.localhost:1/' } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "$T send http://bücher.localhost:1/; $T run shop.yaml"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "NO_COLOR": "1"], directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        let written = String(decoding: terminal.written, as: UTF8.self)
        #expect(written.ranges(of: "Nothing listens on xn--bcher-kva.localhost:1").count == 2, "\(written)")
    }
}
