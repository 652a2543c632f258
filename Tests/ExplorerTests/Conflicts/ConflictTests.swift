import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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
        #expect(explorer.state.drafts.isUnsaved(create))
        #expect(explorer.state.notice == nil)
    }

    @Test func `the same edit there leaves nothing to save`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.method = "PUT" }))
        #expect(explorer.state.conflicts == [])
        #expect(!explorer.state.drafts.isUnsaved(create))
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
        let theirs = ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }
        explorer.send(.collectionLoaded(theirs))
        explorer.press(.save)
        #expect(explorer.takeEffects() == [])
        #expect(
            explorer.state.overlay
                == .dialog(
                    Dialog(
                        title: "Changed on disk, and here: orders/create",
                        lines: [
                            "url was changed in the file since you began to edit it. Which of the two stays?",
                            "before: POST {{host}}/orders", "theirs: POST http://theirs/", "mine: PUT {{host}}/orders",
                        ],
                        buttons: [
                            .init("m", "Keep mine", .keepMine(create, ["url"])),
                            .init("t", "Take theirs", .takeTheirs(create, ["url"])), .init("c", "Cancel", .close),
                        ])))
        explorer.press("c")
        #expect(explorer.state.conflicts == [create])

        var keeping = explorer
        keeping.press(.save)
        keeping.press("m")
        let edit = RequestEdit(from: try #require(theirs.request("orders/create")), to: mine)
        #expect(keeping.takeEffects() == [.writeDraft(create, edit), .save([edit], in: ShopCollection.path)])
        #expect(keeping.state.conflicts == [])

        explorer.press(.save)
        explorer.press("t")
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.request?.url == "http://theirs/")
        #expect(explorer.request?.method == "POST")
        #expect(!explorer.state.drafts.isUnsaved(create))
        explorer.press(.undo)
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.request?.url == "{{host}}/orders")
    }

    @Test func `what only one of the two changed is merged without a word`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.send(
            .collectionLoaded(
                ShopCollection.changed("orders/create") {
                    $0.headers[0].value = "theirs"
                    $0.query.append(.init(name: "page", value: "2"))
                }))
        #expect(explorer.state.conflicts == [])
        #expect(explorer.state.notice == nil)
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.request?.headers.map(\.value) == ["theirs", "Bearer abc"])
        #expect(explorer.request?.query.map(\.name) == ["notify", "dry", "page"])
        // Undo takes back mine, not theirs.
        explorer.press(.undo)
        #expect(explorer.request?.method == "POST")
        #expect(explorer.request?.headers[0].value == "theirs")
        #expect(!explorer.state.drafts.isUnsaved(create))
    }

    @Test func `each entry is asked for, and what is left is saved`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.press(.focusRequest, .nextTab, .edit)
        explorer.type("!")
        explorer.press("Enter")
        let mine = try #require(explorer.request)
        #expect(mine.headers[0].value == "{{user}}-1!")
        _ = explorer.takeEffects()
        let theirs = ShopCollection.changed("orders/create") {
            $0.url = "http://theirs/"
            $0.headers[0].value = "theirs"
            $0.body = .text("theirs")
        }
        explorer.send(.collectionLoaded(theirs))
        explorer.press(.save)
        guard case .dialog(let first)? = explorer.state.overlay else {
            Issue.record("no dialog")
            return
        }
        #expect(first.lines.last == "Asked for next: headers.idempotency-key.")
        #expect(first.buttons.map(\.key) == ["m", "t", "M", "T", "c"])
        // The URL is theirs, the header mine, and the body was never in question.
        explorer.press("t")
        #expect(explorer.state.conflicts == [create])
        #expect(explorer.request?.url == "http://theirs/")
        explorer.press("m")
        var expected = try #require(theirs.request("orders/create"))
        expected.headers[0].value = "{{user}}-1!"
        #expect(explorer.request == expected)
        #expect(
            explorer.takeEffects().last
                == .save(
                    [RequestEdit(from: try #require(theirs.request("orders/create")), to: expected)], in: ShopCollection.path))
    }

    @Test func `an edit of an earlier run is merged with what the file says by now`() throws {
        let base = try #require(ShopCollection.collection.request("orders/create"))
        var edited = base
        edited.method = "PUT"
        var explorer = ExplorerDriver([
            ShopCollection.changed("orders/create") { $0.headers[0].value = "theirs" }
        ])
        explorer.send(.draftFound(create, RequestEdit(from: base, to: edited)))
        explorer.pick("orders/create")
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.request?.headers[0].value == "theirs")
        #expect(explorer.state.drafts.unsaved == [create])
        #expect(explorer.state.conflicts == [])
        explorer.press(.focusRequest, .undo)
        #expect(explorer.request?.method == "POST")
        #expect(explorer.request?.headers[0].value == "theirs")
    }

    @Test func `an edit of an earlier run that the file has changed as well asks`() throws {
        let base = try #require(ShopCollection.collection.request("orders/create"))
        var edited = base
        edited.method = "PUT"
        var explorer = ExplorerDriver([ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }])
        explorer.send(.draftFound(create, RequestEdit(from: base, to: edited)))
        #expect(
            explorer.state.notice
                == Notice(
                    .warning,
                    "an unsaved edit of orders/create was brought back; its file has changed as well: saving asks which of the two stays"
                ))
        #expect(explorer.state.conflicts == [create])
    }

    @Test func `an edit of an earlier run that is in the file by now is no edit any more`() throws {
        let base = try #require(ShopCollection.collection.request("orders/create"))
        var edited = base
        edited.method = "PUT"
        var explorer = ExplorerDriver([ShopCollection.changed("orders/create") { $0.method = "PUT" }])
        _ = explorer.takeEffects()
        explorer.send(.draftFound(create, RequestEdit(from: base, to: edited)))
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.state.drafts.unsaved == [])
    }

    @Test func `save all writes what it can, and asks about the rest`() throws {
        var explorer = ExplorerDriver.edited()
        explorer.pick("orders/list")
        explorer.press(.focusCollection)
        explorer.press(.method)
        explorer.press("Down Enter")
        let list = try #require(explorer.request)
        _ = explorer.takeEffects()
        explorer.send(.collectionLoaded(ShopCollection.changed("orders/create") { $0.url = "http://theirs/" }))
        explorer.press(.saveAll)
        #expect(explorer.takeEffects() == [.save([ShopCollection.edit(list)], in: ShopCollection.path)])
        guard case .dialog? = explorer.state.overlay else {
            Issue.record("no dialog")
            return
        }
    }

    @Test func `what is being typed is not lost, and lands in no other row`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .edit)
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
                == Notice(.warning, "orders/create isn't in its file any more; its edit stays here, and w puts it back"))
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
