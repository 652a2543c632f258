import Foundation
import Testing

@testable import RequestCollections

/// A newer import, merged into what was edited since the last one.
@Suite struct CollectionUpdateTests {
    static let first = """
        turnstone: 1
        name: Shop
        variables:
          host: http://h
        requests:
          orders:
            requests:
              list:
                get: "{{host}}/orders"
                query: { limit: 10, page: 1 }
              create:
                post: "{{host}}/orders"
                headers: { accept: application/json }
                body: { json: { sku: A7, qty: 1 } }
              remove:
                delete: "{{host}}/orders/1"
          ping:
            get: "{{host}}/ping"

        """

    /// The collection of a text, as the import at a path.
    static func imported(_ text: String, at path: String) throws -> RequestCollection {
        let collection = RequestCollection.load(path: path, bytes: Array(text.utf8))
        if let problem = collection.problems.first { throw problem }
        return collection
    }

    /// Imports anew into a file or directory.
    static func make(_ text: String, at path: String, _ form: RequestCollection.Form) throws {
        let collection = try imported(text, at: path)
        try collection.writing(as: form)
            .adding(ImportBase(collection, identities: [:]).step(at: ImportBase.path(of: path, form))).write()
    }

    @discardableResult
    static func update(
        _ text: String, at path: String, identities: [RequestID: String] = [:], yielding: [String] = []
    ) throws -> UpdateReport {
        var report = UpdateReport()
        let new = try imported(text, at: path)
        let form: RequestCollection.Form = FileContents.isDirectory(path) ? .directory : .file
        let base = try ImportBase.read(ImportBase.path(of: path, form))
        _ = try CollectionStore().change([RequestCollection.load(path: path)]) { collections in
            let update = try CollectionUpdate(of: collections[0], to: new, identities: identities, base: base, yielding: yielding)
            let result = try update.change(to: new)
            report = result.report
            return result.change
        }
        return report
    }

    private let directory: TemporaryDirectory
    private var file: String { directory.path("shop.yaml") }

    init() throws {
        directory = try TemporaryDirectory()
        try Self.make(Self.first, at: file, .file)
    }

    private func read() throws -> String { try directory.read("shop.yaml") }

    private func edit(_ old: String, _ new: String) throws {
        let text = try read()
        try #require(text.contains(old))
        try directory.write(text.replacing(old, with: new), to: "shop.yaml")
    }

