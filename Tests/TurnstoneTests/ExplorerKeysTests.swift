import DemoServer
import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// Keys of the real program that no story of its own walks through: the queue's, the borders', the lab's, and those of what lies over the
/// panes.
@Suite(.serialized) struct `The explorer's keys` {
    /// An explorer on a file of its own, with a demo server for it, in a directory of its own.
    private final class Shop {
        let server: DemoServer
        let home = Program.Home()
        var terminal: PseudoTerminal
        private let arguments: [String]
        private let size: Size
        private let environment: [String: String]

        init(
            size: Size = Size(columns: 120, rows: 40), environment: [String: String] = [:],
            _ requests: (_ base: String) -> String
        ) async throws {
            server = try await DemoServer(port: 0)
            let text = "turnstone: 1\nrequests:\n\(requests(server.baseURL))"
            try Data(text.utf8).write(to: URL(filePath: home.path("shop.yaml")))
            arguments = [home.path("shop.yaml")]
            (self.size, self.environment) = (size, environment)
            terminal = try Program(arguments, size: size, home: home, environment: environment, directory: home.path).terminal
        }

        /// As the next morning: the same home, a new program.
        func restart() async throws {
            try await quit()
            terminal = try Program(arguments, size: size, home: home, environment: environment, directory: home.path).terminal
        }

        func leave() async throws {
            try await quit()
            await server.stop()
        }

        private func quit() async throws {
            terminal.type("q")
            #expect(try await terminal.waitForExit() == .status(0))
            terminal.stop()
        }
    }

    /// The names in the rows of the queue, from above.
    private static func order(_ screen: VirtualScreen, _ names: [String]) -> [String] {
        guard let title = screen.lines.firstIndex(where: { $0.contains(" 5 Queue ") }) else { return [] }
        return screen.lines[(title + 1)...].prefix(names.count).compactMap { line in names.first { line.contains(" \($0) ") } }
    }

    @Test(arguments: [(80, 24), (120, 40), (160, 50)])
    func `K starts what waits earlier, J later, and P gives it another priority`(columns: Int, rows: Int) async throws {
        let names = ["dunlin", "knot", "ruff"]
        let shop = try await Shop(size: Size(columns: columns, rows: rows)) { base in
            names.map { "  \($0): { get: \"\(base)/anything/\($0)\" }\n" }.joined()
        }
        let terminal = shop.terminal
        try await terminal.wait(for: "dunlin")
        // One after another: what is sent at once may be made ready in another order.
        for (count, keys) in ["pgs", "js", "js"].enumerated() {
            terminal.type(keys)
            try await terminal.wait(for: "\(count + 1) waiting")
        }
        terminal.type("5")
        try await terminal.wait(for: "the order of sending") { Self.order($0, names) == names }
        // The cursor goes along with what is moved.
        terminal.type("gjK")
        try await terminal.wait(for: "the second one first") { Self.order($0, names) == ["knot", "dunlin", "ruff"] }
        terminal.type("J")
        try await terminal.wait(for: "and back") { Self.order($0, names) == names }
        terminal.type("GP")
        try await terminal.wait(for: "the priorities") { $0.contains("Priority of ruff") && $0.contains("very low") }
        terminal.type("g<enter>")
        // The first one was made as urgent when it had to start before another, and came earlier.
        try await terminal.wait(for: "the last one before the second, and why") { screen in
            Self.order(screen, names) == ["dunlin", "ruff", "knot"]
                && screen.lines.contains { $0.contains(" ruff ") && ($0.contains("very high") || $0.contains("↑↑")) }
        }
        terminal.type("p")
        try await terminal.wait(for: "all of them") { screen in
            names.allSatisfy { name in screen.lines.contains { $0.contains(" \(name) ") && $0.contains("200") } }
        }
        try await shop.leave()
    }

