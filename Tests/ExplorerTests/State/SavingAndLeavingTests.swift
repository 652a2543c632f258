import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Saving and leaving` {
    private let reference = ShopCollection.reference("orders/create")

    @Test func `w writes the shown request`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press(.save)
        #expect(explorer.takeEffects() == [.save([ShopCollection.edit(draft)], in: ShopCollection.path)])
        #expect(explorer.state.drafts.isUnsaved(reference))
    }

    @Test func `what was saved is no longer unsaved, and can still be undone`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.send(.saved([ShopCollection.edit(draft)], ShopCollection.changed("orders/create") { $0 = draft }))
        #expect(!explorer.state.drafts.isUnsaved(reference))
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil)])
        #expect(explorer.state.notice == Notice(.success, "saved orders/create"))
        explorer.press(.undo)
        #expect(explorer.request?.method == "POST")
        #expect(explorer.state.drafts.isUnsaved(reference))
    }

    @Test func `what is typed while it is written stays unsaved, and is no conflict`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press(.save, .focusRequest, .edit)
        explorer.type("/later")
        explorer.press("Enter")
        _ = explorer.takeEffects()
        explorer.send(.saved([ShopCollection.edit(draft)], ShopCollection.changed("orders/create") { $0 = draft }))
        var later = draft
        later.url += "/later"
        #expect(explorer.request == later)
        #expect(explorer.state.conflicts == [])
        #expect(explorer.takeEffects() == [.writeDraft(reference, RequestEdit(from: draft, to: later))])
    }

    @Test func `what another program wrote is in it, and is no edit`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press(.save)
        _ = explorer.takeEffects()
        var written = draft
        written.headers[0].value = "theirs"
        explorer.send(.saved([ShopCollection.edit(draft)], ShopCollection.changed("orders/create") { $0 = written }))
        #expect(explorer.request == written)
        #expect(!explorer.state.drafts.isUnsaved(reference))
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil)])
        explorer.press(.undo)
        #expect(explorer.request?.method == "POST")
        #expect(explorer.request?.headers[0].value == "theirs")
    }

    @Test func `what could not be saved says why, and the edit stays`() {
        var explorer = ExplorerDriver.edited()
        explorer.press(.save)
        explorer.send(.saveFailed(conflicts: [], message: "create.yaml can't be written: no space left on device"))
        #expect(explorer.state.drafts.isUnsaved(reference))
        #expect(
            explorer.state.overlay
                == .dialog(Dialog(title: "Not saved", lines: ["create.yaml can't be written: no space left on device"])))
    }

    @Test func `a conflict that only shows when it is saved is asked about at once`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.press(.save)
        _ = explorer.takeEffects()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        explorer.send(.saveFailed(conflicts: [reference], message: nil))
        guard case .dialog(let dialog)? = explorer.state.overlay else {
            Issue.record("no dialog")
            return
        }
        #expect(dialog.title == "Changed on disk, and here: orders/create")
    }

    @Test func `nothing to save says so`() {
        var explorer = ExplorerDriver()
        explorer.press(.save)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice == Notice(.info, "there is nothing to save"))
    }

    @Test func `nothing to save here says what is to be saved elsewhere`() {
        var explorer = ExplorerDriver.edited()
        explorer.press(.focusCollection)
        explorer.press(.top, .top, .save)
        #expect(explorer.takeEffects().filter { if case .save = $0 { true } else { false } } == [])
        #expect(explorer.state.notice == Notice(.info, "there is nothing to save here; : save-all saves all"))
    }

    @Test func `q leaves at once when all is saved`() {
        var explorer = ExplorerDriver()
        explorer.press(.quit)
        #expect(explorer.takeEffects() == [.quit])
    }

    @Test func `q asks when something is unsaved: stay, discard, save all`() throws {
        var explorer = ExplorerDriver.edited()
        let draft = try #require(explorer.request)
        explorer.press(.quit)
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [])
        explorer.press(.quit)
        explorer.press("c")
        #expect(explorer.takeEffects() == [])
        explorer.press(.quit)
        explorer.press("d")
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil), .quit])
        explorer.press(.quit)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.save([ShopCollection.edit(draft)], in: ShopCollection.path)])
        explorer.send(.saveFailed(conflicts: [], message: "the disk is full"))
        #expect(explorer.takeEffects() == [])
        explorer.press("Esc")
        explorer.press(.quit)
        explorer.press("s")
        _ = explorer.takeEffects()
        explorer.send(.saved([ShopCollection.edit(draft)], ShopCollection.changed("orders/create") { $0 = draft }))
        #expect(explorer.takeEffects() == [.writeDraft(reference, nil), .quit])
    }

    @Test func `a signal ends it without a question, with the draft kept`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .edit)
        explorer.type("!")
        explorer.send(.terminal(.terminate(signal: 15)))
        var draft = ShopCollection.collection.request(.init(rawValue: "login"))!
        draft.url += "!"
        #expect(explorer.takeEffects() == [.writeDraft(ShopCollection.reference("login"), ShopCollection.edit(draft)), .quit])
    }

    @Test func `a file read again keeps the cursor, the edit, and what is closed`() {
        var explorer = ExplorerDriver.edited()
        explorer.press(.focusCollection)
        explorer.press(.bottom, .left, .left)
        explorer.pick("orders/create")
        explorer.press(.reload)
        #expect(explorer.takeEffects() == [.loadCollection(path: ShopCollection.path)])
        var collection = ShopCollection.collection
        collection.nodes.insert(.request(ShopCollection.request("first", "GET", "http://localhost")), at: 0)
        explorer.send(.collectionLoaded(collection))
        #expect(explorer.state.selectedRequest == reference)
        #expect(explorer.state.panes.collection.selectedEntry?.reference == reference)
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.state.panes.collection.visible.count == 7)
    }

    @Test func `leaving asks when something is still under way, and cancels it only then`() {
        var explorer = ExplorerDriver.having(.downloading(at: 100), of: ["login"])
        _ = explorer.takeEffects()
        explorer.press(.quit)
        guard case .dialog(let dialog) = explorer.state.overlay else {
            Issue.record("nothing was asked")
            return
        }
        #expect(dialog.lines == ["One request is still under way, and would be cancelled:", "  login"])
        explorer.press("c")
        #expect(explorer.takeEffects() == [])
        explorer.press(.quit)
        explorer.press("q")
        #expect(explorer.takeEffects() == [.quit])
    }

    @Test func `leaving asks once about what runs and what is not saved`() {
        var explorer = ExplorerDriver.edited()
        explorer.run(.downloading(at: 100), of: "login")
        _ = explorer.takeEffects()
        explorer.press(.quit)
        guard case .dialog(let dialog) = explorer.state.overlay else {
            Issue.record("nothing was asked")
            return
        }
        #expect(dialog.lines.filter { !$0.hasPrefix("  ") }.count == 2)
        #expect(dialog.buttons.map(\.key) == ["s", "d", "c"])
    }
}
