import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// Where there is no collection, one line takes a request or a file, and the first request begins a collection that saving writes.
@Suite struct `The first line` {
    private static let path = "Collections/another-host.yaml"

    private func start(_ found: FoundFile...) -> ExplorerDriver {
        var explorer = ExplorerDriver([], columns: 80, rows: 24)
        explorer.state.overlay = .start(StartLine(found: found, offersDemo: true))
        return explorer
    }

    private func complaint(_ explorer: ExplorerDriver) -> String? {
        if case .start(let line) = explorer.state.overlay { line.complaint } else { nil }
    }

    @Test(arguments: [
        "http://another.host/a", "another.host/a", "PUT another.host/a", "curl http://another.host/a",
    ])
    func `sends what was typed, and saving makes the file`(text: String) throws {
        var explorer = start()
        explorer.type(text)
        explorer.press("Enter")
        let sent = try #require(
            explorer.takeEffects().compactMap { effect in
                if case .send(let request, in: Self.path, environment: nil) = effect { request } else { nil }
            }.first)
        #expect(sent.url.hasSuffix("://another.host/a"))
        #expect(explorer.state.overlay == nil && explorer.state.selectedRequest?.id == sent.id)

        explorer.press(.save)
        let create = TreeEdit.create(.file, at: Self.path, name: "another-host")
        #expect(explorer.takeEffects() == [.changeTree(create)])
        var new = RequestCollection(path: Self.path, name: "another-host")
        explorer.send(.treeChanged(TreeChange(create, undoing: []), [new], remarks: []))
        let add = TreeEdit.edit(.add(sent), in: Self.path)
        #expect(explorer.takeEffects().contains(.changeTree(add)))
        new.nodes = [.request(sent)]
        explorer.send(.treeChanged(TreeChange(add, undoing: []), [new], remarks: []))
        #expect(explorer.state.drafts.unsaved == [] && explorer.state.workspace.unwritten == nil)
    }

    @Test func `the next requests go to the same collection, and into no file of their own`() {
        var explorer = start()
        explorer.type("http://another.host/a")
        explorer.press("Enter")
        explorer.paste("curl http://third.host/b")
        #expect(explorer.state.workspace.collections.count == 1 && explorer.state.drafts.unsaved.count == 2)
        _ = explorer.takeEffects()
        explorer.press(.focusCollection, .newFolder)
        #expect(explorer.state.notice?.text == "\(Self.path) isn't there yet: w makes it")
        explorer.press(.newRequest)
        explorer.type("http://another.host/c")
        explorer.press("Enter")
        #expect(explorer.state.drafts.unsaved.count == 3)
    }

    @Test(arguments: ["shop.yaml", "./a/b", "~/shop.har", "orders/"]) func `opens a file`(path: String) {
        var explorer = start()
        explorer.type(path)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.loadCollection(path: path)])
        explorer.send(.collectionFailed(path: path, message: "\(path): there is no such file"))
        #expect(complaint(explorer) == "\(path): there is no such file")
        explorer.type("x")
        #expect(complaint(explorer) == nil)
    }

    @Test func `says what is wrong with a command, and sends nothing`() {
        var explorer = start()
        explorer.type("curl --data")
        explorer.press("Enter")
        #expect(complaint(explorer)?.hasPrefix("the command for curl can't be read: ") == true)
        #expect(explorer.takeEffects() == [] && explorer.state.workspace.collections.isEmpty)
    }

    @Test func `opens what was found, the demo last, and Esc leaves`() {
        var explorer = start(FoundFile("openapi.yaml", "OpenAPI"), FoundFile("shop.har", "HAR"))
        expectScreen(explorer.state, "80x24-first-line")
        explorer.press("Down Enter")
        #expect(explorer.takeEffects() == [.loadCollection(path: "shop.har")])
        explorer.press("Down Enter F1")
        #expect(explorer.takeEffects() == [.openDemo, .openDemo])
        explorer.press("x Esc")
        #expect(explorer.takeEffects() == [])
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [.quit])
    }

    @Test func `another program's file is shown as it is, and saving makes a collection of it`() {
        var explorer = start()
        var imported = ShopCollection.collection
        imported.path = "Collections/shop.yaml"
        explorer.send(.collectionImported(imported, from: "shop.har", losses: []))
        #expect(explorer.state.overlay == nil && explorer.state.selectedRequest?.id.rawValue == "login")
        #expect(explorer.state.notice?.text == "shop.har as it is; w makes Collections/shop.yaml of it")
        explorer.press("d")
        #expect(explorer.state.notice?.text == "Collections/shop.yaml isn't there yet: w makes it")
        _ = explorer.takeEffects()
        explorer.press(.save)
        #expect(
            explorer.takeEffects() == [.changeTree(.create(.file, at: "Collections/shop.yaml", name: "Shop", from: "shop.har"))])
    }

    @Test func `what is typed before the collection was read waits for it`() {
        var explorer = ExplorerDriver([])
        explorer.state.awaited = 1
        explorer.press("s")
        #expect(explorer.state.notice == nil)
        explorer.send(.collectionLoaded(ShopCollection.collection))
        #expect(explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
        explorer.state.awaited = 1
        explorer.press("q")
        #expect(explorer.takeEffects() == [.quit])
    }
}