    @Test func `what is edited, commented and ordered here stays, and what is new there comes`() throws {
        let made = try read()
        try edit("query: { limit: 10, page: 1 }", "query: { limit: 50, page: 1 }   # more")
        // The order and a request of one's own.
        try edit("  ping:\n    get: \"{{host}}/ping\"\n", "")
        try edit(
            "requests:\n  orders:",
            "requests:\n  # Is it there?\n  ping:\n    get: \"{{host}}/ping\"\n  mine:\n    get: http://m\n  orders:")
        let mine = try read()
        let report = try Self.update(
            Self.first.replacing("page: 1 }", with: "page: 1, size: 2 }").replacing("qty: 1", with: "qty: 2").replacing(
                "      remove:", with: "      show:\n        get: \"{{host}}/orders/1\"\n      remove:"), at: file)
        #expect(report.conflicts == [] && report.removed == [] && report.kept == [])
        #expect(report.added == ["orders/show"])
        #expect(
            report.changed == [
                .init(place: "orders/list", entries: ["query.size"]), .init(place: "orders/create", entries: ["body.json.qty"]),
            ])
        let expected = mine.replacing("page: 1 }", with: "page: 1, size: 2 }").replacing("qty: 1", with: "qty: 2").replacing(
            "      remove:", with: "      show:\n        get: \"{{host}}/orders/1\"\n      remove:")
        #expect(try read() == expected)
        #expect(made != mine)
        // The same again is nothing.
        let base = try directory.read("shop.import.json")
        let again = try Self.update(
            Self.first.replacing("page: 1 }", with: "page: 1, size: 2 }").replacing("qty: 1", with: "qty: 2").replacing(
                "      remove:", with: "      show:\n        get: \"{{host}}/orders/1\"\n      remove:"), at: file)
        #expect(again.isEmpty)
        #expect(try read() == expected)
        #expect(try directory.read("shop.import.json") == base)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var mine: [String]
        var theirs: [String]
        /// What is to stand in the file afterwards, and what not.
        var has: [String]
        var hasNot: [String] = []
        var conflicts: [String] = []
        var testDescription: String { name }
    }

    static let table: [Case] = [
        Case(name: "only here", mine: ["limit: 10", "limit: 50"], theirs: [], has: ["limit: 50"]),
        Case(name: "only there", mine: [], theirs: ["limit: 10", "limit: 50"], has: ["limit: 50"]),
        Case(name: "both the same", mine: ["limit: 10", "limit: 50"], theirs: ["limit: 10", "limit: 50"], has: ["limit: 50"]),
        Case(
            name: "both", mine: ["limit: 10", "limit: 50"], theirs: ["limit: 10", "limit: 70"], has: ["limit: 50"],
            conflicts: ["orders/list query.limit: 50, 70"]),
        Case(
            name: "method and URL are one", mine: ["get: \"{{host}}/orders\"", "get: \"{{host}}/v2/orders\""],
            theirs: ["get: \"{{host}}/orders\"", "post: \"{{host}}/orders\""], has: ["get: \"{{host}}/v2/orders\""],
            conflicts: ["orders/list url: GET {{host}}/v2/orders, POST {{host}}/orders"]),
        Case(
            name: "another method", mine: ["limit: 10", "limit: 50"],
            theirs: ["get: \"{{host}}/orders\"", "post: \"{{host}}/orders\""],
            has: ["limit: 50", "      list:\n        post: \"{{host}}/orders\""]),
        Case(
            name: "gone there, untouched", mine: [], theirs: ["      remove:\n        delete: \"{{host}}/orders/1\"\n", ""],
            has: ["create:"], hasNot: ["remove:"]),
        Case(
            name: "gone here, changed there", mine: ["      remove:\n        delete: \"{{host}}/orders/1\"\n", ""],
            theirs: ["orders/1", "orders/2"], has: ["create:"], hasNot: ["remove:"],
            conflicts: ["orders/remove: -, DELETE {{host}}/orders/2"]),
        Case(
            name: "a row gone here", mine: [", page: 1", ""], theirs: ["limit: 10", "limit: 11"], has: ["query: { limit: 11 }"]),
        Case(
            name: "rows gone there, one of one's own", mine: ["page: 1", "page: 1, mine: 1"],
            theirs: ["        query: { limit: 10, page: 1 }\n", ""], has: ["query: { mine: 1 }"]),
        Case(
            name: "another kind of body", mine: ["qty: 1", "qty: 9"], theirs: ["json: { sku: A7, qty: 1 }", "form: { sku: A7 }"],
            has: ["qty: 9"], conflicts: ["orders/create body: { json: { sku: A7, qty: 9 } }, { form: { sku: A7 } }"]),
        Case(
            name: "a variable", mine: ["name: Shop", "name: Mine"], theirs: ["host: http://h", "host: http://n"],
            has: ["name: Mine", "host: http://n"]),
        Case(
            name: "a new folder", mine: [],
            theirs: ["  ping:", "  users:\n    requests:\n      all:\n        get: http://h/u\n  ping:"],
            has: ["  users:\n    requests:\n      all:\n        get: http://h/u\n  ping:"]),
    ]

    @Test(arguments: table) func `the table of merges`(_ row: Case) throws {
        for index in stride(from: 0, to: row.mine.count, by: 2) { try edit(row.mine[index], row.mine[index + 1]) }
        var new = Self.first
        for index in stride(from: 0, to: row.theirs.count, by: 2) {
            new = new.replacing(row.theirs[index], with: row.theirs[index + 1])
        }
        let report = try Self.update(new, at: file)
        let text = try read()
        for part in row.has { #expect(text.contains(part), "\(text)") }
        for part in row.hasNot { #expect(!text.contains(part), "\(text)") }
        #expect(report.conflicts.map { "\($0.place): \($0.mine ?? "-"), \($0.theirs ?? "-")" } == row.conflicts)
        // And again it changes no byte.
        try Self.update(new, at: file)
        #expect(try read() == text)
    }

    @Test func `a conflict is settled by taking theirs, also later`() throws {
        try edit("limit: 10", "limit: 50")
        let new = Self.first.replacing("limit: 10", with: "limit: 70")
        #expect(try Self.update(new, at: file).conflicts.count == 1)
        #expect(try Self.update(new, at: file, yielding: ["orders/list query.limit"]).conflicts == [])
        #expect(try read().contains("limit: 70"))
    }

    @Test func `a request with another name keeps its id`() throws {
        try edit("limit: 10", "limit: 50")
        let new = Self.first.replacing("      list:", with: "      list-orders:").replacing("page: 1", with: "page: 2")
        let report = try Self.update(new, at: file)
        #expect(report.added == [] && report.removed == [] && report.conflicts == [])
        let text = try read()
        #expect(text.contains("      list:\n        get:"), "\(text)")
        #expect(text.contains("limit: 50, page: 2"), "\(text)")
        try Self.update(new, at: file)
        #expect(try read() == text)
    }

    @Test func `an identity finds a request whatever else has changed`() throws {
        let collection = try Self.imported(Self.first, at: file)
        try directory.write("{}", to: "shop.import.json")
        try FileManager.default.removeItem(atPath: directory.path("shop.import.json"))
        _ = try CollectionChange(
            steps: [
                ImportBase(collection, identities: ["orders/list": "7"])
                    .step(at: ImportBase.path(of: file, .file))!
            ], collection: collection
        ).write()
        let new = Self.first.replacing("      list:", with: "      all:").replacing(
            "get: \"{{host}}/orders\"", with: "get: \"{{host}}/v2/orders\"")
        let report = try Self.update(new, at: file, identities: ["orders/all": "7"])
        #expect(report.added == [] && report.removed == [])
        #expect(report.changed.map(\.place) == ["orders/list"])
    }

    @Test func `without a base what differs stays and is named, and from then on there is one`() throws {
        try FileManager.default.removeItem(atPath: directory.path("shop.import.json"))
        try edit("limit: 10", "limit: 50")
        let new = Self.first.replacing("page: 1", with: "page: 2").replacing("host: http://h", with: "host: http://h\n  more: 1")
        let report = try Self.update(new, at: file)
        #expect(report.conflicts.map(\.place) == ["orders/list query.limit", "orders/list query.page"])
        #expect(try read().contains("limit: 50, page: 1"))
        #expect(try read().contains("more: 1"))
        #expect(try Self.update(new, at: file).isEmpty)
    }

    @Test func `lines end as they did, and a byte order mark stays`() throws {
        let text = try read().replacing("\n", with: "\r\n").replacing("limit: 10", with: "limit: 50")
        try directory.write(Data([0xEF, 0xBB, 0xBF] + Array(text.utf8)), to: "shop.yaml")
        let new = Self.first.replacing("qty: 1", with: "qty: 2").replacing("page: 1", with: "page: 2").replacing(
            "  ping:", with: "  pong:\n    get: http://h/pong\n  ping:")
        #expect(try Self.update(new, at: file).conflicts == [])
        let after = try read()
        #expect(after.unicodeScalars.first == "\u{FEFF}")
        #expect(!after.replacing("\r\n", with: "").contains("\n"))
        #expect(after.contains("qty: 2") && after.contains("limit: 50, page: 2") && after.contains("pong:\r\n"))
    }

    @Test func `the base holds no value`() throws {
        let text = try directory.read("shop.import.json")
        for value in ["http", "A7", "application/json", "/orders\""] { #expect(!text.contains(value), "\(text)") }
    }

    @Test func `a base with the marks of a merge is refused, and names the way out`() throws {
        try directory.write("<<<<<<< mine\n", to: "shop.import.json")
        let before = try read()
        #expect(throws: CollectionFileError.self) { try Self.update(Self.first, at: file) }
        #expect(try read() == before)
    }

    @Test func `what can't be merged in place stays as it is, with the line`() throws {
        try edit("      create:\n", "      create: &c\n")
        try edit("  ping:\n", "  copy: *c\n  ping:\n")
        let before = try read()
        let error = #expect(throws: CollectionProblem.self) {
            try Self.update(Self.first.replacing("qty: 1", with: "qty: 2"), at: file)
        }
        #expect(error?.message.contains("&c") == true)
        #expect(try read() == before)
    }

    // MARK: Directories

    private func snapshot(_ path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: path)) {
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            if !isHidden, let data = FileManager.default.contents(atPath: "\(path)/\(name)") { files[name] = data }
        }
        return files
    }

    static let second = first.replacing("page: 1", with: "page: 2").replacing("qty: 1", with: "qty: 2")
        .replacing(
            "      remove:\n        delete: \"{{host}}/orders/1\"\n", with: "      show:\n        get: \"{{host}}/orders/1\"\n"
        )
        .replacing("  ping:", with: "  users:\n    requests:\n      all:\n        get: \"{{host}}/users\"\n  ping:")

    @Test func `a directory gets the same, file by file`() throws {
        let path = directory.path("shop")
        try Self.make(Self.first, at: path, .directory)
        let list = "shop/orders/list.yaml"
        try directory.write("# Mine.\n" + directory.read(list).replacing("limit: 10", with: "limit: 50"), to: list)
        try directory.write("get: http://m\n", to: "shop/orders/mine.yaml")
        let report = try Self.update(Self.second, at: path)
        #expect(report.added == ["orders/show", "users/all"])
        #expect(report.removed == ["orders/remove"])
        #expect(try directory.read(list) == "# Mine.\nget: \"{{host}}/orders\"\nquery: { limit: 50, page: 2 }\n")
        #expect(try directory.read("shop/orders/create.yaml").contains("qty: 2"))
        #expect(!FileManager.default.fileExists(atPath: "\(path)/orders/remove.yaml"))
        #expect(FileManager.default.fileExists(atPath: "\(path)/orders/mine.yaml"))
        let order = try RequestCollection.load(path: path).requests.map(\.id.rawValue)
        #expect(Set(order) == ["orders/list", "orders/create", "orders/show", "orders/mine", "users/all", "ping"])
        let before = try snapshot(path)
        #expect(try Self.update(Self.second, at: path).isEmpty)
        #expect(try snapshot(path) == before)
    }

    @Test func `after a crash the same update goes on where it was`() throws {
        var count = 0
        while true {
            let path = directory.path("crash\(count)")
            try Self.make(Self.first, at: path, .directory)
            let known = try RequestCollection.load(path: path)
            let new = try Self.imported(Self.second, at: path)
            let base = try ImportBase.read(ImportBase.path(of: path, .directory))
            let steps = try CollectionUpdate(of: known, to: new, identities: [:], base: base).change(to: new).change.steps
            guard count <= steps.count else { return }
            try CollectionChange.write(Array(steps.prefix(count)))
            #expect(try Self.update(Self.second, at: path).conflicts == [], "after \(count) steps")
            let after = try RequestCollection.load(path: path)
            #expect(after.contains("users/all") && after.contains("orders/show") && !after.contains("orders/remove"))
            count += 1
        }
    }
}
