import Foundation
import TerminalTesting
import TerminalUI

/// The program as it was built, on a terminal of its own, in a home of its own.
struct Program {
    let terminal: PseudoTerminal
    /// The terminal's settings before the program began.
    let settings: [UInt8]

    /// - Parameters:
    ///   - arguments: `demo` opens the demo with its server inside.
    ///   - home: where drafts lie; shared by runs that follow each other.
    ///   - directory: the program's working directory; `nil`: this one's.
    init(
        _ arguments: [String] = ["demo"], size: Size = Size(columns: 120, rows: 40), term: String = "xterm-256color",
        home: Home = Home(), environment: [String: String] = [:], directory: String? = nil
    ) throws {
        let variables = ["HOME": home.path, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "SWIFT_BACKTRACE": "enable=no"]
        // Through a shell that waits for a line: so the settings can be looked at before the program changes them.
        terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "read go; exec \"$@\"", "sh", Program.path] + arguments, size: size, term: term,
            environment: variables.merging(environment) { $1 }, directory: directory)
        settings = terminal.settings
        terminal.type("<enter>")
    }

    /// Beside the tests that were built with it.
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "turnstone").path()

    /// A folder that goes away with the last run in it.
    final class Home: Sendable {
        let path = FileManager.default.temporaryDirectory.appending(path: "turnstone-home-\(UUID().uuidString)").path()

        init() {
            try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }

        func path(_ name: String) -> String { "\(path)/\(name)" }
    }

    /// Selects a request of the demo by its name.
    func choose(_ name: String) async throws {
        try await terminal.wait(for: "A first request")
        terminal.type("/\(name)<enter>")
        try await terminal.wait(for: "the request pane of \(name)") { $0.lines[2].contains(name) || $0.lines[3].contains(name) }
    }

    /// What a terminal has to be again, however the program ended.
    var isGivenBack: Bool {
        let screen = terminal.screen
        return terminal.settings == settings && !screen.isAlternate && screen.isCursorVisible
            && screen.modes.isDisjoint(with: [1, 9, 1000, 1002, 1003, 1006, 2004])
    }
}
