import RequestCollections
import Testing

@testable import Explorer

@Suite struct `A draft` {
    private let saved = ShopCollection.request("a", "GET", "http://localhost")

    @Test func `goes back and forth over its edits`() {
        var draft = RequestDraft(saved)
        draft.edit { $0.url = "1" }
        draft.edit { $0.url = "2" }
        #expect(!draft.edit { $0.url = "2" })
        draft.undo()
        #expect(draft.current.url == "1")
        draft.redo()
        #expect(draft.current.url == "2")
        draft.undo()
        draft.edit { $0.url = "3" }
        let redone = draft.redo()
        #expect(!redone)
        draft.undo()
        draft.undo()
        let undone = draft.undo()
        #expect(!undone)
        #expect(draft.current == saved && !draft.isUnsaved)
    }

    @Test func `isn't unsaved because its rows moved in the file`() {
        var draft = RequestDraft(saved)
        draft.edit { $0.headers = [.init(name: "a", value: "b")] }
        var reread = draft.current
        reread.headers[0].location = ShopCollection.place(7)
        reread.location = ShopCollection.place(6)
        draft.reread(reread)
        #expect(!draft.isUnsaved)
        #expect(draft.current == reread)
    }

    @Test func `stays when the file changes under it`() {
        var draft = RequestDraft(saved)
        draft.edit { $0.url = "mine" }
        var theirs = saved
        theirs.method = "POST"
        draft.reread(theirs)
        #expect(draft.isUnsaved && draft.current.url == "mine")
        #expect(draft.conflicts.map(\.entry) == ["url"])
        // And again: the base is still what the edit was made from.
        theirs.headers = [.init(name: "a", value: "b")]
        draft.reread(theirs)
        #expect(
            draft.conflicts
                == [EditConflict(entry: "url", base: "GET http://localhost", mine: "GET mine", theirs: "POST http://localhost")])
        #expect(draft.current.headers.map(\.name) == ["a"])
        #expect(draft.pending.base.url == "http://localhost" && draft.pending.base.method == "GET")
        draft.reread(saved)
        #expect(!draft.isConflict && draft.current.url == "mine" && draft.current.headers == [])
    }

    @Test func `knows where its rows stand after the file changed under it`() {
        var old = saved
        old.headers = [
            .init(name: "a", value: "1", location: ShopCollection.place(5)),
            .init(name: "b", value: "2", location: ShopCollection.place(6)),
        ]
        var draft = RequestDraft(old)
        draft.edit { $0.headers[1].name = "renamed" }
        var new = old
        new.headers[0].location = ShopCollection.place(15)
        new.headers[1].location = ShopCollection.place(16)
        draft.reread(new)
        #expect(draft.current.headers.map(\.name) == ["a", "renamed"])
        #expect(draft.current.headers.map(\.location) == [ShopCollection.place(15), ShopCollection.place(16)])
    }

    @Test func `follows the file when nothing was edited`() {
        var draft = RequestDraft(saved)
        var theirs = saved
        theirs.method = "POST"
        draft.reread(theirs)
        #expect(draft.current == theirs)
    }
}
