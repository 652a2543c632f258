import Base
import Interchange
import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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
