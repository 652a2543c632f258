import Foundation
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Changes of the tree, from the key to the file.
@MainActor @Suite(.serialized) struct TreeTests: LoopScript {
    private static let shop = """
        turnstone: 1   # the shop
        requests:
          # Which?
          birds: { name: All birds, get: "http://127.0.0.1:9/birds" }
          order:
            post: http://127.0.0.1:9/orders   # just one
            needs: [birds]

        """

    private var erase: ScriptedTerminal.Step { .events([.key(KeyPress(.character("u"), .control))]) }

    private func run(_ folder: TemporaryFolder, _ steps: [ScriptedTerminal.Step]) throws {
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("All birds")] + steps)
        let services = ExplorerServices(
            client: NetworkClient(transport: ScriptedTransport { _ in .respond() }), editor: NoEditor(),
            drafts: DraftStore(directory: folder.path("drafts")))
        try terminal.play(in: folder, with: services)
    }

    @Test func `a request is added, renamed, copied, moved and deleted, and each is taken back`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        var files: [String] = []
        let look = ScriptedTerminal.Step.look { _ in files.append(folder.text("shop.yaml") ?? "") }
        try run(
            folder,
            [
                type("a"), shows("New request"), type("nest"), key(.enter), shows("added nest"), look,
                type(":>move-up"), key(.enter), shows("moved nest"), look,
                type("e"), shows("Rename nest"), erase, type("nests"), key(.enter), shows("renamed nest to nests"), look,
                type("uuu"), shows("taken back: added nest"), look,
                type("gg"), type("e"), shows("Rename birds"), erase, type("flock"), key(.enter), shows("renamed birds"), look,
                type("d"), shows("Delete flock?"), type("d"), shows("Done, but look at this"), key(.enter), look,
                type("uu"), shows("taken back: renamed birds"), look, type("q"),
            ])
        let added = Self.shop + "  nest: { get: http://127.0.0.1:9/ }\n"
        #expect(files.count == 7)
        #expect(files.first.map { $0.contains("nest") && $0.hasPrefix(Self.shop) } == true, "\(files.first ?? added)")
        #expect(files[1] != files[0])
        #expect(files[2] == files[1].replacing("nest:", with: "nests:"))
        #expect(files[3] == Self.shop)
        #expect(files[4] == Self.shop.replacing("birds:", with: "flock:").replacing("needs: [birds]", with: "needs: [flock]"))
        #expect(!files[5].contains("flock:"))
        #expect(files[6] == Self.shop)
    }

    @Test func `a command that is given many times moves it as many steps`() throws {
        let names = (1...9).map { "r\($0)" }
        let text =
            "turnstone: 1\nrequests:\n  birds: { name: All birds, get: http://h }\n"
            + names.map { "  \($0): { get: http://h }\n" }.joined()
        let folder = try TemporaryFolder(["shop.yaml": text])
        let moves = (0...9).flatMap { _ in [type(":>move-down"), key(.enter)] }
        try run(folder, moves + [shows("it is the last of its folder"), type("q")])
        #expect(
            folder.text("shop.yaml")
                == "turnstone: 1\nrequests:\n" + names.map { "  \($0): { get: http://h }\n" }.joined()
                + "  birds: { name: All birds, get: http://h }\n")
    }

    @Test func `a file that changed meanwhile is read again, and nothing is written over`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let theirs = Self.shop.replacing("# just one", with: "# theirs")
        try run(
            folder,
            [
                type("e"), shows("Rename birds"), type("s"),
                .look { _ in try? Data(theirs.utf8).write(to: URL(filePath: folder.path("shop.yaml"))) },
                key(.enter), .until { $0.text.contains("Not changed") || $0.text.contains("renamed birds") }, key(.enter),
                type("q"),
            ])
        #expect(folder.text("shop.yaml")?.contains("# theirs") == true)
    }

    @Test func `a new collection opens beside the others, in a folder that wasn't there either`() throws {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        try run(
            folder,
            [
                type(":>new-collection"), key(.enter), shows("New collection"), type("Collections/more.yaml"),
                key(.enter),
                shows("made the collection"), shows("▾ more"), type("a"), shows("New request in more"), type("x"), key(.enter),
                shows("added x"), type("q"),
            ])
        #expect(folder.text("Collections/more.yaml")?.contains("x:") == true)
    }
}
