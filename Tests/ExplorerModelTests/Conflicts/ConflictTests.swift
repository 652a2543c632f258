import ExplorerModel
import ExplorerTesting
import RequestCollections
import TerminalUI
import Testing

/// A file that changes while a request of it is edited.
@Suite struct ConflictTests {
    private let create = ShopCollection.reference("orders/create")

    @Test func `a request that is edited here and there is a conflict, and says so`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        #expect(explorer.state.conflicts == [create])
        #expect(
            explorer.state.notice
                == Notice(.warning, "orders/create was changed on disk, and here: saving asks which of the two stays"))
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.request?.url == "{{host}}/orders")
    }

    @Test func `an edit of another request, and another place of the same, are none`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/list") { $0.url = "http://theirs/" }))
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.location.line += 7 }))
        #expect(explorer.state.conflicts == [])
        #expect(explorer.state.isUnsaved(create))
        #expect(explorer.state.notice == nil)
    }

    @Test func `the same edit there leaves nothing to save`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.method = "PUT" }))
        #expect(explorer.state.conflicts == [])
        #expect(!explorer.state.isUnsaved(create))
    }

    @Test func `what nobody edits here is simply what the file says`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        #expect(explorer.request?.url == "http://theirs/")
        #expect(explorer.state.conflicts == [])
    }

    @Test func `saving asks; mine is written, theirs is taken and can be undone`() throws {
        var explorer = ExplorerDriver.edited()
        let mine = try #require(explorer.request)
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        explorer.press("w")
        #expect(explorer.takeEffects() == [])
        #expect(
            explorer.state.overlay
                == .dialog(
                    Dialog(
                        title: "Changed on disk",
                        lines: ["orders/create was changed in its file since you began to edit it. Which of the two stays?"],
                        buttons: [
                            .init("b", "See both", .showBoth(create)), .init("m", "Keep mine", .keepMine(create)),
                            .init("t", "Take theirs", .takeTheirs(create)), .init("c", "Cancel", .close),
                        ])))
        explorer.press("c")
        #expect(explorer.state.conflicts == [create])

        var keeping = explorer
        keeping.press("w m")
        #expect(keeping.takeEffects() == [.save([mine], in: ShopCollection.path)])
        #expect(keeping.state.conflicts == [])

        explorer.press("w t")
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.request?.url == "http://theirs/")
        #expect(explorer.request?.method == "POST")
        #expect(!explorer.state.isUnsaved(create))
        explorer.press("u")
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.request?.url == "{{host}}/orders")
    }

    @Test func `both are shown`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.headers[0].value = "theirs" }))
        explorer.press("w b")
        guard case .dialog(let dialog)? = explorer.state.overlay else {
            Issue.record("no dialog")
            return
        }
        #expect(dialog.title == "orders/create: mine and theirs")
        #expect(
            dialog.lines == [
                "theirs  POST {{host}}/orders", "theirs  header idempotency-key: theirs", "mine    PUT {{host}}/orders",
                "mine    header idempotency-key: {{user}}-1",
            ])
        explorer.press("t")
        #expect(explorer.request?.headers[0].value == "theirs")
    }

    @Test func `save all writes what it can, and asks about the rest`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.pick("orders/list")
        explorer.press("1 m j Enter")
        let list = try #require(explorer.request)
        _ = explorer.takeEffects()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        explorer.press("W")
        #expect(explorer.takeEffects() == [.save([list], in: ShopCollection.path)])
        guard case .dialog? = explorer.state.overlay else {
            Issue.record("no dialog")
            return
        }
    }

    @Test func `what is being typed is not lost, and lands in no other row`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press("2 e")
        explorer.type("!")
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        #expect(explorer.request?.url == "{{host}}/orders!")
        #expect(explorer.state.conflicts == [create])
    }

    @Test func `a request that is gone keeps its edit until it is back`() throws {
        var explorer = ExplorerDriver.edited()
        var collection = ShopCollection.collection
        collection.nodes.remove(at: 1)
        explorer.send(.collectionLoaded(collection))
        #expect(
            explorer.state.notice
                == Notice(.warning, "orders/create isn't in its file any more; the edit of it is kept until it is back"))
        explorer.send(.collectionLoaded(ShopCollection.collection))
        #expect(explorer.state.definition(of: create)?.method == "PUT")
        #expect(explorer.state.conflicts == [])
    }

    @Test func `a file that can't be read just now is no conflict`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(
            .collectionLoaded(
                ShopCollection.changed("orders/create") {
                    $0.url = ""
                    $0.problems = [CollectionProblem(location: $0.location, message: "this is not YAML")]
                }))
        #expect(explorer.state.conflicts == [])
        #expect(explorer.request?.method == "PUT")
    }
}
