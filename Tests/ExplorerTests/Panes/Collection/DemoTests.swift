import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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

    @Test func `a file that isn't there yet is offered to be made`() {
        var state = ExplorerState(size: Size(columns: 100, rows: 30))
        state.offerCollection(at: "new.yaml")
        let effects = state.handle(.terminal(.key(KeyPress(.enter))))
        #expect(effects == [.changeTree(.create(.file, at: "new.yaml", name: "new"))])
    }
}
