import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Editing in place` {
    /// In the request pane of `orders/create`.
    private var explorer: ExplorerDriver = {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest)
        return explorer
    }()

    @Test func `a header is added by name, Tab, value`() {
        var explorer = explorer
        explorer.press(.nextTab, .bottom, .addRow)
        explorer.type("x-a")
        explorer.press("Tab")
        explorer.type("1")
        explorer.press("Enter")
        #expect(explorer.request?.headers.map(\.name) == ["idempotency-key", "Authorization", "x-a"])
        #expect(explorer.request?.headers.last?.value == "1")
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `Enter in the name of a new row goes on to its value`() {
        var explorer = explorer
        explorer.press(.nextTab, .addRow)
        explorer.type("x-a")
        explorer.press("Enter")
        explorer.type("delete")
        explorer.press("Enter")
        #expect(explorer.request?.headers.map(\.name) == ["idempotency-key", "x-a", "Authorization"])
        #expect(explorer.request?.headers[1].value == "delete")
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `Enter in the name of a row that has a value ends the edit`() {
        var explorer = explorer
        explorer.press(.nextTab, .edit)
        explorer.press("S-Tab")
        explorer.type("2")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `a text of several lines is for $EDITOR, and stays as it is`() {
        let text = "one\ntwo\n\nthree"
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.description = text }])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab, .bottom, .up, .up, .activate)
        #expect(explorer.state.selectedRequestRow == .field(.typed(.description)))
        #expect(explorer.state.panes.request.editing == nil)
        #expect(explorer.state.notice?.text == "it has several lines: E opens it in $EDITOR")
        _ = explorer.takeEffects()
        explorer.press(.editExternally)
        #expect(explorer.takeEffects().contains { if case .openEditor(let request) = $0 { request.text == text } else { false } })
        #expect(explorer.request?.description == text)
    }

    @Test func `a row without name and value goes away again`() {
        var explorer = explorer
        explorer.press(.nextTab, .addRow)
        explorer.press("Enter")
        #expect(explorer.request?.headers.count == 2)
        explorer.press(.addRow)
        explorer.press("Esc")
        #expect(explorer.request?.headers.count == 2)
    }

    @Test func `Escape leaves a value as it was`() {
        var explorer = explorer
        explorer.press(.edit)
        explorer.type("zzz")
        explorer.press("Esc")
        #expect(explorer.request?.url == "{{host}}/orders")
        #expect(!explorer.state.drafts.isUnsaved(ShopCollection.reference("orders/create")))
        #expect(explorer.takeEffects() == [])
    }

    @Test func `rows are switched off and deleted, and undo brings them back`() {
        var explorer = explorer
        let before = explorer.request
        explorer.press(.down, .toggle, .deleteRow)
        #expect(explorer.request?.query.map(\.name) == ["dry"])
        explorer.press(.undo)
        #expect(explorer.request?.query.map(\.isEnabled) == [false, false])
        explorer.press(.undo)
        #expect(explorer.request == before)
        explorer.press("C-r C-r")
        #expect(explorer.request?.query.map(\.name) == ["dry"])
    }

    @Test func `a header of a folder is overridden for this request`() {
        var explorer = explorer
        explorer.press(.nextTab, .down, .down, .edit)
        explorer.type("; q=1")
        explorer.press("Enter")
        #expect(explorer.request?.headers.last == .init(name: "accept", value: "application/json; q=1"))
        explorer.press(.down, .toggle)
        #expect(explorer.request?.headers.last == .init(name: "x-tenant", value: "7", isEnabled: false))
    }

    @Test func `the body takes several lines, a paste, and Escape keeps them`() {
        var explorer = explorer
        explorer.press(.nextTab, .nextTab, .edit)
        explorer.press("End Enter")
        explorer.type("  \"note\": \"日本\",")
        explorer.send(.terminal(.paste("\n  \"x\": 1,")))
        explorer.press("Esc")
        #expect(
            explorer.request?.body
                == .json("{\n  \"note\": \"日本\",\n  \"x\": 1,\n  \"sku\": \"A7\",\n  \"qty\": 2\n}"))
        explorer.press(.undo)
        #expect(explorer.request?.body == .json("{\n  \"sku\": \"A7\",\n  \"qty\": 2\n}"))
    }

    @Test func `keys are text while something is edited`() {
        var explorer = explorer
        explorer.press(.edit)
        explorer.type("qs?:/x 1")
        explorer.press("Enter")
        #expect(explorer.request?.url == "{{host}}/ordersqs?:/x 1")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `the method is chosen`() {
        var explorer = explorer
        explorer.press(.method)
        explorer.press("Down Enter")
        #expect(explorer.request?.method == "PUT")
    }

    @Test func `the kinds of body and auth are chosen, what fits is kept`() {
        var explorer = explorer
        explorer.press(.nextTab, .nextTab, .toggle)
        #expect(explorer.request?.body == .text("{\n  \"sku\": \"A7\",\n  \"qty\": 2\n}"))
        explorer.press(.nextTab, .activate)
        explorer.press("Down Down Down Enter")
        #expect(explorer.request?.auth == .bearer(""))
        explorer.press(.down, .edit)
        explorer.type("t0k")
        explorer.press("Enter")
        #expect(explorer.request?.auth == .bearer("t0k"))
    }

    @Test func `choosing the kind that is there already is no edit`() {
        var explorer = explorer
        explorer.press(.nextTab, .nextTab, .nextTab, .activate)
        guard case .chooser = explorer.state.overlay else {
            Issue.record("no choice")
            return
        }
        explorer.press("Enter")
        #expect(explorer.state.drafts.unsaved.isEmpty)
    }

    /// Whoever clears a field to type a new password wants the old one in no other program.
    @Test func `what a key takes away comes back with C-v, and is no other program's`() {
        var explorer = explorer
        explorer.press(.nextTab, .edit)
        let value = explorer.request?.headers.first?.value
        explorer.press("C-u C-v C-a C-k C-v")
        #expect(explorer.takeEffects().allSatisfy { if case .copy = $0 { false } else { true } })
        explorer.press("Enter")
        #expect(explorer.request?.headers.first?.value == value)
    }

    @Test func `a timeout must be one`() {
        var explorer = explorer
        explorer.press(.previousTab, .edit)
        explorer.type("soon")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text == "`timeouts.idle` takes `never` or a duration (200ms, 3s, 1m, 1h), not `soon`")
        #expect(explorer.state.panes.request.editing != nil)
        explorer.press("C-u")
        explorer.type("1.5s")
        explorer.press("Enter")
        #expect(explorer.request?.settings.timeouts.idle == .after(.milliseconds(1500)))
        explorer.press(.deleteRow)
        #expect(explorer.request?.settings.timeouts.idle == nil)
    }

    @Test func `a choice goes on with Space and back to the folder's with d`() {
        var explorer = explorer
        explorer.press(.palette)
        explorer.type("redirects.follow")
        explorer.press("Enter")
        explorer.press(.toggle)
        #expect(explorer.request?.settings.followRedirects == .never)
        explorer.press(.deleteRow)
        #expect(explorer.request?.settings.followRedirects == nil)
    }

    @Test func `the editor gets the body, and its text comes back`() throws {
        var explorer = explorer
        explorer.press(.nextTab, .nextTab, .editExternally)
        let text = "{\n  \"sku\": \"A7\",\n  \"qty\": 2\n}"
        let request = EditorRequest(
            request: ShopCollection.reference("orders/create"), field: .body, text: text, fileExtension: "json")
        #expect(explorer.takeEffects() == [.openEditor(request)])
        explorer.send(.editorReturned(request, text: "{}\n"))
        #expect(explorer.request?.body == .json("{}"))
        explorer.send(.editorReturned(request, text: nil))
        #expect(explorer.request?.body == .json("{}"))
    }

    @Test func `another request ends editing and keeps it`() {
        var explorer = explorer
        explorer.press(.edit)
        explorer.type("/1")
        explorer.click(3, 1)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("login"))
        #expect(explorer.state.definition(of: ShopCollection.reference("orders/create"))?.url == "{{host}}/orders/1")
    }
}

