import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Environments and variables` {
    private func explorer(_ keys: String = "") -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.editVariables)
        _ = explorer.takeEffects()
        if !keys.isEmpty { explorer.press(keys) }
        return explorer
    }

    private func board(_ explorer: ExplorerDriver) throws -> VariableBoard {
        guard case .variables(let board) = explorer.state.overlay else { throw CancellationError() }
        return board
    }

    private func form(_ explorer: ExplorerDriver) throws -> EntryForm {
        guard case .entry(let form) = explorer.state.overlay else { throw CancellationError() }
        return form
    }

    private var shop: RequestCollection { ShopCollection.collection }

    private func edit(_ explorer: inout ExplorerDriver) throws -> VariableEdit {
        guard case .changeTree(.vary(let edit, ShopCollection.path))? = explorer.takeEffects().last else {
            throw CancellationError()
        }
        return edit
    }

    private func reverts(_ explorer: inout ExplorerDriver) -> Bool {
        explorer.takeEffects().contains { if case .revertTree = $0 { true } else { false } }
    }

    @Test func `undo takes back a change of them, and nothing that isn't seen`() throws {
        let new = VariableDefinition(name: "n", value: .text("1"), location: ShopCollection.place(1))
        let variable = TreeEdit.vary(.variable(base: nil, edited: new, in: nil), of: shop.path)
        let removed = TreeEdit.edit(.remove("orders/list"), in: shop.path)
        let other = TreeEdit.setVariable("n", to: "1", in: nil, of: "/other")
        let undoing = [CollectionChange.Step.removeDirectory("a")]
        for (edit, isOwn) in [(variable, true), (removed, false), (other, false)] {
            var explorer = explorer()
            explorer.send(.treeChanged(TreeChange(edit, undoing: undoing), [], remarks: []))
            explorer.press("u")
            #expect(reverts(&explorer) == isOwn, "\(edit.sentence)")
            #expect(isOwn || explorer.state.notice?.text.contains(edit.sentence) == true)
            if !isOwn {
                explorer.press("Esc")
                explorer.focus(.collection)
                explorer.press(.undo)
                #expect(reverts(&explorer), "\(edit.sentence)")
            }
        }
    }

    @Test func `are all there, environment by environment`() throws {
        let explorer = explorer()
        let rows = explorer.state.rows(of: try board(explorer))
        #expect(rows.count == 7)
        #expect(rows[0] == .scope(nil))
        #expect(rows[1] == .variable(shop.variables[0], in: nil))
        #expect(rows[4] == .scope(shop.environments["staging"]))
        #expect(rows[6] == .variable(shop.environments["staging"]!.variables[1], in: "staging"))
    }

    @Test func `the cursor stays on its variable when the file gets another one before it`() throws {
        var explorer = explorer("Down Down")
        var collection = shop
        collection.variables.insert(VariableDefinition(name: "a", value: .text("1"), location: ShopCollection.place(3)), at: 0)
        explorer.send(.collectionLoaded(collection))
        explorer.press("d")
        guard case .variable(let base, nil, nil) = try edit(&explorer) else { throw CancellationError() }
        #expect(base?.name == "user")
    }

    @Test func `a variable is changed, and what was shown of it goes along`() throws {
        var explorer = explorer("Down Enter")
        #expect(try form(explorer).fields.map(\.text) == ["host", "http://127.0.0.1:8080", ""])
        explorer.press("C-u")
        explorer.type("http://other")
        explorer.press("Enter")
        guard case .variable(let base, let edited, nil) = try edit(&explorer) else { throw CancellationError() }
        #expect(base == shop.variables[0])
        #expect(edited?.value == .text("http://other"))
        // Back where it came from, with the cursor on it.
        #expect(try board(explorer).list.selected == 1)
    }

    @Test(arguments: [
        ("8", VariableDefinition.Value.json("8")), ("\"8\"", .text("8")), ("true", .json("true")), ("[1]", .json("[1]")),
        ("a b", .text("a b")),
    ])
    func `what is typed says what kind it is`(text: String, value: VariableDefinition.Value) throws {
        var explorer = explorer("a")
        explorer.type("limit")
        explorer.press("Tab")
        explorer.type(text)
        explorer.press("Enter")
        guard case .variable(nil, let edited, nil) = try edit(&explorer) else { throw CancellationError() }
        #expect(edited?.name == "limit" && edited?.value == value)
        #expect(VariableDefinition.Value(typed: value.typed ?? "") == value)
    }

    @Test func `a secret says where it is, and has no value`() throws {
        var explorer = explorer("End Enter")
        #expect(try form(explorer).fields.map(\.text) == ["token", "", "env STAGING_TOKEN"])
        explorer.press("C-u")
        explorer.type("file token.txt")
        explorer.press("Enter")
        guard case .variable(_, let edited, "staging") = try edit(&explorer) else { throw CancellationError() }
        #expect(edited?.value == .secret(.file("token.txt")))

        var wrong = self.explorer("End Enter")
        wrong.press("C-u")
        wrong.type("somewhere")
        wrong.press("Enter")
        #expect(try form(wrong).complaint?.contains("env NAME") == true)
        #expect(wrong.takeEffects() == [])
    }

    @Test func `what can't be is said in the form, and nothing is written`() throws {
        var explorer = explorer("a")
        explorer.type("user")
        explorer.press("Enter")
        #expect(try form(explorer).complaint?.contains("user") == true)
        #expect(explorer.takeEffects() == [])
        explorer.press("Esc")
        _ = try board(explorer)
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `environments are added, renamed, used and deleted`() throws {
        var explorer = explorer("A")
        explorer.type("prod")
        explorer.press("Tab")
        explorer.type("staging")
        explorer.press("Enter")
        guard case .environment(nil, let added) = try edit(&explorer) else { throw CancellationError() }
        #expect(added?.name == "prod" && added?.extends == "staging")

        var other = self.explorer("Down Down Down Down Space")
        #expect(other.state.workspace.environments[ShopCollection.path] == "staging")
        other.press("d")
        #expect(try edit(&other) == .environment(base: shop.environments["staging"], edited: nil))
        #expect(other.state.workspace.environments[ShopCollection.path] == nil)
    }

    @Test func `a change that can't be written says why where one is`() throws {
        var explorer = explorer("Down d")
        let edit = try edit(&explorer)
        explorer.send(.treeChangeFailed(.vary(edit, of: ShopCollection.path), message: "it was changed in the file meanwhile"))
        _ = try board(explorer)
        #expect(explorer.state.notice == Notice(.error, "it was changed in the file meanwhile"))
    }
}

