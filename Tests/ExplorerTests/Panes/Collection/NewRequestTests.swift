import Base
import Interchange
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

/// A request that was typed or pasted takes the collection's credentials along only to where the collection's own requests go.
@Suite struct `A typed request and the collection's credentials` {
    private static let shop: RequestCollection = {
        var shop = ShopCollection.collection
        shop.defaults.headers.append(.init(name: "x-api-key", value: "k-17", location: ShopCollection.place(13)))
        shop.defaults.auth = .bearer("{{token}}")
        return shop
    }()

    private func typed(_ text: String, keys: String = "") -> ExplorerDriver {
        var explorer = ExplorerDriver([Self.shop])
        explorer.pick("login")
        explorer.press(.palette)
        explorer.type(text)
        explorer.press(keys)
        return explorer
    }

    private func row(_ explorer: ExplorerDriver) -> String? {
        explorer.omnibox?.row(0).map { explorer.state.text(of: $0).detail }
    }

    private func sent(_ explorer: ExplorerDriver) -> RequestDefinition? {
        var explorer = explorer
        explorer.press("Enter")
        for case .send(let definition, _, _) in explorer.takeEffects() { return definition }
        return nil
    }

    private func isBare(_ request: RequestDefinition?) -> Bool {
        guard let request else { return false }
        let off = request.headers.filter { !$0.isEnabled }.map(\.name)
        return request.auth == AuthDefinition.none && Set(off).isSuperset(of: ["x-api-key", "accept"])
    }

    @Test func `another host gets none of them, and the row says so`() {
        let explorer = typed("http://another.host/")
        #expect(row(explorer) == "without bearer, 2 headers of Shop")
        #expect(isBare(sent(explorer)))
    }

    @Test func `the collection's own host gets them, the row says which, and S-Tab leaves them off`() {
        for url in ["http://127.0.0.1:8080/cart", "GET http://127.0.0.1:8080"] {
            let explorer = typed(url)
            #expect(row(explorer) == "+ bearer, 2 headers of Shop")
            let request = sent(explorer)
            #expect(request?.auth == nil && request?.headers == [])
        }
        let bare = typed("http://127.0.0.1:8080/cart", keys: "S-Tab")
        #expect(row(bare) == "without bearer, 2 headers of Shop")
        #expect(isBare(sent(bare)))
        #expect(row(typed("http://127.0.0.1:8080/cart", keys: "S-Tab S-Tab")) == "+ bearer, 2 headers of Shop")
    }

    @Test func `its row in the tree has its method once and its path, and the sign of what isn't saved`() {
        var explorer = typed("GET localhost:1/slow/8")
        explorer.press("Enter")
        let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(screen.contains("GET  /slow/8 "))
        let row = screen.split(separator: "\n").first { $0.contains("GET  /slow/8 ") }
        #expect(row?.contains("●") == true)
    }

    @Test func `another port, and the host of another environment, are other places`() {
        #expect(row(typed("http://127.0.0.1:8081/")) == "without bearer, 2 headers of Shop")
        #expect(row(typed("https://staging.example.com/orders")) == "without bearer, 2 headers of Shop")
    }

    @Test func `a command that is pasted into the panes, a form or a request's URL brings none along elsewhere`() throws {
        var explorer = ExplorerDriver([Self.shop])
        explorer.pick("login")
        explorer.paste("curl -H 'accept: text/html' http://another.host/a")
        let added = explorer.takeEffects().compactMap { effect -> RequestDefinition? in
            guard case .changeTree(.edit(.add(let definition), _, _)) = effect else { return nil }
            return definition
        }
        #expect(added.first?.auth == AuthDefinition.none)
        #expect(added.first?.headers.filter(\.isEnabled).map(\.name) == ["accept"])
        #expect(added.first?.headers.filter { !$0.isEnabled }.map(\.name) == ["x-api-key"])

        explorer = ExplorerDriver([Self.shop])
        explorer.pick("login")
        explorer.press(.focusRequest, .edit)
        explorer.paste("curl http://another.host/b")
        #expect(isBare(explorer.request))
    }
}

/// The demo's files are a copy that is thrown away: what is new gets a collection in the directory where the program was started.
@Suite struct `The demo` {
    private func demo() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.state.workspace.demo = ShopCollection.path
        explorer.pick("login")
        _ = explorer.takeEffects()
        return explorer
    }

    private func form(_ explorer: ExplorerDriver) -> EntryForm? {
        if case .entry(let form) = explorer.state.overlay { form } else { nil }
    }

    @Test func `asks for a collection for a new request, beside where one is`() {
        var explorer = demo()
        explorer.press(.newRequest)
        #expect(form(explorer)?.fields.map(\.text) == ["Collections/"])
    }

    @Test(arguments: ["typed", "kept", "pasted"]) func `what is typed or pasted begins a collection of its own`(how: String) throws
    {
        var explorer = demo()
        switch how {
        case "typed":
            explorer.press(.palette)
            explorer.type("http://another.host/a")
            explorer.press("Enter")
            explorer.press(.save)
        case "kept":
            explorer.press(.palette)
            explorer.type("http://another.host/a")
            explorer.press("Tab")
        default: explorer.paste("curl http://another.host/a")
        }
        #expect(form(explorer)?.fields.map(\.text) == ["Collections/requests.yaml"])
        _ = explorer.takeEffects()
        explorer.press("Enter")
        let create = TreeEdit.create(.file, at: "Collections/requests.yaml", name: "requests")
        #expect(explorer.takeEffects() == [.changeTree(create)])
        let new = RequestCollection(path: "Collections/requests.yaml", name: "requests")
        explorer.send(.treeChanged(TreeChange(create, undoing: []), [new], remarks: []))
        let added = explorer.takeEffects().compactMap { effect -> (RequestDefinition, String)? in
            if case .changeTree(.edit(.add(let request), let path, _)) = effect { (request, path) } else { nil }
        }
        let (request, path) = try #require(added.first)
        #expect(path == new.path && request.url == "http://another.host/a" && request.id.parent == nil)

        var whole = new
        whole.nodes = [.request(request)]
        explorer.send(.treeChanged(TreeChange(.edit(.add(request), in: path), undoing: []), [whole], remarks: []))
        #expect(explorer.state.selectedRequest == RequestReference(collection: path, id: request.id))
        #expect(explorer.state.drafts.unsaved == [])
    }

    @Test func `what is saved in it says that it won't stay`() {
        var explorer = demo()
        explorer.press(.method)
        explorer.press("Down Enter")
        explorer.press(.save)
        for case .save(let edits, _) in explorer.takeEffects() {
            explorer.send(.saved(edits, ShopCollection.collection))
        }
        #expect(explorer.state.notice?.text == "saved login in the demo, which is gone when you leave")
    }
}
