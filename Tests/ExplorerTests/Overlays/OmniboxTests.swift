import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// `:` and `C-p`: one line in which everything is found.
@Suite struct `The omnibox` {
    private func opened(_ text: String = "", at id: String = "orders/create") -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick(id)
        explorer.press(.palette)
        explorer.type(text)
        _ = explorer.takeEffects()
        return explorer
    }

    private func selected(_ explorer: ExplorerDriver) -> Omnibox.Row? { explorer.omnibox?.selected }

    // MARK: Finding

    @Test func `a request is found by its name, and Enter goes to it`() {
        var explorer = opened("list")
        #expect(selected(explorer) == .target(.request(ShopCollection.reference("orders/list"))))
        explorer.press("Enter")
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/list"))
        #expect(explorer.state.panes.collection.selectedEntry?.reference == ShopCollection.reference("orders/list"))
        #expect(explorer.state.screen.focus == .request)
        #expect(explorer.takeEffects().contains(.countUse("request /shop orders/list")))
    }

    @Test(arguments: ["Enter", "Right", "F5"]) func `what is gone by now is not gone to`(key: String) {
        var explorer = opened("purge")
        let shown = explorer.state.selectedRequest
        var collection = ShopCollection.collection
        collection.nodes.removeLast()
        collection.environments["staging"] = nil
        explorer.send(.collectionLoaded(collection))
        _ = explorer.takeEffects()
        explorer.press(key)
        #expect(explorer.state.selectedRequest == shown)
        #expect(explorer.state.notice?.text == "admin/purge isn't there any more")
        #expect(!explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `an environment that is gone by now isn't chosen`() {
        var explorer = opened("@staging")
        var collection = ShopCollection.collection
        collection.environments["staging"] = nil
        explorer.send(.collectionLoaded(collection))
        explorer.press("Enter")
        #expect(explorer.state.environment == nil)
        #expect(explorer.state.notice?.text == "the environment staging isn't there any more")
    }

    @Test func `F5 sends it at once, and the right arrow shows its row in the tree`() {
        var explorer = opened("list")
        explorer.press("F5")
        let list = ShopCollection.collection.request(RequestID(rawValue: "orders/list"))!
        #expect(explorer.takeEffects().contains(.send(list, in: ShopCollection.path, environment: nil)))

        explorer = opened("purge")
        explorer.press("Right")
        #expect(explorer.state.screen.focus == .collection)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("admin/purge"))
    }

    @Test func `a command is found by its name, by words of its help, and by its key`() {
        for text in ["zoom", "whole screen", "z"] {
            var explorer = opened(text)
            if text == "z" { explorer.press("Tab") }
            #expect(selected(explorer) == .target(.command(.zoom)), "\(text)")
        }
        var explorer = opened("C-r")
        #expect(selected(explorer) == .target(.command(.redo)))
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `environments, themes, tabs, settings and rows are found, too`() {
        var explorer = opened("staging")
        explorer.press("Enter")
        #expect(explorer.state.environment == "staging")

        explorer = opened("~light")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.countUse("theme light"), .setTheme("light")])

        explorer = opened("checks")
        explorer.move(to: .target(.requestTab(.checks)))
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .request && explorer.state.panes.request.tab == .checks)

        explorer = opened("timeouts.idle")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.tab == .settings)
        guard case .field(.policy(let field))? = explorer.state.selectedRequestRow else {
            Issue.record("the row of the setting isn't selected")
            return
        }
        #expect(field.key == "timeouts.idle")

        explorer = opened("idempotency")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.tab == .headers)
        #expect(explorer.state.selectedRequestRow == .named(.headers, 0))
    }

    @Test func `a run is found, and opened`() {
        var explorer = ExplorerDriver.having(.success())
        explorer.press(.palette)
        explorer.type("#create")
        #expect(selected(explorer) == .target(.run(OperationID(rawValue: 1))))
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `no value is shown that is a secret`() {
        let explorer = opened("authorization")
        guard let omnibox = explorer.omnibox else { return }
        let texts = (0..<omnibox.count).compactMap { omnibox.row($0) }.map { explorer.state.text(of: $0) }
        #expect(texts.contains { $0.title == "Authorization" })
        #expect(!"\(texts)".contains("Bearer abc"))
    }

    // MARK: Narrowing

    @Test(arguments: [(">", Omnibox.Kind.command), ("@", .environment), ("~", .theme)])
    func `a sign typed first narrows to one kind`(sign: String, kind: Omnibox.Kind) throws {
        let omnibox = try #require(opened(sign).omnibox)
        #expect(omnibox.narrowed == kind)
        #expect(
            (0..<omnibox.count).allSatisfy { if case .target(let target)? = omnibox.row($0) { target.kind == kind } else { false } }
        )
        #expect(omnibox.count > 0)
    }

    @Test func `Tab narrows to the kind of the row, and Tab or Backspace widens again`() {
        var explorer = opened("ord")
        #expect(explorer.omnibox?.kind == nil)
        explorer.press("Tab")
        #expect(explorer.omnibox?.kind == .request)
        explorer.press("Tab")
        #expect(explorer.omnibox?.kind == nil)
        explorer.press("Tab Backspace Backspace Backspace Backspace")
        #expect(explorer.omnibox?.kind == nil)
    }

    @Test func `a number is a line of the body`() throws {
        var explorer = ExplorerDriver(rows: 24)
        let items = (1...100).map { "{\"n\":\($0)}" }.joined(separator: ",")
        explorer.run(.success(), body: Data("[\(items)]".utf8))
        explorer.press(.palette)
        explorer.type("42")
        #expect(selected(explorer) == .line(42))
        explorer.press("Enter")
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.state.panes.response.body.cursor == 41)
        explorer.press(.palette)
        explorer.type("999")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("this is the last one") == true)
        // Without a body it is a text as any other.
        #expect(opened("42").omnibox?.row(0) != .line(42))
    }

    // MARK: Use

    @Test func `with nothing typed the last nine things used come first`() {
        var explorer = ExplorerDriver()
        var book = RecentUses()
        for number in 0..<5 { book.use("command zoom", at: Double(number)) }
        book.use("request /shop admin/purge", at: 10)
        book.use("request /gone nothing", at: 11)
        explorer.send(.usesCounted(book))
        explorer.press(.palette)
        #expect(explorer.omnibox?.row(0) == .target(.request(ShopCollection.reference("admin/purge"))))
        #expect(explorer.omnibox?.row(1) == .target(.command(.zoom)))
    }

    @Test func `of what is found alike, what was used comes first`() {
        var explorer = ExplorerDriver()
        var book = RecentUses()
        book.use("request /shop orders/one", at: 0)
        explorer.send(.usesCounted(book))
        explorer.press(.palette)
        explorer.type("orders")
        #expect(selected(explorer) == .target(.request(ShopCollection.reference("orders/one"))))
    }

    // MARK: Requests

    private static let curl = "curl 'https://example.com/v1/orders?page=2' -H 'Authorization: Bearer sk_live_123456'"

    @Test(arguments: [
        ("https://example.com/v1", "GET https://example.com/v1"),
        ("DELETE https://example.com/v1/7", "DELETE https://example.com/v1/7"),
        ("localhost:8080/health", "GET http://localhost:8080/health"), ("api.example.com:443", "GET https://api.example.com:443"),
        ("PUT example.com/a", "PUT https://example.com/a"), ("127.0.0.1:9000", "GET http://127.0.0.1:9000"),
    ])
    func `a URL, with a method or without, and host and port are a request`(text: String, request: String) throws {
        let typed = try #require(opened(text).omnibox?.typed, "\(text)")
        #expect("\(typed.definition.method) \(typed.definition.url)" == request)
    }

    @Test(arguments: [
        "orders/create", "12:30", "hello world", "GET", "example.com/a", "localhost:99999", "a:b", "http:", "://", "Send it",
    ])
    func `other words are none`(text: String) {
        #expect(opened(text).omnibox?.typed == nil)
    }

    @Test func `what is pasted is sent by Enter, stands in no file, and its token is for this session`() throws {
        var explorer = opened()
        explorer.paste(Self.curl)
        guard case .send(let typed)? = selected(explorer) else {
            Issue.record("there is no request at the top")
            return
        }
        #expect(
            explorer.state.text(of: .send(typed)).detail
                == "1 secret for this session, 1 parameter, bearer  without 2 headers of Shop")
        explorer.press("Enter")
        let effects = explorer.takeEffects()
        guard case .send(let sent, in: ShopCollection.path, environment: _)? = effects.last else {
            Issue.record("nothing is sent: \(effects)")
            return
        }
        #expect(sent.url == "https://example.com/v1/orders" && sent.id.rawValue == "orders/get-v1-orders")
        #expect(!"\(effects)".contains("sk_live"))
        let given = explorer.state.givenVariables(in: ShopCollection.path)
        #expect(given.texts.values.contains("sk_live_123456") && given.secrets.count == 1)
        // It is in the tree, and unsaved.
        let reference = ShopCollection.reference("orders/get-v1-orders")
        #expect(explorer.state.selectedRequest == reference)
        #expect(explorer.state.drafts.isUnsaved(reference))
        // The collection read again doesn't take it away.
        explorer.send(.collectionLoaded(ShopCollection.collection))
        #expect(explorer.state.tree.index(of: reference) != nil)
        // `w` writes it without asking.
        explorer.press(.save)
        guard case .changeTree(.edit(.add(let added), ShopCollection.path, _))? = explorer.takeEffects().last else {
            Issue.record("it isn't written")
            return
        }
        #expect(added.url == sent.url)
    }

    @Test func `the same URL twice is two requests`() {
        var explorer = opened("https://example.com/v1")
        explorer.press("Enter")
        explorer.press(.palette)
        explorer.type("https://example.com/v1")
        explorer.press("Enter")
        #expect(explorer.state.selectedRequest?.id.rawValue == "orders/get-v1-2")
        #expect(explorer.state.drafts.unsaved.count == 2)
    }

    @Test func `Tab keeps it in the collection and sends nothing`() {
        var explorer = opened()
        explorer.paste(Self.curl)
        explorer.press("Tab")
        let effects = explorer.takeEffects()
        #expect(effects.contains { if case .changeTree(.edit(.add, _, _)) = $0 { true } else { false } })
        #expect(!effects.contains { if case .send = $0 { true } else { false } })
    }

    @Test func `a command that can't be read says why, and Enter does nothing to it`() {
        var explorer = opened()
        explorer.paste("curl --data")
        #expect(explorer.omnibox?.typed == nil)
        #expect(explorer.omnibox?.complaint?.isEmpty == false)
    }

    @Test func `what of a command is left out is told before it is sent`() {
        var explorer = opened()
        explorer.paste("curl --foo example.org https://example.com/")
        #expect(explorer.omnibox?.typed != nil)
        #expect(explorer.omnibox?.complaint?.contains("--foo") == true)
        #expect(explorer.omnibox?.complaint?.contains("only the first of 2 commands") == true)
        #expect(opened("curl").omnibox?.complaint == nil)
    }

    // MARK: Sizes

    @Test func `a long command that is edited is read again by Enter, and not with each key`() {
        var explorer = opened()
        explorer.paste("curl --data '\(String(repeating: "x", count: 10_000))' http://example.org/")
        #expect(explorer.omnibox?.typed != nil)
        explorer.press("b Enter")
        #expect(explorer.takeEffects().isEmpty)
        #expect(explorer.omnibox?.typed?.definition.url == "http://example.org/b")
        explorer.press("c")
        // What was read before isn't shown for what stands there now.
        #expect(explorer.omnibox?.typed == nil && explorer.omnibox?.count == 0)
        #expect(explorer.omnibox?.complaint == "The text is long: Enter reads it again.")
        explorer.press("Backspace Enter Enter")
        #expect(explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `10,000 requests are narrowed down key by key`() {
        var collection = RequestCollection(path: "/large", name: "Large")
        collection.nodes = (0..<10_000).map {
            .request(ShopCollection.request("group-\($0 % 40)/request-\($0)", "GET", "https://example.org/\($0)"))
        }
        var explorer = ExplorerDriver([collection])
        explorer.press(.palette)
        var examined: [Int] = []
        for character in "request-4711" {
            explorer.type(String(character))
            examined.append(explorer.omnibox?.examined ?? .max)
        }
        #expect(
            selected(explorer)
                == .target(.request(RequestReference(collection: "/large", id: RequestID(rawValue: "group-31/request-4711")))))
        // All of them with the first letter, and hardly any with the last: what is left, and the commands, which have keys as well.
        #expect(examined[0] > 300_000)
        #expect(examined[11] < 20_000)
    }
}

