import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// An edit of a request that another program has deleted or renamed.
@Suite struct `An edit of a request that is gone` {
    private let create = ShopCollection.reference("orders/create")
    private let without: RequestCollection = {
        var collection = ShopCollection.collection
        guard case .folder(var orders) = collection.nodes[1] else { return collection }
        orders.nodes.removeFirst()
        collection.nodes[1] = .folder(orders)
        return collection
    }()

    /// What it says, edited.
    private var edited: RequestDefinition {
        var edited = ShopCollection.collection.request(create.id)!
        edited.method = "PUT"
        return edited
    }

    private func gone() -> ExplorerDriver {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(without))
        _ = explorer.takeEffects()
        return explorer
    }

    private func dialog(_ explorer: ExplorerDriver) -> Dialog? {
        if case .dialog(let dialog)? = explorer.state.overlay { dialog } else { nil }
    }

    @Test func `stays on the screen, in its folder`() throws {
        let explorer = gone()
        #expect(explorer.state.selectedRequest == create)
        #expect(explorer.request == edited)
        #expect(explorer.state.isMissing(create))
        #expect(explorer.state.tree.folders(of: create).map(\.rawValue) == ["orders"])
        #expect(
            explorer.state.notice
                == Notice(.warning, "orders/create isn't in its file any more; its edit stays here, and w puts it back"))
    }

    @Test func `is still edited, and sent`() throws {
        var explorer = gone()
        explorer.press(.focusRequest, .edit)
        explorer.type("/x")
        explorer.press("Enter")
        explorer.press(.send)
        var sent = edited
        sent.url += "/x"
        let effects = explorer.takeEffects()
        #expect(effects.last == .send(sent, in: ShopCollection.path, environment: nil))
        #expect(effects.first == .writeDraft(create, ShopCollection.edit(sent)))
    }

    @Test(arguments: ["w", "q s"]) func `is put back by saving`(keys: String) throws {
        var explorer = gone()
        explorer.press(keys)
        #expect(dialog(explorer)?.buttons.map(\.title) == ["Put back", "As a new one", "Cancel"])
        #expect(explorer.takeEffects() == [])
        explorer.press("p")
        #expect(explorer.takeEffects() == [.changeTree(.edit(.add(edited), in: ShopCollection.path))])
        var back = ShopCollection.changed("orders/create") { $0 = edited }
        back.name = "Shop"
        explorer.send(
            .treeChanged(TreeChange(.edit(.add(edited), in: ShopCollection.path), undoing: []), [back], remarks: []))
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)] + (keys == "q s" ? [.quit] : []))
        #expect(!explorer.state.drafts.isUnsaved(create))
        #expect(!explorer.state.isMissing(create))
    }

    @Test func `is saved under another name`() throws {
        var explorer = gone()
        explorer.press(.save)
        explorer.press("n")
        guard case .entry(let form)? = explorer.state.overlay else {
            Issue.record("no form")
            return
        }
        #expect(form.fields.map(\.text) == ["create"])
        explorer.press("C-u")
        explorer.type("made")
        explorer.press("Enter")
        var new = edited
        new.id = "orders/made"
        let change = TreeEdit.edit(.add(new), in: ShopCollection.path)
        #expect(explorer.takeEffects() == [.changeTree(change)])
        var back = without
        guard case .folder(var orders) = back.nodes[1] else { return }
        orders.nodes.append(.request(new))
        back.nodes[1] = .folder(orders)
        explorer.send(.treeChanged(TreeChange(change, undoing: []), [back], remarks: []))
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.state.drafts.unsaved == [])
        #expect(explorer.state.selectedRequest?.id == "orders/made")
        #expect(explorer.state.tree.index(of: create) == nil)
    }

    @Test func `of an earlier run is brought back as well`() throws {
        var explorer = ExplorerDriver([without])
        explorer.send(.draftFound(create, ShopCollection.edit(edited)))
        #expect(explorer.state.drafts.unsaved == [create])
        #expect(explorer.state.tree.definition(of: create) != nil)
        #expect(
            explorer.state.notice
                == Notice(
                    .warning, "an unsaved edit of orders/create was brought back; it isn't in its file any more: w puts it back"))
        explorer.pick("orders/create")
        #expect(explorer.request == edited)
    }

    @Test func `of an earlier run, one that was never saved is new`() throws {
        var explorer = ExplorerDriver()
        let new = ShopCollection.request("orders/newest", "GET", "http://shop/newest")
        var empty = new
        empty.url = ""
        let reference = ShopCollection.reference("orders/newest")
        explorer.send(.draftFound(reference, RequestEdit(from: empty, to: new)))
        #expect(explorer.state.notice == Notice(.warning, "orders/newest, which isn't saved, was brought back; w saves it"))
    }

    @Test func `is gone when it is undone or deleted here`() throws {
        var explorer = gone()
        explorer.press(.focusRequest, .undo)
        #expect(!explorer.state.drafts.isUnsaved(create))
        #expect(explorer.state.isMissing(create))
        explorer = gone()
        explorer.press(.focusCollection, .deleteEntry, .deleteEntry)
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.state.tree.index(of: create) == nil)
        #expect(explorer.state.drafts.unsaved == [])
    }
}
