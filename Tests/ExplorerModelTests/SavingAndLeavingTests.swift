import ExplorerModel
import ExplorerTesting
import RequestCollections
import TerminalUI
import Testing

@Suite struct `Saving and leaving` {
    private let reference = ShopCollection.reference("orders/create")

    @Test func `w writes the shown request`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press("w")
        #expect(explorer.takeEffects() == [.save([draft], in: ShopCollection.path)])
        #expect(explorer.state.isUnsaved(reference))
        explorer.send(.saved([draft], in: ShopCollection.path))
    }

    @Test func `what was saved is no longer unsaved, and can still be undone`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0 = draft }))
        explorer.send(.saved([draft], in: ShopCollection.path))
        #expect(!explorer.state.isUnsaved(reference))
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil)])
        #expect(explorer.state.notice == Notice(.success, "saved orders/create"))
        explorer.press("u")
        #expect(explorer.request?.method == "POST")
        #expect(explorer.state.isUnsaved(reference))
    }

    @Test func `a conflict is said and the edit stays`() {
        var explorer = ExplorerDriver.edited()
        explorer.press("w")
        explorer.send(.saveFailed([reference], message: "orders/create.yaml has changed on disk: reload it with R, then save"))
        #expect(explorer.state.isUnsaved(reference))
        #expect(
            explorer.state.overlay
                == .dialog(
                    Dialog(title: "Not saved", lines: ["orders/create.yaml has changed on disk: reload it with R, then save"])))
    }

    @Test func `nothing to save says so`() {
        var explorer = ExplorerDriver()
        explorer.press("w")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice == Notice(.info, "there is nothing to save"))
    }

    @Test func `q leaves at once when all is saved`() {
        var explorer = ExplorerDriver()
        explorer.press("q")
        #expect(explorer.takeEffects() == [.quit])
    }

    @Test func `q asks when something is unsaved: stay, discard, save all`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press("q Esc")
        #expect(explorer.takeEffects() == [])
        explorer.press("q c")
        #expect(explorer.takeEffects() == [])
        explorer.press("q d")
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil), .quit])
        explorer.press("q Enter")
        #expect(explorer.takeEffects() == [.save([draft], in: ShopCollection.path)])
        explorer.send(.saveFailed([reference], message: "the disk is full"))
        #expect(explorer.takeEffects() == [])
        explorer.press("Esc q s")
        _ = explorer.takeEffects()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0 = draft }))
        explorer.send(.saved([draft], in: ShopCollection.path))
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil), .quit])
    }

    @Test func `a signal ends it without a question, with the draft kept`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press("2 e")
        explorer.type("!")
        explorer.send(.terminal(.terminate(signal: 15)))
        var draft = ShopCollection.collection.request(.init(rawValue: "login"))!
        draft.url += "!"
        #expect(explorer.takeEffects() == [.writeDraft(ShopCollection.reference("login"), draft), .quit])
    }

    @Test func `a file read again keeps the cursor, the edit, and what is closed`() {
        var explorer = ExplorerDriver.edited()
        explorer.press("1 G h h")
        explorer.pick("orders/create")
        explorer.press("R")
        #expect(explorer.takeEffects() == [.loadCollection(path: ShopCollection.path)])
        var collection = ShopCollection.collection
        collection.nodes.insert(.request(ShopCollection.request("first", "GET", "http://localhost")), at: 0)
        explorer.send(.collectionLoaded(collection))
        #expect(explorer.state.selectedRequest == reference)
        #expect(explorer.state.collectionPane.selectedEntry?.reference == reference)
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.state.collectionPane.visible.count == 7)
    }
}
