import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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
