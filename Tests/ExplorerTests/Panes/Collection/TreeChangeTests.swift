import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// Requests and folders that come, go and move: keys in, what is asked of the disk out, and what its answer does.
@Suite struct TreeChangeTests {
    private let path = ShopCollection.path

    private func on(_ id: String) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick(id)
        _ = explorer.takeEffects()
        return explorer
    }

    private func form(_ explorer: ExplorerDriver) -> EntryForm? {
        if case .entry(let form) = explorer.state.overlay { form } else { nil }
    }

    /// The shop after a change, as the disk would answer.
    private func shop(_ change: (inout [RequestCollection.Node]) -> Void) -> RequestCollection {
        var collection = ShopCollection.collection
        change(&collection.nodes)
        return collection
    }

    private func edit(_ edit: CollectionEdit, name: String? = nil) -> TreeEdit { .edit(edit, in: path, name: name) }

    private func done(_ edit: TreeEdit, _ kind: TreeChange.Kind = .made) -> TreeChange {
        TreeChange(edit, kind, undoing: [.create("/shop/x", [])])
    }

    // MARK: Asking

    @Test func `a new request goes beside the one under the cursor, with the beginning of its URL`() {
        var explorer = on("orders/create")
        explorer.press(.newRequest)
        #expect(form(explorer)?.title == "New request in orders")
        #expect(form(explorer)?.fields.map(\.text) == ["", "{{host}}/"])
        explorer.type("cancel")
        explorer.press("Tab")
        explorer.type("orders/7")
        explorer.press("Enter")
        #expect(
            explorer.takeEffects()
                == [.changeTree(edit(.addRequest("orders/cancel", method: "GET", url: "{{host}}/orders/7")))])
        #expect(explorer.state.overlay == nil)
    }

    @Test func `nothing new goes into another program's file`() {
        var explorer = on("login")
        explorer.send(.collectionLoaded(.load(path: "/api.yaml", bytes: Array("openapi: 3.1.0\n".utf8))))
        explorer.press("End")
        explorer.press(.newFolder)
        #expect(form(explorer)?.title == "New folder in Shop")
        explorer.press("Esc")
        var other = ExplorerDriver([])
        other.send(.collectionLoaded(.load(path: "/api.yaml", bytes: Array("openapi: 3.1.0\n".utf8))))
        other.press(.newFolder)
        #expect(form(other)?.title == "New collection")
        #expect(other.state.selectedRequest == nil)
        other.send(.collectionLoaded(ShopCollection.collection))
        #expect(other.state.selectedRequest?.collection == path, "the cursor goes to what can be sent")
    }

    @Test func `a method may stand before the URL`() {
        var explorer = on("login")
        explorer.press(.newRequest)
        explorer.type("out")
        explorer.press("Tab C-u")
        explorer.type("post https://h/out")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.changeTree(edit(.addRequest("out", method: "POST", url: "https://h/out")))])
    }

    @Test func `a name that is taken is said in the form, which stays`() {
        var explorer = on("login")
        explorer.press(.newFolder)
        explorer.type("orders")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [])
        #expect(form(explorer)?.complaint == "there is a `orders` already; choose another name")
        explorer.type("-old")
        #expect(form(explorer)?.complaint == nil)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.changeTree(edit(.addFolder("orders-old")))])
    }

    @Test func `a collection is a file or a directory, by its name`() {
        var explorer = on("login")
        explorer.press(.newCollection)
        #expect(form(explorer)?.fields.map(\.text) == ["/"])
        explorer.type("tmp/birds.yaml")
        explorer.press("Enter")
        explorer.press(.newCollection)
        explorer.type("tmp/birds")
        explorer.press("Enter")
        #expect(
            explorer.takeEffects() == [
                .changeTree(.create(.file, at: "/tmp/birds.yaml", name: "birds")),
                .changeTree(.create(.directory, at: "/tmp/birds", name: "birds")),
            ])
    }

    @Test func `renaming takes the name and what is shown; the same is nothing`() {
        var explorer = on("orders/create")
        explorer.press(.renameEntry)
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [])
        explorer.press("F2")
        explorer.type("-one")
        explorer.press("Tab")
        explorer.type("Create one")
        explorer.press("Enter")
        #expect(
            explorer.takeEffects() == [.changeTree(edit(.rename("orders/create", to: "create-one"), name: "Create one"))])
    }

    @Test func `a copy gets the next free name`() {
        var explorer = on("orders/create")
        explorer.press(.duplicateEntry)
        #expect(form(explorer)?.fields.map(\.text) == ["create-2"])
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.changeTree(edit(.duplicate("orders/create", as: "create-2")))])
    }

    @Test func `deleting asks, and says what goes along`() {
        var explorer = on("orders/create")
        explorer.press(.method)
        explorer.press("Down Enter")
        _ = explorer.takeEffects()
        explorer.press(.left, .deleteEntry)
        #expect(
            explorer.state.overlay
                == .dialog(
                    Dialog(
                        title: "Delete orders?",
                        lines: [
                            "The folder has 3 requests.", "What was edited and not saved goes too.",
                            "u brings it back until you leave.",
                        ],
                        buttons: [
                            .init("d", "Delete", .delete(ShopCollection.reference("orders"))), .init("c", "Keep it", .close),
                        ])))
        explorer.press("c")
        #expect(explorer.takeEffects() == [])
        explorer.press(.deleteEntry)
        explorer.press("d")
        #expect(explorer.takeEffects() == [.changeTree(edit(.remove("orders")))])
    }

    @Test func `it moves to any folder but where it is`() {
        var explorer = on("orders/create")
        explorer.press(.moveEntry)
        guard case .chooser(let chooser)? = explorer.state.overlay else {
            Issue.record("no chooser")
            return
        }
        #expect(chooser.items.map(\.title) == ["Shop", "admin"])
        explorer.press("Down Enter")
        #expect(explorer.takeEffects() == [.changeTree(edit(.move("orders/create", into: "admin")))])
    }

    @Test func `it moves to another collection`() {
        var other = RequestCollection(path: "/other", name: "Other")
        other.nodes = []
        var explorer = ExplorerDriver([ShopCollection.collection, other])
        explorer.pick("login")
        _ = explorer.takeEffects()
        explorer.press(.top, .down, .moveEntry)
        explorer.press("End Enter")
        #expect(
            explorer.takeEffects() == [.changeTree(.transfer(ShopCollection.reference("login"), to: TreePlace("/other")))])
    }

    @Test func `it moves among its neighbours, one step after the other, and no key is lost`() {
        var explorer = ExplorerDriver([one])
        explorer.pick("a")
        _ = explorer.takeEffects()
        explorer.press(.moveEntryUp)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "it is the first of its folder; : move moves it to another one")
        explorer.press(.moveEntryDown, .moveEntryDown)
        let first = TreeEdit.edit(.reorder("a", before: "c"), in: "/one.yaml")
        #expect(explorer.takeEffects() == [.changeTree(first)])
        var moved = one
        moved.nodes.swapAt(0, 1)
        explorer.send(.treeChanged(done(first), [moved], remarks: []))
        #expect(explorer.takeEffects() == [.changeTree(.edit(.reorder("a", before: nil), in: "/one.yaml"))])
        #expect(explorer.state.panes.collection.selectedEntry?.reference.id == "a")
    }

    private var one: RequestCollection {
        var collection = RequestCollection(path: "/one.yaml", name: "One")
        collection.files = [collection.path: FileFingerprint([])]
        collection.nodes = ["a", "b", "c"].map { .request(ShopCollection.request($0, "GET", "http://h")) }
        return collection
    }

    // MARK: Answers

    @Test func `a new request is under the cursor`() {
        var explorer = on("login")
        let new = shop { $0.append(.request(ShopCollection.request("out", "GET", "http://h"))) }
        explorer.send(.treeChanged(done(edit(.addRequest("out", method: "GET", url: "http://h"))), [new], remarks: []))
        #expect(explorer.state.selectedRequest == ShopCollection.reference("out"))
        #expect(explorer.state.notice == Notice(.success, "added out; u takes it back"))
    }

    @Test func `an edit that isn't saved follows what is renamed, and the last run too`() throws {
        var explorer = on("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        let operation = explorer.enqueue(1, "login")
        _ = explorer.takeEffects()
        let old = ShopCollection.reference("login")
        let new = ShopCollection.reference("sign-in")
        let renamed = shop { nodes in
            guard case .request(let saved) = nodes[0] else { return }
            var request = saved.wrappedValue
            request.id = "sign-in"
            nodes[0] = .request(request)
        }
        explorer.send(.treeChanged(done(edit(.rename("login", to: "sign-in"))), [renamed], remarks: []))
        #expect(explorer.state.selectedRequest == new)
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.state.drafts.unsaved == [new])
        #expect(explorer.state.conflicts == [])
        #expect(explorer.state.latestOperation(of: new)?.id == operation)
        let draft = try #require(explorer.request)
        var base = try #require(ShopCollection.collection.request("login"))
        base.id = "sign-in"
        #expect(
            explorer.takeEffects().filter { $0.isDraft } == [
                .writeDraft(old, nil), .writeDraft(new, RequestEdit(from: base, to: draft)),
            ])
        explorer.press(.focusRequest, .undo)
        #expect(explorer.request?.method == "POST")
        #expect(explorer.state.drafts.unsaved == [])
    }

    @Test func `why a request was not sent, and the body that another kind has replaced, follow what is renamed`() {
        var explorer = on("login")
        let body = explorer.request?.body
        explorer.press(.focusRequest, .nextTab, .nextTab)
        for _ in 0..<9 where explorer.request?.body?.kind != .file { explorer.press(.top, .toggle) }
        #expect(explorer.request?.body?.kind == .file)
        explorer.send(.sendFailed(ShopCollection.reference("login"), message: "no", code: .authentication))
        var request = ShopCollection.collection.request("login") ?? ShopCollection.request("login", "POST", "")
        request.id = "sign-in"
        let renamed = shop { $0[0] = .request(request) }
        explorer.send(.treeChanged(done(edit(.rename("login", to: "sign-in"))), [renamed], remarks: []))
        #expect(explorer.state.refusal?.message == "no")
        explorer.tick(5_000)
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
        for _ in 0..<9 where explorer.request?.body?.kind != .json { explorer.press(.top, .toggle) }
        #expect(explorer.request?.body == body)
    }

    @Test func `what is deleted takes its edit along, and brings it back`() {
        var explorer = on("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        let mine = explorer.request
        _ = explorer.takeEffects()
        let login = ShopCollection.reference("login")
        let removal = edit(.remove("login"))
        explorer.send(.treeChanged(done(removal), [shop { $0.remove(at: 0) }], remarks: []))
        #expect(explorer.state.drafts.unsaved == [])
        #expect(explorer.state.selectedRequest != login)
        #expect(explorer.takeEffects().filter { $0.isDraft } == [.writeDraft(login, nil)])

        explorer.press(.focusCollection, .undo)
        #expect(explorer.takeEffects().first == .revertTree(done(removal)))
        explorer.send(.treeChanged(done(removal, .undone), [ShopCollection.collection], remarks: []))
        #expect(explorer.request == mine)
        #expect(explorer.state.drafts.unsaved == [login])
        #expect(explorer.takeEffects().filter { $0.isDraft } == [.writeDraft(login, mine.map(ShopCollection.edit))])
        #expect(explorer.state.notice == Notice(.success, "taken back: deleted login"))

        explorer.press("C-r")
        #expect(explorer.takeEffects().first == .revertTree(done(removal, .undone)))
    }

    @Test func `undo in the tree is the request's own while the tree has nothing to take back`() {
        var explorer = on("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        explorer.press(.undo)
        #expect(explorer.request?.method == "POST")
    }

    @Test func `a copy has what isn't saved`() {
        var explorer = on("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        _ = explorer.takeEffects()
        let copied = shop { $0.insert(.request(ShopCollection.request("login-2", "POST", "{{host}}/login")), at: 1) }
        explorer.send(.treeChanged(done(edit(.duplicate("login", as: "login-2"))), [copied], remarks: []))
        #expect(explorer.request?.id == "login-2")
        #expect(explorer.request?.method == "PUT")
        #expect(explorer.state.drafts.unsaved.map(\.id) == ["login", "login-2"])
    }

    @Test func `a name that is changed in the file is no conflict with an edit`() {
        var explorer = on("login")
        explorer.press(.method)
        explorer.press("Down Enter")
        let named = shop { nodes in
            guard case .request(let saved) = nodes[0] else { return }
            var request = saved.wrappedValue
            request.name = "Sign in"
            nodes[0] = .request(request)
        }
        explorer.send(.collectionLoaded(named))
        #expect(explorer.state.conflicts == [])
        #expect(explorer.request?.name == "Sign in")
        #expect(explorer.request?.method == "PUT")
    }

    @Test func `what could not follow is said, and what could not be done`() {
        var explorer = on("login")
        explorer.send(
            .treeChanged(done(edit(.remove("login"))), [shop { $0.remove(at: 0) }], remarks: ["x.yaml:3:1: `login` is gone"]))
        #expect(
            explorer.state.overlay == .dialog(Dialog(title: "Done, but look at this", lines: ["x.yaml:3:1: `login` is gone"])))
        explorer.tick(2_000)
        explorer.press("Enter")
        explorer.send(.treeChangeFailed(edit(.remove("admin")), message: "it has changed"))
        #expect(explorer.state.overlay == .dialog(Dialog(title: "Not changed", lines: ["it has changed"])))
    }
}

extension ExplorerEffect {
    fileprivate var isDraft: Bool {
        if case .writeDraft = self { true } else { false }
    }
}

@Suite struct `The tree of requests` {
    private let tree = RequestTree([ShopCollection.collection])

    private func names(_ entries: [Int], of tree: RequestTree) -> [String] {
        entries.map { tree.entries[$0].name }
    }

    @Test func `is in the order of the files`() {
        #expect(names(Array(tree.entries.indices), of: tree) == ["login", "orders", "create", "list", "one", "admin", "purge"])
        #expect(tree.entries.map(\.depth) == [0, 0, 1, 1, 1, 0, 1])
    }

    @Test func `shows what may not be as it was meant, behind what is wrong`() {
        var collection = ShopCollection.collection
        let location = SourceLocation(path: "/shop/a.b.yaml", line: 1, column: 1)
        collection.warnings = [CollectionProblem(location: location, message: "isn't read")]
        collection.problems.append(CollectionProblem(location: location, message: "can't be read"))
        let kinds = RequestTree([collection]).entries.suffix(2).map { entry in
            switch entry.kind {
            case .problem(let problem): "problem: \(problem.message)"
            case .warning(let problem): "warning: \(problem.message)"
            default: "\(entry.name)"
            }
        }
        #expect(kinds == ["problem: can't be read", "warning: isn't read"])
    }

    @Test func `leaves out what is inside of closed folders`() {
        #expect(
            names(tree.visibleEntries(closed: [ShopCollection.reference("orders")]), of: tree) == [
                "login", "orders", "admin", "purge",
            ])
    }

    @Test(arguments: [
        ("create", ["orders", "create"]),
        ("ORD cr", ["orders", "create"]),
        ("post", ["login", "orders", "create"]),
        ("delete", ["admin", "purge"]),
        ("orders", ["orders", "create", "list", "one"]),
        ("nothing", []),
    ])
    func `is filtered by words in method, path and name`(filter: String, shown: [String]) {
        #expect(names(tree.matches(filter), of: tree) == shown)
    }

    @Test func `knows the folders around a request`() {
        #expect(tree.folders(of: ShopCollection.reference("orders/one")).map(\.rawValue) == ["orders"])
        #expect(tree.folders(of: ShopCollection.reference("login")) == [])
    }

    @Test func `has a row for a file that can't be read, and none for a request that says so itself`() {
        var collection = ShopCollection.collection
        let own = CollectionProblem(location: ShopCollection.place(2), message: "its own")
        let file = CollectionProblem(location: ShopCollection.place(4, "orders/export.yaml"), message: "no file")
        var request = ShopCollection.request("bad", "GET", "")
        request.problems = [own]
        collection.nodes.append(.request(request))
        collection.problems = [own, file]
        let tree = RequestTree([collection])
        #expect(names(Array(tree.entries.indices.suffix(2)), of: tree) == ["bad", "export.yaml"])
    }

    @Test func `has the collections as roots when there are several`() {
        let tree = RequestTree([ShopCollection.collection, RequestCollection(path: "/other", name: "Other")])
        #expect(names(tree.visibleEntries(closed: [ShopCollection.reference("")]), of: tree) == ["Shop", "Other"])
    }
}
