import Foundation
import Testing

@testable import RequestCollections

/// Changes of the tree that are taken back, and made again: every byte is as it was.
@Suite struct UndoingTests {
    private static let directory = [
        "shop/_collection.yaml": "turnstone: 1\nname: Shop\n",
        "shop/login.yaml": "# Who?\npost: http://h/login\n",
        "shop/orders/_folder.yaml": "name: Orders\n",
        "shop/orders/create.yaml": "post: http://h/ # c\nneeds: [login]\nbody: { file: create.body.json }\n",
        "shop/orders/create.body.json": "{}",
        "shop/empty/_folder.yaml": "name: Empty\n",
    ]
    private static let file = [
        "shop":
            "turnstone: 1\nrequests:\n  # Who?\n  login:   # first\n    post: http://h/login\n  orders:\n    requests:\n      create: { get: \"http://h\" }\n"
    ]

    static let edits: [CollectionEdit] = [
        .addRequest("orders/show", method: "GET", url: "http://h/1"), .addFolder("orders/old"), .duplicate("login", as: "login-2"),
        .duplicate("orders", as: "orders-2"), .rename("login", to: "sign-in"), .rename("orders", to: "sales"), .remove("login"),
        .remove("orders"), .remove("orders/create"), .move("orders/create", into: nil), .move("login", into: "orders"),
    ]

    private static let store = CollectionStore()

    private static func contents(_ directory: TemporaryDirectory) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: directory.path(name), isDirectory: &isDirectory)
            files[name] = isDirectory.boolValue ? "a directory" : try directory.read(name)
        }
        return files
    }

    @Test(arguments: edits, [directory, file])
    func `what was done is taken back, and done again`(edit: CollectionEdit, files: [String: String]) throws {
        let directory = try TemporaryDirectory(files)
        let before = try Self.contents(directory)
        let change = try RequestCollection.load(path: directory.path("shop")).applying(edit)
        try change.write()
        let after = try Self.contents(directory)
        #expect(after != before)
        let undoing = change.undoing
        try Self.store.write(undoing, in: [directory.path("shop")])
        #expect(try Self.contents(directory) == before)
        try Self.store.write(CollectionChange.undoing(undoing), in: [directory.path("shop")])
        #expect(try Self.contents(directory) == after)
    }

    @Test func `what was changed since is not written over`() throws {
        let directory = try TemporaryDirectory(Self.file)
        let change = try RequestCollection.load(path: directory.path("shop")).applying(.remove("login"))
        try change.write()
        try directory.write("turnstone: 1\n# theirs\n", to: "shop")
        #expect(throws: CollectionChange.changedOnDisk(directory.path("shop"))) {
            try Self.store.write(change.undoing, in: [directory.path("shop")])
        }
        #expect(try directory.read("shop") == "turnstone: 1\n# theirs\n")
    }

    @Test(arguments: [
        ("Log in", "  sign-in:   # first\n    post: http://h/login\n    name: Log in\n"), (nil, "  sign-in:   # first\n    post"),
    ])
    func `a name can go along with the change, and back with it`(name: String?, expected: String) throws {
        let directory = try TemporaryDirectory(Self.file)
        let change = try RequestCollection.load(path: directory.path("shop")).applying(.rename("login", to: "sign-in"))
            .naming("sign-in", name)
        try change.write()
        let after = try directory.read("shop")
        #expect(after.contains(expected), "\(after)")
        let now = try RequestCollection.load(path: directory.path("shop"))
        #expect(now.request("sign-in")?.name == name)
        #expect(now.nodes == change.collection.nodes)
        try Self.store.write(change.undoing, in: [directory.path("shop")])
        #expect(try directory.read("shop") == Self.file["shop"])
    }

    @Test func `a rename to the same name is no change`() throws {
        let directory = try TemporaryDirectory(Self.file)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        #expect(try collection.applying(.rename("login", to: "login")).steps == [])
    }
}
