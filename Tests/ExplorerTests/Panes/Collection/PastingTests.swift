import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// Commands for curl and URLs that are pasted are requests; their secrets get into no file.
@Suite struct PastingTests {
    private let path = ShopCollection.path
    private let command = """
        curl 'https://example.com/v1/orders' \\
          -H 'Authorization: Bearer sk_live_123456' \\
          -d 'qty=2'
        """

    private func on(_ id: String) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick(id)
        _ = explorer.takeEffects()
        return explorer
    }

    private func form(_ explorer: ExplorerDriver) -> EntryForm? {
        if case .entry(let form) = explorer.state.overlay { form } else { nil }
    }

    /// The request that the effects add to the tree.
    private func added(_ effects: [ExplorerEffect]) -> RequestDefinition? {
        for case .changeTree(.edit(.add(let request), path, _)) in effects { return request }
        return nil
    }

    private func expectOrders(_ request: RequestDefinition?) {
        #expect(request?.method == "POST")
        #expect(request?.url == "https://example.com/v1/orders")
        #expect(
            request?.auth == .bearer("{{bearer}}") || request?.auth == .bearer("{{token}}")
                || request?.auth == .bearer("{{token_2}}"))
        #expect(request?.body == .form([RequestDefinition.Row(name: "qty", value: "2")]))
    }

    @Test func `a command becomes a request beside the cursor, and its token is for this session`() throws {
        var explorer = on("orders/create")
        explorer.paste(command)
        let effects = explorer.takeEffects()
        let request = try #require(added(effects))
        #expect(request.id.rawValue == "orders/post-v1-orders")
        expectOrders(request)
        #expect(!"\(effects)".contains("sk_live"))
        guard case .bearer(let token) = request.auth else { return }
        let name = String(token.dropFirst(2).dropLast(2))
        let given = explorer.state.givenVariables(in: path)
        #expect(given.texts[name] == "sk_live_123456")
        #expect(given.secrets == [name: [try #require(OriginPattern("https://example.com"))]])
        #expect(explorer.state.givenVariables(in: "/another").texts.isEmpty)

        var collection = ShopCollection.collection
        collection.nodes.append(.request(request))
        explorer.send(
            .treeChanged(
                TreeChange(.edit(.add(request), in: path), undoing: [.create("/shop/x", [])]), [collection], remarks: []))
        #expect(explorer.state.notice?.text.contains("added orders/post-v1-orders") == true)
        #expect(explorer.state.notice?.text.hasSuffix("; {{\(name)}} until you quit, in no file") == true)

        // The file alone couldn't be sent: it isn't left like that without a word.
        explorer.press(.quit)
        #expect(!explorer.takeEffects().contains(.quit))
        guard case .dialog(let dialog)? = explorer.state.overlay else {
            Issue.record("quitting doesn't ask")
            return
        }
        #expect(dialog.lines.joined().contains("{{\(name)}}"))
        explorer.press("q")
        #expect(explorer.takeEffects().contains(.quit))
    }

    @Test func `a URL becomes a request, and a name that is taken gets a number`() throws {
        var explorer = on("login")
        explorer.paste("https://example.com/login?page=2")
        let request = try #require(added(explorer.takeEffects()))
        #expect(request.method == "GET" && request.url == "https://example.com/login")
        #expect(request.query.map(\.value) == ["2"])
        #expect(request.id.rawValue == "get-login")
    }

    @Test func `into the omnibox, both become requests`() {
        var explorer = on("login")
        explorer.press("C-p")
        explorer.paste(command)
        explorer.press("Tab")
        #expect(explorer.state.overlay == nil)
        expectOrders(added(explorer.takeEffects()))
    }

    @Test(arguments: [true, false])
    func `in the form for a new request, a command gives the URL, and Enter all of it`(isPasted: Bool) throws {
        var explorer = on("login")
        explorer.press(.newRequest)
        explorer.press("Tab C-u")
        if isPasted {
            explorer.paste(command)
        } else {
            // A terminal without bracketed paste types it.
            explorer.type(command.replacing("\\\n", with: ""))
            explorer.press("Enter")
        }
        #expect(form(explorer)?.fields.map(\.text) == ["post-v1-orders", "POST https://example.com/v1/orders"])
        #expect(explorer.takeEffects() == [])
        explorer.press("Enter")
        let request = try #require(added(explorer.takeEffects()))
        #expect(request.id.rawValue == "post-v1-orders")
        expectOrders(request)
    }

    @Test func `under a name that was typed before, it is shown by that name`() throws {
        var explorer = on("login")
        explorer.press(.newRequest)
        explorer.type("mine")
        explorer.press("Tab C-u")
        explorer.paste(command)
        explorer.press("Enter")
        let request = try #require(added(explorer.takeEffects()))
        #expect(request.id.rawValue == "mine" && request.name == nil)
        expectOrders(request)
    }

    @Test(arguments: [true, false])
    func `in the URL of a request, a command takes its place, and undo brings it back`(isPasted: Bool) throws {
        var explorer = on("login")
        let before = try #require(explorer.state.shownDefinition)
        explorer.press(.nextPane, .edit)
        explorer.press("C-u")
        try #require(explorer.state.panes.request.editing != nil)
        if isPasted {
            explorer.paste(command)
        } else {
            explorer.type(command.replacing("\\\n", with: ""))
            explorer.press("Enter")
        }
        let after = try #require(explorer.state.shownDefinition)
        #expect(explorer.state.panes.request.editing == nil)
        expectOrders(after)
        #expect(after.id == before.id && after.name == before.name && after.expectations == before.expectations)
        #expect(!"\(explorer.takeEffects())".contains("sk_live"))
        explorer.press(.undo)
        #expect(explorer.state.shownDefinition == before)
    }

    @Test func `what can't be read keeps what was typed, and says why`() {
        var explorer = on("login")
        explorer.paste("curl -v")
        #expect(explorer.state.notice?.level == .error)
        #expect(explorer.state.notice?.text.hasPrefix("the command for curl can't be read: ") == true)
        explorer.paste("hello")
        #expect(explorer.state.notice?.text == "what was pasted is neither a URL nor a command for curl")
        #expect(explorer.takeEffects() == [])
    }

    @Test func `taken back, the cursor is where it was, unless somebody has moved it since`() {
        for (commands, expected) in [([], "orders/list"), ([Command.ID.top], "login")] {
            var explorer = on("orders/list")
            explorer.paste("https://example.com/v1/birds")
            guard
                case .changeTree(let edit) = explorer.takeEffects().first(where: {
                    if case .changeTree = $0 { true } else { false }
                }),
                case .edit(.add(let request), _, _) = edit
            else {
                Issue.record("nothing was added")
                return
            }
            var collection = ShopCollection.collection
            collection.nodes.append(.request(request))
            explorer.send(.treeChanged(TreeChange(edit, undoing: []), [collection], remarks: []))
            #expect(explorer.state.selectedRequest?.id == request.id)
            explorer.press([.focusCollection] + commands)
            explorer.send(.treeChanged(TreeChange(edit, .undone, undoing: []), [ShopCollection.collection], remarks: []))
            #expect(explorer.state.selectedRequest?.id.rawValue == expected)
            #expect(explorer.state.panes.collection.selectedEntry?.reference.id.rawValue == expected)
        }
    }
}
