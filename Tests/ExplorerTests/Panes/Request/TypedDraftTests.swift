import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import Explorer

/// What is being typed, and not yet taken over, when the machine stops.
@Suite struct `What is being typed` {
    private let create = ShopCollection.reference("orders/create")

    private func explorer(_ commands: Command.ID...) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.tick(0)
        explorer.pick("orders/create")
        explorer.press(commands)
        _ = explorer.takeEffects()
        return explorer
    }

    private func draft(_ change: (inout RequestDefinition) -> Void) -> ExplorerEffect {
        var edited = ShopCollection.collection.request(create.id)!
        change(&edited)
        return .writeDraft(create, ShopCollection.edit(edited))
    }

    @Test func `into a field is kept within a second`() {
        var explorer = explorer(.focusRequest, .edit)
        #expect(explorer.state.nextTick == nil)
        explorer.type("/x")
        #expect(explorer.state.nextTick == EventScript.time(1_000))
        explorer.tick(999)
        #expect(explorer.takeEffects() == [])
        explorer.tick(1_000)
        #expect(explorer.takeEffects() == [draft { $0.url += "/x" }])
        #expect(explorer.state.nextTick == nil)
        explorer.type("y")
        explorer.tick(2_000)
        #expect(explorer.takeEffects() == [draft { $0.url += "/xy" }])
    }

    @Test func `into the body is kept as well, and ends as its edit`() {
        var explorer = explorer(.focusRequest, .nextTab, .nextTab, .edit)
        explorer.paste("Q")
        explorer.tick(1_000)
        let kept = explorer.takeEffects()
        #expect(kept == [draft { $0.body = .json("Q" + ($0.body?.text ?? "")) }])
        explorer.press("Esc")
        #expect(explorer.takeEffects() == kept)
    }

    @Test func `and left as it was leaves nothing`() {
        var explorer = explorer(.focusRequest, .edit)
        explorer.type("/x")
        explorer.tick(1_000)
        _ = explorer.takeEffects()
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [.writeDraft(create, nil)])
        #expect(explorer.request?.url == "{{host}}/orders")
    }

    @Test func `and never changed writes nothing`() {
        var explorer = explorer(.focusRequest, .edit)
        explorer.press("Left")
        explorer.tick(5_000)
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [])
    }
}