@Suite struct `The rows of a mock` {
    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .previousTab, .previousTab, .top)
        return explorer
    }

    private func select(_ key: String, _ explorer: inout ExplorerDriver) {
        let field = MockDefinition.fields.first { $0.key == key }!
        explorer.press(.top)
        for _ in 0..<40 where explorer.state.selectedRequestRow != .field(.mock(field)) { explorer.press(.down) }
    }

    @Test func `make it, change it, and take it away`() {
        var explorer = explorer()
        select("status", &explorer)
        explorer.press(.activate)
        explorer.type("503")
        explorer.press("Enter")
        #expect(explorer.request?.mock?.status == 503)
        select("delay", &explorer)
        explorer.press(.activate)
        explorer.type("1s..2s")
        explorer.press("Enter")
        #expect(explorer.request?.mock?.delay == .seconds(1) ... .seconds(2))
        select("body", &explorer)
        explorer.press(.activate)
        explorer.type("{}")
        explorer.press("Enter")
        #expect(explorer.request?.mock?.body == .json("{}"))
        for field in ["status", "delay", "body"] {
            select(field, &explorer)
            explorer.press(.deleteRow)
        }
        #expect(explorer.request?.mock == nil)
        #expect(!explorer.state.drafts.isUnsaved(ShopCollection.reference("login")))
    }

    @Test func `keep a wrong text open, and say what is wrong`() {
        var explorer = explorer()
        select("status", &explorer)
        explorer.press(.activate)
        explorer.type("busy")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.editing != nil)
        #expect(explorer.state.notice?.level == .error)
        #expect(explorer.request?.mock == nil)
    }
}
