import Foundation
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct ItemFileTests {
    private static let ada = JSONValue.object([.init(name: "name", value: .string("ada")), .init(name: "n", value: .string("007"))])

    @Test(
        arguments: [
            ("x.csv", nil, "\u{FEFF}name,n\r\nada,007\r\n", [ada]), ("x.TSV", nil, "name\tn\nada\t007\n\n", [ada]),
            ("x.json", nil, "[7, \"7\", null]", [.number("7"), .string("7"), .null]),
            ("x.json", ".data.users", #"{"data":{"users":[{"name":"ada","n":"007"}]}}"#, [ada]),
            ("x.jsonl", nil, "7\n\n\"a b\"\n", [.number("7"), .string("a b")]), ("x.ndjson", nil, "[1]", [.array([.number("1")])]),
            ("x.txt", nil, "\u{FEFF}a1\r\n \nb, 2", [.string("a1"), .string("b, 2")]),
        ] as [(String, String?, String, [JSONValue])])
    func `the ending says what an item is`(path: String, place: String?, text: String, items: [JSONValue]) throws {
        #expect(try ItemFile(path: path, place: place).items(in: text) == items)
    }

    @Test(
        arguments: [
            ("a\n7\n", "number", [.number("7")]), ("a\n 1.50\n\"\"\n", "number", [.number("1.50"), .null]),
            ("a\ntrue\n", "boolean", [.boolean(true)]), ("a\n\"[1]\"\n", "json", [.array([.number("1")])]),
            ("a\n007\n", "text", [.string("007")]),
        ] as [(String, String, [JSONValue])])
    func `a column may have a type`(text: String, type: String, values: [JSONValue]) throws {
        var file = ItemFile(path: "x.csv")
        file.types = [.init(column: "a", type: try #require(ItemFile.CellType(rawValue: type)))]
        #expect(try file.items(in: text) == values.map { .object([.init(name: "a", value: $0)]) })
    }

    @Test(arguments: [
        ("a,b\n1,2\n1,007\n", "b", "3: `b` is `007`, and no number"),
        ("ab\n1\n", "aab", "1: `types` names the column `aab`, which isn't there; did you mean `ab`?"),
    ])
    func `a cell that isn't of its type is said with its line`(text: String, column: String, message: String) {
        var file = ItemFile(path: "x.csv")
        file.types = [.init(column: column, type: .number)]
        let problem = #expect(throws: DataRows.Problem.self) { try file.items(in: text) }
        #expect(problem.map { "\($0.line): \($0.message)" } == message)
    }

    @Test(
        arguments: [
            ("x.csv", nil, "name,n\nada\n", "2: this row has 1 cell, and the first one names 2 columns"),
            ("x.json", nil, "{\"a\": [1]}", "1: this is no list; `at` says where the list is, as in `at: .users`"),
            ("x.json", nil, "[1", "1: this is not JSON"), ("x.json", ".a", "{\"a\": 1}", "1: there is no list at `.a`"),
            ("x.json", ".b", "{\"a\": [1]}", "1: there is no list at `.b`"), ("x.jsonl", nil, "1\n\n{", "3: this line is not JSON"),
        ] as [(String, String?, String, String)])
    func `what is wrong in it is said with its line`(path: String, place: String?, text: String, message: String) {
        let problem = #expect(throws: DataRows.Problem.self) { try ItemFile(path: path, place: place).items(in: text) }
        #expect(problem.map { "\($0.line): \($0.message)" } == message)
    }

    @Test(arguments: [
        ("{ file: x.xlsx }", "`file` takes the name of a file that ends in .csv, .tsv, .json, .jsonl, .ndjson or .txt"),
        ("{ file: \"{{x}}.csv\" }", "`file` takes the name of a file that ends in .csv"),
        ("{ file: x.csv, at: .a }", "`at` says where the list is in a file in JSON, and `x.csv` is none"),
        ("{ file: x.json, at: map(.a) }", "`at` takes a path to a list, such as `.users`"),
        ("{ file: x.json, at-most: 3 }", "`at-most` belongs to `pages`, which isn't there"),
        ("{ pages: .next, at: .a }", "`at` belongs to `file`, which isn't there"),
        ("{ file: x.json, types: { n: number } }", "`types` is for the columns of CSV"),
        ("{ file: x.csv, types: { n: int } }", "`n` takes `text`, `number`, `boolean` or `json`, not `int`"),
        ("{ file: x.csv, pages: .next }", "one of"), ("{ }", "or a map with `file` or `pages`, not one without"),
    ])
    func `what is wrong in the collection is said`(source: String, message: String) {
        let collection = RequestCollection.of("turnstone: 1\nrequests: { a: { get: http://a/, for-each: { u: \(source) } } }\n")
        #expect(collection.problems.contains { $0.message.contains(message) }, "\(collection.problems.map(\.message))")
    }

    private static let shop = [
        "shop/_collection.yaml": "turnstone: 1\n",
        "shop/users/_folder.yaml": "for-each: { user: { file: ../data/users.csv } }\n",
        "shop/users/read.yaml": "get: http://h/{{user.name}}\n",
        "shop/users/sub/all.yaml": "get: http://h/{{id}}\nfor-each: { id: { file: ../../data/ids.json, at: .ids } }\n",
        "shop/data/users.csv": "name\nada\nbob\n", "shop/data/ids.json": #"{"ids": [1, 2, 3]}"#,
    ]

    private static func items(_ collection: RequestCollection, _ id: String) throws -> [[JSONValue]] {
        collection.loops(of: try #require(collection.request(RequestID(rawValue: id)))).map(\.definition.items)
    }

    @Test func `files are read for the requests that are asked for`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        #expect(collection.problems.isEmpty)
        let all = collection.readingItems(by: .nothing).collection
        #expect(try Self.items(all, "users/read").map(\.count) == [2])
        #expect(try Self.items(all, "users/sub/all") == [Self.items(all, "users/read")[0], ["1", "2", "3"].map { .number($0) }])
        let one = collection.readingItems(by: .nothing, for: [RequestID(rawValue: "users/read")]).collection
        #expect(try Self.items(one, "users/sub/all").map(\.count) == [2, 0])
    }

    @Test func `a request by itself is shown for the first item`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        let request = try #require(collection.request(RequestID(rawValue: "users/read")))
        #expect(try collection.resolve(request, environment: nil).request.url.absoluteString == "http://h/ada")
        let shown = try collection.resolve(request, environment: nil, with: TemplateEnvironment(mode: .show))
        #expect(shown.request.url.absoluteString.contains("user.name"))
    }

    @Test func `a file that isn't the collection's own is asked for`() throws {
        let directory = try TemporaryDirectory([
            "shop.yaml": "turnstone: 1\nrequests: { a: { get: \"http://h/{{u}}\", for-each: { u: { file: users.txt } } } }\n",
            "users.txt": "ada\n",
        ])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        let id = RequestID(rawValue: "a")
        let request = try #require(collection.request(id))
        let want = Want.read(path: RealPath.of(directory.path("users.txt")))
        #expect(collection.wants(of: [request], environment: nil).map(\.want) == [want])
        let (lenient, refused) = collection.readingItems(by: .nothing)
        #expect(refused.map(\.want) == [want])
        #expect(lenient.request(id)?.problems.isEmpty == true)
        #expect(lenient.refusal(of: request)?.wants.map(\.want) == [want])
        let error = #expect(throws: ResolutionError.self) { try collection.resolve(request, environment: nil) }
        #expect(error?.wants.map(\.want) == [want])
        let read = collection.readingItems(by: Trust([want])).collection
        #expect(read.request(id)?.forEach?.items == [.string("ada")])
    }

    @Test func `a file with something wrong in it stops the requests of its folder`() throws {
        var files = Self.shop
        files["shop/data/users.csv"] = "name\n"
        let directory = try TemporaryDirectory(files)
        let collection = try RequestCollection.load(path: directory.path("shop")).readingItems(by: .nothing).collection
        for id in ["users/read", "users/sub/all"] {
            let problem = collection.request(RequestID(rawValue: id))?.problems.first
            #expect(problem?.message == "../data/users.csv: the list is empty, so the request would never be sent")
            #expect(problem?.location.path == directory.path("shop/users/_folder.yaml"))
        }
    }

    @Test func `what a file gives is neither compared for saving nor kept`() throws {
        let directory = try TemporaryDirectory(Self.shop)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        let id = RequestID(rawValue: "users/sub/all")
        let read = try #require(collection.readingItems(by: .nothing).collection.request(id))
        #expect(read.forEach?.items.count == 3)
        #expect(read.withoutPlaces == collection.request(id)?.withoutPlaces)
    }

    @Test func `its path follows a request that moves, and an item's member doesn't`() throws {
        let directory = try TemporaryDirectory([
            "shop/_collection.yaml": "turnstone: 1\n", "shop/f/a.yaml": "get: http://h/\nfor-each: { u: { file: u.csv } } # c\n",
            "shop/f/b.yaml": "get: http://h/\nfor-each: { u: [{ file: u.csv }] }\n",
            "shop/f/c.yaml":
                "get: http://h/\nresponse: { save: ../../x }\nexpect: { contract: o.json, body: { .a: { schema: s.json } } }\n",
        ])
        for (name, lines) in [
            (
                "c", "response: { save: ../x }\nexpect: { contract: f/o.json, body: { .a: { schema: f/s.json } } }\n"
            ),
            ("a", "for-each: { u: { file: f/u.csv } } # c\n"), ("b", "for-each: { u: [{ file: u.csv }] }\n"),
        ] {
            let collection = try RequestCollection.load(path: directory.path("shop"))
            try collection.applying(.move(RequestID(rawValue: "f/\(name)"), into: nil)).write()
            #expect(try directory.read("shop/\(name).yaml") == "get: http://h/\n" + lines)
        }
    }
}
