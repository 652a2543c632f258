import DemoServer
import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// The real program: what is sent, in which order, with which cookies, and what waits for it.
@Suite(.serialized) struct `The explorer's queue` {
    private func explore(
        _ size: Size = Size(columns: 120, rows: 40), _ requests: (_ base: String) -> String,
        _ steps: (PseudoTerminal) async throws -> Void
    ) async throws {
        let server = try await DemoServer(port: 0)
        let home = Program.Home()
        let file = home.path("shop.yaml")
        try Data("turnstone: 1\nrequests:\n\(requests(server.baseURL))".utf8).write(to: URL(filePath: file))
        let terminal = try Program([file], size: size, home: home).terminal
        try await steps(terminal)
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
        terminal.stop()
        await server.stop()
    }

    @Test func `has what was sent by keys that came at once in the order of the keys`() async throws {
        for _ in 0..<4 {
            try await explore {
                """
                  ant: { post: "\($0)/anything", body: { text: "\(String(repeating: "{{uuid()}}", count: 300))" } }
                  bee: { get: "\($0)/anything" }
                  cat: { get: "\($0)/anything" }

                """
            } _: { terminal in
                try await terminal.wait(for: "cat")
                terminal.type("p")
                try await terminal.wait(for: "paused")
                terminal.type("sjsjs5")
                try await terminal.wait(for: "all three, in their order") { screen in
                    let names = screen.text.split(separator: "\n").map { $0.prefix(20) }
                    let places = ["1 ant", "2 bee", "3 cat"].map { name in names.firstIndex { $0.contains(name) } ?? -1 }
                    return places[0] >= 0 && places == places.sorted()
                }
                terminal.type("p")
                try await terminal.wait(for: "the end of all") { $0.contains("history 3") || $0.contains("3 runs") }
            }
        }
    }

    @Test func `at 80x24 shows what waits below what it waits for, and X cancels both`() async throws {
        try await explore(Size(columns: 80, rows: 24)) {
            """
              order: { get: "\($0)/anything/order", needs: login }
              login: { get: "\($0)/delay/60s" }

            """
        } _: { terminal in
            try await terminal.wait(for: "order")
            terminal.type("s")
            try await terminal.wait(for: "◦ waits for login")
            terminal.type("5")
            try await terminal.wait(for: "└ order")
            terminal.type("X")
            try await terminal.wait(for: "order was cancelled before it was sent")
            try await terminal.wait(for: "nothing left") { $0.contains("Nothing runs or waits.") }
        }
    }

    @Test func `sends the cookie that the request before it was given, until it is forgotten`() async throws {
        try await explore {
            """
              login: { get: "\($0)/cookies/set?sid=warbler" }
              who: { get: "\($0)/cookies" }

            """
        } _: { terminal in
            try await terminal.wait(for: "login")
            terminal.type("s")
            try await terminal.wait(for: "✓ 200")
            terminal.type("js")
            // It is a session's, which nobody may read where the server sends it back.
            try await terminal.wait(for: "the cookie, masked") { $0.contains("\"sid\": \"••••••\"") }
            terminal.type("*")
            try await terminal.wait(for: "the session's cookie is forgotten")
            terminal.type("s")
            try await terminal.wait(for: "no cookie") { !$0.contains("\"sid\"") && $0.contains("\"cookies\"") }
        }
    }

    @Test func `hands a PNG file to a terminal that knows kitty's protocol, and takes it away again`() async throws {
        let server = try await DemoServer(port: 0)
        let home = Program.Home()
        let file = home.path("shop.yaml")
        let text = "turnstone: 1\nrequests:\n  image: { get: \"\(server.baseURL)/image.png\" }\n"
        try Data(text.utf8).write(to: URL(filePath: file))
        let terminal = try Program(["--pictures", "kitty", file], home: home).terminal
        func sent(_ command: String) -> Int {
            String(decoding: terminal.written, as: UTF8.self).components(separatedBy: "\u{1B}_G" + command).count - 1
        }
        try await terminal.wait(for: "image")
        terminal.type("s")
        try await terminal.wait(for: "200 OK")
        terminal.type("4oo")
        try await terminal.wait(for: "its bytes") { $0.contains("89 50 4e 47") }
        terminal.type("o")
        try await terminal.wait(for: "cells for the picture") { !$0.contains("89 50 4e 47") }
        #expect(!terminal.screen.contains("▀"))
        terminal.type("?")
        try await terminal.wait(for: "Keys: Response")
        // It may have been there before its bytes were looked at.
        #expect(sent("a=t,f=100") >= 1)
        #expect(sent("a=p,") == sent("a=t,f=100") && sent("a=d,d=I") == sent("a=t,f=100"))
        // At once they would be Alt and a letter.
        terminal.type("<esc>")
        try await terminal.wait(for: "the panes again") { !$0.contains("Keys: Response") }
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
        terminal.stop()
        await server.stop()
    }

    @Test func `goes from hop to hop by { and }`() async throws {
        try await explore {
            "  chain: { get: \"\($0)/redirect/2\" }\n"
        } _: { terminal in
            try await terminal.wait(for: "chain")
            terminal.type("s")
            try await terminal.wait(for: "200 OK")
            terminal.type("{")
            try await terminal.wait(for: "attempt 2 of 3: 302")
            terminal.type("{{")
            try await terminal.wait(for: "this is the first attempt")
            terminal.type("}")
            try await terminal.wait(for: "attempt 2 of 3: 302")
        }
    }
}
