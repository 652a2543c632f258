import Foundation
import Testing

@testable import RequestCollections

/// Changes of the tree in a directory, and between collections: all files after each.
@Suite struct DirectoryStructureTests {
    private static let shop = [
        "shop/_collection.yaml": "turnstone: 1\nname: Shop\n",
        "shop/login.yaml": "# Who?\npost: http://h/login\n",
        "shop/orders/_folder.yaml": "name: Orders\n",
        "shop/orders/create.yaml": "post: http://h/ # c\nneeds: [login]\nbody: { file: create.body.json }\n",
        "shop/orders/create.body.json": "{}",
        "shop/orders/list.yml": "get: http://h/{{response('login', '.id')}}\n",
    ]

    private static func files(_ directory: TemporaryDirectory) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: directory.path(name), isDirectory: &isDirectory)
            if !isDirectory.boolValue { files[name] = try directory.read(name) }
        }
        return files
    }

    private static func after(_ edit: CollectionEdit, remarks: [String] = []) throws -> [String: String] {
        let directory = try TemporaryDirectory(shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        let change = try collection.applying(edit)
        #expect(change.remarks.map(\.message) == remarks)
        try change.write()
        let now = try RequestCollection.load(path: directory.path("shop"))
        #expect(now.nodes == change.collection.nodes)
        #expect(now.files == change.collection.files)
        return try files(directory)
    }

    /// The shop with some of its files changed; `nil`: gone.
    private static func with(_ changes: [String: String?]) -> [String: String] {
        var files = shop
        for (name, text) in changes { files[name] = text }
        return files
    }

    /// As `rm` and git do, nobody expects that what lies behind a link is deleted; and a relative link leads elsewhere from another place.
    @Test(
        arguments: [
            (.remove("linked"), "linked"), (.remove("orders/link"), "orders/link"),
            (.move("orders/link", into: nil), "orders/link"),
            (.move("orders", into: "other"), "orders/link"),
        ] as [(CollectionEdit, RequestID)])
    func `what is a link is neither deleted nor moved`(edit: CollectionEdit, id: RequestID) throws {
        let directory = try TemporaryDirectory(Self.shop)
        for (name, target) in [("linked", "orders"), ("orders/link.yaml", "../login.yaml")] {
            try FileManager.default.createSymbolicLink(atPath: directory.path("shop/\(name)"), withDestinationPath: target)
        }
        try FileManager.default.createDirectory(atPath: directory.path("shop/other"), withIntermediateDirectories: true)
        try Data("name: Other\n".utf8).write(to: URL(filePath: directory.path("shop/other/_folder.yaml")))
        let before = try Self.files(directory)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        let problem = #expect(throws: CollectionProblem.self) { try collection.applying(edit) }
        #expect(problem?.message.hasPrefix("`\(id)` is a link to /") == true, "\(problem?.message ?? "")")
        #expect(try Self.files(directory) == before)
    }

    @Test func `a link gets another name where it lies`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        try FileManager.default.createSymbolicLink(atPath: directory.path("shop/linked"), withDestinationPath: "orders")
        try RequestCollection.load(path: directory.path("shop")).applying(.rename("linked", to: "again")).write()
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: directory.path("shop/again")) == "orders")
    }

    @Test func `a new request is a file`() throws {
        #expect(
            try Self.after(.addRequest("orders/show", method: "GET", url: "http://h/1"))
                == Self.with(["shop/orders/show.yaml": "get: http://h/1\n"]))
        #expect(try Self.after(.addFolder("orders/old")) == Self.with(["shop/orders/old/_folder.yaml": "name: old\n"]))
    }

    @Test func `a copy has the same bytes`() throws {
        #expect(
            try Self.after(.duplicate("orders/create", as: "again"))
                == Self.with(["shop/orders/again.yaml": Self.shop["shop/orders/create.yaml"]]))
    }

    @Test func `a new name is one of the file, and follows where it is used`() throws {
        #expect(
            try Self.after(.rename("login", to: "sign-in"))
                == Self.with([
                    "shop/login.yaml": nil, "shop/sign-in.yaml": Self.shop["shop/login.yaml"],
                    "shop/orders/create.yaml": "post: http://h/ # c\nneeds: [sign-in]\nbody: { file: create.body.json }\n",
                    "shop/orders/list.yml": "get: http://h/{{response('sign-in', '.id')}}\n",
                ]))
        #expect(
            try Self.after(.rename("orders/list", to: "all"))
                == Self.with(["shop/orders/list.yml": nil, "shop/orders/all.yml": Self.shop["shop/orders/list.yml"]]))
    }

    @Test func `what comes first by its name still does under another one`() throws {
        let order = "turnstone: 1\norder: [zeta, \"orders\", login] # by use\n"
        let directory = try TemporaryDirectory(
            Self.shop.merging(["shop/_collection.yaml": order, "shop/zeta.yaml": "get: http://h/\n"]) { $1 })
        func rename(_ id: RequestID, to name: String) throws {
            let change = try RequestCollection.load(path: directory.path("shop")).applying(.rename(id, to: name))
            #expect(change.remarks == [])
            try change.write()
            #expect(try RequestCollection.load(path: directory.path("shop")).nodes == change.collection.nodes)
        }
        try rename("zeta", to: "zoo")
        try rename("orders", to: "sales")
        #expect(try directory.read("shop/_collection.yaml") == "turnstone: 1\norder: [zoo, \"sales\", login] # by use\n")
        let collection = try RequestCollection.load(path: directory.path("shop"))
        #expect(collection.nodes.map(\.id.rawValue) == ["zoo", "sales", "login"])
    }

    @Test func `a name that is left over in an order is told`() throws {
        let order = "turnstone: 1\norder: [zeta, login]\n"
        let files = Self.shop.merging(["shop/_collection.yaml": order, "shop/zeta.yaml": "get: http://h/\n"]) { $1 }
        for edit in [CollectionEdit.move("zeta", into: "orders"), .remove("zeta")] {
            let directory = try TemporaryDirectory(files)
            let change = try RequestCollection.load(path: directory.path("shop")).applying(edit)
            #expect(change.remarks.map(\.message) == ["`zeta` isn't here any more; take it out of `order`"])
            #expect(change.remarks.first?.location.line == 2)
        }
    }

    @Test func `a path that is relative to the file follows it`() throws {
        #expect(
            try Self.after(.move("orders/create", into: nil))
                == Self.with([
                    "shop/orders/create.yaml": nil,
                    "shop/create.yaml": "post: http://h/ # c\nneeds: [login]\nbody: { file: orders/create.body.json }\n",
                ]))
    }

    @Test func `a folder is renamed in one step`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        let change = try collection.applying(.rename("orders", to: "sales"))
        #expect(change.steps == [.move(directory.path("shop/orders"), to: directory.path("shop/sales"))])
        try change.write()
        #expect(try RequestCollection.load(path: directory.path("shop")).nodes == change.collection.nodes)
        #expect(change.collection.requests.map(\.id) == ["login", "sales/create", "sales/list"])
    }

    @Test func `a folder goes with its requests, and what isn't one stays`() throws {
        #expect(
            try Self.after(.remove("orders"))
                == Self.with(["shop/orders/_folder.yaml": nil, "shop/orders/create.yaml": nil, "shop/orders/list.yml": nil]))
        #expect(
            try Self.after(
                .remove("login"), remarks: ["`login` is gone, and is named here", "`login` is gone, and is named here"])
                == Self.with(["shop/login.yaml": nil]))
    }

    @Test func `what a directory can't do says so`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        #expect(
            #expect(throws: CollectionProblem.self) { try collection.applying(.reorder("orders/list", before: "orders/create")) }?
                .message
                == "`order: [list]` in orders/_folder.yaml puts it first; otherwise a directory is in the order of its names"
        )
        #expect(
            #expect(throws: CollectionProblem.self) { try collection.applying(.rename("login", to: "a.b")) }?.message
                == "`a.b` can't be a name here: a file's name is the request's, and takes no dot and no `_` in front")
        try directory.write("x", to: "shop/new.yml")
        try directory.write("get: http://h/\n", to: "shop/new.yaml")
        #expect(
            #expect(throws: CollectionFileError.self) {
                try collection.applying(.addRequest("new", method: "GET", url: "http://h/")).write()
            } == CollectionFileError(path: directory.path("shop/new.yaml"), message: "is there already; choose another name"))
    }

    // MARK: Between collections

    private static let file =
        "turnstone: 1\nrequests:\n  # One.\n  a: # c\n    get: http://h/\n    body: { file: a.json }\n  b: { get: http://h/ }\n"

    @Test func `a request goes from a file to a directory and back`() throws {
        let directory = try TemporaryDirectory(Self.shop.merging(["one.yaml": Self.file]) { $1 })
        let one = try RequestCollection.load(path: directory.path("one.yaml"))
        let shop = try RequestCollection.load(path: directory.path("shop"))
        let there = try one.moving("a", into: "orders", of: shop)
        try there.write()
        #expect(
            try Self.files(directory)
                == Self.with([
                    "one.yaml": "turnstone: 1\nrequests:\n  b: { get: http://h/ }\n",
                    "shop/orders/a.yaml": "# One.\n# c\nget: http://h/\nbody: { file: ../../a.json }\n",
                ]))
        let target = try #require(there.target)
        #expect(try RequestCollection.load(path: directory.path("shop")).nodes == target.nodes)
        let back = try target.moving("orders/a", into: nil, of: there.collection)
        try back.write()
        #expect(
            try Self.files(directory)
                == Self.with([
                    "one.yaml":
                        "turnstone: 1\nrequests:\n  b: { get: http://h/ }\n  # One.\n  # c\n  a:\n    get: http://h/\n    body: { file: a.json }\n"
                ]))
    }

    @Test func `a folder goes to another file, target first`() throws {
        let directory = try TemporaryDirectory([
            "one.yaml": "turnstone: 1\nrequests:\n    # f\n    f:\n        requests:\n            a: { get: http://h/ }\n",
            "two.yaml": "turnstone: 1\nrequests:\n  b: { get: http://h/ }\n",
        ])
        let one = try RequestCollection.load(path: directory.path("one.yaml"))
        let two = try RequestCollection.load(path: directory.path("two.yaml"))
        let change = try one.moving("f", into: nil, of: two)
        #expect(change.files.map(\.path) == [directory.path("two.yaml"), directory.path("one.yaml")])
        try change.write()
        #expect(try directory.read("one.yaml") == "turnstone: 1\nrequests: {}\n")
        #expect(
            try directory.read("two.yaml")
                == "turnstone: 1\nrequests:\n  b: { get: http://h/ }\n  # f\n  f:\n      requests:\n          a: { get: http://h/ }\n"
        )
    }

    @Test func `an alias doesn't leave its file`() throws {
        let directory = try TemporaryDirectory([
            "one.yaml": "turnstone: 1\nvariables: { h: &h 'http://h/' }\nrequests:\n  a: { get: *h }\n",
            "two.yaml": "turnstone: 1\n",
        ])
        let one = try RequestCollection.load(path: directory.path("one.yaml"))
        let two = try RequestCollection.load(path: directory.path("two.yaml"))
        #expect(
            #expect(throws: CollectionProblem.self) { try one.moving("a", into: nil, of: two) }?.description
                == "\(directory.path("one.yaml")):4:13: `*h` means something elsewhere in this file; write it out before this moves"
        )
    }

    @Test(arguments: RequestCollection.Form.allCases)
    func `a new collection is empty, and takes requests`(form: RequestCollection.Form) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path(form == .file ? "new.yaml" : "new")
        let change = try RequestCollection.creating(form, at: path, name: "New: one")
        try change.write()
        #expect(change.collection.problems == [])
        try change.collection.applying(.addRequest("a", method: "GET", url: "http://h/")).write()
        let files = try Self.files(directory)
        switch form {
        case .file:
            #expect(files == ["new.yaml": "turnstone: 1\nname: \"New: one\"\nrequests:\n  a:\n    get: http://h/\n"])
        case .directory:
            #expect(files == ["new/_collection.yaml": "turnstone: 1\nname: \"New: one\"\n", "new/a.yaml": "get: http://h/\n"])
        }
        #expect(
            #expect(throws: CollectionFileError.self) { try RequestCollection.creating(form, at: path, name: "x") }
                == CollectionFileError(path: path, message: "is there already; choose another name"))
    }
}
