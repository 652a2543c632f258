import NetworkLayer
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Finding one's way` {
    @Test func `numbers and Tab move the focus`() {
        var explorer = ExplorerDriver()
        for pane in Pane.allCases {
            explorer.focus(pane)
            #expect(explorer.state.screen.focus == pane)
        }
        explorer.press(.nextPane)
        #expect(explorer.state.screen.focus == .collection)
        explorer.press(.previousPane)
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `the filter narrows the tree while one types, and Escape shows all`() {
        var explorer = ExplorerDriver()
        explorer.press(.search)
        explorer.type("purge")
        #expect(explorer.state.selectedRequest == ShopCollection.reference("admin/purge"))
        explorer.press("Enter")
        #expect(explorer.state.searchLine == nil)
        #expect(explorer.state.panes.collection.visible.count == 2)
        explorer.press(.back)
        #expect(explorer.state.panes.collection.visible.count == 7)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("admin/purge"))
    }

    @Test func `Esc and a quick key, which come as Alt, are both taken`() {
        var explorer = ExplorerDriver()
        explorer.press(.search)
        explorer.type("purge")
        explorer.press("M-2")
        #expect(explorer.state.searchLine == nil)
        #expect(explorer.state.panes.collection.filter == "")
        #expect(explorer.state.screen.focus == .request)
    }

    @Test(arguments: [("purge", "Esc"), ("zzz", "Esc"), ("zzz", "Enter")])
    func `a filter that is given up, or finds nothing, leaves the row that was selected`(text: String, end: String) {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.search)
        explorer.type(text)
        explorer.press(end)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/create"))
        #expect(explorer.state.panes.collection.filter == "")
        #expect(explorer.state.panes.collection.visible.count == 7)
    }

    @Test func `a search in the request goes to what it finds, and on with n`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .search)
        explorer.type("AUTH")
        #expect(explorer.state.selectedRequestRow == .named(.headers, 1))
        explorer.press("Enter")
        explorer.press(.nextTab, .search)
        explorer.type("q")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.body.cursor == TextPosition(line: 2, offset: 3))
        explorer.press(.search)
        explorer.type("nowhere")
        #expect(explorer.state.notice?.text == "\"nowhere\" is not on this tab")
    }

    @Test func `folders close and open`() {
        var explorer = ExplorerDriver()
        explorer.press(.down, .left)
        #expect(explorer.state.panes.collection.visible.count == 4)
        explorer.press(.right)
        #expect(explorer.state.panes.collection.visible.count == 7)
        explorer.press(.right, .left)
        #expect(explorer.state.panes.collection.selectedEntry?.name == "orders")
    }

    @Test(arguments: [Size(columns: 23, rows: 24), Size(columns: 80, rows: 5)])
    func `nothing is done unseen in a terminal that is too small, but to quit`(size: Size) {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.method)
        let before = (explorer.state.overlay, explorer.state.selectedRequest, explorer.state.drafts.unsaved)
        explorer.send(.terminal(.resize(size)))
        _ = explorer.takeEffects()
        explorer.press("Down Enter Esc F5 s d x")
        explorer.paste("GET http://h/")
        explorer.click(3, 3)
        explorer.click(3, 3, .wheelDown)
        #expect(explorer.takeEffects().isEmpty)
        explorer.send(.terminal(.resize(Size(columns: 120, rows: 40))))
        #expect(explorer.state.overlay == before.0)
        explorer.press("Esc")
        explorer.send(.terminal(.resize(size)))
        explorer.press("Down d")
        explorer.press(.send, .focusRequest, .newRequest)
        #expect(explorer.state.overlay == nil && explorer.state.selectedRequest == before.1)
        #expect(explorer.state.drafts.unsaved == before.2 && explorer.takeEffects().isEmpty)
        explorer.press(.suspend)
        #expect(explorer.takeEffects() == [.suspend])
        explorer.send(.questionAsked(Question(id: 1, message: "Which?", form: .text(proposal: "", isSecret: false))))
        explorer.press(.quit)
        #expect(explorer.takeEffects() == [.quit])
        // What others ask waits until it is seen.
        explorer.send(.terminal(.resize(Size(columns: 120, rows: 40))))
        #expect(explorer.state.overlay != nil)
        var edited = ExplorerDriver.edited()
        edited.send(.terminal(.resize(size)))
        edited.press(.quit)
        #expect(edited.takeEffects().isEmpty && edited.state.overlay == nil)
    }

    @Test func `every command can be reached from the omnibox`() throws {
        for command in Command.all {
            var explorer = ExplorerDriver()
            explorer.press(.palette)
            explorer.type(command.title)
            let selected = try #require(explorer.omnibox).selected
            #expect(selected == .target(.command(command.id)), "\(command.title) finds \(String(describing: selected))")
        }
    }

    @Test func `the omnibox does what the key does`() {
        var explorer = ExplorerDriver()
        explorer.press("C-p")
        explorer.type("zoom")
        explorer.press("Enter")
        #expect(explorer.state.screen.isZoomed)
        #expect(explorer.state.overlay == nil)
    }

    @Test func `a command of another pane takes the focus there`() {
        var explorer = ExplorerDriver()
        explorer.press(.palette)
        explorer.type("add a row")
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .request)
        guard case .line(.name(.query, 0), _) = explorer.state.panes.request.editing else {
            Issue.record("the new row's name isn't edited: \(String(describing: explorer.state.panes.request.editing))")
            return
        }
    }

    @Test func `a theme is tried on while it is chosen, and Escape takes it off`() {
        var explorer = ExplorerDriver()
        explorer.press(.chooseTheme)
        explorer.press("Down")
        #expect(explorer.takeEffects() == [.setTheme("light")])
        explorer.send(.themeChanged("light"))
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [.setTheme("dark")])
    }

    @Test func `the copy menu offers the request as it would be sent`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.copy)
        explorer.press("Enter")
        let login = ShopCollection.collection.request(.init(rawValue: "login"))!
        #expect(explorer.takeEffects() == [.copyRequest(login, in: ShopCollection.path, environment: nil, as: .curl)])
        explorer.press(.focusRequest)
        explorer.press(.copy)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.copy("{{host}}/login", what: "value")])
    }

    @Test func `a credential of the file is shown in no menu, and copied only by name`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type("x-api-key")
        explorer.press("Tab")
        explorer.type("sk_live_123")
        explorer.press("Enter")
        explorer.press(.copy)
        guard case .chooser(let chooser) = explorer.state.overlay else {
            Issue.record("no menu")
            return
        }
        #expect(chooser.items.first == Chooser.Item("value", detail: "as it stands in the file, not masked"))
        _ = explorer.takeEffects()
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.copy("sk_live_123", what: "value, a credential, in clear")])
    }

    @Test func `a click focuses and selects, the wheel scrolls what it points at`() throws {
        var explorer = ExplorerDriver()
        explorer.click(5, 4)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/list"))
        explorer.press(.send)
        explorer.enqueue(1, "orders/list")
        let response = try #require(explorer.state.layout.panes[.response])
        explorer.click(response.column + 5, response.row + 3)
        #expect(explorer.state.screen.focus == .response)
        explorer.click(5, 3, .wheelDown)
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `a click on a tab shows it`() throws {
        var explorer = ExplorerDriver()
        let request = try #require(explorer.state.layout.panes[.request])
        explorer.click(request.column + 11, request.row)
        #expect(explorer.state.screen.focus == .request)
        #expect(explorer.state.panes.request.tab == .headers)
    }

    @Test func `a dragged border resizes the panes`() throws {
        var explorer = ExplorerDriver()
        let before = try #require(explorer.state.layout.panes[.collection])
        explorer.click(before.endColumn - 1, 10)
        explorer.click(before.endColumn + 9, 10, .drag)
        explorer.click(before.endColumn + 9, 10, .release)
        #expect(explorer.state.layout.panes[.collection]?.columns == before.columns + 10)
        explorer.click(60, 20, .drag)
        #expect(explorer.state.layout.panes[.collection]?.columns == before.columns + 10)
    }
}
