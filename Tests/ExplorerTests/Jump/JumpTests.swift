import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

/// `'` puts letters on everything that can be gone to.
@Suite struct `Jump labels` {
    private func jump(_ explorer: ExplorerDriver) -> Jump? {
        if case .jump(let jump) = explorer.state.overlay { jump } else { nil }
    }

    private func label(_ place: Jump.Place, _ explorer: ExplorerDriver) throws -> String {
        try #require(jump(explorer)?.targets.first { $0.place == place }?.label, "\(place)")
    }

    @Test func `the first places have one letter of the home row, and no label begins another`() {
        #expect(JumpLabels.labels(3) == ["a", "s", "d"])
        for count in [0, 1, 26, 27, 60, 300, 676, 2_000] {
            let labels = JumpLabels.labels(count)
            #expect(labels.count == min(count, 676))
            #expect(Set(labels).count == labels.count)
            #expect(labels.allSatisfy { (1...2).contains($0.count) })
            let singles = Set(labels.filter { $0.count == 1 })
            #expect(labels.allSatisfy { $0.count == 1 || !singles.contains(String($0.prefix(1))) })
        }
    }

    @Test func `typing a row's letters goes to it`() throws {
        var explorer = ExplorerDriver()
        explorer.press(.jump)
        let letter = try label(.entry(ShopCollection.reference("orders/list")), explorer)
        #expect(letter.count == 1)
        explorer.type(letter)
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/list"))
    }

    @Test func `panes, tabs, rows of the request and lines of the body have letters`() throws {
        var explorer = ExplorerDriver()
        explorer.run(.success(), of: "orders/list", body: Data("{\"a\":1,\"b\":[1,2]}".utf8))
        let id = OperationID(rawValue: 1)
        explorer.press(.focusResponse)
        explorer.press(.jump)
        explorer.type(try label(.bodyLine(id, 2), explorer))
        #expect(explorer.state.panes.response.body.cursor == 2)

        explorer.press(.jump)
        explorer.type(try label(.responseTab(.timing), explorer))
        #expect(explorer.state.panes.response.tab == .timing)

        explorer.press(.jump)
        explorer.type(try label(.pane(.operation), explorer))
        #expect(explorer.state.screen.focus == .operation)

        explorer.press(.jump)
        explorer.type(try label(.attempt(id, 0), explorer))
        #expect(explorer.state.screen.focus == .operation)

        explorer.pick("orders/create")
        explorer.press(.focusRequest)
        explorer.press(.jump)
        explorer.type(try label(.requestRow(.named(.query, 1)), explorer))
        #expect(explorer.state.selectedRequestRow == .named(.query, 1))
    }

    @Test func `of two letters, the first leaves those that begin with it`() throws {
        var explorer = ExplorerDriver(columns: 160, rows: 50)
        let body = "[" + (0..<60).map(String.init).joined(separator: ",") + "]"
        explorer.run(.success(), of: "orders/list", body: Data(body.utf8))
        explorer.press(.jump)
        let target = try #require(jump(explorer)?.targets.last { $0.label.count == 2 })
        explorer.type(String(target.label.prefix(1)))
        #expect(jump(explorer)?.open.allSatisfy { $0.rest.count == 1 } == true)
        explorer.type(String(target.label.suffix(1)))
        #expect(explorer.state.overlay == nil)
    }

    @Test(arguments: ["Esc", "C-c", "Enter", "9"])
    func `any other key ends it, and does nothing else`(key: String) {
        var explorer = ExplorerDriver()
        let before = explorer.state.selectedRequest
        explorer.press(.jump)
        explorer.press(key)
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.selectedRequest == before)
        #expect(explorer.takeEffects() == [])
    }

    @Test func `letters go along with rows that move, and end where the screen has no room`() throws {
        var explorer = ExplorerDriver()
        explorer.press(.jump)
        let before = try #require(jump(explorer))
        explorer.send(.terminal(.resize(Size(columns: 80, rows: 24))))
        let after = try #require(jump(explorer))
        for target in after.targets {
            #expect(before.targets.contains { $0.place == target.place && $0.label == target.label })
            #expect(target.point.column < 80 && target.point.row < 24)
        }
        explorer.send(.terminal(.resize(Size(columns: 10, rows: 3))))
        #expect(explorer.state.overlay == nil)
    }

    @Test func `the letters are those of the keymap`() throws {
        var state = ExplorerState(size: Size(columns: 80, rows: 24), keymap: Keymap(jumpLetters: Array("qwertzui")))
        _ = state.handle(.collectionLoaded(ShopCollection.collection))
        _ = state.handle(.terminal(.key(.character("'"))))
        guard case .jump(let jump) = state.overlay else {
            Issue.record("no labels")
            return
        }
        #expect(Set(jump.targets.map(\.label).joined()).isSubset(of: Set("qwertzui")))
    }

    @Test func `anywhere, at any size, is harmless`() {
        for (columns, rows) in [(200, 60), (120, 40), (80, 24), (40, 10), (24, 6), (5, 2), (0, 0)] {
            for pane in Pane.allCases {
                var explorer = ExplorerDriver(columns: columns, rows: rows)
                explorer.run(.success(), of: "orders/list", body: Data("{}".utf8))
                explorer.focus(pane)
                explorer.press(.jump)
                for target in jump(explorer)?.targets ?? [] {
                    var there = explorer
                    there.type(target.label)
                    #expect(there.state.overlay == nil, "\(target.place)")
                }
            }
        }
    }
}
