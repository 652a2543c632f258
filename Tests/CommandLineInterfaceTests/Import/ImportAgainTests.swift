import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

/// `turnstone import --update`, as it is called.
@Suite struct ImportAgainTests {
    private static let document = """
        openapi: 3.0.3
        info: { title: Shop }
        servers: [{ url: http://127.0.0.1:9 }]
        paths:
          /orders:
            get:
              operationId: listOrders
              tags: [orders]
              parameters:
                - { name: limit, in: query, description: How many., schema: { type: integer, example: 10 }, required: true }
              responses: { 200: { description: ok } }
            post:
              operationId: createOrder
              tags: [orders]
              requestBody: { content: { application/json: { example: { sku: A7, qty: 1 } } } }
              responses: { 200: { description: ok } }
          /orders/{id}:
            delete:
              operationId: deleteOrder
              tags: [orders]
              parameters: [{ name: id, in: path, required: true, schema: { type: string, example: o1 } }]
              responses: { 204: { description: ok } }

        """

    /// Another name for an operation, a new one, a changed body, and one that is gone.
    private static let newer = document.replacing("operationId: listOrders", with: "operationId: allOrders")
        .replacing("example: 10", with: "example: 20").replacing("qty: 1", with: "qty: 2")
        .replacing("delete:\n      operationId: deleteOrder", with: "put:\n      operationId: payOrder")

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write("api.yaml", Self.document)
        try directory.write("newer.yaml", Self.newer)
    }

    private func run(_ words: String...) async -> CommandLineRun {
        await CommandLineRun.run(["import"] + words)
    }

    private func read(_ name: String) throws -> String { try String(contentsOfFile: directory.file(name), encoding: .utf8) }

    @Test func `a newer document is merged into the file, and told`() async throws {
        let file = directory.file("shop.yaml")
        #expect(await run(directory.file("api.yaml"), "-o", file).status == .success)
        let made = try read("shop.yaml")
        #expect(made.contains("limit: 10"), "\(made)")
        try directory.write("shop.yaml", made.replacing("limit: 10", with: "limit: 50"))
        let edited = try read("shop.yaml")
        let base = try read("shop.import.json")

        let refused = await run(directory.file("newer.yaml"), "-o", file)
        #expect(refused.status == .usage)
        #expect(refused.errors.contains("--update merges the import into it"), "\(refused.errors)")

        let dry = await run(directory.file("newer.yaml"), "-o", file, "--update", "--dry-run")
        #expect(dry.status == .success, "\(dry.errors)")
        #expect(dry.errors.contains("Would update \(file) from OpenAPI: 1 added, 2 changed, 1 removed."), "\(dry.errors)")
        #expect(try read("shop.yaml") == edited)
        #expect(try read("shop.import.json") == base)

        let done = await run(directory.file("newer.yaml"), "-o", file, "--update")
        #expect(done.status == .success, "\(done.errors)")
        for line in [
            "Updated \(file) from OpenAPI: 1 added, 2 changed, 1 removed.\n", "  + orders/pay-order\n", "  - orders/delete-order\n",
            "  ~ orders/create-order: body.json.qty\n", "  orders/list query.limit: yours 50, theirs 20\n",
            "--theirs 'orders/list query.limit'",
        ] { #expect(done.errors.contains(line), "\(line) in \(done.errors)") }
        let after = try read("shop.yaml")
        #expect(after.contains("limit: 50") && after.contains("qty: 2") && !after.contains("qty: 1"), "\(after)")
        #expect(after.contains("      list:\n"), "\(after)")

        let again = await run(directory.file("newer.yaml"), "-o", file, "--update")
        #expect(again.errors.hasPrefix("\(file) has everything that is in the import from OpenAPI already.\n"), "\(again.errors)")
        #expect(try read("shop.yaml") == after)

        let theirs = await run(
            directory.file("newer.yaml"), "-o", file, "--update", "--theirs", "orders/list query.limit")
        #expect(theirs.status == .success, "\(theirs.errors)")
        #expect(try read("shop.yaml").contains("limit: 20"))

        let settled = await run(directory.file("newer.yaml"), "-o", file, "--update", "--theirs", "orders/list query.limit")
        #expect(settled.errors.contains("--theirs 'orders/list query.limit': nothing to take there.\n"), "\(settled.errors)")
        #expect(settled.status == .success)
        let taken = try read("shop.yaml")
        for (place, said) in [
            ("orders/lst query.limit", "`orders/lst query.limit`"), ("orders/lst", "`orders/lst`; did you mean `orders/list`?"),
            ("variable.host", "`variable.host`"),
        ] {
            let nowhere = await run(directory.file("newer.yaml"), "-o", file, "--update", "--theirs", place)
            #expect(nowhere.status == .usage)
            #expect(nowhere.errors.contains("nor the import has a request, folder or entry \(said)"), "\(nowhere.errors)")
        }
        #expect(try read("shop.yaml") == taken)
    }

    @Test func `a directory is updated file by file, and nothing is written without need`() async throws {
        let path = directory.file("shop")
        #expect(await run(directory.file("api.yaml"), "-o", path + "/").status == .success)
        let list = "shop/orders/list.yaml"
        try directory.write(list, "# Mine.\n" + read(list))
        let done = await run(directory.file("newer.yaml"), "-o", path + "/", "--update")
        #expect(done.status == .success, "\(done.errors)")
        #expect(try read(list).hasPrefix("# Mine.\n"))
        #expect(try read(list).contains("limit: 20"))
        #expect(FileManager.default.fileExists(atPath: "\(path)/orders/pay-order.yaml"))
        #expect(!FileManager.default.fileExists(atPath: "\(path)/orders/delete-order.yaml"))
        #expect(FileManager.default.fileExists(atPath: "\(path)/_import.json"))
    }

    @Test func `where nothing is, an update is an import; what is no collection is left alone`() async throws {
        let file = directory.file("shop.yaml")
        #expect(await run(directory.file("api.yaml"), "-o", file, "--update").status == .success)
        let source = await run(directory.file("newer.yaml"), "-o", directory.file("api.yaml"), "--update")
        #expect(source.status == .file)
        #expect(try read("api.yaml") == Self.document)
        #expect(await run(directory.file("api.yaml"), "-o", file, "--update", "--force").status == .usage)
        #expect(await run(directory.file("api.yaml"), "-o", file, "--theirs", "orders").status == .usage)
    }

    @Test func `an import without writing says the same and makes nothing`() async throws {
        let file = directory.file("shop.yaml")
        let dry = await run(directory.file("api.yaml"), "-o", file, "--dry-run")
        #expect(dry.status == .success)
        #expect(dry.errors.hasPrefix("Imported 3 requests in 1 folder"), "\(dry.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(!FileManager.default.fileExists(atPath: directory.file("shop.import.json")))
    }

    @Test func `no secret stands in the base, whatever is kept in the collection`() async throws {
        let secret = "sk-4f9a8b7c6d5e4f3a2b1c"
        try directory.write(
            "p.json",
            #"{"info":{"name":"P"},"item":[{"name":"a","request":{"method":"GET","url":"http://h/a","header":[{"key":"Authorization","value":"Bearer \#(secret)"}]}}]}"#
        )
        let file = directory.file("p.yaml")
        #expect(await run(directory.file("p.json"), "-o", file, "--keep-secrets").status == .success)
        #expect(try read("p.yaml").contains(secret))
        #expect(try !read("p.import.json").contains(secret))
    }

    @Test func `nobody else's file becomes a base`() async throws {
        let file = directory.file("shop.yaml")
        try directory.write("shop.import.json", "mine\n")
        #expect(await run(directory.file("api.yaml"), "-o", file).status == .file)
        #expect(try read("shop.import.json") == "mine\n")
        try FileManager.default.removeItem(atPath: directory.file("shop.import.json"))
        try directory.write("other.json", "{\"import\": 1}\n")
        try FileManager.default.createSymbolicLink(atPath: directory.file("shop.import.json"), withDestinationPath: "other.json")
        #expect(await run(directory.file("api.yaml"), "-o", file).status == .file)
        #expect(try read("other.json") == "{\"import\": 1}\n")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    /// What is newly wanted is asked for as if the collection had been written by hand.
    @Test func `an update brings no trust along`() async throws {
        let file = directory.file("p.yaml")
        func source(_ name: String) -> String {
            #"{"info":{"name":"P"},"item":[{"name":"a","request":{"method":"GET","url":"http://127.0.0.1:9/a","header":[{"key":"\#(name)","value":"abcdefghijkl0123456789"}]}}]}"#
        }
        try directory.write("p.json", source("X-Plain"))
        #expect(await run(directory.file("p.json"), "-o", file).status == .success)
        try directory.write("p.json", source("X-Api-Key"))
        let done = await run(directory.file("p.json"), "-o", file, "--update")
        #expect(done.errors.contains("New environment variables to set:\n  P_"), "\(done.errors)")
        let sent = await CommandLineRun.run(["run", file])
        #expect(sent.status == .notAllowed)
        #expect(sent.errors.contains("turnstone trust"), "\(sent.output) \(sent.errors)")
    }
}