    @Test func `a border stays where it was put, also in the next session, and goes back by a key`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/bird\" }\n" }
        let edge: @Sendable (VirtualScreen) -> Int? = { screen in
            screen.lines[0].firstIndex(of: "┬").map { screen.lines[0].distance(from: screen.lines[0].startIndex, to: $0) }
        }
        try await shop.terminal.wait(for: "bird")
        let before = try #require(edge(shop.terminal.screen))
        shop.terminal.type("1>>")
        try await shop.terminal.wait(for: "a wider tree") { (edge($0) ?? 0) > before }
        let after = try #require(edge(shop.terminal.screen))
        try await shop.restart()
        try await shop.terminal.wait(for: "the same width") { edge($0) == after && $0.contains("bird") }
        shop.terminal.type("1_")
        try await shop.terminal.wait(for: "as designed") { edge($0) == before }
        try await shop.leave()
    }

    @Test func `the lab says what it measured, and writes its distribution to a file`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/bird\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        terminal.type("B")
        try await terminal.wait(for: "Lab: bird")
        terminal.type("20<enter>")
        try await terminal.wait(for: "the figures") { screen in
            screen.contains("20 of 20") && screen.contains("✓ 20 × 200")
                && ["wait", "total", "warm", "cold"].allSatisfy { row in screen.lines.contains { $0.contains("│ \(row) ") } }
        }
        terminal.type("o")
        let file = shop.home.path("bird.hgrm")
        try await terminal.wait(for: "the file's name") { $0.contains("bird.hgrm") }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(text.contains("Value") && text.contains("Percentile") && text.contains("TotalCount"))
        #expect(text.contains("Total count    =           20]"))
        terminal.type("o")
        try await terminal.wait(for: "another name") { $0.contains("bird-2.hgrm") }
        terminal.type("<esc>")
        try await terminal.wait(for: "the panes") { !$0.contains("Lab: bird") }
        try await shop.leave()
    }

    @Test func `the last row names the keys of what lies over the panes, and none of those below it`() async throws {
        let shop = try await Shop(size: Size(columns: 80, rows: 24)) { "  bird: { get: \"\($0)/anything/bird\" }\n" }
        let terminal = shop.terminal
        let last: @Sendable (VirtualScreen) -> String = { $0.lines[23] }
        try await terminal.wait(for: "the ways out") { last($0).contains("? help  q quit") }
        terminal.type("v")
        try await terminal.wait(for: "no environments") { $0.contains("environment") }
        for (key, title) in [("?", "Keys: "), ("t", " Theme "), ("'", "letters go there")] {
            terminal.type(key)
            try await terminal.wait(for: "the keys of \(title)") { screen in
                screen.contains(title) && last(screen).contains("Esc back") && !last(screen).contains("q quit")
            }
            terminal.type("<esc>")
            try await terminal.wait(for: "the panes again") { last($0).contains("q quit") }
        }
        terminal.type("s")
        try await terminal.wait(for: "a run, for the hosts") { $0.contains("✓ 200 OK") && last($0).contains("q quit") }
        // These have a row for their keys: Esc is in it, however small the terminal is.
        terminal.resize(Size(columns: 40, rows: 10))
        for (key, title) in [("V", "Environments"), ("B", "Lab: "), (".", "Again, but"), ("H", "Hosts of")] {
            terminal.type(key)
            try await terminal.wait(for: "the way out of \(title)") { screen in
                screen.contains(title) && screen.lines.contains { $0.contains("Esc ") && !$0.contains("…") }
            }
            terminal.type("<esc>")
            try await terminal.wait(for: "the panes once more") { !$0.contains(title) }
        }
        try await shop.leave()
    }

    @Test func `what is wrong with a file can be read whole, and its line opened`() async throws {
        let shop = try await Shop(size: Size(columns: 80, rows: 24), environment: ["EDITOR": "sed -i s/boddy:/body:/"]) { base in
            "  bird: { post: \"\(base)/anything/bird\", boddy: { text: knot } }\n"
        }
        let terminal = shop.terminal
        try await terminal.wait(for: "the mark at the request") { $0.contains("bird") && $0.contains("✗") }
        terminal.type("2j<enter>")
        try await terminal.wait(for: "all of it") {
            // The path of a temporary directory has any length, and so is broken anywhere.
            let unbroken = $0.lines.joined().filter { $0 != "│" && $0 != " " }
            return $0.contains("A problem in the file") && unbroken.contains("shop.yaml:3:") && $0.contains("e Open it in $EDITOR")
                && $0.contains("Enter open it in $EDITOR")
        }
        terminal.type("e")
        try await terminal.wait(for: "the file as the editor left it") { !$0.contains("✗") && $0.contains("bird") }
        terminal.type("s")
        try await terminal.wait(for: "what is sent now") { $0.contains("200 OK") && $0.contains("anything/bird\",") }
        terminal.type("4G")
        try await terminal.wait(for: "the body that the file has now") { $0.contains("\"knot\"") }
        try await shop.leave()
    }

    @Test func `the line above the stage is the whole URL, also with parameters of its rows`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/bird?page=2\", query: { size: small, token: t0p } }\n" }
        let terminal = shop.terminal
        let whole = "→ \(shop.server.baseURL)/anything/bird?page=2&size=small&token=••••••"
        try await terminal.wait(for: "what is sent") { $0.lines[2].contains(whole) }
        try await shop.leave()
    }
}
