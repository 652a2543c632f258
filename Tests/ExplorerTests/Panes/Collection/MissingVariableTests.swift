import FoundationEssentials
import NetworkLayer
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `A variable without a value` {
    private let reference = ShopCollection.reference("login")

    private func explorer(_ keys: String = "") -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send)
        explorer.send(.sendFailed(reference, message: "the variable `key` has no value", missing: "key"))
        _ = explorer.takeEffects()
        if !keys.isEmpty { explorer.press(keys) }
        return explorer
    }

    private var login: RequestDefinition { ShopCollection.collection.request(reference.id)! }

    @Test func `is offered to be set, with where`() {
        #expect(explorer().card?.remedies.map(\.key) == ["n", "p", "f", "s"])
        #expect(explorer().card?.remedies[2].title == "set key in the file")
        var local = ExplorerDriver()
        local.pick("login")
        local.press(.chooseEnvironment)
        local.press("Home Enter")
        local.press(.send)
        local.send(.sendFailed(reference, message: "no", missing: "key"))
        #expect(local.card?.remedies[2].title == "set key in the environment local")
    }

    @Test func `that is a secret is offered as one, and gets into no file`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.chooseEnvironment)
        explorer.press("Home Down Enter")
        explorer.press(.send)
        #expect(explorer.state.environment == "staging")
        explorer.send(
            .sendFailed(
                reference, message: "the environment variable `STAGING_TOKEN` isn't set; set it, and start again", missing: "token")
        )
        #expect(explorer.card?.remedies.map(\.key) == ["p", "s"])
        _ = explorer.takeEffects()
        explorer.press("Enter")
        explorer.type("hunter2")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.send(login, in: ShopCollection.path, environment: "staging")])
        let origin = try #require(URL(string: "https://staging.example.com").flatMap { Origin($0) })
        #expect(explorer.state.givenVariables(in: ShopCollection.path).secrets["token"] == [OriginPattern(origin)])
    }

    @Test func `is set for this session, and the request is sent`() {
        var explorer = explorer("n")
        explorer.type("42")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.send(login, in: ShopCollection.path, environment: nil)])
        #expect(explorer.state.givenVariables(in: ShopCollection.path).texts["key"] == "42")
        #expect(explorer.state.givenVariables(in: ShopCollection.path).secrets["key"] == nil)
        #expect(explorer.state.overlay == nil)
    }

    @Test func `is a secret that goes only where the request goes, and never to the clipboard`() throws {
        var explorer = explorer("p")
        explorer.type("hunter2")
        guard case .entry(let form) = explorer.state.overlay else {
            Issue.record("no form")
            return
        }
        #expect(form.fields[0].shownLine.text == "•••••••")
        // The cursor is where the next character goes.
        explorer.press("Left Left")
        guard case .entry(let moved) = explorer.state.overlay else { return }
        #expect(moved.fields[0].shownLine.cursor == "•••••".utf8.count)
        explorer.press("End")
        explorer.press("C-u")
        explorer.press("C-y")
        explorer.type("hunter3")
        explorer.press("Enter")
        let effects = explorer.takeEffects()
        #expect(effects == [.send(login, in: ShopCollection.path, environment: nil)])
        #expect(explorer.state.givenVariables(in: ShopCollection.path).texts["key"] == "hunter3")
        #expect(explorer.state.givenVariables(in: ShopCollection.path).secrets["key"]?.count == 1)
        #expect(!"\(explorer.state.workspace.sessionVariables)".contains("hunter"))
    }

    @Test func `is written to the file, and then the request is sent`() {
        var explorer = explorer("f")
        explorer.type("42")
        explorer.press("Enter")
        let edit = TreeEdit.setVariable("key", to: "42", in: nil, of: ShopCollection.path)
        #expect(explorer.takeEffects() == [.changeTree(edit)])
        explorer.send(.treeChanged(TreeChange(edit, undoing: []), [ShopCollection.collection], remarks: []))
        #expect(explorer.takeEffects() == [.send(login, in: ShopCollection.path, environment: nil)])
    }

    @Test func `of which the file can't be written sends nothing`() {
        var explorer = explorer("f")
        explorer.type("42")
        explorer.press("Enter")
        _ = explorer.takeEffects()
        let edit = TreeEdit.setVariable("key", to: "42", in: nil, of: ShopCollection.path)
        explorer.send(.treeChangeFailed(edit, message: "no"))
        explorer.send(.treeChanged(TreeChange(edit, undoing: []), [ShopCollection.collection], remarks: []))
        #expect(explorer.takeEffects() == [])
    }

    @Test func `closed, nothing is sent`() {
        var explorer = explorer("Esc")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.overlay == nil)
    }
}

@Suite struct EntryFormViewTests {
    private func driver(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        return explorer
    }

    @Test(arguments: [(80, 24), (40, 10)]) func `a new request has a name and a URL`(columns: Int, rows: Int) {
        var explorer = driver(columns, rows)
        explorer.press(.newRequest)
        explorer.type("cancel")
        expectScreen(explorer.state, "\(columns)x\(rows)-new-request")
    }

    @Test func `a name that can't be is said where it is typed`() {
        var explorer = driver(80, 24)
        explorer.press(.renameEntry)
        explorer.press("C-u")
        explorer.type("list")
        explorer.press("Enter")
        expectScreen(explorer.state, "80x24-rename-taken")
    }

    @Test func `deleting asks first`() {
        var explorer = driver(80, 24)
        explorer.press(.deleteEntry)
        expectScreen(explorer.state, "80x24-delete")
    }

    @Test func `folders to move to are a list`() {
        var explorer = driver(80, 24)
        explorer.press(.moveEntry)
        expectScreen(explorer.state, "80x24-move")
    }
}