extension ExplorerDriver {
    /// Presses the down key until a row is selected.
    mutating func move(to row: Omnibox.Row) {
        for _ in 0..<(omnibox?.count ?? 0) where omnibox?.selected != row { press("Down") }
    }

    var omnibox: Omnibox? { if case .omnibox(let omnibox) = state.overlay { omnibox } else { nil } }
}

/// One line for everything, and letters on everything, as they look at four sizes.
@Suite struct `The omnibox on the screen` {
    static let sizes = [(160, 50), (120, 40), (80, 24), (40, 10)]

    @Test(arguments: sizes)
    func `show what was found, what it is, what became of it, and the key that does the same`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success(), of: "orders/list", body: Data("{\"id\":42}".utf8))
        explorer.press(.focusCollection)
        explorer.press(.palette)
        explorer.type("ord")
        expectScreen(explorer.state, "\(columns)x\(rows)-omnibox")
    }

    @Test(arguments: sizes)
    func `make a pasted command a request at the top, and don't show what is secret in it`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.press(.palette)
        explorer.paste("curl https://api.example.org/orders?page=2 -H 'accept: text/plain'")
        expectScreen(explorer.state, "\(columns)x\(rows)-omnibox-curl")
    }

    @Test func `with nothing typed have what was used last, and then all commands`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        var book = RecentUses()
        book.use("request /shop orders/one", at: 1)
        book.use("environment /shop staging", at: 2)
        explorer.send(.usesCounted(book))
        explorer.press(.palette)
        expectScreen(explorer.state, "80x24-omnibox-recent")
    }
}
