import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// What is in the history when the real program is ended while it runs.
@Suite(.serialized) struct KeptRunTests {
    /// - Returns: how many requests passed by what it printed, and how many runs the history has.
    private func run(endedBy signal: String) async throws -> (printed: Int, kept: Int) {
        let home = Program.Home()
        try Data("turnstone: 1\nrequests: { a: { get: http://shop/, mock: { status: 200 } } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let script = """
            cd \(home.path)
            \(Program.path) run shop.yaml --mocks --repeat 20000 --jobs 4 > out 2> errors & run=$!
            until [ $(wc -l < out) -ge 1000 ]; do :; done
            kill -\(signal) $run; wait $run
            echo "passed=$(grep -c "200 OK" out) kept=$(\(Program.path) history list -n 30000 --json | wc -l)."
            """
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", script], environment: ["HOME": home.path, "XDG_STATE_HOME": "", "SWIFT_BACKTRACE": "enable=no"])
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        let text = String(decoding: terminal.written, as: UTF8.self)
        let numbers = try #require(text.firstMatch(of: /passed=(\d+) kept=(\d+)\./), "\(text)")
        return (try #require(Int(numbers.1)), try #require(Int(numbers.2)))
    }

    @Test func `a killed run loses no more than the batch that waited and the one that was written`() async throws {
        let (printed, kept) = try await run(endedBy: "KILL")
        #expect(printed >= 1_000)
        #expect(kept >= printed - 256 && kept <= printed + 8, "\(kept) of \(printed)")
    }

    @Test(arguments: ["INT", "TERM"])
    func `an interrupted run loses nothing`(signal: String) async throws {
        let (printed, kept) = try await run(endedBy: signal)
        #expect(printed >= 1_000 && printed < 20_000)
        #expect(kept >= printed, "\(kept) of \(printed)")
    }
}