/// A line that is open has the keyboard until what it says is taken over, whoever wants to leave it.
@Suite struct `A line that is being typed` {
    /// The name of a new header of `orders/create`, which has a response.
    private func typing(_ name: String) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.run(.success())
        explorer.state.keymap = Keymap(
            overrides: [
                .send: [KeyPress(.function(3))], .quit: [KeyPress(.function(4))], .save: [KeyPress(.function(5))],
                .palette: [KeyPress(.function(6))], .lab: [KeyPress(.function(7))], .whatIf: [KeyPress(.function(8))],
                .addRow: [KeyPress(.function(9))], .askTrust: [KeyPress(.function(10))], .editExternally: [KeyPress(.function(11))],
                .nextTab: [KeyPress(.function(12))],
            ])
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type(name)
        _ = explorer.takeEffects()
        return explorer
    }

    private static let keys =
        (1...12).map { KeyPress(.function($0)) } + [KeyPress(.enter), KeyPress(.tab), KeyPress(.tab, .shift)]

    private static let clicks = [MouseEvent.Action.press, .doubleClick].flatMap { action in
        stride(from: 0, to: 40, by: 1).flatMap { row in
            stride(from: 1, to: 120, by: 9).map { MouseEvent(action, at: Point(column: $0, row: row)) }
        }
    }

    /// All that a person can leave a line by, but for Esc, which gives it up.
    private static let ways = keys.map(TerminalEvent.key) + clicks.map(TerminalEvent.mouse)

    private func open(_ explorer: ExplorerDriver) -> String? {
        if case .line(.name(.headers, _), let line) = explorer.state.panes.request.editing { line.text } else { nil }
    }

    @Test func `stays open with its reason when it can't be taken over, whatever wants to leave it`() {
        let explorer = typing("bad name")
        let state = explorer.state
        for way in Self.ways {
            var other = explorer
            other.send(.terminal(way))
            let isThere =
                open(other) == "bad name" && other.state.selectedRequest == state.selectedRequest && other.state.overlay == nil
                && other.state.screen.focus == .request && other.state.panes.request.tab == .headers
                && other.request == explorer.request
            #expect(isThere && other.takeEffects().isEmpty, "\(way)")
            // A border that is dragged, and a key that means nothing, leave nothing.
            let says = other.state.notice?.text.contains("can't be the name of a header") == true
            #expect(says || other.state.screen.dragged != nil || other.state.notice == nil, "\(way)")
            if case .key(let key) = way, state.keymap.command(for: key, in: .request) != nil { #expect(says, "\(way)") }
        }
    }

    @Test func `is taken over or stays, and is never lost`() {
        let explorer = typing("x-good")
        for way in Self.ways {
            var other = explorer
            other.send(.terminal(way))
            let headers = other.state.definition(of: ShopCollection.reference("orders/create"))?.headers ?? []
            #expect(open(other) == "x-good" || headers.contains { $0.name == "x-good" }, "\(way)")
        }
    }

    @Test func `isn't ended by a key that waited for the disk`() {
        var collection = RequestCollection(path: "/one.yaml", name: "One")
        collection.files = [collection.path: FileFingerprint([])]
        collection.nodes = ["a", "b", "c"].map { .request(ShopCollection.request($0, "GET", "http://h")) }
        var explorer = ExplorerDriver([collection])
        explorer.pick("a")
        explorer.press(.moveEntryDown, .moveEntryDown, .focusRequest, .edit)
        explorer.type("/x")
        _ = explorer.takeEffects()
        let change = TreeChange(.edit(.reorder("a", before: "c"), in: collection.path), undoing: [])
        collection.nodes.swapAt(0, 1)
        explorer.send(.treeChanged(change, [collection], remarks: []))
        // It is done all the same.
        #expect(explorer.takeEffects().contains(.changeTree(.edit(.reorder("a", before: nil), in: collection.path))))
        explorer.type("y")
        explorer.press("Enter")
        #expect(explorer.request?.url == "http://h/xy")
    }
}

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
