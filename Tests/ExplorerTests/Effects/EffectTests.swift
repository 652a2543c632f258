import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Effects, seen from where the user sits.
@MainActor @Suite(.serialized) struct EffectTests: LoopScript {
    private struct UpperCaseEditor: ExternalEditor {
        func edit(_ text: String, fileExtension: String) -> String { text.uppercased() }
    }

    private let shop = """
        turnstone: 1   # the shop
        requests:
          order:
            name: Order one   # just one
            method: POST
            url: "http://127.0.0.1:9/orders"
            body: { text: hello }

        """

    private func run(_ folder: TemporaryFolder, drafts: DraftStore? = nil, _ steps: [ScriptedTerminal.Step]) throws
        -> ScriptedTerminal
    {
        let transport = ScriptedTransport { _ in .respond(headers: [.contentType: "text/plain"], body: Data("a body".utf8)) }
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("Order one")] + steps)
        let services = ExplorerServices(
            client: NetworkClient(transport: transport), editor: UpperCaseEditor(), drafts: drafts)
        try terminal.play(in: folder, with: services)
        return terminal
    }

    @Test func `the editor gets the terminal, and its text becomes an edit that can be saved`() throws {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let terminal = try run(
            folder, [type("2]]"), shows("hello"), type("E"), shows("HELLO"), type("w"), shows("saved order"), type("q")])
        #expect(terminal.log == ["leave", "enter"])
        #expect(folder.text("shop.yaml") == shop.replacing("hello", with: "HELLO"))
    }

    private struct FileEditor: ExternalEditor {
        func edit(_ text: String, fileExtension: String) -> String { text }

        func open(_ path: String, line: Int) throws {
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            try Data(text.replacing("Order one", with: "Order of line \(line)").utf8).write(to: URL(filePath: path))
        }
    }

    @Test func `what explains a value opens its file at its line, and what the editor writes is read`() throws {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let terminal = ScriptedTerminal(
            size: Size(columns: 120, rows: 40),
            steps: [
                shows("Order one"), type("2[G"), key(.enter), type("j"), shows("shop.yaml:6"), key(.enter),
                shows("Order of line 6"), type("q"),
            ])
        let services = ExplorerServices(
            client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: FileEditor())
        try terminal.play(in: folder, with: services)
    }

    @Test func `a filter finds its part of the body, and a command gets it`() throws {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        _ = try run(
            folder,
            [
                type("s"), shows("a body"), type("4f!tr a-z A-Z"), key(.enter), shows("A BODY"), type("f.a"),
                shows("the body isn't JSON"), key(.escape), shows("A BODY"), key(.escape), shows("a body"), type("q"),
            ])
    }

    @Test func `a body in another encoding is shown and copied as text`() throws {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let transport = ScriptedTransport { _ in
            .respond(headers: [.contentType: "text/plain; charset=Shift_JIS"], body: Data([0x83, 0x65, 0x83, 0x58]))
        }
        let terminal = ScriptedTerminal(
            size: Size(columns: 120, rows: 40),
            steps: [
                shows("Order one"), type("s"), shows("テス"), type("4y"), shows("Copy"), key(.enter), shows("copied the body"),
                type("q"),
            ])
        try terminal.play(
            in: folder, with: ExplorerServices(client: NetworkClient(transport: transport), editor: UpperCaseEditor()))
        #expect(terminal.log.contains("copy テス"))
    }

    @Test func `an unsaved edit is kept when a signal ends the program, and is there again`() throws {
        let folder = try TemporaryFolder(["shop.yaml": shop])
        let drafts = DraftStore(directory: folder.path("drafts"))
        _ = try run(
            folder, drafts: drafts, [type("2]]"), shows("hello"), type("E"), shows("HELLO"), .events([.terminate(signal: 1)])])
        #expect(folder.text("shop.yaml") == shop)
        #expect(drafts.drafts(of: folder.path("shop.yaml")).map(\.1.edited.body) == [.text("HELLO")])
        _ = try run(
            folder, drafts: drafts,
            [shows("brought back"), type("2]]"), shows("HELLO"), type("w"), shows("saved order"), type("q")])
        #expect(folder.text("shop.yaml") == shop.replacing("hello", with: "HELLO"))
        #expect(drafts.drafts(of: folder.path("shop.yaml")).isEmpty)
    }
}
