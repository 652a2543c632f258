import NetworkLayer
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct TrustScreenTests {
    @Test func `what isn't allowed is marked in the tree, named below the URL and counted in the last line`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        let want = NotedWant(.run(CommandWant(["pass", "show", "\u{1B}[2J"])), for: "token", at: nil)
        let wants = Dictionary(uniqueKeysWithValues: ["login", "orders/list"].map { (RequestID(rawValue: $0), [want]) })
        explorer.send(.trustFound(TrustFinding(ShopCollection.path, TrustStanding(.nothing), .collection(wants))))
        let lines = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text.split(separator: "\n")
        let marked = lines.filter { $0.contains("!") }.map { $0.prefix(24) }
        #expect(marked.contains { $0.contains("POST !") && $0.contains("login") }, "\(lines.joined(separator: "\n"))")
        #expect(lines.contains { $0.contains("GET  !list") || $0.contains("GET !list") })
        #expect(!lines.contains { $0.contains("!create") || $0.contains("!one") })
        let row = try #require(lines.first { $0.contains("needs: run pass show ") })
        #expect(!row.contains("\u{1B}"))
        #expect(lines.last?.contains("1 thing not allowed: T") == true)
        explorer.send(.trustFound(TrustFinding(ShopCollection.path, TrustStanding(.everything))))
        let allowed = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(!allowed.contains("needs:") && !allowed.contains("not allowed") && !allowed.contains("!"))
    }
}
