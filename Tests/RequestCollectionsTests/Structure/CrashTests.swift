import Foundation
import Testing

@testable import RequestCollections

/// What is on the disk when the program ends between any two steps of a change: each of them is one of the file system's own.
@Suite struct CrashTests {
    private static let files = [
        "shop/_collection.yaml": "turnstone: 1\n",
        "shop/login.yaml": "post: http://h/login\n",
        "shop/orders/create.yaml": "post: http://h/\nneeds: [login]\nbody: { file: b.json }\n",
        "one.yaml": "turnstone: 1\nrequests:\n  a: { get: http://h/a }\n  f:\n    requests:\n      b: { get: http://h/b }\n",
        "two.yaml": "turnstone: 1\nrequests:\n  c: { get: http://h/c }\n",
    ]

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        /// URLs that may be gone at the end, because that is what is asked for.
        var removes: Set<String> = []
        var change:
            @Sendable (_ shop: RequestCollection, _ one: RequestCollection, _ two: RequestCollection) throws -> CollectionChange

        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "edit") { shop, _, _ in
            var draft = try #require(shop.request("login"))
            draft.headers.append(.init(name: "x", value: "y"))
            return try shop.saving(draft)
        },
        Case(name: "rename") { shop, _, _ in try shop.applying(.rename("login", to: "enter")) },
        Case(name: "rename a folder") { shop, _, _ in try shop.applying(.rename("orders", to: "sales")) },
        Case(name: "move") { shop, _, _ in try shop.applying(.move("orders/create", into: nil)) },
        Case(name: "duplicate") { shop, _, _ in try shop.applying(.duplicate("orders", as: "again")) },
        Case(name: "new") { shop, _, _ in try shop.applying(.addFolder("x")) },
        Case(name: "remove", removes: ["http://h/"]) { shop, _, _ in try shop.applying(.remove("orders")) },
        Case(name: "move within a file") { _, one, _ in try one.applying(.move("a", into: "f")) },
        Case(name: "file to file") { _, one, two in try one.moving("f", into: nil, of: two) },
        Case(name: "file to directory") { shop, one, _ in try one.moving("a", into: "orders", of: shop) },
        Case(name: "directory to file") { shop, _, two in try shop.moving("login", into: nil, of: two) },
    ]

    @Test(arguments: cases)
    func `nothing is lost, wherever it ends`(step: Case) throws {
        let all: Set = ["http://h/login", "http://h/", "http://h/a", "http://h/b", "http://h/c"]
        var cut = 0
        while true {
            let directory = try TemporaryDirectory(Self.files)
            let collections = try ["shop", "one.yaml", "two.yaml"].map { try RequestCollection.load(path: directory.path($0)) }
            let change = try step.change(collections[0], collections[1], collections[2])
            guard cut <= change.steps.count else { return }
            try CollectionChange.write(Array(change.steps.prefix(cut)))
            let now = try ["shop", "one.yaml", "two.yaml"].map { try RequestCollection.load(path: directory.path($0)) }
            let urls = Set(now.flatMap(\.requests).map(\.url))
            #expect(all.subtracting(step.removes).isSubset(of: urls), "\(step.name) after \(cut) steps")
            // A name that another request has is only written anew when the file has it.
            let problems = now.flatMap(\.problems).filter { !$0.message.hasPrefix("`needs` names") }
            #expect(problems == [], "\(step.name) after \(cut) steps")
            cut += 1
        }
    }

    @Test func `when a step fails, those before it are taken back`() throws {
        let directory = try TemporaryDirectory(Self.files)
        let shop = try RequestCollection.load(path: directory.path("shop"))
        let steps = try shop.applying(.move("orders/create", into: nil)).steps
        let last = CollectionChange.Step.create(directory.path("nowhere/a.yaml"), [])
        #expect(throws: CollectionFileError.self) { try CollectionChange.write(steps + [last]) }
        #expect(try RequestCollection.load(path: directory.path("shop")).nodes == shop.nodes)
    }
}
