import RequestCollections
import Testing

@testable import Explorer

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
